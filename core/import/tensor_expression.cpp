// SPDX-License-Identifier: GPL-3.0-or-later
// The names of PyTorch that a reference may use, each as nodes. What is not in one of the tables is refused by its
// name.
#include "core/import/tensor_expression.h"

#include "core/base/text.h"
#include "core/import/tensor_nodes.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <set>
#include <variant>

namespace gks {
namespace {

using Expression = PythonExpression;
using Kind = PythonExpression::Kind;
using NodeKind = TensorNode::Kind;

struct TypeWord {}; // torch.float32, x.dtype, x.device: everything is a real number

// What a Python expression is worth here.
struct Worth;
using Worths = std::vector<Worth>;
struct Worth : std::variant<TensorPtr, std::shared_ptr<Worths>, TypeWord> {
    using variant::variant;
};

const std::set<std::string_view> elementwise = {"exp",  "log",   "sqrt",    "rsqrt", "abs", "sin",    "cos",
                                                "tanh", "erf",   "sigmoid", "relu",  "neg", "square", "reciprocal",
                                                "silu", "log1p", "expm1",   "exp2",  "log2"};
const std::map<std::string_view, std::string_view> pairwise = {
    {"add", "+"},    {"sub", "-"},         {"subtract", "-"}, {"mul", "*"},       {"multiply", "*"}, {"div", "/"},
    {"divide", "/"}, {"true_divide", "/"}, {"pow", "**"},     {"maximum", "max"}, {"minimum", "min"}};
const std::set<std::string_view> sameElements = {"float", "double",  "half",       "bfloat16", "to",
                                                 "type",  "type_as", "contiguous", "clone",    "detach"};

class Translator : private TensorNodes {
public:
    using TensorNodes::refuse;
    using TensorNodes::sameExtent;

    Translator(const std::vector<NamedTensor>& inputs, const std::map<std::string, std::int64_t>& extents,
               std::string_view where)
        : TensorNodes(extents, where), m_inputs(inputs) {
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            TensorNode node;
            node.kind = NodeKind::input;
            node.shape = inputs[i].shape;
            node.input = i;
            m_names[inputs[i].name] = std::make_shared<const TensorNode>(std::move(node));
        }
    }

    Result<Worth> run(const PythonFunction& function) {
        for (const PythonStatement& statement : function.body) {
            GKS_TRY_ASSIGN(Worth value, worthOf(statement.value));
            if (statement.targets.empty()) {
                return value;
            }
            if (statement.targets.size() == 1) {
                m_names[statement.targets.front()] = std::move(value);
                continue;
            }
            const auto* const list = std::get_if<std::shared_ptr<Worths>>(&value);
            if (list == nullptr || (*list)->size() != statement.targets.size()) {
                return refuse(statement.place,
                              fmt::format("takes something apart into {} names", statement.targets.size()));
            }
            for (std::size_t i = 0; i < statement.targets.size(); ++i) {
                m_names[statement.targets[i]] = (**list)[i];
            }
        }
        return refuse({}, "returns nothing");
    }

private:
    Result<TensorPtr> tensor(const Expression& expression) {
        GKS_TRY_ASSIGN(const Worth worth, worthOf(expression));
        const auto* const node = std::get_if<TensorPtr>(&worth);
        return node != nullptr ? Result<TensorPtr>(*node)
                               : Result<TensorPtr>(refuse(expression.place, "needs a tensor or a number here"));
    }

    static std::optional<std::int64_t> wholeNumber(const Expression& expression) {
        if (expression.kind == Kind::unary && expression.parts.front().kind == Kind::number &&
            expression.parts.front().isWhole) {
            return -static_cast<std::int64_t>(expression.parts.front().number);
        }
        return expression.kind == Kind::number && expression.isWhole && expression.number < 1e9
                   ? std::optional(static_cast<std::int64_t>(expression.number))
                   : std::nullopt;
    }
    Result<std::size_t> axisFrom(const Expression& expression, std::size_t axes) const {
        const auto value = wholeNumber(expression);
        const auto count = static_cast<std::int64_t>(axes);
        if (!value || *value < -count || *value >= count) {
            return refuse(expression.place, fmt::format("names an axis that a tensor of {} does not have", axes));
        }
        return static_cast<std::size_t>(*value < 0 ? *value + count : *value);
    }
    static const Expression* keyword(const Expression& call, std::initializer_list<std::string_view> names) {
        for (std::size_t i = 0; i < call.keys.size(); ++i) {
            if (std::ranges::find(names, call.keys[i]) != names.end()) {
                return &call.keywords[i];
            }
        }
        return nullptr;
    }
    Result<void> onlyKeywords(const Expression& call, std::initializer_list<std::string_view> names) const {
        for (std::size_t i = 0; i < call.keys.size(); ++i) {
            if (std::ranges::find(names, call.keys[i]) == names.end()) {
                return refuse(call.keywords[i].place,
                              fmt::format("gives {}=, which cannot be translated", call.keys[i]));
            }
        }
        return {};
    }
    // A conversion to a type of floating point is none of a reference, which computes in double.
    Result<void> onlyTypes(const std::string& word, const Expression& call,
                           const std::vector<const Expression*>& arguments) {
        GKS_TRY(onlyKeywords(call, {"dtype"}));
        std::vector<const Expression*> given(arguments.begin() + 1, arguments.end());
        for (const Expression& one : call.keywords) {
            given.push_back(&one);
        }
        for (const Expression* one : given) {
            const auto worth = worthOf(*one);
            const bool isType = worth && std::holds_alternative<TypeWord>(*worth);
            if (!isType && word != "type_as") {
                return refuse(one->place, fmt::format("calls {} with what is no type of floating point, which cannot "
                                                      "be translated",
                                                      word));
            }
        }
        return {};
    }
    // What is computed of whole numbers alone may be whole.
    bool isFloating(const TensorNode& node) const {
        return node.kind == NodeKind::input ? m_inputs[node.input].isFloating
                                            : std::ranges::all_of(m_inputs, &NamedTensor::isFloating);
    }
    static bool isTrue(const Expression* expression) { return expression != nullptr && expression->word == "True"; }

    Result<Worth> worthOf(const Expression& expression) {
        switch (expression.kind) {
        case Kind::number:
            return Worth(numberNode(expression.number));
        case Kind::name: {
            const auto found = m_names.find(expression.word);
            return found != m_names.end()
                       ? Result<Worth>(found->second)
                       : Result<Worth>(
                             refuse(expression.place, fmt::format("uses {}, which it does not know", expression.word)));
        }
        case Kind::unary: {
            GKS_TRY_ASSIGN(const TensorPtr of, tensor(expression.parts.front()));
            GKS_TRY_ASSIGN(TensorPtr value, unary("neg", of, expression.place));
            return Worth(value);
        }
        case Kind::binary:
            return binaryWorth(expression);
        case Kind::tuple:
        case Kind::dictionary: {
            auto list = std::make_shared<Worths>();
            for (const Expression& part : expression.parts) {
                GKS_TRY_ASSIGN(Worth worth, worthOf(part));
                list->push_back(std::move(worth));
            }
            return Worth(list);
        }
        case Kind::attribute:
            return attribute(expression);
        case Kind::subscript:
            return subscript(expression);
        case Kind::call:
            return call(expression);
        case Kind::text:
        case Kind::none:
        case Kind::ellipsis:
        case Kind::slice:
            break;
        }
        return refuse(expression.place, "has a value that cannot be translated");
    }

    Result<Worth> binaryWorth(const Expression& expression) {
        GKS_TRY_ASSIGN(const TensorPtr left, tensor(expression.parts[0]));
        GKS_TRY_ASSIGN(const TensorPtr right, tensor(expression.parts[1]));
        if (expression.word == "//" || expression.word == "%") {
            return refuse(expression.place, fmt::format("uses {}, which cannot be translated", expression.word));
        }
        GKS_TRY_ASSIGN(TensorPtr value, expression.word == "@"
                                            ? product(left, right, expression.place)
                                            : binary(expression.word, left, right, expression.place));
        return Worth(value);
    }

    static bool isModule(const Expression& expression) {
        static const std::set<std::string_view> modules = {"torch", "math", "F", "np", "nn", "functional", "special"};
        return (expression.kind == Kind::name || expression.kind == Kind::attribute) &&
               modules.contains(expression.word) &&
               (expression.kind == Kind::name || isModule(expression.parts.front()));
    }

    Result<Worth> attribute(const Expression& expression) {
        const Expression& base = expression.parts.front();
        const std::string& word = expression.word;
        if (isModule(base)) {
            static const std::set<std::string_view> types = {"float32", "float", "float64", "double",
                                                             "float16", "half",  "bfloat16"};
            if (types.contains(word)) {
                return Worth(TypeWord{});
            }
            if (word == "pi") {
                return Worth(numberNode(3.14159265358979323846));
            }
            return refuse(expression.place, fmt::format("uses {}, which cannot be translated", word));
        }
        GKS_TRY_ASSIGN(const Worth worth, worthOf(base));
        const auto* const node = std::get_if<TensorPtr>(&worth);
        if (const auto* const list = std::get_if<std::shared_ptr<Worths>>(&worth);
            list != nullptr && word == "values" && !(*list)->empty()) {
            return (*list)->front(); // of a maximum over an axis
        }
        if (node == nullptr) {
            return refuse(expression.place, fmt::format("uses .{} of something that is no tensor", word));
        }
        if (word == "device" || (word == "dtype" && isFloating(**node))) {
            return Worth(TypeWord{});
        }
        const std::size_t axes = (*node)->shape.size();
        if (word == "shape") {
            auto list = std::make_shared<Worths>();
            for (const std::string& extent : (*node)->shape) {
                list->push_back(extentNode(extent));
            }
            return Worth(list);
        }
        if ((word == "T" && axes == 2) || (word == "mT" && axes >= 2)) {
            GKS_TRY_ASSIGN(TensorPtr value, swapped(*node, axes - 1, axes - 2, expression.place));
            return Worth(value);
        }
        return refuse(expression.place, fmt::format("uses .{}, which cannot be translated", word));
    }

    Result<Worth> subscript(const Expression& expression) {
        GKS_TRY_ASSIGN(const Worth worth, worthOf(expression.parts.front()));
        if (const auto* const list = std::get_if<std::shared_ptr<Worths>>(&worth)) {
            if (expression.parts.size() != 2) {
                return refuse(expression.place, "takes a tuple apart in a way that cannot be translated");
            }
            GKS_TRY_ASSIGN(const std::size_t at, axisFrom(expression.parts[1], (*list)->size()));
            return (**list)[at];
        }
        const auto* const base = std::get_if<TensorPtr>(&worth);
        if (base == nullptr) {
            return refuse(expression.place, "takes a part of something that is no tensor");
        }
        TensorPtr value = *base;
        std::size_t axis = 0;
        const auto slices =
            static_cast<std::size_t>(std::count_if(expression.parts.begin() + 1, expression.parts.end(),
                                                   [](const Expression& part) { return part.kind == Kind::slice; }));
        for (std::size_t i = 1; i < expression.parts.size(); ++i) {
            const Expression& part = expression.parts[i];
            if (part.kind == Kind::none) {
                GKS_TRY_ASSIGN(value, inserted(value, axis, part.place));
                ++axis;
            } else if (part.kind == Kind::slice && slices <= (*base)->shape.size()) {
                ++axis;
            } else if (part.kind == Kind::ellipsis && slices <= (*base)->shape.size()) {
                axis += (*base)->shape.size() - slices;
            } else {
                return refuse(part.place, "takes a part of a tensor by an index, which cannot be translated");
            }
        }
        return Worth(value);
    }

    Result<Worth> call(const Expression& expression) {
        const Expression& function = expression.parts.front();
        if (function.kind == Kind::name && (function.word == "float" || function.word == "int") &&
            expression.parts.size() == 2) {
            GKS_TRY_ASSIGN(const TensorPtr value, tensor(expression.parts[1]));
            const bool isWhole =
                value->kind == TensorNode::Kind::extent ||
                (value->kind == TensorNode::Kind::number && value->number == std::floor(value->number));
            if (function.word == "int" && !isWhole) {
                return refuse(function.place, "calls int of what may be no whole number, which cannot be translated");
            }
            return Worth(value);
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

    Result<Worth> named(const std::string& word, const Expression& call,
                        const std::vector<const Expression*>& arguments) {
        GKS_TRY_ASSIGN(const TensorPtr first, tensor(*arguments.front()));
        const PythonPlace& place = call.place;
        const auto wrap = [](Result<TensorPtr> value) {
            return value ? Result<Worth>(Worth(*value)) : Result<Worth>(tl::unexpected(value.error()));
        };
        if (elementwise.contains(word)) {
            return arguments.size() == 1 ? wrap(unary(word, first, place))
                                         : Result<Worth>(refuse(place, fmt::format("gives {} too much", word)));
        }
        if (sameElements.contains(word)) {
            GKS_TRY(onlyTypes(word, call, arguments));
            return Worth(first);
        }
        if (const auto symbol = pairwise.find(word); symbol != pairwise.end() && arguments.size() == 2) {
            GKS_TRY(onlyKeywords(call, {}));
            GKS_TRY_ASSIGN(const TensorPtr second, tensor(*arguments[1]));
            return wrap(binary(std::string(symbol->second), first, second, place));
        }
        if ((word == "matmul" || word == "mm" || word == "bmm" || word == "mv" || word == "dot") &&
            arguments.size() == 2) {
            GKS_TRY_ASSIGN(const TensorPtr second, tensor(*arguments[1]));
            return wrap(product(first, second, place));
        }
        if (word == "linear" && arguments.size() >= 2) {
            GKS_TRY_ASSIGN(const TensorPtr weight, tensor(*arguments[1]));
            if (weight->shape.size() != 2) {
                return refuse(place, "calls linear with weights that are no matrix");
            }
            GKS_TRY_ASSIGN(const TensorPtr turned, swapped(weight, 0, 1, place));
            GKS_TRY_ASSIGN(TensorPtr value, product(first, turned, place));
            if (arguments.size() == 3) {
                GKS_TRY_ASSIGN(const TensorPtr bias, tensor(*arguments[2]));
                GKS_TRY_ASSIGN(value, binary("+", value, bias, place));
            }
            return Worth(value);
        }
        static const std::set<std::string_view> reductions = {"sum", "mean",    "amax",        "amin",     "max",
                                                              "min", "softmax", "log_softmax", "logsumexp"};
        if (reductions.contains(word)) {
            GKS_TRY_ASSIGN(const TensorPtr value, overAxis(word, first, call, arguments));
            if ((word == "max" || word == "min") &&
                (arguments.size() > 1 || keyword(call, {"dim", "axis"}) != nullptr)) {
                const Worth indices(std::make_shared<Worths>()); // nothing that can be used
                return Worth(std::make_shared<Worths>(Worths{value, indices}));
            }
            return Worth(value);
        }
        static const std::set<std::string_view> renumbered = {"t",         "transpose", "permute",
                                                              "unsqueeze", "squeeze",   "size"};
        if (renumbered.contains(word)) {
            return renumber(word, first, call, arguments);
        }
        if (word == "clamp" || word == "clamp_min") {
            return wrap(clamped(first, call, arguments));
        }
        return refuse(place, fmt::format("calls {}, which cannot be translated", abbreviated(word, 40)));
    }

    Result<TensorPtr> clamped(const TensorPtr& of, const Expression& call,
                              const std::vector<const Expression*>& arguments) {
        TensorPtr value = of;
        const Expression* const least = arguments.size() > 1 ? arguments[1] : keyword(call, {"min"});
        const Expression* const most = arguments.size() > 2 ? arguments[2] : keyword(call, {"max"});
        if (least != nullptr && least->kind != Kind::none) {
            GKS_TRY_ASSIGN(const TensorPtr bound, tensor(*least));
            GKS_TRY_ASSIGN(value, binary("max", value, bound, call.place));
        }
        if (most != nullptr && most->kind != Kind::none) {
            GKS_TRY_ASSIGN(const TensorPtr bound, tensor(*most));
            GKS_TRY_ASSIGN(value, binary("min", value, bound, call.place));
        }
        return value;
    }

    Result<TensorPtr> overAxis(const std::string& word, const TensorPtr& of, const Expression& call,
                               const std::vector<const Expression*>& arguments) {
        const PythonPlace& place = call.place;
        GKS_TRY(onlyKeywords(call, {"dim", "axis", "keepdim", "dtype"}));
        const Expression* const where = arguments.size() > 1 ? arguments[1] : keyword(call, {"dim", "axis"});
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
        const bool keep = arguments.size() > 2 ? isTrue(arguments[2]) : isTrue(keyword(call, {"keepdim"}));
        if (word == "softmax" || word == "log_softmax" || word == "logsumexp") {
            return axes.size() == 1 ? softmax(word, of, axes.front(), keep, place)
                                    : Result<TensorPtr>(refuse(place, fmt::format("calls {} over several axes", word)));
        }
        const std::string kind = word == "amax" ? "max" : word == "amin" ? "min" : word;
        TensorPtr value = of;
        for (const std::size_t axis : axes) {
            GKS_TRY_ASSIGN(value, reduced(kind, value, axis, keep, place));
        }
        return value;
    }

    Result<Worth> renumber(const std::string& word, const TensorPtr& of, const Expression& call,
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

    const std::vector<NamedTensor>& m_inputs;
    std::map<std::string, Worth> m_names;
};

} // namespace

Result<TensorProgram> tensorProgram(const PythonFunction& function, const std::vector<NamedTensor>& inputs,
                                    const std::vector<NamedTensor>& outputs,
                                    const std::map<std::string, std::int64_t>& extents, std::string_view where) {
    Translator translator(inputs, extents, where);
    const PythonStatement& last = function.body.back();
    std::vector<std::string> names;
    std::ranges::transform(inputs, std::back_inserter(names), &NamedTensor::name);
    if (function.parameters != names) {
        return translator.refuse({}, fmt::format("has the parameters ({}), the inputs are ({})",
                                                 join(function.parameters, ", "), join(names, ", ")));
    }
    GKS_TRY_ASSIGN(const Worth returned, translator.run(function));
    std::vector<Worth> values = {returned};
    if (const auto* const list = std::get_if<std::shared_ptr<Worths>>(&returned)) {
        values = **list;
    }
    if (values.size() != outputs.size()) {
        return translator.refuse(last.place,
                                 fmt::format("returns {} values, there are {} outputs", values.size(), outputs.size()));
    }
    TensorProgram program;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        std::size_t at = i;
        if (last.value.kind == Kind::dictionary) {
            const auto found = std::ranges::find(last.value.keys, outputs[i].name);
            if (found == last.value.keys.end()) {
                return translator.refuse(last.place, fmt::format("returns no {}", outputs[i].name));
            }
            at = static_cast<std::size_t>(found - last.value.keys.begin());
        }
        const auto* const node = std::get_if<TensorPtr>(&values[at]);
        const bool fits = node != nullptr && std::ranges::equal((*node)->shape, outputs[i].shape,
                                                                [&](const std::string& a, const std::string& b) {
                                                                    return translator.sameExtent(a, b);
                                                                });
        if (!fits) {
            return translator.refuse(last.place,
                                     fmt::format("returns {} with the extents [{}], not [{}]", outputs[i].name,
                                                 node == nullptr ? "" : join((*node)->shape, ", "),
                                                 join(outputs[i].shape, ", ")));
        }
        program.outputs.push_back(*node);
    }
    return program;
}

} // namespace gks
