// SPDX-License-Identifier: GPL-3.0-or-later
// Every value is computed in the outermost loop in which its indices are known: what belongs to a row is computed once
// a row, and the same value twice is one. A magnitude is a bound of the error, to first order and in units of the
// rounding: |x| of an input, the sum over the operands of |derivative| times their bounds of everything else.
#pragma once

#include "core/base/text.h"
#include "core/import/code_functions.h"
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

class CodeWriter : private FunctionCode {
public:
    using NodeKind = TensorNode::Kind;
    using Indices = std::vector<std::string>; // names of loop variables, sums of them ("i0+r2"), or "0"

    CodeWriter(const ProblemPack& pack, CodeDialect dialect) : FunctionCode(std::move(dialect)), m_pack(pack) {
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

    // This index runs from 0 up, once for each of all others.
    void runAlong(std::string index) { m_running = std::move(index); }
    bool hasRun() const { return m_hasRun; } // what is written needs that

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
        std::string name;
        atLevel(level, [&] {
            const std::string text = code();
            name = fmt::format("{}{}", kind, m_count++);
            m_scopes.back().lines.push_back(fmt::format("const {} {} = {};", m_dialect.type, name, text));
            m_scopes.back().known[key] = name;
        });
        return name;
    }

    // The loops inside are not there yet for what is computed outside of them.
    template<class Code>
    void atLevel(std::size_t level, const Code& code) {
        std::vector<Scope> inner(std::make_move_iterator(m_scopes.begin() + static_cast<std::ptrdiff_t>(level) + 1),
                                 std::make_move_iterator(m_scopes.end()));
        m_scopes.resize(level + 1);
        code();
        std::move(inner.begin(), inner.end(), std::back_inserter(m_scopes));
    }

    static bool hasSum(const TensorPtr& node, std::map<const TensorNode*, bool>& known) {
        const auto [at, isNew] =
            known.try_emplace(node.get(), node->kind == NodeKind::reduce || node->kind == NodeKind::scan);
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
            atLevel(outer, [&] {
                const std::string filled = fmt::format("r{}", m_count++);
                std::ranges::replace(open, std::string("*"), filled);
                m_scopes.back().known[key] =
                    filledRow(filled, extent, [&] { return *kind == 'v' ? value(node, open) : bound(node, open); });
            });
        }
        return fmt::format("{}[static_cast<std::size_t>({})]", m_scopes[outer].known.at(key), variable);
    }

    // A row of an element for every index of an axis, filled where the other indices are known. `sums`: of all of them
    // so far.
    template<class One>
    std::string filledRow(const std::string& filled, const std::string& extent, const One& one, bool sums = false) {
        const std::string row = fmt::format("a{}", m_count++);
        open({filled});
        const std::string term = one();
        const std::vector<std::string> body = close();
        auto& lines = m_scopes.back().lines;
        lines.push_back(fmt::format("std::vector<{}> {}(static_cast<std::size_t>({}));", m_dialect.type, row, extent));
        if (sums) {
            lines.push_back(fmt::format("{} {}s = 0;", m_dialect.type, row));
        }
        lines.push_back(fmt::format("for (std::int64_t {0} = 0; {0} < {1}; ++{0}) {{", filled, extent));
        for (const std::string& line : body) {
            lines.push_back("    " + line);
        }
        lines.push_back(sums ? fmt::format("    {0}[static_cast<std::size_t>({1})] = {0}s += {2};", row, filled, term)
                             : fmt::format("    {}[static_cast<std::size_t>({})] = {};", row, filled, term));
        lines.emplace_back("}");
        return row;
    }

    // The sum of all elements along an axis up to this one. The reference keeps a row of them; a kernel that goes along
    // the axis keeps the last one, another one adds them up again.
    template<class Term>
    std::string scanned(const char* kind, const TensorNode& node, const Indices& at, const Term& term) {
        const std::size_t axis = node.axes[0];
        const std::string index = at[axis];
        const std::string extent = extentCode(node.shape[axis]);
        Indices open = at;
        open[axis] = "0"; // known in every scope
        const std::size_t outer = levelOf(open);
        if (m_dialect.isDevice && index == m_running && outer + 1 < m_scopes.size()) {
            const std::string sum = fmt::format("s{}", m_count++);
            atLevel(outer, [&] { m_scopes.back().lines.push_back(fmt::format("float {} = 0;", sum)); });
            const std::string one = term(node.from[0], at);
            m_scopes.back().lines.push_back(fmt::format("{} += {};", sum, one));
            m_hasRun = true;
            return sum;
        }
        if (m_dialect.isDevice) {
            open.erase(open.begin() + static_cast<std::ptrdiff_t>(axis));
            return loop(
                node, open, "0", term,
                [&](const std::string& sum, const std::string& one) { return fmt::format("{} += {};", sum, one); },
                fmt::format("{} + 1", index));
        }
        const std::string key = fmt::format("{}scan{} {}", kind, static_cast<const void*>(&node), join(open, " "));
        if (!m_scopes[outer].known.contains(key)) {
            atLevel(outer, [&] {
                open[axis] = fmt::format("r{}", m_count++);
                m_scopes.back().known[key] =
                    filledRow(open[axis], extent, [&] { return term(node.from[0], open); }, true);
            });
        }
        return fmt::format("{}[static_cast<std::size_t>({})]", m_scopes[outer].known.at(key), index);
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
                     const Fold& fold, const std::string& end = {}) {
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
                                    m_dialect.isDevice ? "int" : "std::int64_t", variable,
                                    end.empty() ? extentCode(extent) : end));
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
        case NodeKind::scan:
            return scanned("v", node, at,
                           [&](const TensorPtr& of, const Indices& indices) { return value(of, indices); });
        case NodeKind::permute:
        case NodeKind::insert:
        case NodeKind::remove:
        case NodeKind::window:
            return value(node.from[0], inside(node, at));
        case NodeKind::table:
            return tableCode(node.values, at.front());
        }
        return "0";
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
        case NodeKind::scan:
            return scanned("b", node, at,
                           [&](const TensorPtr& of, const Indices& indices) { return bound(of, indices); });
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
    std::vector<Scope> m_scopes;
    std::size_t m_count = 0;
    std::string m_running;
    bool m_hasRun = false;
    std::map<const TensorNode*, bool> m_hasSum;
};

} // namespace gks
