// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/python_text.h"

#include "core/import/python_imports.h"
#include "core/import/python_statements.h"

#include <optional>

namespace gks {
namespace {

class Parser : private PythonStatements {
public:
    using PythonStatements::PythonStatements;

    Result<PythonFunction> function(std::string_view wanted) {
        GKS_TRY(modulesAreThemselves(m_tokens, m_where));
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
        GKS_TRY(modulesAreThemselves(m_tokens, m_where));
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
