// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/definition_import.h"

#include "core/base/files.h"
#include "core/base/json.h"
#include "core/base/one_line.h"
#include "core/base/regular_file.h"
#include "core/base/text.h"
#include "core/import/reference_writer.h"
#include "core/problem/problem.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

namespace gks {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t definitionTextLimitBytes = std::size_t{256} << 10;
constexpr std::size_t axisCountLimit = 8;    // as of a pack
constexpr std::size_t tensorCountLimit = 16; // likewise
constexpr std::int64_t extentLimit = 1 << 20;

struct Axis {
    std::string dim; // its name in the pack
    std::optional<std::int64_t> constant;
};

std::optional<ElementType> typeFrom(std::string_view dtype) {
    const std::map<std::string_view, ElementType> types = {{"float32", ElementType::f32},
                                                           {"float16", ElementType::f16},
                                                           {"bfloat16", ElementType::bf16},
                                                           {"float64", ElementType::f64},
                                                           {"float8_e4m3fn", ElementType::fp8E4m3},
                                                           {"float8_e4m3", ElementType::fp8E4m3},
                                                           {"float8_e5m2", ElementType::fp8E5m2},
                                                           {"int32", ElementType::i32},
                                                           {"int64", ElementType::i64},
                                                           {"int8", ElementType::i8}};
    const auto found = types.find(dtype);
    return found == types.end() ? std::nullopt : std::optional(found->second);
}

bool isFloating(ElementType type) {
    return type != ElementType::i8 && type != ElementType::i32 && type != ElementType::i64 && type != ElementType::u32;
}

class DefinitionReader {
public:
    DefinitionReader(const OrderedJson& json, std::string_view where) : m_json(json), m_where(where) {}

    Result<ImportedProblem> read(std::string_view text) {
        GKS_TRY_ASSIGN(const std::string name, text_("name"));
        GKS_TRY(readAxes());
        GKS_TRY(readTensors("inputs", TensorRole::input, m_inputs));
        GKS_TRY(readTensors("outputs", TensorRole::output, m_outputs));
        GKS_TRY(keepUsedAxes());
        GKS_TRY(checkConstraints());
        GKS_TRY_ASSIGN(const std::string reference, text_("reference"));
        GKS_TRY_ASSIGN(const PythonFunction function, parsePythonFunction(reference, "run", m_where));
        GKS_TRY_ASSIGN(const TensorProgram program, tensorProgram(function, m_inputs, m_outputs, m_constants, m_where));
        return made(name, program, text);
    }

private:
    tl::unexpected<Error> refuse(std::string what) const {
        return usageError(std::move(what), std::string(m_where), "Import a Definition that this program can express");
    }
    Result<std::string> text_(const char* key) const {
        const auto at = m_json.find(key);
        if (at == m_json.end() || !at->is_string() || at->get<std::string>().empty()) {
            return refuse(fmt::format("has no text \"{}\"", key));
        }
        return at->get<std::string>();
    }

    // Names of a pack are words of C++ and of expressions; these of a Definition are often capitals.
    Result<std::string> ownName(const std::string& name) {
        std::string word;
        for (const char c : lowered(name)) {
            word += (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' ? c : '_';
        }
        if (name.size() > 28 || word.empty() || word.front() < 'a' || word.front() > 'z') {
            return refuse(fmt::format("has a name that no problem pack can have: {}", abbreviated(name, 40)));
        }
        static const std::set<std::string_view> words = {
            "sum",   "max",  "min",      "abs",   "exp",    "log",   "sqrt", "sin",   "cos",   "in",    "at",
            "row",   "stop", "int",      "float", "double", "char",  "long", "short", "bool",  "auto",  "dims",
            "begin", "end",  "expected", "this",  "new",    "or",    "and",  "not",   "if",    "do",    "for",
            "p",     "flat", "is",       "std",   "ceil",   "floor", "sign", "rint",  "avg",   "xor",   "try",
            "case",  "else", "enum",     "goto",  "using",  "union", "void", "while", "const", "class", "break"};
        word += words.contains(word) ? "_" : "";
        // Numbered names are those of the code that is written.
        const bool isNumbered = word.size() > 1 &&
                                std::string_view("ivbrs").find(word.front()) != std::string_view::npos &&
                                word.find_first_not_of("0123456789", 1) == std::string::npos;
        word += isNumbered ? "_" : "";
        while (!m_taken.insert(word).second) {
            word += "_";
        }
        return word;
    }

    Result<void> readAxes() {
        const auto axes = m_json.find("axes");
        if (axes == m_json.end() || !axes->is_object() || axes->empty() || axes->size() > 4 * axisCountLimit) {
            return refuse("has no object \"axes\", or too many of them");
        }
        for (auto at = axes->begin(); at != axes->end(); ++at) {
            const auto type = at->is_object() ? at->find("type") : at->end();
            if (!at->is_object() || type == at->end() || !type->is_string()) {
                return refuse(fmt::format("has an axis without a type: {}", abbreviated(at.key(), 40)));
            }
            Axis axis;
            if (*type == "const") {
                const auto value = at->find("value");
                if (value == at->end() || !value->is_number_integer() || value->get<std::int64_t>() < 1 ||
                    value->get<std::int64_t>() > extentLimit) {
                    return refuse(fmt::format("has an axis whose value is no whole number up to {}: {}", extentLimit,
                                              abbreviated(at.key(), 40)));
                }
                axis.constant = value->get<std::int64_t>();
            } else if (*type != "var") {
                return refuse(fmt::format("has an axis that is neither const nor var: {}", abbreviated(at.key(), 40)));
            }
            GKS_TRY_ASSIGN(axis.dim, ownName(at.key()));
            m_axisOrder.push_back(at.key());
            m_axes[at.key()] = axis;
        }
        return {};
    }

    Result<void> readTensors(const char* key, TensorRole role, std::vector<NamedTensor>& named) {
        const auto tensors = m_json.find(key);
        if (tensors == m_json.end() || !tensors->is_object() || tensors->empty() ||
            tensors->size() > tensorCountLimit) {
            return refuse(fmt::format("has no object \"{}\", or too many in it", key));
        }
        for (auto at = tensors->begin(); at != tensors->end(); ++at) {
            GKS_TRY(readTensor(at.key(), *at, role, named));
        }
        return {};
    }

    Result<void> readTensor(const std::string& name, const OrderedJson& json, TensorRole role,
                            std::vector<NamedTensor>& named) {
        const auto dtype = json.is_object() ? json.find("dtype") : json.end();
        const auto shape = json.is_object() ? json.find("shape") : json.end();
        if (!json.is_object() || dtype == json.end() || !dtype->is_string() || shape == json.end() ||
            (!shape->is_array() && !shape->is_null())) {
            return refuse(fmt::format("has a tensor without \"dtype\" and \"shape\": {}", abbreviated(name, 40)));
        }
        const auto type = typeFrom(dtype->get<std::string>());
        if (!type || (role == TensorRole::output && (!isFloating(*type) || sizeBytes(*type) == 1))) {
            return refuse(fmt::format("has {} of the type {}, which cannot be translated", abbreviated(name, 40),
                                      abbreviated(dtype->get<std::string>(), 40)));
        }
        TensorSpec tensor;
        GKS_TRY_ASSIGN(tensor.name, ownName(name));
        tensor.type = *type;
        tensor.role = role;
        NamedTensor own = {name, {}, isFloating(*type)};
        for (const OrderedJson& axis : shape->is_array() ? *shape : OrderedJson::array()) {
            const auto found = axis.is_string() ? m_axes.find(axis.get<std::string>()) : m_axes.end();
            if (found == m_axes.end()) {
                return refuse(
                    fmt::format("has a shape of {} with an axis that it does not name", abbreviated(name, 40)));
            }
            m_used.insert(found->first);
            const bool isOne = found->second.constant == 1;
            own.shape.push_back(isOne ? "1" : found->second.dim);
            tensor.extents.push_back(own.shape.back());
        }
        if (tensor.extents.empty()) { // a number
            tensor.extents = {"1"};
            own.shape = {};
            tensor.fill = Fill::uniform;
            m_notes.push_back(fmt::format(
                "{} is a number in the Definition; here it is a tensor of one element between 0 and 1", tensor.name));
        }
        named.push_back(std::move(own));
        m_tensors.push_back(std::move(tensor));
        return {};
    }

    Result<void> keepUsedAxes() {
        for (const std::string& name : m_axisOrder) {
            const Axis& axis = m_axes.at(name);
            if (!m_used.contains(name) || axis.constant == 1) {
                continue;
            }
            m_dims.push_back(axis);
            if (axis.constant) {
                m_constants[axis.dim] = *axis.constant;
            }
        }
        return m_dims.empty() || m_dims.size() > axisCountLimit
                   ? Result<void>(refuse(fmt::format("has no axis, or more than {}", axisCountLimit)))
                   : Result<void>();
    }

    // Relations between axes would make shapes that may not be put together.
    Result<void> checkConstraints() const {
        const auto constraints = m_json.find("constraints");
        if (constraints == m_json.end() || constraints->is_null()) {
            return {};
        }
        for (const OrderedJson& one : *constraints) {
            const std::string text = one.is_string() ? one.get<std::string>() : std::string();
            for (const std::string_view word : words(text)) {
                const auto axis = m_axes.find(std::string(word));
                if (text.empty() || (axis != m_axes.end() && !axis->second.constant)) {
                    return refuse(fmt::format("has a constraint on a variable axis: {}", abbreviated(text, 80)));
                }
            }
        }
        return {};
    }

    bool isAffordable(const ProblemPack& pack, const Shape& shape, double flops, double elements) const {
        double sum = 0;
        for (const TensorSpec& tensor : pack.tensors) {
            double count = 1;
            for (const std::string& extent : tensor.extents) {
                const auto dim = std::ranges::find(pack.dims, extent);
                count *= dim == pack.dims.end()
                             ? 1.0
                             : static_cast<double>(shape[static_cast<std::size_t>(dim - pack.dims.begin())]);
            }
            sum += count;
        }
        return pack.flops(shape).value_or(flops + 1) <= flops && sum <= elements;
    }

    // Sizes that come again and again, the variable axes by turns larger and smaller, as long as they are affordable.
    std::vector<Shape> shapes(const ProblemPack& pack, std::vector<std::int64_t> sizes, double flops,
                              double elements) const {
        std::vector<Shape> found;
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            Shape shape;
            std::size_t turn = i;
            for (const Axis& axis : m_dims) {
                shape.push_back(axis.constant.value_or(sizes[turn % sizes.size()]));
                turn += axis.constant ? 0 : 1;
            }
            const bool isNew = std::ranges::find(found, shape) == found.end();
            if (isNew && (isAffordable(pack, shape, flops, elements) || (i == 0 && found.empty()))) {
                found.push_back(std::move(shape));
            }
        }
        return found;
    }

    static std::string shapeRows(const std::vector<Shape>& shapes) {
        std::vector<std::string> rows;
        for (const Shape& shape : shapes) {
            rows.push_back(fmt::format("[{}]", fmt::join(shape, ", ")));
        }
        return join(rows, ", ");
    }

    // By the narrowest floating-point type: its rounding, and what sums in other orders differ by.
    static std::string toleranceText(const ProblemPack& pack) {
        double rounding = 6e-8;
        double ofOutput = 6e-8;
        for (const TensorSpec& tensor : pack.tensors) {
            const double own = tensor.type == ElementType::f16    ? 4.9e-4
                               : tensor.type == ElementType::bf16 ? 3.9e-3
                                                                  : 6e-8;
            rounding = std::max(rounding, own);
            ofOutput = std::max(ofOutput, tensor.role == TensorRole::output ? own : 0);
        }
        return fmt::format("[tolerance]\nrelative = {:.3g}\nabsolute = 1e-9\nof_magnitude = {:.3g} # of the magnitude "
                           "that the reference computes\n",
                           std::max(2 * ofOutput, 1e-5), std::max(rounding / 4, 4e-6));
    }

    std::string manifest(const ProblemPack& pack) {
        std::string text = fmt::format("# SPDX-License-Identifier: GPL-3.0-or-later\n# Made from the Definition beside "
                                       "this file.\nname = \"{}\"\ntitle = \"{}\"\ndims = [",
                                       pack.name, pack.title);
        std::vector<std::string> free;
        for (const Axis& axis : m_dims) {
            text += fmt::format("\"{}\", ", axis.dim);
            if (!axis.constant) {
                free.push_back(fmt::format("\"{}\"", axis.dim));
            }
        }
        text += "]\n\n";
        for (const TensorSpec& tensor : pack.tensors) {
            std::vector<std::string> extents;
            for (const std::string& extent : tensor.extents) {
                extents.push_back("\"" + extent + "\"");
            }
            const bool isInput = tensor.role == TensorRole::input;
            text += fmt::format("[[tensor]]\nname = \"{}\"\ntype = \"{}\"\nshape = [{}]\nrole = \"{}\"\n{}\n",
                                tensor.name, gks::name(tensor.type), join(extents, ", "), isInput ? "input" : "output",
                                !isInput                       ? ""
                                : tensor.fill == Fill::uniform ? "fill = \"uniform\"\n"
                                                               : "fill = \"normal\"\n");
        }
        text += toleranceText(pack);
        text += fmt::format("\n[cost]\nflops = \"{}\"\nbytes = \"{}\"\n\n", pack.flopsExpression, pack.bytesExpression);
        const auto benchmark = shapes(pack, {128, 512, 2048, 8192}, 2e11, 2e8);
        const auto test = shapes(pack, {1, 17, 64, 200, 1000}, 2e9, 3e7);
        auto heldOut = shapes(pack, {5, 77, 333}, 2e9, 3e7);
        std::erase_if(heldOut, [&](const Shape& shape) {
            return std::ranges::find(test, shape) != test.end() ||
                   std::ranges::find(benchmark, shape) != benchmark.end();
        });
        text += fmt::format("[shapes]\n{}test = [{}]\nbenchmark = [{}]\nquick = [{}]\n",
                            free.empty() ? "" : fmt::format("free = [{}]\n", join(free, ", ")), shapeRows(test),
                            shapeRows(benchmark), shapeRows({benchmark.back()}));
        text += heldOut.empty() ? "" : fmt::format("held_out = [{}]\n", shapeRows(heldOut));
        return text + fmt::format("cpu = [{}]\n", shapeRows(shapes(pack, {4, 31, 128, 256}, 2e8, 4e6)));
    }

    Result<ImportedProblem> made(const std::string& name, const TensorProgram& program, std::string_view text) {
        ProblemPack pack;
        for (const char c : lowered(name.substr(0, 60))) {
            pack.name += (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ? c : '-';
        }
        pack.title = pack.name;
        const auto description = m_json.find("description");
        if (description != m_json.end() && description->is_string()) {
            pack.title = shortened(plain(description->get<std::string>()), 100);
        }
        for (const Axis& axis : m_dims) {
            pack.dims.push_back(axis.dim);
        }
        pack.isFree.assign(pack.dims.size(), false);
        pack.tensors = m_tensors;
        pack.flopsExpression = leastFlops(pack, program);
        pack.bytesExpression = leastBytes(pack);
        ImportedProblem problem;
        problem.name = pack.name;
        problem.files["problem.toml"] = manifest(pack);
        problem.files["reference.cpp"] = referenceSource(pack, program);
        problem.files["seeds/naive.hip"] = naiveSource(pack, program);
        if (problem.files["reference.cpp"].empty() || problem.files["seeds/naive.hip"].empty()) {
            return usageError("the reference becomes too long as code", "reference",
                              "Write it with fewer products of products");
        }
        problem.files["definition.json"] = std::string(text);
        m_notes.emplace_back(
            "Shapes and tolerance are guesses: put in the sizes that you have, and what error you can bear");
        m_notes.emplace_back(
            "Casts between floating-point types are left out of the reference, which computes in double precision");
        problem.files["notes.md"] = notes(pack);
        problem.notes = m_notes;
        return problem;
    }

    static std::string plain(const std::string& text) { // in quotes of TOML
        std::string line = withoutControls(sanitizedUtf8(text));
        std::erase_if(line, [](char c) { return c == '"' || c == '\\'; });
        return line;
    }

    std::string notes(const ProblemPack& pack) const {
        std::string text =
            fmt::format("Compute {} as fast as the device allows.\n\n{}.\n\nTensors, the last extent varies fastest:\n",
                        pack.name, pack.title);
        for (const TensorSpec& tensor : pack.tensors) {
            text += fmt::format("- {}: {} [{}], {}\n", tensor.name, gks::name(tensor.type), join(tensor.extents, "]["),
                                tensor.role == TensorRole::input ? "read" : "written");
        }
        for (const Axis& axis : m_dims) {
            text += axis.constant ? fmt::format("- {} is always {}\n", axis.dim, *axis.constant) : std::string();
        }
        const std::string reference = sanitizedUtf8(m_json.at("reference").get<std::string>());
        text += "\nThe reference, in PyTorch:\n```python\n" + replaceAll(reference, "```", "'''") + "\n```\n\n";
        for (const std::string& note : m_notes) {
            text += fmt::format("- {}.\n", note);
        }
        return text;
    }

    const OrderedJson& m_json;
    std::string_view m_where;
    std::vector<std::string> m_axisOrder;
    std::map<std::string, Axis> m_axes; // by the Definition's names
    std::set<std::string> m_used;
    std::set<std::string> m_taken;
    std::vector<Axis> m_dims;
    std::map<std::string, std::int64_t> m_constants; // by the pack's names
    std::vector<TensorSpec> m_tensors;
    std::vector<NamedTensor> m_inputs;
    std::vector<NamedTensor> m_outputs;
    std::vector<std::string> m_notes;
};

} // namespace

Result<ImportedProblem> problemFromDefinition(std::string_view text, std::string_view where) {
    if (text.size() > definitionTextLimitBytes) {
        return usageError(fmt::format("is longer than {} KiB", definitionTextLimitBytes >> 10), std::string(where));
    }
    GKS_TRY(parseJson(text, where)); // refuses what is not JSON, or too deep
    const OrderedJson json = OrderedJson::parse(text, nullptr, false);
    if (!json.is_object()) {
        return usageError("is no Definition: a JSON object is needed", std::string(where));
    }
    return DefinitionReader(json, where).read(text);
}

Result<void> writeProblem(const ImportedProblem& problem, const fs::path& folder) {
    std::error_code code;
    if (fs::exists(folder, code) && !(fs::is_directory(folder, code) && fs::is_empty(folder, code))) {
        return usageError("folder not empty", folder.string(), "Choose a new or empty folder");
    }
    for (const auto& [path, content] : problem.files) {
        GKS_TRY(makeDirectories((folder / path).parent_path()));
        GKS_TRY(writeFileAtomically(folder / path, content));
    }
    const fs::path whole = fs::absolute(folder, code);
    GKS_TRY(loadProblemPack(whole.string()));
    return {};
}

} // namespace gks
