// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/python_imports.h"

#include "core/base/text.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>

namespace gks {
namespace {

const std::map<std::string_view, std::string_view> origins = {{"torch", "torch"},
                                                              {"math", "math"},
                                                              {"np", "numpy"},
                                                              {"nn", "torch.nn"},
                                                              {"special", "torch.special"},
                                                              {"F", "torch.nn.functional"},
                                                              {"functional", "torch.nn.functional"}};

// What `from MODULE import *` may come from: the harness, and what has no other things of these names.
const std::set<std::string_view> plainModules = {"torch", "math", "numpy", "typing", "task", "utils"};

class Names {
public:
    Names(const std::vector<PythonToken>& tokens, std::string_view where) : m_tokens(tokens), m_where(where) {}

    Result<void> check() {
        int brackets = 0;
        for (bool begins = true; m_at < m_tokens.size();) {
            if (begins && (isWord("import") || isWord("from"))) {
                GKS_TRY(isWord("import") ? imports() : importsFrom());
                begins = false;
                continue;
            }
            if (begins && (isWord("def") || isWord("class"))) {
                GKS_TRY(isNot(m_at + 1));
                GKS_TRY(passBlock());
                begins = true;
                continue;
            }
            if (isWord("as") || isWord("for")) {
                GKS_TRY(isNot(m_at + 1));
            }
            if (begins && m_at + 2 < m_tokens.size() && isBinding(m_tokens[m_at + 1]) &&
                m_tokens[m_at + 2].kind != PythonTokenKind::number) {
                GKS_TRY(isNot(m_at));
            }
            const PythonToken& token = m_tokens[m_at++];
            const bool isSymbol = token.kind == PythonTokenKind::symbol;
            brackets += isSymbol && (token.text == "(" || token.text == "[" || token.text == "{") ? 1 : 0;
            brackets -= isSymbol && (token.text == ")" || token.text == "]" || token.text == "}") ? 1 : 0;
            const bool ends = isSymbol && brackets == 0 && (token.text == ";" || token.text == ":");
            begins = ends || token.kind == PythonTokenKind::newline || token.kind == PythonTokenKind::indent ||
                     token.kind == PythonTokenKind::dedent;
        }
        return {};
    }

private:
    bool isWord(std::string_view text) const {
        return m_at < m_tokens.size() && m_tokens[m_at].kind == PythonTokenKind::name && m_tokens[m_at].text == text;
    }
    bool isSymbol(std::string_view text) const {
        return m_at < m_tokens.size() && m_tokens[m_at].kind == PythonTokenKind::symbol && m_tokens[m_at].text == text;
    }
    static bool isBinding(const PythonToken& next) {
        static const std::set<std::string_view> symbols = {"=", ",", ":", "+=", "-=", "*=", "/="};
        return next.kind == PythonTokenKind::symbol && symbols.contains(next.text);
    }

    Result<void> isNot(std::size_t at) const {
        const bool is =
            at < m_tokens.size() && m_tokens[at].kind == PythonTokenKind::name && isModuleName(m_tokens[at].text);
        return is ? refusedPython(m_where, m_tokens[at].place,
                                  fmt::format("makes another {}, which cannot be translated", m_tokens[at].text))
                  : Result<void>();
    }

    // What functions and classes have inside is theirs, but for what they say is not: a function that is translated
    // knows its own names.
    Result<void> passBlock() {
        int depth = 0;
        for (bool isHead = true; m_at < m_tokens.size(); ++m_at) {
            const PythonTokenKind kind = m_tokens[m_at].kind;
            depth += kind == PythonTokenKind::indent ? 1 : kind == PythonTokenKind::dedent ? -1 : 0;
            if (!isHead && depth <= 0) {
                m_at += kind == PythonTokenKind::dedent ? 1 : 0;
                return {};
            }
            isHead = isHead && kind != PythonTokenKind::newline;
            for (std::size_t i = m_at + 1; isWord("global") && i < m_tokens.size(); i += 2) {
                GKS_TRY(isNot(i));
                if (i + 1 >= m_tokens.size() || m_tokens[i + 1].text != ",") {
                    break;
                }
            }
        }
        return {};
    }

    std::string dotted() {
        std::string name;
        for (; m_at < m_tokens.size(); ++m_at) {
            const bool isPart = isSymbol(".") || isSymbol("...") || isSymbol("*");
            if (!isPart && (m_tokens[m_at].kind != PythonTokenKind::name || isWord("as") || isWord("import"))) {
                break;
            }
            name += m_tokens[m_at].text;
        }
        return name;
    }

    Result<void> binds(const std::string& name, const std::string& from, const PythonPlace& place) const {
        const auto known = origins.find(name);
        return known == origins.end() || known->second == from
                   ? Result<void>()
                   : refusedPython(m_where, place,
                                   fmt::format("takes {} for {}, which is {} in what can be translated",
                                               abbreviated(from, 60), name, known->second));
    }

    // One name of a list, with what it is called here.
    Result<void> one(const std::string& prefix) {
        const PythonPlace place = m_tokens[m_at].place;
        const std::string name = dotted();
        if (isWord("as") && m_at + 1 < m_tokens.size()) {
            ++m_at;
            const std::string called = m_tokens[m_at].text;
            const PythonPlace there = m_tokens[m_at++].place;
            return binds(called, prefix + name, there);
        }
        const std::string bound = prefix.empty() ? name.substr(0, name.find('.')) : name;
        return binds(bound, prefix + bound, place);
    }

    Result<void> imports() {
        do {
            ++m_at;
            GKS_TRY(one({}));
        } while (isSymbol(","));
        return {};
    }

    Result<void> importsFrom() {
        const PythonPlace place = m_tokens[m_at++].place;
        const std::string module = dotted();
        if (!isWord("import")) {
            return {}; // not Python
        }
        ++m_at;
        if (isSymbol("*")) {
            return plainModules.contains(module)
                       ? Result<void>()
                       : refusedPython(m_where, place,
                                       fmt::format("imports whatever {} has, which may be another torch: name what it "
                                                   "takes",
                                                   abbreviated(module, 60)));
        }
        m_at += isSymbol("(") ? 1 : 0;
        while (m_at < m_tokens.size() && m_tokens[m_at].kind == PythonTokenKind::name) {
            GKS_TRY(one(module + "."));
            if (!isSymbol(",")) {
                break;
            }
            ++m_at;
        }
        return {};
    }

    const std::vector<PythonToken>& m_tokens;
    std::string_view m_where;
    std::size_t m_at = 0;
};

} // namespace

bool isModuleName(std::string_view name) {
    return origins.contains(name);
}

Result<void> modulesAreThemselves(const std::vector<PythonToken>& tokens, std::string_view where) {
    return Names(tokens, where).check();
}

} // namespace gks
