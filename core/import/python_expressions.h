// SPDX-License-Identifier: GPL-3.0-or-later
// Expressions by precedence, bounded in depth.
#pragma once

#include "core/base/text.h"
#include "core/import/python_tokens.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <set>
#include <utility>

namespace gks {

class PythonExpressions {
public:
    using Expression = PythonExpression;
    using Kind = PythonExpression::Kind;

    PythonExpressions(std::vector<PythonToken> tokens, std::string_view where)
        : m_tokens(std::move(tokens)), m_where(where) {}

protected:
    const PythonToken& now() const { return m_tokens[std::min(m_at, m_tokens.size() - 1)]; }
    bool isSymbol(std::string_view text) const { return now().kind == PythonTokenKind::symbol && now().text == text; }
    bool isWord(std::string_view text) const { return now().kind == PythonTokenKind::name && now().text == text; }
    bool take(std::string_view symbol) {
        const bool is = isSymbol(symbol);
        m_at += is ? 1 : 0;
        return is;
    }
    std::string shownToken() const {
        return now().kind == PythonTokenKind::newline ? "the end of the line" : abbreviated(now().text, 40);
    }
    tl::unexpected<Error> refuse(std::string what) const {
        return refusedPython(m_where, now().place, std::move(what));
    }
    Result<void> expect(std::string_view symbol) {
        return take(symbol)
                   ? Result<void>()
                   : Result<void>(refuse(fmt::format("has \"{}\" where \"{}\" is needed", shownToken(), symbol)));
    }
    Result<std::string> identifier() {
        if (now().kind != PythonTokenKind::name) {
            return refuse(fmt::format("has \"{}\" where a name is needed", shownToken()));
        }
        return m_tokens[m_at++].text;
    }
    void skipLine() {
        while (now().kind != PythonTokenKind::newline && now().kind != PythonTokenKind::end) {
            ++m_at;
        }
    }

    Result<Expression> tupleOrExpression() {
        const PythonPlace place = now().place;
        GKS_TRY_ASSIGN(Expression first, expression());
        if (!isSymbol(",")) {
            return first;
        }
        Expression tuple{.kind = Kind::tuple, .place = place};
        tuple.parts.push_back(std::move(first));
        while (take(",") && now().kind != PythonTokenKind::newline) {
            GKS_TRY_ASSIGN(Expression next, expression());
            tuple.parts.push_back(std::move(next));
        }
        return tuple;
    }

    static int precedenceOf(std::string_view symbol) {
        if (symbol == "+" || symbol == "-") {
            return 1;
        }
        return symbol == "*" || symbol == "/" || symbol == "@" || symbol == "//" || symbol == "%" ? 2 : 0;
    }

    Result<Expression> expression(int least = 1) {
        if (++m_depth > pythonDepthLimit) {
            return refuse("is nested too deeply");
        }
        GKS_TRY_ASSIGN(Expression left, unary());
        int links = 0;
        while (now().kind == PythonTokenKind::symbol && precedenceOf(now().text) >= least) {
            if (++links > pythonChainLimit) {
                return refuse("has too many operators in a row");
            }
            const PythonToken symbol = m_tokens[m_at++];
            GKS_TRY_ASSIGN(Expression right, expression(precedenceOf(symbol.text) + 1));
            Expression both{.kind = Kind::binary, .place = symbol.place, .word = symbol.text};
            both.parts.push_back(std::move(left));
            both.parts.push_back(std::move(right));
            left = std::move(both);
        }
        --m_depth;
        return left;
    }

    Result<Expression> unary() {
        if (isSymbol("-") || isSymbol("+")) {
            if (++m_depth > pythonDepthLimit) {
                return refuse("is nested too deeply");
            }
            const PythonToken symbol = m_tokens[m_at++];
            GKS_TRY_ASSIGN(Expression value, unary());
            --m_depth;
            if (symbol.text == "+") {
                return value;
            }
            Expression negated{.kind = Kind::unary, .place = symbol.place, .word = "-"};
            negated.parts.push_back(std::move(value));
            return negated;
        }
        GKS_TRY_ASSIGN(Expression base, postfix());
        if (!isSymbol("**")) {
            return base;
        }
        const PythonToken symbol = m_tokens[m_at++];
        if (++m_depth > pythonDepthLimit) {
            return refuse("is nested too deeply");
        }
        GKS_TRY_ASSIGN(Expression exponent, unary());
        --m_depth;
        Expression power{.kind = Kind::binary, .place = symbol.place, .word = "**"};
        power.parts.push_back(std::move(base));
        power.parts.push_back(std::move(exponent));
        return power;
    }

    Result<Expression> postfix() {
        GKS_TRY_ASSIGN(Expression value, atom());
        for (int links = 0;; ++links) {
            if (links > pythonChainLimit) {
                return refuse("has too many parts");
            }
            const PythonPlace place = now().place;
            if (take(".")) {
                GKS_TRY_ASSIGN(std::string name, identifier());
                Expression attribute{.kind = Kind::attribute, .place = place, .word = std::move(name)};
                attribute.parts.push_back(std::move(value));
                value = std::move(attribute);
            } else if (take("(")) {
                GKS_TRY_ASSIGN(Expression call, arguments(std::move(value), place));
                value = std::move(call);
            } else if (take("[")) {
                GKS_TRY_ASSIGN(Expression subscript, subscripts(std::move(value), place));
                value = std::move(subscript);
            } else {
                return value;
            }
            if (value.parts.size() > 64) {
                return refuse("has too many parts");
            }
        }
    }

    Result<Expression> arguments(Expression function, const PythonPlace& place) {
        Expression call{.kind = Kind::call, .place = place};
        call.parts.push_back(std::move(function));
        while (!isSymbol(")")) {
            const bool isKeyword = now().kind == PythonTokenKind::name && m_at + 1 < m_tokens.size() &&
                                   m_tokens[m_at + 1].kind == PythonTokenKind::symbol && m_tokens[m_at + 1].text == "=";
            if (isKeyword) {
                std::string name = now().text;
                m_at += 2;
                GKS_TRY_ASSIGN(Expression value, expression());
                call.keys.push_back(std::move(name));
                call.keywords.push_back(std::move(value));
            } else {
                GKS_TRY_ASSIGN(Expression value, expression());
                call.parts.push_back(std::move(value));
            }
            if (!take(",")) {
                break;
            }
        }
        GKS_TRY(expect(")"));
        return call;
    }

    Result<Expression> subscripts(Expression of, const PythonPlace& place) {
        Expression subscript{.kind = Kind::subscript, .place = place};
        subscript.parts.push_back(std::move(of));
        while (!isSymbol("]")) {
            const PythonPlace at = now().place;
            if (take(":")) {
                if (!isSymbol(",") && !isSymbol("]")) {
                    return refuse("takes a slice with bounds, which cannot be translated");
                }
                subscript.parts.push_back({.kind = Kind::slice, .place = at});
            } else {
                GKS_TRY_ASSIGN(Expression index, expression());
                if (isSymbol(":")) {
                    return refuse("takes a slice with bounds, which cannot be translated");
                }
                subscript.parts.push_back(std::move(index));
            }
            if (!take(",")) {
                break;
            }
        }
        GKS_TRY(expect("]"));
        return subscript;
    }

    Result<Expression> atom() {
        const PythonToken token = now();
        Expression value{.kind = Kind::name, .place = token.place, .word = token.text};
        if (token.kind == PythonTokenKind::number) {
            ++m_at;
            return numberFrom(token);
        }
        if (token.kind == PythonTokenKind::text) {
            ++m_at;
            value.kind = Kind::text;
            return value;
        }
        if (token.kind == PythonTokenKind::name) {
            static const std::set<std::string_view> words = {"if", "else", "for", "lambda", "not",  "and",
                                                             "or", "in",   "is",  "await",  "yield"};
            if (words.contains(token.text)) {
                return refuse(fmt::format("uses {}, which cannot be translated", token.text));
            }
            ++m_at;
            value.kind = token.text == "None" ? Kind::none : Kind::name;
            return value;
        }
        if (take("...")) {
            value.kind = Kind::ellipsis;
            return value;
        }
        if (take("(") || take("[")) {
            const std::string closing = token.text == "(" ? ")" : "]";
            Expression tuple{.kind = Kind::tuple, .place = token.place};
            bool isTuple = closing == "]";
            while (!isSymbol(closing)) {
                GKS_TRY_ASSIGN(Expression part, expression());
                tuple.parts.push_back(std::move(part));
                if (!take(",")) {
                    break;
                }
                isTuple = true;
            }
            GKS_TRY(expect(closing));
            return isTuple || tuple.parts.empty() ? tuple : std::move(tuple.parts.front());
        }
        if (take("{")) {
            return dictionary(token.place);
        }
        return refuse(fmt::format("has \"{}\" where a value is needed", shownToken()));
    }

    Result<Expression> dictionary(const PythonPlace& place) {
        Expression values{.kind = Kind::dictionary, .place = place};
        while (!isSymbol("}")) {
            if (now().kind != PythonTokenKind::text) {
                return refuse("has a key that is no string");
            }
            values.keys.push_back(m_tokens[m_at++].text);
            GKS_TRY(expect(":"));
            GKS_TRY_ASSIGN(Expression value, expression());
            values.parts.push_back(std::move(value));
            if (!take(",")) {
                break;
            }
        }
        GKS_TRY(expect("}"));
        return values;
    }

    Result<Expression> numberFrom(const PythonToken& token) const {
        Expression value{.kind = Kind::number, .place = token.place, .word = replaceAll(token.text, "_", "")};
        const char* const end = value.word.data() + value.word.size();
        const auto read = std::from_chars(value.word.data(), end, value.number);
        value.isWhole = value.word.find_first_not_of("0123456789") == std::string::npos;
        const bool isOctal = value.isWhole && value.word.front() == '0' && value.number != 0; // of Python 2
        if (read.ec != std::errc() || read.ptr != end || isOctal || !separatesDigits(token.text)) {
            return refusedPython(m_where, token.place,
                                 fmt::format("has a number that cannot be read: {}", abbreviated(token.text, 40)));
        }
        return value;
    }

    // 1_000, but neither 1__0 nor 1_
    static bool separatesDigits(std::string_view number) {
        for (std::size_t at = 0; (at = number.find('_', at)) != std::string_view::npos; ++at) {
            const auto isDigit = [&](std::size_t i) {
                return i < number.size() && number[i] >= '0' && number[i] <= '9';
            };
            if (at == 0 || !isDigit(at - 1) || !isDigit(at + 1)) {
                return false;
            }
        }
        return true;
    }

    std::vector<PythonToken> m_tokens;
    std::string_view m_where;
    std::size_t m_at = 0;
    int m_depth = 0;

private:
    static constexpr int pythonDepthLimit = 60;
    static constexpr int pythonChainLimit = 200; // of operators, or of parts behind a value: both nest to the left
};

} // namespace gks
