// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/task_inputs.h"

#include "core/base/text.h"
#include "core/import/pack_draft.h"
#include "core/import/python_tokens.h"

#include <algorithm>
#include <fmt/format.h>

namespace gks {
namespace {

using Kind = PythonExpression::Kind;
using Expression = PythonExpression;

constexpr std::size_t taskTensorLimit = 16;
constexpr std::size_t taskAxisLimit = 16;
constexpr int stepLimit = 5000;
constexpr int resolvingLimit = 100;

const Expression* keywordOf(const Expression& call, std::string_view name) {
    const auto found = std::ranges::find(call.keys, name);
    return found == call.keys.end() ? nullptr : &call.keywords[static_cast<std::size_t>(found - call.keys.begin())];
}

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

class InputMaker {
public:
    InputMaker(const PythonFunction& function, const std::map<std::string, PythonExpression>& values,
               std::string_view where)
        : m_function(function), m_where(where) {
        m_values = values;
    }

    Result<TaskInputs> make() {
        for (const PythonStatement& statement : m_function.body) {
            GKS_TRY(take(statement));
        }
        return std::move(m_made);
    }

private:
    tl::unexpected<Error> refuse(const PythonPlace& place, std::string what) const {
        return refusedPython(m_where, place, "generate_input " + std::move(what));
    }

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
        if (statement.targets.size() != 1) {
            return refuse(statement.place, "takes something apart, which cannot be translated");
        }
        const std::string& target = statement.targets.front();
        if (isParameter(target)) {
            return refuse(statement.place,
                          fmt::format("gives {} another value, which cannot be translated", abbreviated(target, 40)));
        }
        if (isMethodOf(value, "Generator") || isMethodOf(value, "manual_seed")) {
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

    bool isParameter(const std::string& name) const {
        return std::ranges::find(m_function.parameters, name) != m_function.parameters.end();
    }

    // With the values that names have now: they may have others further down.
    Expression settled(const Expression& value) const {
        if (value.kind == Kind::tuple) {
            Expression tuple = value;
            for (Expression& part : tuple.parts) {
                part = settled(part);
            }
            return tuple;
        }
        const auto known = resolved(value);
        return known ? *known : meant(value);
    }

    // What a name that is no parameter stands for, or the name.
    const Expression& meant(const Expression& expression) const {
        const Expression* value = &expression;
        for (int depth = 0; value->kind == Kind::name && !isParameter(value->word) && depth < 20; ++depth) {
            const auto found = m_values.find(value->word);
            if (found == m_values.end()) {
                break;
            }
            value = &found->second;
        }
        return *value;
    }

    // gen.manual_seed(seed), a.uniform_(0, 1)
    Result<void> effect(const PythonStatement& statement) {
        const Expression& call = statement.value;
        if (isMethodOf(call, "manual_seed")) {
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

    static std::optional<double> plainNumber(const Expression& value) {
        const bool isNegative = value.kind == Kind::unary;
        const Expression& number = isNegative ? value.parts.front() : value;
        return number.kind == Kind::number ? std::optional(isNegative ? -number.number : number.number) : std::nullopt;
    }

    // x.uniform_(0, 1), x.normal_(mean=2): anything else leaves a tensor that nobody here can draw.
    void fillInPlace(DrawnTensor& tensor, const Expression& call) const {
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
        } else if (word == "zero_") {
            tensor.fill = Fill::zeros;
        } else {
            tensor.unknown = refuse(call.place, fmt::format("calls {} on the values of an input, which cannot be "
                                                            "translated",
                                                            abbreviated(word, 40)))
                                 .value();
        }
    }

    // Also by its name.
    std::optional<double> numberOf(const Expression& value) const {
        const auto named =
            value.kind == Kind::name && !isParameter(value.word) ? m_values.find(value.word) : m_values.end();
        return plainNumber(named == m_values.end() ? value : named->second);
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

    Result<void> onlyKeywords(const Expression& call, const std::set<std::string_view>& known) const {
        for (const std::string& key : call.keys) {
            if (!known.contains(key)) {
                return refuse(call.place, fmt::format("gives {}=, which cannot be translated", abbreviated(key, 40)));
            }
        }
        return {};
    }

    Result<ElementType> typeOf(const Expression& expression) const {
        const Expression& given = meant(expression);
        const bool isTorch = given.kind == Kind::attribute && given.parts.front().word == "torch";
        const auto type = isTorch ? elementTypeFromTorch(given.word) : std::nullopt;
        if (!type) {
            return refuse(expression.place, fmt::format("makes a tensor of the type {}, which cannot be translated",
                                                        abbreviated(given.word, 40)));
        }
        return *type;
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

    std::vector<const Expression*> unpacked(const Expression& expression) const {
        const auto named = expression.kind == Kind::name ? m_values.find(expression.word) : m_values.end();
        const Expression& given = named == m_values.end() ? expression : named->second;
        if (given.kind != Kind::tuple) {
            return {&expression}; // one extent
        }
        std::vector<const Expression*> parts;
        for (const Expression& part : given.parts) {
            parts.push_back(&part);
        }
        return parts;
    }

    // Names of numbers and of expressions by what they stand for.
    Result<Expression> resolved(const Expression& expression, int depth = 0) const {
        if (++m_steps > stepLimit || depth > resolvingLimit) {
            return refuse(expression.place, "computes extents in too many steps");
        }
        if (expression.kind == Kind::name && !isParameter(expression.word)) {
            const auto found = m_values.find(expression.word);
            if (found == m_values.end()) {
                return refuse(expression.place, fmt::format("uses {} as an extent, which it does not know",
                                                            abbreviated(expression.word, 40)));
            }
            return resolved(found->second, depth + 1);
        }
        if (expression.kind != Kind::name && expression.kind != Kind::number && expression.kind != Kind::binary &&
            expression.kind != Kind::unary) {
            return refuse(expression.place, "has an extent that cannot be translated");
        }
        Expression copy = expression;
        for (Expression& part : copy.parts) {
            GKS_TRY_ASSIGN(part, resolved(part, depth + 1));
        }
        return copy;
    }

    Result<std::string> axisOf(const Expression& expression) {
        GKS_TRY_ASSIGN(const Expression extent, resolved(expression));
        std::string name = writtenExpression(extent);
        ProblemAxis axis{.name = name, .dim = {}};
        std::set<std::string> names;
        namesIn(extent, names);
        if (names.empty()) {
            GKS_TRY_ASSIGN(axis.constant, wholeValue(extent, {}, m_where));
            if (*axis.constant < 1) {
                return refuse(expression.place, "has an extent below 1");
            }
            axis.name = std::to_string(*axis.constant);
        } else if (extent.kind != Kind::name) {
            axis.derived = extent;
        }
        if (axis.constant == 1) {
            return std::string("1");
        }
        name = axis.name;
        if (std::ranges::find(m_made.axes, name, &ProblemAxis::name) == m_made.axes.end()) {
            if (m_made.axes.size() == taskAxisLimit) {
                return refuse(expression.place, "has too many extents");
            }
            m_made.axes.push_back(std::move(axis));
        }
        return name;
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
            m_made.tensors.push_back(std::move(tensor));
        }
        return {};
    }

    const PythonFunction& m_function;
    std::string_view m_where;
    std::map<std::string, Expression> m_values; // of the file, and of the function as far as it has come
    mutable int m_steps = 0;
    std::size_t m_draws = 0;
    std::map<std::string, DrawnTensor> m_tensors;
    TaskInputs m_made;
};

} // namespace

Result<TaskInputs> taskInputs(const PythonFunction& function, const std::map<std::string, PythonExpression>& values,
                              std::string_view where) {
    return InputMaker(function, values, where).make();
}

} // namespace gks
