// SPDX-License-Identifier: GPL-3.0-or-later
// Every value is computed in the outermost loop in which its indices are known: what belongs to a row is computed once
// a row, and the same value twice is one. A magnitude is a bound of the error, to first order and in units of the
// rounding: |x| of an input, the sum over the operands of |derivative| times their bounds of everything else.
#pragma once

#include "core/base/text.h"
#include "core/import/tensor_expression.h"
#include "core/problem/problem.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace gks {

struct CodeDialect {
    std::string type;   // "double", "float"
    std::string prefix; // "std::" before functions
    bool isDevice = false;
};

class CodeWriter {
public:
    using NodeKind = TensorNode::Kind;
    using Indices = std::vector<std::string>; // names of loop variables, sums of them ("i0+r2"), or "0"

    CodeWriter(const ProblemPack& pack, CodeDialect dialect) : m_pack(pack), m_dialect(std::move(dialect)) {
        m_scopes.emplace_back();
    }

    void open(const std::set<std::string>& variables) {
        m_scopes.emplace_back();
        m_scopes.back().variables = variables;
    }
    std::vector<std::string> close() {
        std::vector<std::string> lines = std::move(m_scopes.back().lines);
        m_scopes.pop_back();
        return lines;
    }

    // More than anybody would read: a product of products of products doubles with each. What is written then is none.
    bool isTooLong() const { return m_count > valueLimit; }

    std::string value(const TensorPtr& node, const Indices& at) {
        return remembered("v", node, at, [&] { return valueCode(node, at); });
    }
    std::string bound(const TensorPtr& node, const Indices& at) {
        return remembered("b", node, at, [&] { return boundCode(node, at); });
    }

private:
    static constexpr int valueLimit = 4000;
    struct Scope {
        std::set<std::string> variables;
        std::string extent; // of the one variable of a loop over an axis
        std::vector<std::string> lines;
        std::map<std::string, std::string> known; // by kind, node and indices
    };

    std::string numberText(double value) const {
        const std::string text = fmt::format("{:.17g}", value);
        return text + (text.find_first_of(".en") == std::string::npos ? ".0" : "") + (m_dialect.isDevice ? "f" : "");
    }

    std::size_t levelOf(const Indices& at) const {
        for (std::size_t level = m_scopes.size(); level-- > 1;) {
            const auto isOf = [&](const std::string& one) { return m_scopes[level].variables.contains(one); };
            if (std::ranges::any_of(split(join(at, "+"), '+'), isOf)) {
                return level;
            }
        }
        return 0;
    }

    template<class Code>
    std::string remembered(const char* kind, const TensorPtr& node, const Indices& at, const Code& code) {
        if (isTooLong()) {
            return "0";
        }
        const std::size_t level = levelOf(at);
        if (const auto outer = rowLevel(node, at, level)) {
            return fromRow(kind, node, at, level, *outer);
        }
        const std::string key = fmt::format("{}{} {}", kind, static_cast<const void*>(node.get()), join(at, " "));
        for (std::size_t i = 0; i <= level; ++i) {
            if (const auto found = m_scopes[i].known.find(key); found != m_scopes[i].known.end()) {
                return found->second;
            }
        }
        // The loops inside are not there yet for what is computed outside of them.
        std::vector<Scope> inner(std::make_move_iterator(m_scopes.begin() + static_cast<std::ptrdiff_t>(level) + 1),
                                 std::make_move_iterator(m_scopes.end()));
        m_scopes.resize(level + 1);
        const std::string text = code();
        const std::string name = fmt::format("{}{}", kind, m_count++);
        m_scopes.back().lines.push_back(fmt::format("const {} {} = {};", m_dialect.type, name, text));
        m_scopes.back().known[key] = name;
        std::move(inner.begin(), inner.end(), std::back_inserter(m_scopes));
        return name;
    }

    static bool hasSum(const TensorPtr& node, std::map<const TensorNode*, bool>& known) {
        const auto [at, isNew] = known.try_emplace(node.get(), node->kind == NodeKind::reduce);
        if (isNew && !at->second) {
            for (const TensorPtr& from : node->from) {
                if (hasSum(from, known)) {
                    return known[node.get()] = true;
                }
            }
        }
        return known[node.get()];
    }

    // Where a loop over an axis asks for sums that what lies between it and the scope of its other indices does not
    // change: the weights of an attention are the same for every element of a row. The scope that they belong to.
    std::optional<std::size_t> rowLevel(const TensorPtr& node, const Indices& at, std::size_t level) {
        if (m_dialect.isDevice || level == 0 || m_scopes[level].extent.empty()) {
            return std::nullopt;
        }
        Indices others = at;
        std::erase_if(others, [&](const std::string& index) { return m_scopes[level].variables.contains(index); });
        const std::size_t outer = levelOf(others);
        return others.size() + 1 == at.size() && outer + 1 < level && hasSum(node, m_hasSum) ? std::optional(outer)
                                                                                             : std::nullopt;
    }

    // An element of a row of values that are computed once.
    std::string fromRow(const char* kind, const TensorPtr& node, const Indices& at, std::size_t level,
                        std::size_t outer) {
        const std::string variable = *m_scopes[level].variables.begin();
        const std::string extent = m_scopes[level].extent;
        Indices open = at;
        std::ranges::replace(open, variable, std::string("*"));
        const std::string key = fmt::format("{}{} {}", kind, static_cast<const void*>(node.get()), join(open, " "));
        if (!m_scopes[outer].known.contains(key)) {
            std::vector<Scope> inner(std::make_move_iterator(m_scopes.begin() + static_cast<std::ptrdiff_t>(outer) + 1),
                                     std::make_move_iterator(m_scopes.end()));
            m_scopes.resize(outer + 1);
            const std::string filled = fmt::format("r{}", m_count++);
            const std::string row = fmt::format("a{}", m_count++);
            std::ranges::replace(open, std::string("*"), filled);
            this->open({filled});
            const std::string one = *kind == 'v' ? value(node, open) : bound(node, open);
            const std::vector<std::string> body = close();
            auto& lines = m_scopes.back().lines;
            lines.push_back(
                fmt::format("std::vector<{}> {}(static_cast<std::size_t>({}));", m_dialect.type, row, extent));
            lines.push_back(fmt::format("for (std::int64_t {0} = 0; {0} < {1}; ++{0}) {{", filled, extent));
            for (const std::string& line : body) {
                lines.push_back("    " + line);
            }
            lines.push_back(fmt::format("    {}[static_cast<std::size_t>({})] = {};", row, filled, one));
            lines.emplace_back("}");
            m_scopes.back().known[key] = row;
            std::move(inner.begin(), inner.end(), std::back_inserter(m_scopes));
        }
        return fmt::format("{}[static_cast<std::size_t>({})]", m_scopes[outer].known.at(key), variable);
    }

    std::string call(std::string_view function, const std::string& argument) const {
        const std::string suffix = m_dialect.isDevice ? "f" : "";
        const std::string name = function == "abs" ? "fabs" : std::string(function);
        return fmt::format("{}{}{}({})", m_dialect.prefix, name, suffix, argument);
    }

    std::string unaryCode(const std::string& word, const std::string& x) const {
        if (word == "neg") {
            return "-" + x;
        }
        if (word == "rsqrt") {
            return "1 / " + call("sqrt", x);
        }
        if (word == "sigmoid" || word == "silu") {
            return fmt::format("{} / (1 + {})", word == "silu" ? x : "1", call("exp", "-" + x));
        }
        if (word == "relu") {
            return fmt::format("{0} > 0 ? {0} : 0", x);
        }
        if (word == "square") {
            return fmt::format("{0} * {0}", x);
        }
        return word == "reciprocal" ? "1 / " + x : call(word, x);
    }

    // |f'(x)|, where f(x) is at hand.
    std::string slopeCode(const std::string& word, const std::string& x, const std::string& f) const {
        const std::map<std::string_view, std::string> slopes = {
            {"exp", f},
            {"expm1", f + " + 1"},
            {"exp2", "0.6931471805599453 * " + f},
            {"log", "1 / " + x},
            {"log1p", fmt::format("1 / (1 + {})", x)},
            {"log2", "1.4426950408889634 / " + x},
            {"sqrt", fmt::format("0.5 / {}", f)},
            {"rsqrt", fmt::format("0.5 * {} / {}", f, x)},
            {"sin", call("cos", x)},
            {"cos", call("sin", x)},
            {"tanh", fmt::format("1 - {0} * {0}", f)},
            {"erf", fmt::format("1.1283791670955126 * {}", call("exp", fmt::format("-{0} * {0}", x)))},
            {"sigmoid", fmt::format("{0} * (1 - {0})", f)},
            {"silu", "1.1"},
            {"square", "2 * " + x},
            {"reciprocal", fmt::format("{0} * {0}", f)}};
        const auto found = slopes.find(word);
        return found == slopes.end() ? "1.0" : call("abs", found->second); // neg, abs, relu
    }

    Indices broadcast(const TensorPtr& of, const Indices& at) const {
        Indices indices(at.end() - static_cast<std::ptrdiff_t>(of->shape.size()), at.end());
        for (std::size_t i = 0; i < indices.size(); ++i) {
            indices[i] = of->shape[i] == "1" ? "0" : indices[i];
        }
        return indices;
    }
    static Indices inside(const TensorNode& node, const Indices& at) { // of permute, insert and remove
        Indices indices = at;
        if (node.kind == NodeKind::permute) {
            for (std::size_t i = 0; i < node.axes.size(); ++i) {
                indices[node.axes[i]] = at[i];
            }
        } else if (node.kind == NodeKind::insert) {
            indices.erase(indices.begin() + static_cast<std::ptrdiff_t>(node.axes[0]));
        } else if (node.kind == NodeKind::window) {
            const std::string last = indices.back();
            indices.pop_back();
            indices[node.axes[0]] += last == "0" ? "" : "+" + last;
        } else {
            indices.insert(indices.begin() + static_cast<std::ptrdiff_t>(node.axes[0]), "0");
        }
        return indices;
    }

    std::string binaryCode(const TensorNode& node, const Indices& at) {
        const std::string a = value(node.from[0], broadcast(node.from[0], at));
        const std::string b = value(node.from[1], broadcast(node.from[1], at));
        if (node.word == "**") {
            return node.from[1]->kind == NodeKind::number && node.from[1]->number == 2
                       ? fmt::format("{0} * {0}", a)
                       : fmt::format("{}{}({}, {})", m_dialect.prefix, m_dialect.isDevice ? "powf" : "pow", a, b);
        }
        if (node.word == "max" || node.word == "min") {
            return fmt::format("{0} {2} {1} ? {0} : {1}", a, b, node.word == "max" ? ">" : "<");
        }
        return fmt::format("{} {} {}", a, node.word, b);
    }

    std::string extentCode(const std::string& extent) const {
        return m_dialect.isDevice && extent != "1" ? "p." + extent : extent;
    }

    // A loop over the axis in the place where its indices are known.
    template<class Term, class Fold>
    std::string loop(const TensorNode& node, const Indices& at, const std::string& start, const Term& term,
                     const Fold& fold) {
        const std::string variable = fmt::format("r{}", m_count++);
        const std::string sum = fmt::format("s{}", m_count++);
        Indices indices = at;
        indices.insert(indices.begin() + static_cast<std::ptrdiff_t>(node.axes[0]), variable);
        const std::string& extent = node.from[0]->shape[node.axes[0]];
        open({variable});
        m_scopes.back().extent = extentCode(extent);
        const std::string one = term(node.from[0], indices);
        std::vector<std::string> body = close();
        auto& lines = m_scopes.back().lines;
        lines.push_back(fmt::format("{} {} = {};", m_dialect.type, sum, start));
        lines.push_back(fmt::format("for ({0} {1} = 0; {1} < {2}; ++{1}) {{",
                                    m_dialect.isDevice ? "int" : "std::int64_t", variable, extentCode(extent)));
        for (const std::string& line : body) {
            lines.push_back("    " + line);
        }
        lines.push_back("    " + fold(sum, one));
        lines.emplace_back("}");
        return sum;
    }

    std::string valueCode(const TensorPtr& pointer, const Indices& at) {
        const TensorNode& node = *pointer;
        switch (node.kind) {
        case NodeKind::input:
            return inputCode(node, at);
        case NodeKind::number:
            return numberText(node.number);
        case NodeKind::extent:
            return fmt::format("{}({})", m_dialect.type, extentCode(node.word));
        case NodeKind::unary:
            return unaryCode(node.word, value(node.from[0], at));
        case NodeKind::binary:
            return binaryCode(node, at);
        case NodeKind::reduce: {
            const bool isSum = node.word == "sum";
            const std::string start = isSum ? "0" : node.word == "max" ? "-INFINITY" : "INFINITY";
            return loop(
                node, at, start, [&](const TensorPtr& of, const Indices& indices) { return value(of, indices); },
                [&](const std::string& sum, const std::string& one) {
                    return isSum ? fmt::format("{} += {};", sum, one)
                                 : fmt::format("{0} = {1} {2} {0} ? {1} : {0};", sum, one,
                                               node.word == "max" ? ">" : "<");
                });
        }
        case NodeKind::permute:
        case NodeKind::insert:
        case NodeKind::remove:
        case NodeKind::window:
            return value(node.from[0], inside(node, at));
        case NodeKind::table:
            return tableCode(node, at.front());
        }
        return "0";
    }

    std::string tableCode(const TensorNode& node, const std::string& index) const {
        std::string text = numberText(node.values.back());
        for (std::size_t i = node.values.size() - 1; i-- > 0;) {
            text = fmt::format("{} == {} ? {} : {}", index, i, numberText(node.values[i]), text);
        }
        return text;
    }

    std::string inputCode(const TensorNode& node, const Indices& at) const {
        const TensorSpec& tensor = m_pack.tensors[node.input];
        std::string index = "0";
        for (std::size_t i = 0; i < at.size(); ++i) {
            index = i == 0 ? (m_dialect.isDevice ? fmt::format("size_t({})", at[i]) : at[i])
                           : fmt::format("({}) * {} + {}", index, extentCode(tensor.extents[i]), at[i]);
        }
        return m_dialect.isDevice ? fmt::format("float(p.{}[{}])", tensor.name, index)
                                  : fmt::format("{}[{}]", tensor.name, index);
    }

    std::string boundCode(const TensorPtr& pointer, const Indices& at) {
        const TensorNode& node = *pointer;
        switch (node.kind) {
        case NodeKind::input:
            return call("abs", value(pointer, at));
        case NodeKind::number:
        case NodeKind::extent:
        case NodeKind::table:
            return "0";
        case NodeKind::unary: {
            const std::string f = value(pointer, at);
            return fmt::format("{} * {} + {}", slopeCode(node.word, value(node.from[0], at), f),
                               bound(node.from[0], at), call("abs", f));
        }
        case NodeKind::binary:
            return binaryBound(pointer, at);
        case NodeKind::reduce: {
            return loop(
                node, at, "0", [&](const TensorPtr& of, const Indices& indices) { return bound(of, indices); },
                [&](const std::string& sum, const std::string& one) {
                    return node.word == "sum" ? fmt::format("{} += {};", sum, one)
                                              : fmt::format("{0} = {1} > {0} ? {1} : {0};", sum, one);
                });
        }
        case NodeKind::permute:
        case NodeKind::insert:
        case NodeKind::remove:
        case NodeKind::window:
            return bound(node.from[0], inside(node, at));
        }
        return "0";
    }

    std::string binaryBound(const TensorPtr& pointer, const Indices& at) {
        const TensorNode& node = *pointer;
        const Indices left = broadcast(node.from[0], at);
        const Indices right = broadcast(node.from[1], at);
        const std::string a = value(node.from[0], left);
        const std::string b = value(node.from[1], right);
        const std::string ea = bound(node.from[0], left);
        const std::string eb = bound(node.from[1], right);
        if (node.word == "*") {
            return fmt::format("{} * {} + {} * {}", call("abs", b), ea, call("abs", a), eb);
        }
        if (node.word == "/") {
            return fmt::format("({} + {} * {}) / {}", ea, call("abs", value(pointer, at)), eb, call("abs", b));
        }
        if (node.word == "**") {
            return fmt::format("{} * {} + {}",
                               call("abs", fmt::format("{} * {} / ({} == 0 ? 1 : {})", b, value(pointer, at), a, a)),
                               ea, call("abs", value(pointer, at)));
        }
        return fmt::format("{} + {}", ea, eb);
    }

    const ProblemPack& m_pack;
    CodeDialect m_dialect;
    std::vector<Scope> m_scopes;
    std::size_t m_count = 0;
    std::map<const TensorNode*, bool> m_hasSum;
};

} // namespace gks
