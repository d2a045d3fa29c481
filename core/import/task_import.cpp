// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/task_import.h"

#include "core/base/text.h"
#include "core/import/pack_draft.h"
#include "core/import/python_tokens.h"
#include "core/import/task_inputs.h"
#include "core/import/task_shapes.h"
#include "core/import/yaml_text.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gks {
namespace {

using Kind = PythonExpression::Kind;

constexpr std::size_t taskDimLimit = 8;
constexpr Tolerance toleranceOfTheHarness = {1e-5, 1e-8}; // where make_match_reference() is given none

// A conversion in the expression, or a tensor that is made, whose type is not `usual`. `isSame`: every tensor is of
// that.
bool changesType(const PythonExpression& expression, ElementType usual, bool isSame) {
    const auto isUsual = [&](const PythonExpression& type) {
        return type.kind == Kind::attribute &&
               (elementTypeFromTorch(type.word) == usual || (isSame && type.word == "dtype"));
    };
    if (expression.kind == Kind::call) {
        const std::string& word = expression.parts.front().word;
        const auto dtype = std::ranges::find(expression.keys, "dtype");
        const bool isGiven = dtype != expression.keys.end();
        if (isGiven && !isUsual(expression.keywords[static_cast<std::size_t>(dtype - expression.keys.begin())])) {
            return true;
        }
        const bool isCast = word == "float" || word == "half" || word == "double" || word == "bfloat16";
        const bool isOfTensor = expression.parts.front().kind == Kind::attribute;
        if (isOfTensor && isCast && elementTypeFromTorch(word) != usual) {
            return true;
        }
        if (word == "tensor" && !isGiven && usual != ElementType::f32) {
            return true;
        }
        if ((word == "to" || word == "type") && !isGiven &&
            (expression.parts.size() != 2 || !isUsual(expression.parts[1]))) {
            return true;
        }
        if (word == "type_as" && !isSame) {
            return true;
        }
    }
    const auto any = [&](const std::vector<PythonExpression>& parts) {
        return std::ranges::any_of(parts, [&](const auto& part) { return changesType(part, usual, isSame); });
    };
    return any(expression.parts) || any(expression.keywords);
}

class TaskReader {
public:
    TaskReader(std::string_view folder)
        : m_task(std::string(folder) + "/task.yml"), m_where(std::string(folder) + "/reference.py") {}

    Result<ImportedProblem> read(std::string_view task, std::string_view reference, std::string_view name) {
        GKS_TRY_ASSIGN(const OrderedJson json, parseYaml(task, m_task));
        if (!json.is_object()) {
            return refuseTask("is no task: a mapping is needed");
        }
        GKS_TRY_ASSIGN(const PythonModule parsed,
                       parsePythonModule(reference, {"generate_input", "ref_kernel"}, m_where));
        const PythonFunction& generate = parsed.functions.at("generate_input");
        GKS_TRY_ASSIGN(m_inputs, taskInputs(generate, parsed.values, m_where));
        m_draft.notes.insert(m_draft.notes.end(), m_inputs.notes.begin(), m_inputs.notes.end());
        GKS_TRY(nameAxes(generate));
        GKS_TRY(translate(parsed));
        GKS_TRY_ASSIGN(m_draft.tests, taskShapes(json, "tests", m_draft.axes, m_task));
        GKS_TRY_ASSIGN(m_draft.benchmarks, taskShapes(json, "benchmarks", m_draft.axes, m_task));
        if (m_draft.tests.empty() && m_draft.benchmarks.empty()) {
            return refuseTask("has neither \"tests\" nor \"benchmarks\"");
        }
        GKS_TRY(readTolerance(parsed));
        m_draft.name = name;
        m_draft.title = taskTitle(json);
        m_draft.isFree = false; // what holds between and beyond these shapes, a task says in prose alone
        m_draft.notes.emplace_back(
            "Shapes are those of task.yml alone. Where kernels have to be right for others, name "
            "the dims in \"free\"");
        m_draft.origin = "task.yml and reference.py";
        m_draft.reference = reference;
        m_draft.files = {{"task.yml", std::string(task)}, {"reference.py", std::string(reference)}};
        return packFrom(std::move(m_draft), m_where);
    }

private:
    tl::unexpected<Error> refuseTask(std::string what) const {
        return usageError(std::move(what), m_task, "Write the problem pack by hand");
    }
    tl::unexpected<Error> refuse(const PythonPlace& place, std::string what) const {
        return refusedPython(m_where, place, std::move(what));
    }

    // Axes are called after parameters; what is computed of them gets a name of its own.
    Result<void> nameAxes(const PythonFunction& generate) {
        for (const std::string& parameter : generate.parameters) {
            const bool isAxis = std::ranges::find(m_inputs.axes, parameter, &ProblemAxis::name) != m_inputs.axes.end();
            bool isPart = false;
            for (const ProblemAxis& axis : m_inputs.axes) {
                std::set<std::string> names;
                if (axis.derived) {
                    namesIn(*axis.derived, names);
                }
                isPart = isPart || names.contains(parameter);
            }
            if (!isAxis && !isPart && parameter != "seed") {
                return refuse(generate.place, fmt::format("has the parameter {} in generate_input, which is no extent",
                                                          abbreviated(parameter, 40)));
            }
            if (!isAxis && isPart) {
                m_inputs.axes.push_back({.name = parameter, .dim = {}});
            }
        }
        for (ProblemAxis& axis : m_inputs.axes) {
            const std::string wanted = axis.constant  ? fmt::format("extent{}", *axis.constant)
                                       : axis.derived ? fmt::format("computed{}", ++m_computed)
                                                      : axis.name;
            GKS_TRY_ASSIGN(axis.dim, m_names.own(wanted));
            m_dims[axis.name] = axis.dim;
            if (axis.constant) {
                m_constants[axis.dim] = *axis.constant;
            }
        }
        return {};
    }

    // of - size + 1, the dim that has it or a new one.
    Result<std::string> windowExtent(const std::string& of, const std::string& size) {
        const auto expressionOf = [&](const std::string& dim) {
            const ProblemAxis& axis = *std::ranges::find(m_inputs.axes, dim, &ProblemAxis::dim);
            PythonExpression number{.kind = Kind::number, .isWhole = true};
            number.number = static_cast<double>(axis.constant.value_or(1));
            return axis.derived    ? *axis.derived
                   : axis.constant ? number
                                   : PythonExpression{.kind = Kind::name, .word = axis.name};
        };
        const auto binary = [](std::string word, PythonExpression left, PythonExpression right) {
            return PythonExpression{
                .kind = Kind::binary, .word = std::move(word), .parts = {std::move(left), std::move(right)}};
        };
        PythonExpression count = binary("+", binary("-", expressionOf(of), expressionOf(size)),
                                        PythonExpression{.kind = Kind::number, .number = 1, .isWhole = true});
        const std::string name = writtenExpression(count);
        if (const auto known = m_dims.find(name); known != m_dims.end()) {
            return known->second;
        }
        GKS_TRY_ASSIGN(std::string dim, m_names.own(fmt::format("computed{}", ++m_computed)));
        m_dims[name] = dim;
        m_inputs.axes.push_back({.name = name, .dim = dim, .constant = {}, .derived = std::move(count)});
        return dim;
    }

    std::vector<std::string> dimsOf(const DrawnTensor& tensor) const {
        std::vector<std::string> dims;
        for (const std::string& extent : tensor.extents) {
            dims.push_back(extent == "1" ? "1" : m_dims.at(extent));
        }
        return dims;
    }

    // What generate_input calls them, ref_kernel does not know: no name of Python.
    static std::string hidden(const DrawnTensor& tensor) { return "input " + tensor.name; }

    // ref_kernel(data) takes what generate_input returns; here it begins with data = (a, b, ...).
    PythonFunction withInputs(const PythonFunction& kernel) const {
        PythonFunction function = kernel;
        PythonExpression data{.kind = Kind::tuple, .place = kernel.place};
        for (const DrawnTensor& tensor : m_inputs.tensors) {
            data.parts.push_back({.kind = Kind::name, .place = kernel.place, .word = hidden(tensor)});
        }
        function.parameters.clear();
        for (const std::size_t i : m_order) {
            function.parameters.push_back(hidden(m_inputs.tensors[i]));
        }
        PythonStatement first{{kernel.parameters.front()},
                              m_inputs.isTuple ? std::move(data) : std::move(data.parts.front()),
                              kernel.place,
                              PythonStatement::Kind::assign};
        function.body.insert(function.body.begin(), std::move(first));
        return function;
    }

    std::vector<NamedTensor> namedInputs() const {
        std::vector<NamedTensor> named;
        for (const std::size_t i : m_order) {
            const DrawnTensor& tensor = m_inputs.tensors[i];
            named.push_back({hidden(tensor), dimsOf(tensor), isFloatingType(tensor.type)});
        }
        return named;
    }

    // A tensor that the reference does not read is where the output goes: those come last, and are no inputs.
    Result<void> translate(const PythonModule& parsed) {
        const PythonFunction& kernel = parsed.functions.at("ref_kernel");
        if (kernel.parameters.size() != 1) {
            return refuse(kernel.place, "has a ref_kernel with more than one parameter");
        }
        for (std::size_t i = 0; i < m_inputs.tensors.size(); ++i) {
            m_order.push_back(i);
        }
        const auto program = [&]() -> Result<TensorProgram> {
            return returnedTensors(withInputs(kernel), namedInputs(), parsed.values, m_constants, m_where,
                                   [this](const auto& of, const auto& size) { return windowExtent(of, size); });
        };
        GKS_TRY_ASSIGN(const TensorProgram first, program());
        const std::set<std::size_t> read = readInputs(first);
        std::ranges::stable_partition(m_order, [&](std::size_t i) { return read.contains(i); });
        GKS_TRY_ASSIGN(m_draft.program, program());
        for (const std::size_t i : read) {
            if (m_inputs.tensors[i].unknown) {
                return tl::unexpected(*m_inputs.tensors[i].unknown);
            }
        }
        if (read.empty()) {
            return refuse(kernel.place, "has a ref_kernel that reads no input");
        }
        GKS_TRY(addInputs(read));
        GKS_TRY(addOutputs(parsed, read));
        return keepUsedAxes(kernel);
    }

    Result<void> addInputs(const std::set<std::size_t>& read) {
        for (const std::size_t i : read) {
            const DrawnTensor& drawn = m_inputs.tensors[i];
            TensorSpec tensor;
            GKS_TRY_ASSIGN(tensor.name, m_names.own(drawn.name));
            tensor.type = drawn.type;
            tensor.extents = dimsOf(drawn);
            tensor.fill = drawn.fill;
            tensor.scale = drawn.scale;
            tensor.offset = drawn.offset;
            m_draft.tensors.push_back(std::move(tensor));
        }
        return {};
    }

    Result<void> addOutputs(const PythonModule& parsed, const std::set<std::size_t>& read) {
        const PythonPlace& place = parsed.functions.at("ref_kernel").body.back().place;
        for (std::size_t i = 0; i < m_draft.program.outputs.size(); ++i) {
            const bool isOne = m_draft.program.outputs.size() == 1;
            TensorSpec tensor;
            GKS_TRY_ASSIGN(tensor.name,
                           m_names.own(isOne ? std::string("output") : fmt::format("output{}", m_outputs++)));
            GKS_TRY_ASSIGN(tensor.type, outputType(parsed, read, m_draft.program.buffers[i]));
            if (!isOutputType(tensor.type)) {
                return refuse(place, fmt::format("returns {}, which no output can be", name(tensor.type)));
            }
            tensor.extents = m_draft.program.outputs[i]->shape;
            useTypeOfPlace(tensor, read);
            tensor.role = TensorRole::output;
            m_draft.tensors.push_back(std::move(tensor));
        }
        return {};
    }

    // What is computed in float64 to be on the safe side has a place of float32 to go to: an input of the same shape
    // that nothing is read from.
    void useTypeOfPlace(TensorSpec& output, const std::set<std::size_t>& read) {
        const bool isOnly = m_draft.program.outputs.size() == 1 && m_inputs.tensors.size() == read.size() + 1;
        for (std::size_t i = 0; isOnly && i < m_inputs.tensors.size(); ++i) {
            const DrawnTensor& place = m_inputs.tensors[i];
            if (!read.contains(i) && dimsOf(place) == output.extents && output.type == ElementType::f64 &&
                isOutputType(place.type)) {
                output.type = place.type;
            }
        }
    }

    // The type of the buffer that it fills, of the conversion that is returned, or of all that is read where nothing is
    // converted.
    Result<ElementType> outputType(const PythonModule& parsed, const std::set<std::size_t>& read,
                                   const std::optional<std::size_t>& buffer) const {
        const PythonFunction& kernel = parsed.functions.at("ref_kernel");
        if (buffer) {
            return m_inputs.tensors[m_order[*buffer]].type;
        }
        const PythonExpression* value = &kernel.body.back().value;
        for (std::size_t i = kernel.body.size() - 1; i-- > 0 && value->kind == Kind::name;) {
            const PythonStatement& statement = kernel.body[i];
            const bool isSet = std::ranges::find(statement.targets, value->word) != statement.targets.end();
            if (isSet && (statement.targets.size() > 1 || statement.kind == PythonStatement::Kind::fill)) {
                break; // the part of something
            }
            value = isSet ? &statement.value : value;
        }
        if (value->kind == Kind::call && value->parts.front().kind == Kind::attribute) {
            const PythonExpression& function = value->parts.front();
            const bool isTo = function.word == "to" && value->parts.size() == 2;
            const auto type = elementTypeFromTorch(isTo ? value->parts[1].word : function.word);
            if (type && (!isTo || value->parts[1].kind == Kind::attribute)) {
                return *type;
            }
        }
        const ElementType first = m_inputs.tensors[*read.begin()].type;
        const bool isSame = std::ranges::all_of(
            read, [&](std::size_t i) { return m_inputs.tensors[i].type == first && isFloatingType(first); });
        const bool isOneType =
            std::ranges::all_of(m_inputs.tensors, [&](const DrawnTensor& one) { return one.type == first; });
        const bool isPlain = std::ranges::none_of(kernel.body,
                                                  [&](const PythonStatement& statement) {
                                                      return changesType(statement.value, first, isOneType);
                                                  }) &&
                             std::ranges::none_of(parsed.values, [&](const auto& value) {
                                 return changesType(value.second, first, isOneType);
                             });
        if (isSame && isPlain) {
            return first;
        }
        return refuse(kernel.body.back().place, "returns a tensor whose type does not follow from the text: return it "
                                                "with .to(torch.float32) or the like");
    }

    Result<void> keepUsedAxes(const PythonFunction& kernel) {
        std::set<std::string> used;
        for (const TensorSpec& tensor : m_draft.tensors) {
            used.insert(tensor.extents.begin(), tensor.extents.end());
        }
        m_draft.axes = m_inputs.axes;
        for (const ProblemAxis& axis : m_draft.axes) {
            if (used.contains(axis.dim)) {
                m_draft.dims.push_back(axis.name);
            }
        }
        return m_draft.dims.empty() || m_draft.dims.size() > taskDimLimit
                   ? Result<void>(refuse(kernel.place, fmt::format("has no extent, or more than {}", taskDimLimit)))
                   : Result<void>();
    }

    // check_implementation = make_match_reference(ref_kernel, rtol=1e-4, atol=ATOL)
    Result<void> readTolerance(const PythonModule& parsed) {
        const auto check = parsed.values.find("check_implementation");
        if (check == parsed.values.end() || check->second.kind != Kind::call ||
            check->second.parts.front().word != "make_match_reference") {
            m_draft.notes.emplace_back("What check_implementation does was not taken over");
            return {};
        }
        const PythonExpression& call = check->second;
        if (call.parts.size() != 2 || call.parts.back().kind != Kind::name || call.parts.back().word != "ref_kernel") {
            return refuse(call.place, "gives make_match_reference something else than ref_kernel, rtol= and atol=");
        }
        Tolerance tolerance = toleranceOfTheHarness;
        for (std::size_t i = 0; i < call.keys.size(); ++i) {
            const std::string& key = call.keys[i];
            const PythonExpression& value = meant(call.keywords[i], parsed);
            const bool isNumber = value.kind == Kind::number && value.number >= 0 && value.number <= 1e6;
            if (!isNumber || (key != "rtol" && key != "atol")) {
                return refuse(
                    call.keywords[i].place,
                    fmt::format("gives make_match_reference a {} that cannot be taken over", abbreviated(key, 40)));
            }
            (key == "rtol" ? tolerance.relative : tolerance.absolute) = value.number;
        }
        m_draft.tolerance = tolerance;
        return {};
    }

    // What a name beside the functions stands for, or the name.
    static const PythonExpression& meant(const PythonExpression& expression, const PythonModule& parsed) {
        const PythonExpression* value = &expression;
        for (int depth = 0; value->kind == Kind::name && depth < 20; ++depth) {
            const auto found = parsed.values.find(value->word);
            if (found == parsed.values.end()) {
                break;
            }
            value = &found->second;
        }
        return *value;
    }

    std::string m_task;
    std::string m_where;
    PackNames m_names{m_where};
    TaskInputs m_inputs;
    std::vector<std::size_t> m_order;          // of the tensors: those that are read come first
    std::map<std::string, std::string> m_dims; // of an axis
    std::map<std::string, std::int64_t> m_constants;
    int m_computed = 0; // extents without a name
    int m_outputs = 0;
    PackDraft m_draft;
};

} // namespace

Result<ImportedProblem> problemFromTask(std::string_view task, std::string_view reference, std::string_view name,
                                        std::string_view folder) {
    return TaskReader(folder).read(task, reference, name);
}

} // namespace gks
