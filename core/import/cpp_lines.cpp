// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/cpp_lines.h"

#include <array>
#include <fmt/format.h>

namespace gks {
namespace {

bool isLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool isDecimal(char c) {
    return c >= '0' && c <= '9';
}

// The end of the text in quotes that begins at `at`; 0 where it does not end on its line.
std::size_t endOfQuotes(std::string_view text, std::size_t at) {
    for (std::size_t i = at + 1; i < text.size() && text[i] != '\n'; ++i) {
        if (text[i] == text[at]) {
            return i + 1;
        }
        i += text[i] == '\\' ? 1 : 0;
    }
    return 0;
}

// Of the word that ends there: 1'000 has no text in quotes.
bool isWithinNumber(std::string_view text, std::size_t at) {
    std::size_t begin = at;
    while (begin > 0 && (isLetter(text[begin - 1]) || isDecimal(text[begin - 1]) || text[begin - 1] == '\'')) {
        --begin;
    }
    return begin < at && isDecimal(text[begin]);
}

std::size_t endOfNumber(std::string_view line, std::size_t at) {
    std::size_t end = at;
    while (end < line.size()) {
        const char c = line[end];
        const char before = end > at ? line[end - 1] : '\0';
        const bool isExponent = (c == '+' || c == '-') && (before == 'e' || before == 'E' || before == 'p');
        if (!isLetter(c) && !isDecimal(c) && c != '.' && c != '\'' && !isExponent) {
            break;
        }
        ++end;
    }
    return end;
}

} // namespace

Result<std::vector<std::string>> linesWithoutComments(std::string_view source, const std::string& where) {
    std::vector<std::string> lines(1);
    const auto refuse = [&](std::string what) {
        return usageError(std::move(what), fmt::format("{}:{}", where, lines.size()), "Write the problem pack by hand");
    };
    for (std::size_t i = 0; i < source.size();) {
        const std::string_view rest = source.substr(i);
        if (rest.starts_with("//")) {
            for (; i < source.size() && source[i] != '\n'; ++i) {
            }
            if (i > 0 && (source[i - 1] == '\\' || (i > 1 && source[i - 1] == '\r' && source[i - 2] == '\\'))) {
                return refuse("has a comment that goes on in the next line");
            }
        } else if (rest.starts_with("/*")) {
            const std::size_t end = source.find("*/", i + 2);
            if (end == std::string_view::npos) {
                return refuse("has a comment that never ends");
            }
            lines.back() += ' ';
            for (; i < end + 2; ++i) {
                if (source[i] == '\n') {
                    lines.emplace_back();
                }
            }
        } else if (rest.front() == '"' || (rest.front() == '\'' && !isWithinNumber(source, i))) {
            if (rest.front() == '"' && i > 0 && source[i - 1] == 'R') {
                return refuse("has a raw text");
            }
            const std::size_t end = endOfQuotes(source, i);
            if (end == 0) {
                return refuse("has a text that does not end on its line");
            }
            lines.back() += source.substr(i, end - i);
            i = end;
        } else if (rest.front() == '\n') {
            lines.emplace_back();
            ++i;
        } else {
            if (rest.front() != '\r') {
                lines.back() += rest.front();
            }
            ++i;
        }
    }
    return lines;
}

std::string tokensOfLine(std::string_view line, std::vector<CppToken>& tokens) {
    static constexpr std::array<std::string_view, 23> symbols = {// no >>: it closes two templates
                                                                 "<<<", "<<=", "...", "::", "->", "++", "--", "<<",
                                                                 "<=",  ">=",  "==",  "!=", "&&", "||", "+=", "-=",
                                                                 "*=",  "/=",  "%=",  "&=", "|=", "^=", "%:"};
    for (std::size_t i = 0; i < line.size();) {
        const char c = line[i];
        if (c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\v') {
            ++i;
            continue;
        }
        CppToken token;
        token.at = i;
        std::size_t end = i + 1;
        if (isLetter(c)) {
            for (; end < line.size() && (isLetter(line[end]) || isDecimal(line[end])); ++end) {
            }
            token.kind = CppToken::Kind::name;
        } else if (isDecimal(c) || (c == '.' && end < line.size() && isDecimal(line[end]))) {
            end = endOfNumber(line, i);
            token.kind = CppToken::Kind::number;
        } else if (c == '"' || c == '\'') {
            end = endOfQuotes(line, i);
            if (end == 0) {
                return "has a text that does not end on its line";
            }
            token.kind = CppToken::Kind::text;
        } else {
            for (const std::string_view symbol : symbols) {
                if (line.substr(i).starts_with(symbol)) {
                    end = i + symbol.size();
                    break;
                }
            }
            const std::string_view symbol = line.substr(i, end - i);
            if (symbol == "%:" || (symbol.size() == 1 &&
                                   std::string_view("+-*/%<>=!&|^~?:;,.()[]{}").find(c) == std::string_view::npos)) {
                return "has a character that no host code here has";
            }
        }
        token.text = line.substr(i, end - i);
        tokens.push_back(std::move(token));
        i = end;
    }
    return {};
}

} // namespace gks
