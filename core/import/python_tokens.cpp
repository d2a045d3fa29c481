// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/python_tokens.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>

namespace gks {
namespace {

constexpr std::size_t tokenLimit = 20000;

class Tokenizer {
public:
    Tokenizer(std::string_view source, std::string_view where) : m_source(source), m_where(where) {}

    Result<std::vector<PythonToken>> read() {
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
        add(PythonTokenKind::newline, "");
        for (; m_indents.size() > 1; m_indents.pop_back()) {
            add(PythonTokenKind::dedent, "");
        }
        add(PythonTokenKind::end, "");
        return std::move(m_tokens);
    }

private:
    PythonPlace place() const { return {m_line, static_cast<int>(m_at - m_lineStart) + 1}; }
    char here(std::size_t ahead = 0) const { return m_at + ahead < m_source.size() ? m_source[m_at + ahead] : '\0'; }
    void add(PythonTokenKind kind, std::string text) { m_tokens.push_back({kind, std::move(text), place()}); }
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
            add(PythonTokenKind::indent, "");
        }
        while (width < m_indents.back()) {
            m_indents.pop_back();
            add(PythonTokenKind::dedent, "");
        }
        return width == m_indents.back() ? Result<void>() : refusedPython(m_where, place(), "is indented unevenly");
    }

    Result<void> readToken() {
        const char c = here();
        if (c == '\n') {
            if (m_brackets == 0 && !m_isEmpty) {
                add(PythonTokenKind::newline, "");
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
            add(PythonTokenKind::name, std::string(m_source.substr(begin, end - begin)));
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
        add(PythonTokenKind::number, std::string(m_source.substr(m_at, end - m_at)));
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
        add(PythonTokenKind::text, std::string(m_source.substr(m_at + closing.size(), at - m_at - closing.size())));
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
        if (found == longer.end() && std::string_view("()[]{}:,.=+-*/@;<>%|&~^").find(text) == std::string_view::npos) {
            return refusedPython(m_where, place(), "has a character that this subset of Python does not know");
        }
        m_brackets += text == "(" || text == "[" || text == "{" ? 1 : 0;
        m_brackets -= (text == ")" || text == "]" || text == "}") && m_brackets > 0 ? 1 : 0;
        add(PythonTokenKind::symbol, text);
        m_at += text.size();
        return {};
    }

    std::string_view m_source;
    std::string_view m_where;
    std::vector<PythonToken> m_tokens;
    std::vector<std::size_t> m_indents;
    std::size_t m_at = 0;
    std::size_t m_lineStart = 0;
    int m_line = 1;
    int m_brackets = 0;
    bool m_lineBegins = true;
    bool m_isEmpty = false;
};

} // namespace

tl::unexpected<Error> refusedPython(std::string_view where, const PythonPlace& place, std::string what) {
    return usageError(std::move(what), fmt::format("{}, reference {}", where, place.text()),
                      "Write the problem pack by hand, change the reference, or keep its harness with a command pack");
}

Result<std::vector<PythonToken>> pythonTokens(std::string_view source, std::string_view where) {
    return Tokenizer(source, where).read();
}

} // namespace gks
