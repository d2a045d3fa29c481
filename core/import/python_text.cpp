// SPDX-License-Identifier: GPL-3.0-or-later
// A tokenizer that knows indentation and brackets, and a parser by precedence. Both are bounded: length, tokens, depth.
#include "core/import/python_text.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <fmt/format.h>
#include <optional>
#include <set>

namespace gks {
namespace {

constexpr std::size_t tokenLimit = 20000;
constexpr int pythonDepthLimit = 60;

enum class TokenKind { name, number, text, symbol, newline, indent, dedent, end };

struct Token {
    TokenKind kind = TokenKind::end;
    std::string text;
    PythonPlace place;
};

tl::unexpected<Error> refusedPython(std::string_view where, const PythonPlace& place, std::string what) {
    return usageError(std::move(what), fmt::format("{}, reference {}", where, place.text()),
                      "Write the problem pack by hand, or change the reference");
}

class Tokenizer {
public:
    Tokenizer(std::string_view source, std::string_view where) : m_source(source), m_where(where) {}

    Result<std::vector<Token>> read() {
        m_indents = {0};
        while (m_at < m_source.size()) {
            if (m_lineBegins && m_brackets == 0) {
                GKS_TRY(readIndent());
            }
            GKS_TRY(readToken());
            if (m_tokens.size() > tokenLimit) {
                return refusedPython(m_where, place(), "is too long");
            }
        }
        add(TokenKind::newline, "");
        for (; m_indents.size() > 1; m_indents.pop_back()) {
            add(TokenKind::dedent, "");
        }
        add(TokenKind::end, "");
        return std::move(m_tokens);
    }

private:
    PythonPlace place() const { return {m_line, static_cast<int>(m_at - m_lineStart) + 1}; }
    char here(std::size_t ahead = 0) const { return m_at + ahead < m_source.size() ? m_source[m_at + ahead] : '\0'; }
    void add(TokenKind kind, std::string text) { m_tokens.push_back({kind, std::move(text), place()}); }
    void nextLine() {
        ++m_at;
        ++m_line;
        m_lineStart = m_at;
    }

    Result<void> readIndent() {
        std::size_t width = 0;
        for (; here() == ' ' || here() == '\t'; ++m_at) {
            if (here() == '\t') {
                return refusedPython(m_where, place(), "is indented by tabs");
            }
            ++width;
        }
        if (here() == '\n' || here() == '\r' || here() == '#' || here() == '\0') {
            m_lineBegins = false; // an empty line says nothing
            m_isEmpty = true;
            return {};
        }
        m_isEmpty = false;
        m_lineBegins = false;
        if (width > m_indents.back()) {
            m_indents.push_back(width);
            add(TokenKind::indent, "");
        }
        while (width < m_indents.back()) {
            m_indents.pop_back();
            add(TokenKind::dedent, "");
        }
        return width == m_indents.back() ? Result<void>() : refusedPython(m_where, place(), "is indented unevenly");
    }

    Result<void> readToken() {
        const char c = here();
        if (c == '\n') {
            if (m_brackets == 0 && !m_isEmpty) {
                add(TokenKind::newline, "");
            }
            nextLine();
            m_lineBegins = m_brackets == 0;
            m_isEmpty = false;
        } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f') {
            ++m_at;
        } else if (c == '#') {
            m_at = std::min(m_source.find('\n', m_at), m_source.size());
        } else if (c == '\\' && (here(1) == '\n' || (here(1) == '\r' && here(2) == '\n'))) {
            m_at += here(1) == '\r' ? 2 : 1;
            nextLine();
        } else if (c == '"' || c == '\'') {
            return readText();
        } else if (std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_') {
            const std::size_t begin = m_at;
            std::size_t end = m_at;
            while (end < m_source.size() &&
                   (std::isalnum(static_cast<unsigned char>(m_source[end])) != 0 || m_source[end] == '_')) {
                ++end;
            }
            add(TokenKind::name, std::string(m_source.substr(begin, end - begin)));
            m_at = end;
        } else if (std::isdigit(static_cast<unsigned char>(c)) != 0 ||
                   (c == '.' && std::isdigit(static_cast<unsigned char>(here(1))) != 0)) {
            readNumber();
        } else {
            return readSymbol();
        }
        return {};
    }

    void readNumber() {
        std::size_t end = m_at;
        while (end < m_source.size()) {
            const char c = m_source[end];
            const bool isSign =
                (c == '+' || c == '-') && end > m_at && (m_source[end - 1] == 'e' || m_source[end - 1] == 'E');
            if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '.' && c != '_' && !isSign) {
                break;
            }
            ++end;
        }
        add(TokenKind::number, replaceAll(std::string(m_source.substr(m_at, end - m_at)), "_", ""));
        m_at = end;
    }

    Result<void> readText() {
        const PythonPlace begin = place();
        const char quote = here();
        const bool isLong = here(1) == quote && here(2) == quote;
        const std::string closing(isLong ? 3 : 1, quote);
        std::size_t at = m_at + closing.size();
        for (; at < m_source.size() && m_source.substr(at, closing.size()) != closing; ++at) {
            at += m_source[at] == '\\' ? 1 : 0;
            if (!isLong && at < m_source.size() && m_source[at] == '\n') {
                return refusedPython(m_where, begin, "has a string without an end");
            }
        }
        if (at >= m_source.size()) {
            return refusedPython(m_where, begin, "has a string without an end");
        }
        add(TokenKind::text, std::string(m_source.substr(m_at + closing.size(), at - m_at - closing.size())));
        for (const std::size_t end = at + closing.size(); m_at < end;) {
            m_source[m_at] == '\n' ? nextLine() : static_cast<void>(++m_at);
        }
        return {};
    }

    Result<void> readSymbol() {
        static constexpr std::array<std::string_view, 10> longer = {
            "...", "**", "//", "->", "+=", "-=", "*=", "/=", "==", "!="};
        const std::string_view rest = m_source.substr(m_at);
        const auto found = std::ranges::find_if(longer, [&](std::string_view one) { return rest.starts_with(one); });
        const std::string text(found != longer.end() ? *found : rest.substr(0, 1));
        if (found == longer.end() && std::string_view("()[]{}:,.=+-*/@;<>%|&~").find(text) == std::string_view::npos) {
            return refusedPython(m_where, place(), "has a character that this subset of Python does not know");
        }
        m_brackets += text == "(" || text == "[" || text == "{" ? 1 : 0;
        m_brackets -= (text == ")" || text == "]" || text == "}") && m_brackets > 0 ? 1 : 0;
        add(TokenKind::symbol, text);
        m_at += text.size();
        return {};
    }

    std::string_view m_source;
    std::string_view m_where;
    std::vector<Token> m_tokens;
    std::vector<std::size_t> m_indents;
    std::size_t m_at = 0;
    std::size_t m_lineStart = 0;
    int m_line = 1;
    int m_brackets = 0;
    bool m_lineBegins = true;
    bool m_isEmpty = false;
};

class Parser {
public:
    using Expression = PythonExpression;
    using Kind = PythonExpression::Kind;

    Parser(std::vector<Token> tokens, std::string_view where) : m_tokens(std::move(tokens)), m_where(where) {}

    Result<PythonFunction> function(std::string_view wanted) {
        std::optional<PythonFunction> found;
        while (now().kind != TokenKind::end) {
            if (isWord("import") || isWord("from") || isSymbol("@")) { // a decorator such as @torch.no_grad()
                skipLine();
            } else if (now().kind == TokenKind::text || now().kind == TokenKind::newline) {
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

private:
    const Token& now() const { return m_tokens[std::min(m_at, m_tokens.size() - 1)]; }
    bool isSymbol(std::string_view text) const { return now().kind == TokenKind::symbol && now().text == text; }
    bool isWord(std::string_view text) const { return now().kind == TokenKind::name && now().text == text; }
    bool take(std::string_view symbol) {
        const bool is = isSymbol(symbol);
        m_at += is ? 1 : 0;
        return is;
    }
    std::string shownToken() const {
        return now().kind == TokenKind::newline ? "the end of the line" : abbreviated(now().text, 40);
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
        if (now().kind != TokenKind::name) {
            return refuse(fmt::format("has \"{}\" where a name is needed", shownToken()));
        }
        return m_tokens[m_at++].text;
    }
    void skipLine() {
        while (now().kind != TokenKind::newline && now().kind != TokenKind::end) {
            ++m_at;
        }
    }

    Result<std::pair<std::string, PythonFunction>> definition() {
        ++m_at;
        PythonFunction function;
        GKS_TRY_ASSIGN(std::string name, identifier());
        GKS_TRY(expect("("));
        while (!isSymbol(")")) {
            GKS_TRY_ASSIGN(std::string parameter, identifier());
            function.parameters.push_back(std::move(parameter));
            if (take(":")) {
                GKS_TRY(expression());
            }
            if (isSymbol("=")) {
                return refuse("gives a parameter a default; every input comes from the Definition");
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
        if (now().kind != TokenKind::newline) {
            return refuse("has its body on the line of def");
        }
        ++m_at;
        if (now().kind != TokenKind::indent) {
            return refuse("has no body");
        }
        ++m_at;
        while (now().kind != TokenKind::dedent && now().kind != TokenKind::end) {
            if (now().kind == TokenKind::newline) {
                ++m_at;
            } else {
                GKS_TRY(statement(function));
            }
        }
        m_at += now().kind == TokenKind::dedent ? 1 : 0;
        if (function.body.empty() || !function.body.back().targets.empty()) {
            return refuse("returns nothing");
        }
        return std::pair(std::move(name), std::move(function));
    }

    Result<void> statement(PythonFunction& function) {
        static const std::set<std::string_view> unknown = {"if",  "for",    "while", "with",   "def",    "class",
                                                           "try", "lambda", "raise", "yield",  "global", "nonlocal",
                                                           "del", "async",  "await", "import", "from"};
        const PythonPlace place = now().place;
        if (now().kind == TokenKind::name && unknown.contains(now().text)) {
            return refuse(fmt::format("uses {}, which cannot be translated", now().text));
        }
        if (now().kind == TokenKind::text || isWord("pass")) {
            ++m_at;
            return endOfLine();
        }
        if (isWord("assert")) { // says what the Definition says as well
            skipLine();
            return endOfLine();
        }
        if (!function.body.empty() && function.body.back().targets.empty()) {
            return refuse("goes on behind return");
        }
        if (isWord("return")) {
            ++m_at;
            GKS_TRY_ASSIGN(Expression value, tupleOrExpression());
            function.body.push_back({{}, std::move(value), place});
            return endOfLine();
        }
        GKS_TRY_ASSIGN(std::vector<std::string> targets, assignmentTargets());
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
            function.body.push_back({{targets.front()}, std::move(sum), place});
            return endOfLine();
        }
        if (take(":")) {
            GKS_TRY(expression()); // what type it has
        }
        GKS_TRY(expect("="));
        GKS_TRY_ASSIGN(Expression value, tupleOrExpression());
        function.body.push_back({std::move(targets), std::move(value), place});
        return endOfLine();
    }

    Result<std::vector<std::string>> assignmentTargets() {
        std::vector<std::string> targets;
        const bool isBracketed = take("(");
        do {
            GKS_TRY_ASSIGN(std::string name, identifier());
            targets.push_back(std::move(name));
        } while (take(",") && now().kind == TokenKind::name);
        if (isBracketed) {
            GKS_TRY(expect(")"));
        }
        return targets;
    }

    Result<void> endOfLine() {
        if (now().kind == TokenKind::newline) {
            ++m_at;
            return {};
        }
        if (now().kind == TokenKind::dedent || now().kind == TokenKind::end || take(";")) {
            return {};
        }
        return refuse(fmt::format("uses \"{}\" here, which cannot be translated", shownToken()));
    }

    Result<Expression> tupleOrExpression() {
        const PythonPlace place = now().place;
        GKS_TRY_ASSIGN(Expression first, expression());
        if (!isSymbol(",")) {
            return first;
        }
        Expression tuple{.kind = Kind::tuple, .place = place};
        tuple.parts.push_back(std::move(first));
        while (take(",") && now().kind != TokenKind::newline) {
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
        while (now().kind == TokenKind::symbol && precedenceOf(now().text) >= least) {
            const Token symbol = m_tokens[m_at++];
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
            const Token symbol = m_tokens[m_at++];
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
        const Token symbol = m_tokens[m_at++];
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
        while (true) {
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
            const bool isKeyword = now().kind == TokenKind::name && m_at + 1 < m_tokens.size() &&
                                   m_tokens[m_at + 1].kind == TokenKind::symbol && m_tokens[m_at + 1].text == "=";
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
        const Token token = now();
        Expression value{.kind = Kind::name, .place = token.place, .word = token.text};
        if (token.kind == TokenKind::number) {
            ++m_at;
            return numberFrom(token);
        }
        if (token.kind == TokenKind::text) {
            ++m_at;
            value.kind = Kind::text;
            return value;
        }
        if (token.kind == TokenKind::name) {
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
            if (now().kind != TokenKind::text) {
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

    Result<Expression> numberFrom(const Token& token) const {
        Expression value{.kind = Kind::number, .place = token.place, .word = token.text};
        const char* const end = token.text.data() + token.text.size();
        const auto read = std::from_chars(token.text.data(), end, value.number);
        if (read.ec != std::errc() || read.ptr != end) {
            return refusedPython(m_where, token.place,
                                 fmt::format("has a number that cannot be read: {}", abbreviated(token.text, 40)));
        }
        value.isWhole = token.text.find_first_not_of("0123456789") == std::string::npos;
        return value;
    }

    std::vector<Token> m_tokens;
    std::string_view m_where;
    std::size_t m_at = 0;
    int m_depth = 0;
};

} // namespace

std::string PythonPlace::text() const {
    return fmt::format("line {} column {}", line, column);
}

Result<PythonFunction> parsePythonFunction(std::string_view source, std::string_view function, std::string_view where) {
    if (source.size() > pythonLimitBytes) {
        return usageError(fmt::format("has a reference longer than {} KiB", pythonLimitBytes >> 10),
                          std::string(where));
    }
    GKS_TRY_ASSIGN(std::vector<Token> tokens, Tokenizer(source, where).read());
    return Parser(std::move(tokens), where).function(function);
}

} // namespace gks
