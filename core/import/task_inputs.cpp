// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/task_inputs.h"

#include "core/import/draw_seeds.h"
#include "core/import/python_imports.h"
#include "core/import/task_values.h"

namespace gks {
namespace {

using Kind = PythonExpression::Kind;
using Expression = PythonExpression;

constexpr std::size_t taskTensorLimit = 16;

// torch.randn(...) is "randn", x.to(...) is "to"; of what is no method the name of the function.
std::string_view calledName(const Expression& call) {
    return call.parts.front().word;
}
bool isMethodOf(const Expression& call, std::string_view word) {
    return call.kind == Kind::call && call.parts.front().kind == Kind::attribute && call.parts.front().word == word;
}
bool isOfTorch(const Expression& call) {
    const Expression& function = call.parts.front();
    return function.kind == Kind::attribute && function.parts.front().kind == Kind::name &&
           function.parts.front().word == "torch";
}

class InputMaker : private TaskValues {
public:
    using TaskValues::TaskValues;

    Result<TaskInputs> make() {
        for (const std::string& parameter : m_function.parameters) {
            GKS_TRY(mayBind(parameter, m_function.place));
        }
        for (const PythonStatement& statement : m_function.body) {
            GKS_TRY(take(statement));
        }
        m_made.axes = std::move(m_axes);
        return std::move(m_made);
    }

private:
    Result<void> take(const PythonStatement& statement) {
        switch (statement.kind) {
        case PythonStatement::Kind::effect:
            return effect(statement);
        case PythonStatement::Kind::give:
            return give(statement.value);
        case PythonStatement::Kind::fill:
            return refuse(statement.place, "fills a tensor, which cannot be translated");
        case PythonStatement::Kind::assign:
            break;
        }
        const Expression& value = statement.value;
        for (const std::string& target : statement.targets) {
            GKS_TRY(mayBind(target, statement.place));
            if (isParameter(target)) {
                return refuse(statement.place, fmt::format("gives {} another value, which cannot be translated",
                                                           abbreviated(target, 40)));
            }
        }
        if (statement.targets.size() != 1 || statement.takesApart) {
            return takeApart(statement);
        }
        const std::string& target = statement.targets.front();
        m_generators.erase(target);
        if (isMethodOf(value, "Generator") || isSeeding(value) ||
            (value.kind == Kind::name && m_generators.contains(value.word))) {
            GKS_TRY_ASSIGN(m_generators[target], generatorOf(value));
            m_tensors.erase(target);
            m_values.erase(target);
            return {};
        }
        if (isMethodOf(value, "item")) {
            return drawnNumber(target, value);
        }
        const bool isTensor = (value.kind == Kind::call && !isDevice(value)) ||
                              (value.kind == Kind::name && m_tensors.contains(value.word));
        const bool isComputed = value.kind == Kind::binary || value.kind == Kind::unary;
        if (!isTensor && (!isComputed || resolved(value))) { // a number, a tuple of extents, a type
            m_tensors.erase(target);
            m_values[target] = settled(value);
            return {};
        }
        GKS_TRY_ASSIGN(DrawnTensor tensor, drawn(value, 0));
        tensor.name = target;
        m_values.erase(target);
        m_tensors[target] = std::move(tensor);
        return {};
    }

    Result<void> mayBind(const std::string& name, const PythonPlace& place) const {
        return isModuleName(name)
                   ? Result<void>(refuse(place, fmt::format("makes another {}, which cannot be translated", name)))
                   : Result<void>();
    }

    // rows, cols = block_shape, whose parts are numbers or come from parameters
    Result<void> takeApart(const PythonStatement& statement) {
        const Expression& tuple = meant(statement.value);
        if (tuple.kind != Kind::tuple || tuple.parts.size() != statement.targets.size()) {
            return refuse(statement.place, "takes something apart that is no tuple of as many numbers, which cannot be "
                                           "translated");
        }
        std::vector<Expression> values;
        for (const Expression& part : tuple.parts) {
            GKS_TRY_ASSIGN(Expression value, resolved(part));
            values.push_back(std::move(value));
        }
        for (std::size_t i = 0; i < values.size(); ++i) {
            m_generators.erase(statement.targets[i]);
            m_tensors.erase(statement.targets[i]);
            m_values[statement.targets[i]] = std::move(values[i]);
        }
        return {};
    }

    static bool isSeeding(const Expression& call) {
        return isMethodOf(call, "manual_seed") || isMethodOf(call, "manual_seed_all");
    }

    // gen, torch.Generator(device="cuda").manual_seed(seed), torch.manual_seed(seed); nullptr: PyTorch's own.
    Result<std::size_t> generatorOf(const Expression* given) {
        return given == nullptr || given->kind == Kind::none ? Result<std::size_t>(DrawSeeds::ofTorch)
                                                             : generatorOf(*given);
    }
    Result<std::size_t> generatorOf(const Expression& given, int depth = 0) {
        if (given.kind == Kind::name && m_generators.contains(given.word)) {
            return m_generators.at(given.word);
        }
        if (isMethodOf(given, "Generator")) {
            return m_seeds.makeGenerator();
        }
        if (!isSeeding(given) || depth > 20) {
            return refuse(given.place, fmt::format("draws with {}, which is no generator that it knows",
                                                   abbreviated(writtenExpression(given), 40)));
        }
        const Expression* root = &given.parts.front().parts.front();
        while (root->kind == Kind::attribute) { // torch.cuda
            root = &root->parts.front();
        }
        std::size_t generator = DrawSeeds::ofTorch;
        if (root->kind != Kind::name || root->word != "torch") {
            GKS_TRY_ASSIGN(generator, generatorOf(given.parts.front().parts.front(), depth + 1));
        }
        if (given.parts.size() != 2) {
            return refuse(given.place, "seeds a generator with something else than one number");
        }
        m_seeds.seed(generator, seedOf(given.parts[1]));
        return generator;
    }

    // Seeds that are the same number with any parameters (seed, int(seed), seed + 0) have the same name.
    std::string seedOf(const Expression& given) const {
        const bool isInt = given.kind == Kind::call && given.parts.size() == 2 && given.keys.empty() &&
                           given.parts.front().kind == Kind::name && given.parts.front().word == "int";
        if (isInt) {
            return seedOf(given.parts[1]);
        }
        const auto seed = resolved(given);
        if (!seed) {
            return writtenExpression(given);
        }
        AxisValues unlike; // numbers that nobody writes as a seed
        for (const std::string& parameter : m_function.parameters) {
            unlike[parameter] = 15'485'863 + 32'452'843 * static_cast<std::int64_t>(unlike.size() % 20);
        }
        const auto value = wholeValue(*seed, unlike, m_where);
        return value ? fmt::format("= {}", *value) : writtenExpression(*seed);
    }

    // (torch.rand(1) * 9.9 + 0.1).item(), which is drawn anew for each seed: a pack has one number in its place.
    Result<void> drawnNumber(const std::string& target, const Expression& call) {
        GKS_TRY_ASSIGN(const DrawnTensor drawnOne, drawn(call.parts.front().parts.front(), 0));
        if (isNamed(drawnOne.draw)) {
            return refuse(call.place, "takes a number out of a tensor that has a name, which cannot be translated");
        }
        const bool isOne = std::ranges::all_of(drawnOne.extents, [](const std::string& one) { return one == "1"; });
        if (!isOne || drawnOne.fill != Fill::uniform || drawnOne.unknown) {
            return refuse(call.place, "takes a number out of a tensor, which cannot be translated");
        }
        const double least = std::min(drawnOne.offset, drawnOne.offset + drawnOne.scale);
        const double most = std::max(drawnOne.offset, drawnOne.offset + drawnOne.scale);
        m_tensors.erase(target);
        m_values[target] = {.kind = Kind::number, .place = call.place, .number = most};
        m_made.notes.push_back(fmt::format("{} is drawn from {:g} to {:g} for each seed there; here it is always {:g}",
                                           abbreviated(target, 40), least, most, most));
        return {};
    }

    // gen.manual_seed(seed), a.uniform_(0, 1)
    Result<void> effect(const PythonStatement& statement) {
        const Expression& call = statement.value;
        if (isSeeding(call)) {
            GKS_TRY(generatorOf(call));
            return {};
        }
        const bool isMethod = call.kind == Kind::call && call.parts.front().kind == Kind::attribute &&
                              call.parts.front().parts.front().kind == Kind::name;
        const auto tensor = isMethod ? m_tensors.find(call.parts.front().parts.front().word) : m_tensors.end();
        if (tensor == m_tensors.end()) {
            return refuse(statement.place, "calls something for its effect, which cannot be translated");
        }
        const std::string& name = tensor->first;
        const bool isShared = std::ranges::any_of(m_tensors, [&](const auto& other) {
            return other.first != name && other.second.draw == tensor->second.draw;
        });
        if (isShared) {
            return refuse(statement.place,
                          fmt::format("changes {} in place, which another tensor comes from", abbreviated(name, 40)));
        }
        fillInPlace(tensor->second, call);
        return {};
    }

    bool isNamed(std::size_t draw) const {
        return std::ranges::any_of(m_tensors, [&](const auto& one) { return one.second.draw == draw; });
    }

    // x.uniform_(0, 1), x.normal_(mean=2): anything else leaves a tensor that nobody here can draw.
    void fillInPlace(DrawnTensor& tensor, const Expression& call) {
        const std::string_view word = calledName(call);
        const bool isNormal = word == "normal_";
        const auto argument = [&](std::size_t i, std::string_view key, double usual) {
            const Expression* const named = keywordOf(call, key);
            return call.parts.size() > i + 1 ? numberOf(call.parts[i + 1])
                   : named != nullptr        ? numberOf(*named)
                                             : std::optional(usual);
        };
        const auto first = argument(0, isNormal ? "mean" : "from", 0);
        const auto second = argument(1, isNormal ? "std" : "to", 1);
        const double scale = first && second ? (isNormal ? *second : *second - *first) : 0;
        const bool isKnown = call.parts.size() <= 3 && (isNormal ? onlyKeywords(call, {"mean", "std", "generator"})
                                                                 : onlyKeywords(call, {"from", "to", "generator"}));
        tensor.unknown.reset();
        tensor.scale = 1;
        tensor.offset = 0;
        if ((isNormal || word == "uniform_") && scale > 0 && isKnown) {
            tensor.fill = isNormal ? Fill::normal : Fill::uniform;
            tensor.scale = scale;
            tensor.offset = *first;
            if (const auto generator = generatorOf(keywordOf(call, "generator"))) {
                tensor.stream = m_seeds.streamOf(*generator);
            } else {
                tensor.unknown = generator.error();
            }
        } else if (word == "zero_") {
            tensor.fill = Fill::zeros;
            tensor.stream = DrawSeeds::none;
        } else {
            tensor.unknown = refuse(call.place, fmt::format("calls {} on the values of an input, which cannot be "
                                                            "translated",
                                                            abbreviated(word, 40)))
                                 .value();
        }
    }

    // 2 * torch.rand(n) - 1
    Result<DrawnTensor> scaled(const Expression& both, int depth) {
        const auto left = numberOf(both.parts[0]);
        const auto right = numberOf(both.parts[1]);
        const std::string& sign = both.word;
        const bool isKnown = sign == "+" || sign == "-" || sign == "*" || (sign == "/" && right);
        const double number = left ? *left : right.value_or(0);
        const bool isFactor = sign == "*" || sign == "/";
        if (!isKnown || left.has_value() == right.has_value() || (isFactor && number == 0)) {
            return refuse(both.place, "computes with the values of an input, which cannot be translated");
        }
        GKS_TRY_ASSIGN(DrawnTensor tensor, drawn(both.parts[left ? 1 : 0], depth + 1));
        if (tensor.fill != Fill::normal && tensor.fill != Fill::uniform) {
            return refuse(both.place, "computes with an input of zeros or ones, which cannot be translated");
        }
        const double factor = sign == "*" ? number : sign == "/" ? 1 / number : sign == "-" && left ? -1 : 1;
        tensor.scale *= factor;
        tensor.offset = tensor.offset * factor + (isFactor ? 0 : sign == "-" && right ? -number : number);
        return tensor;
    }

    // A call that makes a tensor, and what is called on it.
    Result<DrawnTensor> drawn(const Expression& call, int depth) {
        if (call.kind == Kind::name && m_tensors.contains(call.word)) {
            return m_tensors.at(call.word);
        }
        if (call.kind == Kind::binary && depth <= 20) {
            return scaled(call, depth);
        }
        if (call.kind != Kind::call || depth > 20) {
            return refuse(call.place, "computes with the values of an input, which cannot be translated");
        }
        if (isOfTorch(call)) {
            return fresh(call);
        }
        if (call.parts.front().kind != Kind::attribute) {
            return refuse(call.place,
                          fmt::format("calls {}, which cannot be translated", abbreviated(calledName(call), 40)));
        }
        GKS_TRY_ASSIGN(DrawnTensor tensor, drawn(call.parts.front().parts.front(), depth + 1));
        const std::string_view word = calledName(call);
        if (word == "contiguous" || word == "cuda" || word == "clone" || word == "detach") {
            return tensor;
        }
        if (word.ends_with('_')) {
            if (isNamed(tensor.draw)) {
                return refuse(call.place, "changes a tensor in place that has a name, which cannot be translated");
            }
            fillInPlace(tensor, call);
            return tensor;
        }
        if (word == "half" || word == "float" || word == "double" || word == "bfloat16") {
            tensor.type = *elementTypeFromTorch(word);
            return tensor;
        }
        if (word == "to") {
            GKS_TRY(convert(tensor, call));
            return tensor;
        }
        return refuse(call.place,
                      fmt::format("calls {} on an input, which cannot be translated", abbreviated(word, 40)));
    }

    // To a type, or to a device, which changes nothing.
    Result<void> convert(DrawnTensor& tensor, const Expression& call) const {
        for (std::size_t i = 1; i < call.parts.size(); ++i) {
            const Expression& to = meant(call.parts[i]);
            if (to.kind == Kind::attribute) {
                GKS_TRY_ASSIGN(tensor.type, typeOf(to));
            } else if (!isDevice(to)) {
                return refuse(call.parts[i].place, fmt::format("calls to with {}, which cannot be translated",
                                                               abbreviated(writtenExpression(call.parts[i]), 40)));
            }
        }
        GKS_TRY(onlyKeywords(call, {"dtype", "device", "non_blocking", "copy"}));
        if (const Expression* const dtype = keywordOf(call, "dtype")) {
            GKS_TRY_ASSIGN(tensor.type, typeOf(*dtype));
        }
        return {};
    }

    // "cuda", torch.device("cuda")
    static bool isDevice(const Expression& value) {
        return value.kind == Kind::text || (value.kind == Kind::call && calledName(value) == "device");
    }

    Result<DrawnTensor> fresh(const Expression& call) {
        DrawnTensor tensor;
        tensor.place = call.place;
        tensor.draw = ++m_draws;
        const std::string_view word = calledName(call);
        if (word == "rand") {
            tensor.fill = Fill::uniform;
        } else if (word == "zeros" || word == "ones") {
            tensor.fill = word == "zeros" ? Fill::zeros : Fill::ones;
        } else if (word == "empty") {
            tensor.unknown = refuse(call.place, "leaves an input empty that the reference reads").value();
        } else if (word != "randn") {
            return refuse(call.place, fmt::format("calls torch.{}, which cannot be translated", abbreviated(word, 40)));
        }
        GKS_TRY(onlyKeywords(call, {"device", "dtype", "generator", "size", "requires_grad"}));
        if (const Expression* const dtype = keywordOf(call, "dtype")) {
            GKS_TRY_ASSIGN(tensor.type, typeOf(*dtype));
        }
        if (word == "rand" || word == "randn") {
            GKS_TRY_ASSIGN(const std::size_t generator, generatorOf(keywordOf(call, "generator")));
            tensor.stream = m_seeds.streamOf(generator);
        }
        std::vector<const Expression*> extents;
        for (std::size_t i = 1; i < call.parts.size(); ++i) {
            extents.push_back(&call.parts[i]);
        }
        if (const Expression* const size = keywordOf(call, "size")) {
            extents = {size};
        }
        if (extents.size() == 1) {
            extents = unpacked(*extents.front());
        }
        for (const Expression* const extent : extents) {
            GKS_TRY_ASSIGN(std::string axis, axisOf(*extent));
            tensor.extents.push_back(std::move(axis));
        }
        if (tensor.extents.empty()) {
            return refuse(call.place, "makes a tensor without extents");
        }
        return tensor;
    }

    Result<void> give(const Expression& value) {
        m_made.isTuple = value.kind == Kind::tuple;
        const std::vector<Expression> one = {value};
        const std::vector<Expression>& parts = m_made.isTuple ? value.parts : one;
        if (parts.size() > taskTensorLimit) {
            return refuse(value.place, "returns too many tensors");
        }
        for (const Expression& part : parts) {
            const bool isKnown = part.kind != Kind::name || m_tensors.contains(part.word);
            if (!isKnown) {
                return refuse(part.place, fmt::format("returns {}, which is no tensor", abbreviated(part.word, 40)));
            }
            GKS_TRY_ASSIGN(DrawnTensor tensor, drawn(part, 0));
            tensor.name = part.kind == Kind::name ? part.word : fmt::format("input{}", m_made.tensors.size());
            const bool isTwice =
                std::ranges::find(m_made.tensors, tensor.name, &DrawnTensor::name) != m_made.tensors.end();
            if (isTwice) {
                return refuse(part.place, fmt::format("returns {} twice", abbreviated(tensor.name, 40)));
            }
            const auto same = std::ranges::find(m_made.tensors, tensor.draw, &DrawnTensor::draw);
            if (same != m_made.tensors.end()) {
                return refuse(part.place, fmt::format("returns {} that comes from another input, {}",
                                                      abbreviated(tensor.name, 40), abbreviated(same->name, 40)));
            }
            const auto alike = std::ranges::find_if(m_made.tensors, [&](const DrawnTensor& other) {
                return m_seeds.areAlike(other.stream, tensor.stream);
            });
            if (alike != m_made.tensors.end() && !tensor.unknown) {
                tensor.unknown =
                    refuse(tensor.place, fmt::format("draws {} from the seed of {}, so that one follows "
                                                     "from the other: give it one of its own (seed + 1)",
                                                     abbreviated(tensor.name, 40), abbreviated(alike->name, 40)))
                        .value();
            }
            m_made.tensors.push_back(std::move(tensor));
        }
        return {};
    }

    std::size_t m_draws = 0;
    DrawSeeds m_seeds;
    std::map<std::string, std::size_t> m_generators; // by name, in m_seeds
    std::map<std::string, DrawnTensor> m_tensors;
    TaskInputs m_made;
};

} // namespace

Result<TaskInputs> taskInputs(const PythonFunction& function, const std::map<std::string, PythonExpression>& values,
                              std::string_view where) {
    return InputMaker(function, values, where).make();
}

} // namespace gks
