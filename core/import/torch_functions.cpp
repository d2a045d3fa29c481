// SPDX-License-Identifier: GPL-3.0-or-later
// The names of PyTorch that a reference may use, each as nodes. What is not in one of the tables is refused by its
// name.
#include "core/import/tensor_translator.h"

#include <cstdint>
#include <limits>
#include <set>

namespace gks {
namespace {

using Expression = PythonExpression;
using Kind = PythonExpression::Kind;

const std::set<std::string_view> elementwise = {"exp",  "log",   "sqrt",    "rsqrt", "abs", "sin",    "cos",
                                                "tanh", "erf",   "sigmoid", "relu",  "neg", "square", "reciprocal",
                                                "silu", "log1p", "expm1",   "exp2",  "log2"};
const std::map<std::string_view, std::string_view> pairwise = {
    {"add", "+"},    {"sub", "-"},         {"subtract", "-"}, {"mul", "*"},       {"multiply", "*"}, {"div", "/"},
    {"divide", "/"}, {"true_divide", "/"}, {"pow", "**"},     {"maximum", "max"}, {"minimum", "min"}};
const std::set<std::string_view> sameElements = {"float", "double",  "half",       "bfloat16", "to",
                                                 "type",  "type_as", "contiguous", "clone",    "detach"};

} // namespace

Result<Worth> TensorTranslator::call(const Expression& expression) {
    const Expression& function = expression.parts.front();
    if (function.kind == Kind::name && (function.word == "float" || function.word == "int") &&
        expression.parts.size() == 2) {
        GKS_TRY_ASSIGN(const TensorPtr value, tensor(expression.parts[1]));
        const bool isWhole = value->kind == TensorNode::Kind::extent ||
                             (value->kind == TensorNode::Kind::number && value->number == std::floor(value->number));
        if (function.word == "int" && !isWhole) {
            return refuse(function.place, "calls int of what may be no whole number, which cannot be translated");
        }
        if (function.word == "float") {
            return Worth(real(value));
        }
        return Worth(value->kind == TensorNode::Kind::number ? numberNode(value->number, true) : value);
    }
    if (function.kind != Kind::attribute) {
        return refuse(function.place,
                      fmt::format("calls {}, which cannot be translated", abbreviated(function.word, 40)));
    }
    // torch.f(x, ...) and x.f(...) are the same.
    std::vector<const Expression*> arguments;
    if (!isModule(function.parts.front())) {
        arguments.push_back(&function.parts.front());
    }
    for (std::size_t i = 1; i < expression.parts.size(); ++i) {
        arguments.push_back(&expression.parts[i]);
    }
    if (arguments.empty()) {
        return refuse(function.place, fmt::format("calls {} with nothing", function.word));
    }
    return named(function.word, expression, arguments);
}

Result<Worth> TensorTranslator::named(const std::string& word, const Expression& call,
                                      const std::vector<const Expression*>& arguments) {
    const auto wrap = [](Result<TensorPtr> value) {
        return value ? Result<Worth>(Worth(*value)) : Result<Worth>(tl::unexpected(value.error()));
    };
    if (word == "tensor" && arguments.size() == 1 && arguments.front() == &call.parts.back()) {
        return wrap(table(call));
    }
    GKS_TRY_ASSIGN(const TensorPtr first, tensor(*arguments.front()));
    const PythonPlace& place = call.place;
    if (word == "conv2d") {
        return wrap(convolved(call, arguments));
    }
    if (elementwise.contains(word)) {
        GKS_TRY(onlyKeywords(call, {}));
        return arguments.size() == 1 ? wrap(unary(word, first, place))
                                     : Result<Worth>(refuse(place, fmt::format("gives {} too much", word)));
    }
    if (sameElements.contains(word)) {
        GKS_TRY_ASSIGN(const bool converts, onlyTypes(word, call, arguments));
        return Worth(converts ? real(first) : first);
    }
    if (const auto symbol = pairwise.find(word); symbol != pairwise.end() && arguments.size() == 2) {
        GKS_TRY(onlyKeywords(call, {}));
        GKS_TRY_ASSIGN(const TensorPtr second, tensor(*arguments[1]));
        return wrap(binary(std::string(symbol->second), first, second, place));
    }
    if ((word == "matmul" || word == "mm" || word == "bmm" || word == "mv" || word == "dot") && arguments.size() == 2) {
        GKS_TRY(onlyKeywords(call, {}));
        GKS_TRY_ASSIGN(const TensorPtr second, tensor(*arguments[1]));
        return wrap(product(first, second, place));
    }
    if (word == "linear" && (arguments.size() == 2 || arguments.size() == 3)) {
        GKS_TRY(onlyKeywords(call, {"bias"}));
        GKS_TRY_ASSIGN(const TensorPtr weight, tensor(*arguments[1]));
        if (weight->shape.size() != 2) {
            return refuse(place, "calls linear with weights that are no matrix");
        }
        GKS_TRY_ASSIGN(const TensorPtr turned, swapped(weight, 0, 1, place));
        GKS_TRY_ASSIGN(TensorPtr value, product(first, turned, place));
        GKS_TRY_ASSIGN(const Expression* const added, option(call, arguments, 2, {"bias"}));
        if (added != nullptr && added->kind != Kind::none) {
            GKS_TRY_ASSIGN(const TensorPtr bias, tensor(*added));
            GKS_TRY_ASSIGN(value, binary("+", value, bias, place));
        }
        return Worth(value);
    }
    static const std::set<std::string_view> reductions = {"sum", "mean",    "amax",        "amin",     "max",
                                                          "min", "softmax", "log_softmax", "logsumexp"};
    if (reductions.contains(word)) {
        GKS_TRY_ASSIGN(const TensorPtr value, overAxis(word, first, call, arguments));
        if ((word == "max" || word == "min") && (arguments.size() > 1 || keyword(call, {"dim", "axis"}) != nullptr)) {
            const Worth indices(std::make_shared<Worths>()); // nothing that can be used
            return Worth(std::make_shared<Worths>(Worths{value, indices}));
        }
        return Worth(value);
    }
    if (word == "cumsum") {
        GKS_TRY(onlyKeywords(call, {"dim", "axis", "dtype"}));
        const Expression* const type = keyword(call, {"dtype"});
        if (type != nullptr) {
            GKS_TRY(onlyType(word, *type));
        }
        GKS_TRY_ASSIGN(const Expression* const along, option(call, arguments, 1, {"dim", "axis"}));
        if (along == nullptr || arguments.size() > 2) {
            return refuse(place, "calls cumsum without an axis, or with too much");
        }
        GKS_TRY_ASSIGN(const std::size_t axis, axisFrom(*along, first->shape.size()));
        return wrap(scanned(type != nullptr ? real(first) : first, axis, place));
    }
    static const std::set<std::string_view> renumbered = {"t", "transpose", "permute", "unsqueeze", "squeeze", "size"};
    if (renumbered.contains(word)) {
        return renumber(word, first, call, arguments);
    }
    if (word == "clamp" || word == "clamp_min") {
        return wrap(clamped(first, call, arguments));
    }
    return refuse(place, fmt::format("calls {}, which cannot be translated", abbreviated(word, 40)));
}

// torch.tensor([0.3, 0.6, 0.1], dtype=torch.float32)
Result<TensorPtr> TensorTranslator::table(const Expression& call) {
    GKS_TRY(onlyKeywords(call, {"dtype", "device"}));
    const Expression* const type = keyword(call, {"dtype"});
    const Expression& given = call.parts.back();
    const auto isWhole = [](const Expression& one) { return one.kind != Kind::number || one.isWhole; };
    if (type != nullptr) {
        GKS_TRY(onlyType("tensor", *type));
    } else if (given.kind != Kind::tuple ? isWhole(given) : std::ranges::all_of(given.parts, isWhole)) {
        return refuse(call.place, "makes a tensor that may be of whole numbers: give it a type of floating point");
    }
    if (given.kind != Kind::tuple) {
        GKS_TRY_ASSIGN(const TensorPtr number, tensor(given));
        m_scalars.push_back(std::make_shared<const TensorNode>(*real(number)));
        return m_scalars.back();
    }
    std::vector<double> values;
    for (const Expression& part : given.parts) {
        const bool isNegative = part.kind == Kind::unary;
        const Expression& number = isNegative ? part.parts.front() : part;
        if (number.kind != Kind::number) {
            return refuse(part.place, "makes a tensor of something else than numbers");
        }
        values.push_back(isNegative ? -number.number : number.number);
    }
    return TensorNodes::table(std::move(values), call.place);
}

// [batch, in, height, width] and [out, in, rows, columns], without padding and in steps of one.
Result<TensorPtr> TensorTranslator::convolved(const Expression& call, const std::vector<const Expression*>& arguments) {
    const PythonPlace& place = call.place;
    GKS_TRY(onlyKeywords(call, {"bias", "stride", "padding", "dilation", "groups"}));
    for (std::size_t i = 0; i < call.keys.size(); ++i) {
        const std::string& key = call.keys[i];
        const bool isUsual = key == "bias" ? call.keywords[i].kind == Kind::none
                                           : wholeNumber(call.keywords[i]) == (key == "padding" ? 0 : 1);
        if (!isUsual) {
            return refuse(call.keywords[i].place, fmt::format("gives conv2d a {}, which cannot be translated", key));
        }
    }
    if (arguments.size() != 2 || !m_windows) {
        return refuse(place, "calls conv2d in a way that cannot be translated");
    }
    GKS_TRY_ASSIGN(TensorPtr image, tensor(*arguments[0]));
    GKS_TRY_ASSIGN(TensorPtr weights, tensor(*arguments[1]));
    if (image->shape.size() != 4 || weights->shape.size() != 4) {
        return refuse(place, "calls conv2d of other tensors than of four axes");
    }
    for (const std::size_t axis : {std::size_t{2}, std::size_t{3}}) {
        const std::string size = weights->shape[axis];
        if (image->shape[axis] == "1" || size == "1") {
            return refuse(place, "calls conv2d over an axis of 1");
        }
        GKS_TRY_ASSIGN(std::string count, m_windows(image->shape[axis], size));
        GKS_TRY_ASSIGN(image, windowed(image, axis, size, std::move(count), place));
    }
    // [batch, 1, y, x, in, rows, columns] times [1, out, 1, 1, in, rows, columns]
    GKS_TRY_ASSIGN(image, permuted(image, {0, 2, 3, 1, 4, 5}, place));
    GKS_TRY_ASSIGN(image, inserted(image, 1, place));
    GKS_TRY_ASSIGN(weights, inserted(weights, 1, place));
    GKS_TRY_ASSIGN(weights, inserted(weights, 1, place));
    GKS_TRY_ASSIGN(TensorPtr value, binary("*", image, weights, place));
    for (int i = 0; i < 3; ++i) {
        GKS_TRY_ASSIGN(value, reduced("sum", value, value->shape.size() - 1, false, place));
    }
    return value;
}

Result<TensorPtr> TensorTranslator::clamped(const TensorPtr& of, const Expression& call,
                                            const std::vector<const Expression*>& arguments) {
    GKS_TRY(onlyKeywords(call, {"min", "max"}));
    TensorPtr value = of;
    GKS_TRY_ASSIGN(const Expression* const least, option(call, arguments, 1, {"min"}));
    GKS_TRY_ASSIGN(const Expression* const most, option(call, arguments, 2, {"max"}));
    if ((least == nullptr && most == nullptr) || arguments.size() > 3) {
        return refuse(call.place, "calls clamp without a bound, or with too many");
    }
    for (const auto& [given, word] : {std::pair(least, "max"), std::pair(most, "min")}) {
        if (given == nullptr || given->kind == Kind::none) {
            continue;
        }
        GKS_TRY_ASSIGN(const TensorPtr bound, tensor(*given));
        const bool isNegative = bound->kind == NodeKind::unary && bound->word == "neg";
        const TensorNode& number = isNegative ? *bound->from.front() : *bound;
        const bool fits = number.kind == NodeKind::number &&
                          number.number <= std::numeric_limits<std::int8_t>::max() + (isNegative ? 1 : 0);
        if (!isFloating(*of) && !isFloating(*bound) && !fits) {
            return refuse(given->place, "clamps whole numbers at a bound that their type may not hold: convert them "
                                        "first, as x.float() does");
        }
        GKS_TRY_ASSIGN(value, binary(word, value, bound, call.place));
    }
    return value;
}

Result<TensorPtr> TensorTranslator::overAxis(const std::string& word, const TensorPtr& of, const Expression& call,
                                             const std::vector<const Expression*>& arguments) {
    const PythonPlace& place = call.place;
    GKS_TRY(onlyKeywords(call, {"dim", "axis", "keepdim", "dtype"}));
    TensorPtr value = of;
    if (const Expression* const type = keyword(call, {"dtype"})) {
        GKS_TRY(onlyType(word, *type));
        value = real(of);
    }
    if (word == "mean" && !isFloating(*value)) {
        return refuse(place, "calls mean of whole numbers, which PyTorch does not do");
    }
    GKS_TRY_ASSIGN(const Expression* const where, option(call, arguments, 1, {"dim", "axis"}));
    std::vector<std::size_t> axes;
    if (where == nullptr) {
        for (std::size_t axis = 0; axis < of->shape.size(); ++axis) {
            axes.push_back(axis);
        }
    } else if (where->kind == Kind::tuple) {
        for (const Expression& part : where->parts) {
            GKS_TRY_ASSIGN(const std::size_t axis, axisFrom(part, of->shape.size()));
            axes.push_back(axis);
        }
    } else {
        GKS_TRY_ASSIGN(const std::size_t axis, axisFrom(*where, of->shape.size()));
        axes.push_back(axis);
    }
    std::ranges::sort(axes, std::greater<>());
    if (std::ranges::adjacent_find(axes) != axes.end() || axes.empty()) {
        return refuse(place, fmt::format("calls {} over no axis, or one twice", word));
    }
    const bool isSoftmax = word == "softmax" || word == "log_softmax"; // which take a type where others keep the axis
    if (arguments.size() > (isSoftmax ? 2 : 3)) {
        return refuse(place, fmt::format("gives {} too much", word));
    }
    GKS_TRY_ASSIGN(const Expression* const kept, option(call, arguments, 2, {"keepdim"}));
    GKS_TRY_ASSIGN(const bool keep, isTrue(kept));
    if (isSoftmax || word == "logsumexp") {
        return axes.size() == 1 ? softmax(word, value, axes.front(), keep, place)
                                : Result<TensorPtr>(refuse(place, fmt::format("calls {} over several axes", word)));
    }
    const std::string kind = word == "amax" ? "max" : word == "amin" ? "min" : word;
    for (const std::size_t axis : axes) {
        GKS_TRY_ASSIGN(value, reduced(kind, value, axis, keep, place));
    }
    return value;
}

Result<Worth> TensorTranslator::renumber(const std::string& word, const TensorPtr& of, const Expression& call,
                                         const std::vector<const Expression*>& arguments) {
    const std::size_t axes = of->shape.size();
    const PythonPlace& place = call.place;
    GKS_TRY(onlyKeywords(call, {}));
    std::vector<const Expression*> rest(arguments.begin() + 1, arguments.end());
    if (rest.size() == 1 && rest.front()->kind == Kind::tuple) {
        const Expression* const tuple = rest.front();
        rest.clear();
        for (const Expression& part : tuple->parts) {
            rest.push_back(&part);
        }
    }
    std::vector<std::size_t> places;
    for (const Expression* part : rest) {
        GKS_TRY_ASSIGN(const std::size_t axis, axisFrom(*part, word == "unsqueeze" ? axes + 1 : axes));
        places.push_back(axis);
    }
    const auto wrap = [](Result<TensorPtr> value) {
        return value ? Result<Worth>(Worth(*value)) : Result<Worth>(tl::unexpected(value.error()));
    };
    if (word == "t" && axes == 2 && places.empty()) {
        return wrap(swapped(of, 0, 1, place));
    }
    if (word == "transpose" && places.size() == 2) {
        return wrap(swapped(of, places[0], places[1], place));
    }
    if (word == "permute" && places.size() == axes && std::set(places.begin(), places.end()).size() == axes) {
        return wrap(permuted(of, places, place));
    }
    if (word == "unsqueeze" && places.size() == 1) {
        return wrap(inserted(of, places[0], place));
    }
    if (word == "squeeze" && places.size() == 1) {
        return wrap(removed(of, places[0], place));
    }
    if (word == "size" && places.size() == 1) {
        return Worth(extentNode(of->shape[places[0]]));
    }
    return refuse(place, fmt::format("calls {} in a way that cannot be translated", word));
}

} // namespace gks
