// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/normalized_source.h"

#include "core/campaign/canonical_names.h"

#include <algorithm>
#include <cctype>

// Two sources are the same kernel when a compiler would see the same tokens: comments go, every run of white space
// becomes one blank where it keeps two words apart and nothing elsewhere. The line breaks that end a preprocessor
// directive stay, since they mean something; string and character literals, raw ones included, stay as they are. One
// pass, linear. Names that only the file itself knows do not count either (canonical_names.h).
namespace gks {
namespace {

bool isWord(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

class Normalizer {
public:
    explicit Normalizer(std::string_view source) : m_source(source) {}

    std::string run() {
        while (m_at < m_source.size()) {
            step();
        }
        return std::move(m_result);
    }

private:
    bool startsWith(std::string_view text) const { return m_source.substr(m_at).starts_with(text); }

    void step() {
        const char c = m_source[m_at];
        if (startsWith("\\\n") || startsWith("\\\r\n")) {
            m_at += startsWith("\\\n") ? 2 : 3;
        } else if (startsWith("//")) {
            skipLineComment();
        } else if (startsWith("/*")) {
            const std::size_t end = m_source.find("*/", m_at + 2);
            m_at = end == std::string_view::npos ? m_source.size() : end + 2;
            m_gap = true;
        } else if (c == '\n') {
            endLine();
        } else if (std::isspace(static_cast<unsigned char>(c)) != 0) {
            m_gap = true;
            ++m_at;
        } else if (c == '"' && m_at > 0 && m_source[m_at - 1] == 'R') {
            take(rawLiteralEnd(m_source, m_at));
        } else if (c == '"' || (c == '\'' && !(m_at > 0 && isWord(m_source[m_at - 1])))) { // not the ' in 1'000
            takeLiteral(c);
        } else {
            takeCharacter(c);
        }
    }

    void skipLineComment() {
        while (m_at < m_source.size() && m_source[m_at] != '\n') {
            m_at += startsWith("\\\r\n") ? 3 : startsWith("\\\n") ? 2 : 1;
        }
    }

    void endLine() {
        if (m_inDirective) {
            m_result += '\n';
        }
        m_gap = !m_inDirective;
        m_inDirective = false;
        m_lineStart = true;
        ++m_at;
    }

    // A blank stays between words, in a directive everywhere (`#define f (x)` is not `#define f(x)`), and between
    // operators that would grow together (`a + +b`).
    void closeGap(char next) {
        if (m_gap && !m_result.empty() && m_result.back() != '\n') {
            const char last = m_result.back();
            if (m_inDirective || (isWord(last) && isWord(next)) ||
                (std::ispunct(static_cast<unsigned char>(last)) != 0 && last == next)) {
                m_result += ' ';
            }
        }
        m_gap = false;
    }

    void takeCharacter(char c) {
        if (m_lineStart && c == '#') {
            if (!m_result.empty() && m_result.back() != '\n') {
                m_result += '\n';
            }
            m_inDirective = true;
            m_gap = false;
        }
        closeGap(c);
        m_lineStart = false;
        m_result += c;
        ++m_at;
    }

    void takeLiteral(char quote) {
        closeGap(quote);
        m_lineStart = false;
        take(quotedLiteralEnd(m_source, m_at));
    }

    void take(std::size_t end) {
        m_result += m_source.substr(m_at, end - m_at);
        m_at = end;
    }

    std::string_view m_source;
    std::size_t m_at = 0;
    std::string m_result;
    bool m_gap = false;
    bool m_inDirective = false;
    bool m_lineStart = true;
};

} // namespace

std::size_t quotedLiteralEnd(std::string_view source, std::size_t quote) {
    std::size_t end = quote + 1;
    while (end < source.size() && source[end] != source[quote] && source[end] != '\n') {
        end += source[end] == '\\' ? 2 : 1;
    }
    return std::min(end < source.size() && source[end] == source[quote] ? end + 1 : end, source.size());
}

std::size_t rawLiteralEnd(std::string_view source, std::size_t quote) {
    const std::size_t open = source.find('(', quote);
    if (open == std::string_view::npos) {
        return source.size();
    }
    const std::string closing = ")" + std::string(source.substr(quote + 1, open - quote - 1)) + "\"";
    const std::size_t found = source.find(closing, open);
    return found == std::string_view::npos ? source.size() : found + closing.size();
}

std::string withoutFormatting(std::string_view source) {
    return Normalizer(source).run();
}

std::string normalizedSource(std::string_view source) {
    return withCanonicalNames(withoutFormatting(source));
}

} // namespace gks
