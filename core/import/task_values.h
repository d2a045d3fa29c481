// SPDX-License-Identifier: GPL-3.0-or-later
// The names of generate_input that are numbers, types and extents, as far as it has come.
#pragma once

#include "core/base/text.h"
#include "core/import/pack_draft.h"
#include "core/import/problem_axes.h"
#include "core/import/python_tokens.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <set>

namespace gks {

class TaskValues {
public:
    using Expression = PythonExpression;
    using Kind = PythonExpression::Kind;

    TaskValues(const PythonFunction& function, std::map<std::string, PythonExpression> values, std::string_view where)
        : m_function(function), m_where(where), m_values(std::move(values)) {}

protected:
    tl::unexpected<Error> refuse(const PythonPlace& place, std::string what) const {
        return refusedPython(m_where, place, "generate_input " + std::move(what));
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

    static std::optional<double> plainNumber(const Expression& value) {
        const bool isNegative = value.kind == Kind::unary;
        const Expression& number = isNegative ? value.parts.front() : value;
        return number.kind == Kind::number ? std::optional(isNegative ? -number.number : number.number) : std::nullopt;
    }

    // Also by its name.
    std::optional<double> numberOf(const Expression& value) const {
        const auto named =
            value.kind == Kind::name && !isParameter(value.word) ? m_values.find(value.word) : m_values.end();
        return plainNumber(named == m_values.end() ? value : named->second);
    }

    static const Expression* keywordOf(const Expression& call, std::string_view name) {
        const auto found = std::ranges::find(call.keys, name);
        return found == call.keys.end() ? nullptr : &call.keywords[static_cast<std::size_t>(found - call.keys.begin())];
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
        if (std::ranges::find(m_axes, name, &ProblemAxis::name) == m_axes.end()) {
            if (m_axes.size() == taskAxisLimit) {
                return refuse(expression.place, "has too many extents");
            }
            m_axes.push_back(std::move(axis));
        }
        return name;
    }

    const PythonFunction& m_function;
    std::string_view m_where;
    std::map<std::string, Expression> m_values; // of the file, and of the function as far as it has come
    std::vector<ProblemAxis> m_axes;            // in the order in which tensors have them

private:
    static constexpr std::size_t taskAxisLimit = 16;
    static constexpr int stepLimit = 5000;
    static constexpr int resolvingLimit = 100;
    mutable int m_steps = 0;
};

} // namespace gks
