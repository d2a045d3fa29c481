// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/text.h"
#include "core/import/python_imports.h"
#include "core/import/tensor_expression.h"
#include "core/import/tensor_nodes.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <optional>
#include <variant>

namespace gks {

struct TypeWord {}; // torch.float32, x.dtype, x.device: everything is a real number
struct TruthWord {  // True, False
    bool isTrue = false;
};

// What a Python expression is worth here.
struct Worth;
using Worths = std::vector<Worth>;
struct Worth : std::variant<TensorPtr, std::shared_ptr<Worths>, TypeWord, TruthWord> {
    using variant::variant;
};

// A function in Python, statement by statement. What is not known is refused by its name.
class TensorTranslator : private TensorNodes {
public:
    using Expression = PythonExpression;
    using Kind = PythonExpression::Kind;
    using NodeKind = TensorNode::Kind;
    using TensorNodes::refuse;
    using TensorNodes::sameExtent;

    TensorTranslator(const std::vector<NamedTensor>& inputs, const std::map<std::string, std::int64_t>& extents,
                     std::string_view where)
        : TensorNodes(extents, where), m_inputs(inputs) {
        for (const NamedTensor& input : inputs) {
            if (input.number) {
                m_names[input.name] = numberNode(*input.number, *input.number == std::floor(*input.number));
                continue;
            }
            TensorNode node;
            node.kind = NodeKind::input;
            node.shape = input.shape;
            node.input = m_tensors.size();
            node.numbers = input.isFloating ? TensorNode::Numbers::real : TensorNode::Numbers::wholeOfTensor;
            m_tensors.push_back(&input);
            m_names[input.name] = std::make_shared<const TensorNode>(std::move(node));
        }
    }

    // A value beside the function that cannot be translated is missed where it is used.
    void know(const std::map<std::string, PythonExpression>& values) {
        for (const auto& [name, expression] : values) {
            if (auto value = worthOf(expression)) {
                m_names.try_emplace(name, std::move(*value));
            }
        }
    }

    void countWindows(const WindowExtent& windows) { m_windows = windows; }

    // A scalar output is a tensor of one element.
    Result<TensorPtr> whole(const TensorPtr& value, const PythonPlace& place) {
        return value->shape.empty() ? inserted(value, 0, place) : Result<TensorPtr>(value);
    }

    Result<Worth> run(const PythonFunction& function) {
        for (const PythonStatement& statement : function.body) {
            if (statement.kind == PythonStatement::Kind::effect) {
                return refuse(statement.place, "calls something for its effect alone, which cannot be translated");
            }
            GKS_TRY_ASSIGN(Worth value, worthOf(statement.value));
            if (statement.kind == PythonStatement::Kind::give) {
                return value;
            }
            m_fills.reset();
            if (statement.kind == PythonStatement::Kind::fill) {
                GKS_TRY(fitsInto(statement, value));
            }
            if (statement.isInPlace) {
                GKS_TRY(mayChangeInPlace(statement));
            }
            if (const auto* const node = std::get_if<TensorPtr>(&value); node != nullptr && m_fills) {
                value = inBuffer(**node, *m_fills);
            }
            if (statement.targets.size() == 1 && !statement.takesApart) {
                m_names[statement.targets.front()] = std::move(value);
                continue;
            }
            const auto* const list = std::get_if<std::shared_ptr<Worths>>(&value);
            if (list == nullptr || (*list)->size() != statement.targets.size()) {
                return refuse(statement.place,
                              fmt::format("takes something apart into {} name{}", statement.targets.size(),
                                          statement.targets.size() == 1 ? "" : "s"));
            }
            for (std::size_t i = 0; i < statement.targets.size(); ++i) {
                m_names[statement.targets[i]] = (**list)[i];
            }
        }
        return refuse({}, "returns nothing");
    }

    // The input whose elements these are now.
    std::optional<std::size_t> bufferOf(const TensorPtr& node) const {
        const auto found = std::ranges::find(m_buffers, node, &std::pair<TensorPtr, std::size_t>::first);
        return found == m_buffers.end() ? std::nullopt : std::optional(found->second);
    }

    Result<void> readsNothingFilled(const TensorProgram& program, const PythonPlace& place) const {
        for (const std::size_t input : readInputs(program)) {
            if (m_filled.contains(input)) {
                return refuse(place, fmt::format("reads {}, which it also fills", m_tensors[input]->name));
            }
        }
        return {};
    }

private:
    // A node of its own: what is written there may have other names, which are no buffer.
    TensorPtr inBuffer(const TensorNode& value, std::size_t input) {
        m_buffers.emplace_back(std::make_shared<const TensorNode>(value), input);
        return m_buffers.back().first;
    }
    // In tensor_expression.cpp: what may be changed where it stands.
    static bool shows(const Worth& worth, const TensorNode* node);
    bool isNumber(const TensorNode* node, std::set<const TensorNode*>& seen) const;
    Result<void> mayChangeInPlace(const PythonStatement& statement);
    Result<void> fitsInto(const PythonStatement& statement, const Worth& value);

    Result<TensorPtr> tensor(const Expression& expression) {
        GKS_TRY_ASSIGN(const Worth worth, worthOf(expression));
        const auto* const node = std::get_if<TensorPtr>(&worth);
        return node != nullptr ? Result<TensorPtr>(*node)
                               : Result<TensorPtr>(refuse(expression.place, "needs a tensor or a number here"));
    }

    // Also by its name.
    std::optional<std::int64_t> wholeNumber(const Expression& expression) const {
        if (expression.kind == Kind::name) {
            const auto found = m_names.find(expression.word);
            const auto* const node = found == m_names.end() ? nullptr : std::get_if<TensorPtr>(&found->second);
            const bool isWhole = node != nullptr && (*node)->kind == NodeKind::number &&
                                 (*node)->number == std::floor((*node)->number) && std::abs((*node)->number) < 1e9;
            return isWhole ? std::optional(static_cast<std::int64_t>((*node)->number)) : std::nullopt;
        }
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
    // The one by its place or by one of its names; nullptr: it is not given.
    Result<const Expression*> option(const Expression& call, const std::vector<const Expression*>& arguments,
                                     std::size_t at, std::initializer_list<std::string_view> names) const {
        const auto named = std::ranges::count_if(
            call.keys, [&](const std::string& key) { return std::ranges::find(names, key) != names.end(); });
        const bool hasPlace = arguments.size() > at;
        if (named + (hasPlace ? 1 : 0) > 1) {
            return refuse(call.place, fmt::format("gives {} twice", *names.begin()));
        }
        return hasPlace ? arguments[at] : keyword(call, names);
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
    // Whether there is a conversion. One to a type of floating point changes nothing else: a reference computes in
    // double. A device is no type.
    Result<bool> onlyTypes(const std::string& word, const Expression& call,
                           const std::vector<const Expression*>& arguments) {
        GKS_TRY(onlyKeywords(call, {"dtype"}));
        bool converts = word == "float" || word == "double" || word == "half" || word == "bfloat16";
        std::vector<const Expression*> given(arguments.begin() + 1, arguments.end());
        for (const Expression& one : call.keywords) {
            given.push_back(&one);
        }
        for (const Expression* one : given) {
            GKS_TRY(onlyType(word, *one));
            converts = converts || one->kind != Kind::attribute || one->word != "device";
        }
        return converts;
    }
    Result<void> onlyType(const std::string& word, const Expression& given) {
        const auto worth = worthOf(given);
        const auto* const as = worth ? std::get_if<TensorPtr>(&*worth) : nullptr;
        const bool isType = worth && (std::holds_alternative<TypeWord>(*worth) ||
                                      (word == "type_as" && as != nullptr && isFloating(**as)));
        return isType ? Result<void>()
                      : Result<void>(refuse(given.place, fmt::format("calls {} with what is no type of floating point, "
                                                                     "which cannot be translated",
                                                                     word)));
    }
    static bool isFloating(const TensorNode& node) { return node.numbers == TensorNode::Numbers::real; }
    // What an option that is not given (nullptr) leaves off.
    Result<bool> isTrue(const Expression* expression) {
        if (expression == nullptr) {
            return false;
        }
        GKS_TRY_ASSIGN(const Worth worth, worthOf(*expression));
        const auto* const truth = std::get_if<TruthWord>(&worth);
        return truth != nullptr ? Result<bool>(truth->isTrue)
                                : Result<bool>(refuse(expression->place, "needs True or False here"));
    }

    Result<Worth> worthOf(const Expression& expression) {
        switch (expression.kind) {
        case Kind::number:
            return Worth(numberNode(expression.number, expression.isWhole));
        case Kind::name: {
            if (expression.word == "True" || expression.word == "False") {
                return Worth(TruthWord{expression.word == "True"});
            }
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

    // What an input or a value is called, is no module.
    bool isModule(const Expression& expression) const {
        if (!isModuleName(expression.word)) {
            return false;
        }
        return expression.kind == Kind::name ? !m_names.contains(expression.word)
                                             : expression.kind == Kind::attribute && isModule(expression.parts.front());
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
                return Worth(numberNode(3.14159265358979323846, false));
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

    // In torch_functions.cpp: what the names of PyTorch mean.
    Result<Worth> call(const Expression& expression);
    Result<Worth> named(const std::string& word, const Expression& call,
                        const std::vector<const Expression*>& arguments);
    Result<TensorPtr> clamped(const TensorPtr& of, const Expression& call,
                              const std::vector<const Expression*>& arguments);
    Result<TensorPtr> overAxis(const std::string& word, const TensorPtr& of, const Expression& call,
                               const std::vector<const Expression*>& arguments);
    Result<Worth> renumber(const std::string& word, const TensorPtr& of, const Expression& call,
                           const std::vector<const Expression*>& arguments);

    Result<TensorPtr> table(const Expression& call);
    Result<TensorPtr> convolved(const Expression& call, const std::vector<const Expression*>& arguments);

    const std::vector<NamedTensor>& m_inputs;
    WindowExtent m_windows; // none: nobody can name them
    std::set<std::size_t> m_filled;
    std::optional<std::size_t> m_fills; // the input that the statement at hand writes
    std::vector<std::pair<TensorPtr, std::size_t>> m_buffers;
    std::vector<TensorPtr> m_scalars;          // torch.tensor(0.5): tensors, which numbers of Python are not
    std::vector<const NamedTensor*> m_tensors; // of them, in their order
    std::map<std::string, Worth> m_names;
};

} // namespace gks
