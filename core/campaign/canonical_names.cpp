// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/canonical_names.h"

#include "core/campaign/normalized_source.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <utility>
#include <vector>

// A kernel in which nothing but local names differ is the same kernel. Two sources whose canonical forms are equal must
// mean the same, so a name is replaced only when a consistent renaming of all its occurrences cannot change what any of
// them refers to:
// - it is declared in the file by a form that can be nothing else than a declaration: a type before it (a type keyword,
//   with * and & between, or another identifier right before it) and one of = ; , ) [ { : behind it. Functions, which
//   may overload or implement what others declare, and template parameters are left alone, and so are `extern` and
//   whatever stands outside of all brackets;
// - every occurrence lies in the scope of such a declaration, so none of them can mean something from a header;
// - it never stands behind `.`, `->` or `::` (then it is also the name of a member) or before `::`;
// - it does not occur in a preprocessor directive, and no directive joins or quotes tokens.
// Each name gets one number for the whole file, so different names stay different. Sources whose brackets do not match
// are left as they are. One pass for the tokens and one for the declarations; the limits below keep hostile sources
// linear too.
namespace gks {
namespace {

constexpr std::size_t declarationLimit = 256;      // of one name
constexpr std::size_t statementLimitTokens = 4096; // behind a parenthesis, inside template<...>

enum class Kind { word, literal, directive, other };

struct Token {
    Kind kind = Kind::other;
    std::string_view text;
};

bool startsWord(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return std::isalpha(byte) != 0 || c == '_' || c == '$' || byte >= 0x80;
}

bool isWordPart(char c) {
    return startsWord(c) || std::isdigit(static_cast<unsigned char>(c)) != 0;
}

class Tokenizer {
public:
    explicit Tokenizer(std::string_view source) : m_source(source) {}

    std::vector<Token> run() {
        std::vector<Token> tokens;
        bool lineStart = true;
        while (m_at < m_source.size()) {
            const char c = m_source[m_at];
            if (c == ' ' || c == '\n') {
                lineStart = lineStart || c == '\n';
                ++m_at;
                continue;
            }
            const std::size_t begin = m_at;
            const Kind kind = c == '#' && lineStart ? directive() : token(c);
            tokens.push_back({kind, m_source.substr(begin, m_at - begin)});
            lineStart = false;
        }
        return tokens;
    }

private:
    Kind directive() {
        m_at = std::min(m_source.find('\n', m_at), m_source.size());
        return Kind::directive;
    }

    Kind token(char c) {
        if (startsWord(c)) {
            const std::size_t begin = m_at;
            skip(isWordPart);
            const bool raw = m_at < m_source.size() && m_source[m_at] == '"' && m_source[m_at - 1] == 'R';
            if (raw && m_at - begin <= 3) {
                m_at = rawLiteralEnd(m_source, m_at);
                return Kind::literal;
            }
            return Kind::word;
        }
        if (std::isdigit(static_cast<unsigned char>(c)) != 0) {
            skip([](char d) { return isWordPart(d) || d == '.' || d == '\''; });
            return Kind::literal;
        }
        if (c == '"' || c == '\'') {
            m_at = quotedLiteralEnd(m_source, m_at);
            return Kind::literal;
        }
        ++m_at;
        return Kind::other;
    }

    template<class Wanted>
    void skip(const Wanted& wanted) {
        while (m_at < m_source.size() && wanted(m_source[m_at])) {
            ++m_at;
        }
    }

    std::string_view m_source;
    std::size_t m_at = 0;
};

const std::set<std::string_view>& typeKeywords() {
    static const std::set<std::string_view> words{"bool",   "char",     "short", "int",    "long",
                                                  "signed", "unsigned", "float", "double", "auto"};
    return words;
}

// Keywords that can stand before a name without declaring it, and names with a meaning in some places.
const std::set<std::string_view>& otherKeywords() {
    static const std::set<std::string_view> words{
        "alignas",  "alignof",   "and",       "and_eq",    "bitand",    "bitor",       "compl",     "not_eq",
        "or_eq",    "xor_eq",    "asm",       "break",     "case",      "catch",       "class",     "concept",
        "const",    "consteval", "constexpr", "constinit", "continue",  "co_await",    "co_return", "co_yield",
        "decltype", "default",   "delete",    "do",        "else",      "enum",        "explicit",  "export",
        "extern",   "false",     "final",     "for",       "friend",    "goto",        "if",        "import",
        "inline",   "module",    "mutable",   "namespace", "new",       "noexcept",    "not",       "nullptr",
        "operator", "or",        "override",  "private",   "protected", "public",      "register",  "requires",
        "return",   "sizeof",    "static",    "struct",    "switch",    "template",    "this",      "throw",
        "true",     "try",       "typedef",   "typeid",    "typename",  "union",       "using",     "virtual",
        "void",     "volatile",  "while",     "xor",       "restrict",  "thread_local"};
    return words;
}

struct Scope {
    std::size_t first = 0;
    std::size_t last = 0;
};

class Renamer {
public:
    explicit Renamer(std::string_view source) : m_source(source), m_tokens(Tokenizer(source).run()) {}

    std::string run() {
        if (!readDirectives() || !matchBrackets()) {
            return std::string(m_source);
        }
        markExtern();
        markTemplateParameters();
        for (std::size_t i = 0; i < m_tokens.size(); ++i) {
            if (isDeclared(i)) {
                m_scopes[m_tokens[i].text].push_back(scopeOf(i));
            }
        }
        dropDoubtful();
        return replaced();
    }

private:
    static constexpr std::size_t none = static_cast<std::size_t>(-1);

    bool is(std::size_t i, std::string_view text) const { return i < m_tokens.size() && m_tokens[i].text == text; }

    // False when a directive joins or quotes tokens: then a name can become part of another one.
    bool readDirectives() {
        for (const Token& token : m_tokens) {
            if (token.kind != Kind::directive) {
                continue;
            }
            if (token.text.find('#', 1) != std::string_view::npos) {
                return false;
            }
            for (const Token& part : Tokenizer(token.text.substr(1)).run()) {
                if (part.kind == Kind::word) {
                    m_kept.insert(part.text);
                }
            }
        }
        return true;
    }

    bool matchBrackets() {
        m_partner.assign(m_tokens.size(), none);
        m_inside.assign(m_tokens.size(), none);
        std::vector<std::size_t> open;
        for (std::size_t i = 0; i < m_tokens.size(); ++i) {
            if (m_tokens[i].kind == Kind::other) {
                const char c = m_tokens[i].text.front();
                if (c == '(' || c == '[' || c == '{') {
                    m_inside[i] = open.empty() ? none : open.back();
                    open.push_back(i);
                    continue;
                }
                if (c == ')' || c == ']' || c == '}') {
                    const char wanted = c == ')' ? '(' : c == ']' ? '[' : '{';
                    if (open.empty() || m_tokens[open.back()].text.front() != wanted) {
                        return false;
                    }
                    m_partner[open.back()] = i;
                    open.pop_back();
                }
            }
            m_inside[i] = open.empty() ? none : open.back();
        }
        return open.empty();
    }

    void markExtern() {
        m_extern.assign(m_tokens.size(), false);
        for (std::size_t i = 0; i < m_tokens.size(); ++i) {
            const bool goesOn = i > 0 && !is(i, ";") && !is(i, "{") && !is(i, "}");
            m_extern[i] = is(i, "extern") || (goesOn && m_extern[i - 1]);
        }
    }

    void markTemplateParameters() {
        m_templateParameter.assign(m_tokens.size(), false);
        for (std::size_t i = 0; i + 1 < m_tokens.size(); ++i) {
            if (!is(i, "template") || !is(i + 1, "<")) {
                continue;
            }
            int depth = 0;
            const std::size_t end = std::min(m_tokens.size(), i + statementLimitTokens);
            for (std::size_t j = i + 1; j < end && !is(j, "{") && !is(j, ";"); ++j) {
                depth += is(j, "<") ? 1 : is(j, ">") ? -1 : 0;
                m_templateParameter[j] = true;
                if (depth == 0) {
                    break;
                }
            }
        }
    }

    bool isPlainName(std::size_t i) const {
        const std::string_view text = m_tokens[i].text;
        return m_tokens[i].kind == Kind::word && !text.starts_with("__") && !m_kept.contains(text) &&
               !typeKeywords().contains(text) && !otherKeywords().contains(text);
    }

    bool isDeclared(std::size_t i) const {
        if (i == 0 || i + 1 >= m_tokens.size() || m_inside[i] == none || !isPlainName(i) || m_templateParameter[i]) {
            return false;
        }
        static constexpr std::string_view followers = "=;,)[{:";
        const Token& next = m_tokens[i + 1];
        if (next.kind != Kind::other || followers.find(next.text.front()) == std::string_view::npos ||
            (is(i + 1, ":") && is(i + 2, ":")) || (is(i + 1, "=") && is(i + 2, "="))) {
            return false;
        }
        std::size_t before = i - 1;
        bool decorated = false; // by * or &: then only a keyword makes a declaration of it
        while (before > 0 && (is(before, "*") || is(before, "&") || is(before, "__restrict__") ||
                              is(before, "__restrict") || (decorated && is(before, "const")))) {
            decorated = true;
            --before;
        }
        if (m_tokens[before].kind != Kind::word) {
            return false;
        }
        const bool byKeyword = typeKeywords().contains(m_tokens[before].text);
        return (byKeyword || (!decorated && isPlainName(before))) && !m_extern[before];
    }

    // To the end of the block; what is declared in parentheses reaches over the block or statement behind them.
    Scope scopeOf(std::size_t i) const {
        const std::size_t open = m_inside[i];
        if (is(open, "{")) {
            return {i, m_partner[open]};
        }
        if (!is(open, "(")) {
            return {i, i};
        }
        std::size_t j = m_partner[open] + 1;
        for (std::size_t steps = 0; j < m_tokens.size() && !is(j, "{") && !is(j, ";") && !is(j, "}"); ++steps) {
            if (steps == statementLimitTokens) {
                return {i, i};
            }
            j = is(j, "(") || is(j, "[") ? m_partner[j] + 1 : j + 1;
        }
        return {i, j < m_tokens.size() && is(j, "{") ? m_partner[j] : j};
    }

    bool isMember(std::size_t i) const {
        const bool afterDot = i > 0 && is(i - 1, ".");
        const bool afterArrow = i > 1 && is(i - 1, ">") && is(i - 2, "-");
        const bool qualified = (i > 1 && is(i - 1, ":") && is(i - 2, ":")) || (is(i + 1, ":") && is(i + 2, ":"));
        return afterDot || afterArrow || qualified;
    }

    void dropDoubtful() {
        for (std::size_t i = 0; i < m_tokens.size(); ++i) {
            const auto found = m_tokens[i].kind == Kind::word ? m_scopes.find(m_tokens[i].text) : m_scopes.end();
            if (found == m_scopes.end()) {
                continue;
            }
            const bool covered = found->second.size() <= declarationLimit &&
                                 std::any_of(found->second.begin(), found->second.end(),
                                             [&](const Scope& scope) { return scope.first <= i && i <= scope.last; });
            if (!covered || isMember(i) || m_templateParameter[i]) {
                m_scopes.erase(found);
            }
        }
    }

    std::string replaced() const {
        std::map<std::string_view, std::string> names;
        std::string result;
        std::size_t copied = 0;
        for (const Token& token : m_tokens) {
            if (token.kind != Kind::word || !m_scopes.contains(token.text)) {
                continue;
            }
            const auto at = static_cast<std::size_t>(token.text.data() - m_source.data());
            const auto [entry, isNew] = names.try_emplace(token.text);
            if (isNew) {
                entry->second = "@" + std::to_string(names.size());
            }
            result += m_source.substr(copied, at - copied);
            result += entry->second;
            copied = at + token.text.size();
        }
        return result += m_source.substr(copied);
    }

    std::string_view m_source;
    std::vector<Token> m_tokens;
    std::vector<std::size_t> m_partner; // of an opening bracket
    std::vector<std::size_t> m_inside;  // innermost open bracket round a token
    std::vector<bool> m_templateParameter;
    std::vector<bool> m_extern;        // in a declaration that began with it
    std::set<std::string_view> m_kept; // they occur in directives
    std::map<std::string_view, std::vector<Scope>> m_scopes;
};

} // namespace

std::string withCanonicalNames(std::string_view normalized) {
    return Renamer(normalized).run();
}

} // namespace gks
