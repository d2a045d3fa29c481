// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/python_text.h"

#include "core/import/python_expressions.h"

#include <array>
#include <optional>

namespace gks {
namespace {

class Parser : private PythonExpressions {
public:
    using PythonExpressions::PythonExpressions;

    Result<PythonFunction> function(std::string_view wanted) {
        std::optional<PythonFunction> found;
        while (now().kind != PythonTokenKind::end) {
            if (isSymbol("@")) {
                GKS_TRY(decorator());
            } else if (isWord("import") || isWord("from")) {
                skipLine();
            } else if (now().kind == PythonTokenKind::text || now().kind == PythonTokenKind::newline) {
                ++m_at;
            } else if (isWord("def")) {
                GKS_TRY_ASSIGN(auto named, definition());
                if (named.first == wanted) {
                    found = std::move(named.second);
                } else {
                    return refuse(fmt::format("defines {}; one function called {} is what can be translated",
                                              named.first, wanted));
                }
            } else {
                return refuse(fmt::format("begins a line with \"{}\" outside of the function", shownToken()));
            }
        }
        return found ? Result<PythonFunction>(std::move(*found))
                     : Result<PythonFunction>(refuse(fmt::format("defines no function called {}", wanted)));
    }

    Result<PythonModule> module(const std::set<std::string>& wanted) {
        PythonModule found;
        std::optional<PythonPlace> strange; // a decorator of what comes next
        while (now().kind != PythonTokenKind::end) {
            m_depth = 0;
            if (isSymbol("@")) {
                const PythonPlace place = now().place;
                if (!isHarmless() && !strange) {
                    strange = place;
                }
                skipLine();
                m_at += now().kind == PythonTokenKind::newline ? 1 : 0;
                continue;
            }
            if (isWord("def") && m_at + 1 < m_tokens.size() && wanted.contains(m_tokens[m_at + 1].text)) {
                if (strange) {
                    return refusedPython(m_where, *strange, "decorates the function with what cannot be translated");
                }
                const PythonPlace place = now().place;
                GKS_TRY_ASSIGN(auto named, definition());
                if (!found.functions.emplace(named.first, std::move(named.second)).second) {
                    return refusedPython(m_where, place, fmt::format("defines {} a second time", named.first));
                }
            } else if (now().kind == PythonTokenKind::name && m_at + 1 < m_tokens.size() &&
                       m_tokens[m_at + 1].kind == PythonTokenKind::symbol && m_tokens[m_at + 1].text == "=") {
                GKS_TRY(value(wanted, found));
            } else {
                GKS_TRY(passOver(wanted, found));
            }
            strange.reset();
        }
        for (const std::string& name : m_global) {
            forget(name, found);
        }
        for (const std::string& name : wanted) {
            if (!found.functions.contains(name)) {
                return refuse(fmt::format("defines no function called {}", name));
            }
        }
        return found;
    }

    Result<Expression> onlyExpression() {
        GKS_TRY_ASSIGN(Expression value, expression());
        if (now().kind != PythonTokenKind::newline && now().kind != PythonTokenKind::end) {
            return refuse(fmt::format("has \"{}\" behind the expression", shownToken()));
        }
        return value;
    }

private:
    // @torch.no_grad() and the like change no value.
    bool isHarmless() const {
        static const std::set<std::string_view> known = {"@torch.no_grad", "@torch.no_grad()", "@torch.inference_mode",
                                                         "@torch.inference_mode()"};
        std::string text;
        for (std::size_t i = m_at; i < m_tokens.size() && m_tokens[i].kind != PythonTokenKind::newline; ++i) {
            text += m_tokens[i].text;
        }
        return known.contains(text);
    }
    Result<void> decorator() {
        if (!isHarmless()) {
            return refuse("decorates the function with what cannot be translated");
        }
        skipLine();
        return {};
    }

    // NAME = value; what cannot be read is missed where it is used.
    Result<void> value(const std::set<std::string>& wanted, PythonModule& found) {
        const std::size_t begin = m_at;
        const std::string name = now().text;
        m_at += 2;
        forget(name, found);
        auto value = tupleOrExpression();
        const bool isWhole = value && (now().kind == PythonTokenKind::newline || now().kind == PythonTokenKind::end);
        skipLine();
        if (isWhole) {
            found.values[name] = std::move(*value);
        }
        for (std::size_t i = begin; i + 1 < m_at; ++i) {
            const bool isSet = m_tokens[i].kind == PythonTokenKind::name && isAssignment(m_tokens[i + 1]);
            if (isSet && wanted.contains(m_tokens[i].text)) {
                return refusedPython(m_where, m_tokens[i].place,
                                     fmt::format("makes another {}, which cannot be translated", m_tokens[i].text));
            }
            if (isSet && !isWhole) {
                forget(m_tokens[i].text, found); // A = B = 1
            }
        }
        return {};
    }
    static bool isAssignment(const PythonToken& token) {
        static const std::set<std::string_view> symbols = {"=", "+=", "-=", "*=", "/=", ":"};
        return token.kind == PythonTokenKind::symbol && symbols.contains(token.text);
    }

    // A value, and what was computed of it.
    static void forget(const std::string& name, PythonModule& found) {
        found.values.erase(name);
        for (auto one = found.values.begin(); one != found.values.end();) {
            if (mentions(one->second, name)) {
                const std::string other = one->first;
                forget(other, found);
                one = found.values.begin();
            } else {
                ++one;
            }
        }
    }
    static bool mentions(const Expression& expression, const std::string& name) {
        const auto any = [&](const std::vector<Expression>& parts) {
            return std::ranges::any_of(parts, [&](const Expression& part) { return mentions(part, name); });
        };
        return (expression.kind == Kind::name && expression.word == name) || any(expression.parts) ||
               any(expression.keywords);
    }

    // What stands beside functions and values, unless it may change one of them.
    Result<void> passOver(const std::set<std::string>& wanted, PythonModule& found) {
        const auto text = [&](std::size_t i) { return m_at + i < m_tokens.size() ? m_tokens[m_at + i].text : ""; };
        const bool isMain =
            isWord("if") && text(1) == "__name__" && text(2) == "==" && text(3) == "__main__" && text(4) == ":";
        const bool isImport = isWord("import") || isWord("from");
        const bool isOther = isMain || isWord("def") || isWord("class");
        const bool isCondition = !isMain && (isWord("if") || isWord("elif") || isWord("else"));
        const std::size_t begin = m_at;
        static const std::set<std::string_view> exactness = {"backends", "manual_seed", "set_float32_matmul_precision"};
        if (isWord("torch") && !exactness.contains(text(2))) {
            return refuse(fmt::format("calls or changes torch.{} beside the functions, which cannot be translated",
                                      abbreviated(text(2), 40)));
        }
        if (now().kind == PythonTokenKind::name && text(1) == "(" && !isOther && !isCondition && text(0) != "print") {
            return refuse(
                fmt::format("calls {} beside the functions, which cannot be translated", abbreviated(text(0), 40)));
        }
        skipBlock();
        int brackets = 0;
        for (std::size_t i = begin; !isMain && i < m_at && i < m_tokens.size(); ++i) {
            const PythonToken& token = m_tokens[i];
            const bool isName = token.kind == PythonTokenKind::name;
            if (isName && (token.text == "global" || token.text == "nonlocal")) {
                for (++i; i < m_at && m_tokens[i].kind != PythonTokenKind::newline; ++i) {
                    if (wanted.contains(m_tokens[i].text)) {
                        return refusedPython(m_where, m_tokens[i].place,
                                             fmt::format("makes {} global in another function, which cannot be "
                                                         "translated",
                                                         m_tokens[i].text));
                    }
                    m_global.insert(m_tokens[i].text);
                }
                continue;
            }
            if (isOther) {
                continue;
            }
            if (isName && wanted.contains(token.text)) {
                return refusedPython(
                    m_where, token.place,
                    fmt::format("does something with {} beside it, which cannot be translated", token.text));
            }
            if (isName && token.text == "torch" && i + 2 < m_at && !isImport &&
                (m_tokens[i + 2].text.starts_with("set_default") || changesAt(i))) {
                return refusedPython(m_where, token.place, "changes a part of torch");
            }
            const bool isSymbol = token.kind == PythonTokenKind::symbol;
            brackets += isSymbol && (token.text == "(" || token.text == "[" || token.text == "{") ? 1 : 0;
            brackets -= isSymbol && (token.text == ")" || token.text == "]" || token.text == "}") ? 1 : 0;
            if (isCondition && brackets == 0 && isAssignment(token) && token.text != ":") {
                return refusedPython(m_where, token.place, "sets a value in a condition, which cannot be translated");
            }
            if (isName && !isImport) {
                forget(token.text, found); // missed where it is used
            }
        }
        return {};
    }

    // name.part = value
    bool changesAt(std::size_t i) const {
        while (i + 2 < m_tokens.size() && m_tokens[i + 1].text == "." && m_tokens[i + 2].text != "backends") {
            i += 2;
        }
        return i + 1 < m_tokens.size() && m_tokens[i + 1].kind == PythonTokenKind::symbol &&
               m_tokens[i + 1].text == "=";
    }

    // A line, and what is indented below it.
    void skipBlock() {
        skipLine();
        m_at += now().kind == PythonTokenKind::newline ? 1 : 0;
        for (int depth = 0; now().kind != PythonTokenKind::end; ++m_at) {
            depth += now().kind == PythonTokenKind::indent ? 1 : now().kind == PythonTokenKind::dedent ? -1 : 0;
            if (depth <= 0) {
                m_at += now().kind == PythonTokenKind::dedent ? 1 : 0;
                return;
            }
        }
    }

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
        return refuse(fmt::format("uses \"{}\" here, which cannot be translated", shownToken()));
    }

    static constexpr int blockLimit = 20;
    int m_blocks = 0;
    std::set<std::string> m_global; // what other functions may change
};

} // namespace

std::string PythonPlace::text() const {
    return fmt::format("line {} column {}", line, column);
}

namespace {

Result<std::vector<PythonToken>> boundedTokens(std::string_view source, std::string_view where) {
    if (source.size() > pythonLimitBytes) {
        return usageError(fmt::format("has a reference longer than {} KiB", pythonLimitBytes >> 10),
                          std::string(where));
    }
    return pythonTokens(source, where);
}

} // namespace

Result<PythonFunction> parsePythonFunction(std::string_view source, std::string_view function, std::string_view where) {
    GKS_TRY_ASSIGN(std::vector<PythonToken> tokens, boundedTokens(source, where));
    return Parser(std::move(tokens), where).function(function);
}

Result<PythonModule> parsePythonModule(std::string_view source, const std::set<std::string>& functions,
                                       std::string_view where) {
    GKS_TRY_ASSIGN(std::vector<PythonToken> tokens, boundedTokens(source, where));
    return Parser(std::move(tokens), where).module(functions);
}

Result<PythonExpression> parsePythonExpression(std::string_view source, std::string_view where) {
    GKS_TRY_ASSIGN(std::vector<PythonToken> tokens, boundedTokens(source, where));
    return Parser(std::move(tokens), where).onlyExpression();
}

} // namespace gks
