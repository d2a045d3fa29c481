// SPDX-License-Identifier: GPL-3.0-or-later
// Functions and their statements, bounded in how deep their blocks go.
#pragma once

#include "core/import/python_expressions.h"

#include <array>

namespace gks {

class PythonStatements : protected PythonExpressions {
public:
    using PythonExpressions::PythonExpressions;

protected:
    Result<std::pair<std::string, PythonFunction>> definition() {
        PythonFunction function;
        function.place = now().place;
        ++m_at;
        GKS_TRY_ASSIGN(std::string name, identifier());
        GKS_TRY(expect("("));
        while (!isSymbol(")")) {
            GKS_TRY_ASSIGN(std::string parameter, identifier());
            function.parameters.push_back(std::move(parameter));
            if (take(":")) {
                GKS_TRY(expression());
            }
            if (isSymbol("=")) {
                return refuse("gives a parameter a default; every input comes from the problem");
            }
            if (!take(",")) {
                break;
            }
        }
        GKS_TRY(expect(")"));
        if (take("->")) {
            GKS_TRY(expression());
        }
        GKS_TRY(expect(":"));
        if (now().kind != PythonTokenKind::newline) {
            return refuse("has its body on the line of def");
        }
        ++m_at;
        if (now().kind != PythonTokenKind::indent) {
            return refuse("has no body");
        }
        ++m_at;
        GKS_TRY(statements(function));
        if (function.body.empty() || function.body.back().kind != PythonStatement::Kind::give) {
            return refuse("returns nothing");
        }
        return std::pair(std::move(name), std::move(function));
    }

    // What only says how exactly and how repeatably numbers are computed; here they are real numbers.
    Result<void> block(PythonFunction& function) {
        static const std::set<std::string_view> contexts = {"DeterministicContext", "DisableCuDNNTF32", "no_grad",
                                                            "inference_mode"};
        const PythonPlace place = now().place;
        ++m_at;
        GKS_TRY_ASSIGN(const Expression context, expression());
        const bool isKnown = context.kind == Kind::call && context.parts.size() == 1 && context.keys.empty() &&
                             contexts.contains(context.parts.front().word);
        if (!isKnown || ++m_blocks > blockLimit) {
            return refusedPython(m_where, place, "uses with, which cannot be translated");
        }
        GKS_TRY(expect(":"));
        if (now().kind != PythonTokenKind::newline) {
            return refuse("has its body on the line of with");
        }
        ++m_at;
        if (now().kind != PythonTokenKind::indent) {
            return refuse("has no body");
        }
        ++m_at;
        GKS_TRY(statements(function));
        --m_blocks;
        return {};
    }

    Result<void> statements(PythonFunction& function) {
        while (now().kind != PythonTokenKind::dedent && now().kind != PythonTokenKind::end) {
            if (now().kind == PythonTokenKind::newline) {
                ++m_at;
            } else {
                GKS_TRY(statement(function));
            }
        }
        m_at += now().kind == PythonTokenKind::dedent ? 1 : 0;
        return {};
    }

    Result<void> statement(PythonFunction& function) {
        static const std::set<std::string_view> unknown = {"if",     "for",   "while",  "def",    "class",    "try",
                                                           "lambda", "raise", "yield",  "global", "nonlocal", "del",
                                                           "async",  "await", "import", "from"};
        const PythonPlace place = now().place;
        if (now().kind == PythonTokenKind::name && unknown.contains(now().text)) {
            return refuse(fmt::format("uses {}, which cannot be translated", now().text));
        }
        if (now().kind == PythonTokenKind::text || isWord("pass")) {
            ++m_at;
            return endOfLine();
        }
        if (isWord("assert")) { // says what the Definition says as well
            skipLine();
            return endOfLine();
        }
        if (!function.body.empty() && function.body.back().kind == PythonStatement::Kind::give) {
            return refuse("goes on behind return");
        }
        if (isWord("with")) {
            return block(function);
        }
        if (isWord("return")) {
            ++m_at;
            GKS_TRY_ASSIGN(Expression value, tupleOrExpression());
            function.body.push_back({{}, std::move(value), place, PythonStatement::Kind::give});
            return endOfLine();
        }
        const bool isName = now().kind == PythonTokenKind::name && m_at + 1 < m_tokens.size() &&
                            m_tokens[m_at + 1].kind == PythonTokenKind::symbol;
        if (isName && (m_tokens[m_at + 1].text == "." || m_tokens[m_at + 1].text == "(")) {
            GKS_TRY_ASSIGN(Expression value, expression());
            function.body.push_back({{}, std::move(value), place, PythonStatement::Kind::effect});
            return endOfLine();
        }
        if (isName && m_tokens[m_at + 1].text == "[") {
            return filling(function);
        }
        bool takesApart = false;
        GKS_TRY_ASSIGN(std::vector<std::string> targets, assignmentTargets(takesApart));
        static constexpr std::array<std::string_view, 4> augmented = {"+=", "-=", "*=", "/="};
        const auto found = std::ranges::find_if(augmented, [&](std::string_view one) { return isSymbol(one); });
        if (found != augmented.end()) {
            ++m_at;
            GKS_TRY_ASSIGN(Expression right, expression());
            Expression left{.kind = Kind::name, .place = place, .word = targets.front()};
            Expression sum{.kind = Kind::binary,
                           .place = place,
                           .word = std::string(found->substr(0, 1)),
                           .parts = {std::move(left), std::move(right)}};
            function.body.push_back({{targets.front()}, std::move(sum), place, PythonStatement::Kind::assign});
            function.body.back().isInPlace = true;
            return endOfLine();
        }
        if (take(":")) {
            GKS_TRY(expression()); // what type it has
        }
        GKS_TRY(expect("="));
        GKS_TRY_ASSIGN(Expression value, tupleOrExpression());
        function.body.push_back({std::move(targets), std::move(value), place, PythonStatement::Kind::assign});
        function.body.back().takesApart = takesApart;
        return endOfLine();
    }

    // target[...] = value, target[:] = value
    Result<void> filling(PythonFunction& function) {
        const PythonPlace place = now().place;
        GKS_TRY_ASSIGN(std::string target, identifier());
        GKS_TRY(expect("["));
        if (!take("...") && !take(":")) {
            return refuse("writes a part of a tensor, which cannot be translated");
        }
        GKS_TRY(expect("]"));
        GKS_TRY(expect("="));
        GKS_TRY_ASSIGN(Expression value, tupleOrExpression());
        function.body.push_back({{std::move(target)}, std::move(value), place, PythonStatement::Kind::fill});
        return endOfLine();
    }

    Result<std::vector<std::string>> assignmentTargets(bool& takesApart) {
        std::vector<std::string> targets;
        const bool isBracketed = take("(");
        bool hasComma = false;
        do {
            GKS_TRY_ASSIGN(std::string name, identifier());
            targets.push_back(std::move(name));
            hasComma = take(",");
            takesApart = takesApart || hasComma;
        } while (hasComma && now().kind == PythonTokenKind::name);
        if (isBracketed) {
            GKS_TRY(expect(")"));
        }
        return targets;
    }

    Result<void> endOfLine() {
        if (now().kind == PythonTokenKind::newline) {
            ++m_at;
            return {};
        }
        if (now().kind == PythonTokenKind::dedent || now().kind == PythonTokenKind::end || take(";")) {
            return {};
        }
        static const std::set<std::string_view> comparisons = {"<", ">", "==", "!="};
        const bool compares = now().kind == PythonTokenKind::symbol && comparisons.contains(now().text);
        return refuse(
            fmt::format("{} \"{}\" here, which cannot be translated", compares ? "compares by" : "uses", shownToken()));
    }

private:
    static constexpr int blockLimit = 20;
    int m_blocks = 0;
};

} // namespace gks
