// SPDX-License-Identifier: GPL-3.0-or-later
// Word differences of two lines: a longest common subsequence of their tokens by dynamic programming after the common
// beginning and end have been taken off. Cost: product of the token counts in between, bounded by tokenLimit squared.
#include "core/diff/word_diff.h"

#include <algorithm>
#include <cctype>
#include <cstdint>

namespace gks {
namespace {

constexpr std::size_t tokenLimit = 400; // a line with more is a table or a blob: it is compared whole

struct Token {
    int begin = 0;
    int end = 0;
};

enum class Class { word, space, other };

Class classOf(char c) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || c == '_') {
        return Class::word;
    }
    return std::isspace(byte) != 0 ? Class::space : Class::other;
}

std::vector<Token> tokens(std::string_view line) {
    std::vector<Token> result;
    for (std::size_t at = 0; at < line.size();) {
        std::size_t end = at + 1;
        const Class kind = classOf(line[at]);
        if (kind == Class::other) {
            while (end < line.size() && (static_cast<unsigned char>(line[end]) & 0xc0U) == 0x80U) {
                ++end;
            }
        } else {
            while (end < line.size() && classOf(line[end]) == kind) {
                ++end;
            }
        }
        result.push_back({static_cast<int>(at), static_cast<int>(end)});
        at = end;
    }
    return result;
}

std::string_view text(std::string_view line, const Token& token) {
    return line.substr(static_cast<std::size_t>(token.begin), static_cast<std::size_t>(token.end - token.begin));
}

// Adds a token to the last span when it touches it.
void extend(std::vector<ByteSpan>& spans, const Token& token) {
    if (!spans.empty() && spans.back().end == token.begin) {
        spans.back().end = token.end;
    } else {
        spans.push_back({token.begin, token.end});
    }
}

std::size_t weight(std::string_view line) {
    return static_cast<std::size_t>(
        std::count_if(line.begin(), line.end(), [](char c) { return classOf(c) != Class::space; }));
}

} // namespace

WordDiff diffWords(std::string_view left, std::string_view right) {
    WordDiff result;
    const std::vector<Token> a = tokens(left);
    const std::vector<Token> b = tokens(right);
    const std::size_t total = weight(left) + weight(right);
    if (a.size() > tokenLimit || b.size() > tokenLimit) {
        if (left != right) {
            result.left.push_back({0, static_cast<int>(left.size())});
            result.right.push_back({0, static_cast<int>(right.size())});
        }
        result.similarity = left == right ? 1 : 0;
        return result;
    }
    const std::size_t rows = a.size() + 1;
    const std::size_t columns = b.size() + 1;
    // common[i][j]: bytes (white space counts little) that the tails a[i..] and b[j..] have in common.
    std::vector<std::uint32_t> common(rows * columns, 0);
    const auto at = [&](std::size_t i, std::size_t j) -> std::uint32_t& { return common[i * columns + j]; };
    for (std::size_t i = a.size(); i-- > 0;) {
        for (std::size_t j = b.size(); j-- > 0;) {
            const std::string_view word = text(left, a[i]);
            std::uint32_t best = std::max(at(i + 1, j), at(i, j + 1));
            if (word == text(right, b[j])) {
                const std::uint32_t gain =
                    classOf(word.front()) == Class::space ? 1 : 16 * static_cast<std::uint32_t>(word.size());
                best = std::max(best, at(i + 1, j + 1) + gain);
            }
            at(i, j) = best;
        }
    }
    std::size_t shared = 0;
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < a.size() && j < b.size()) {
        const std::string_view word = text(left, a[i]);
        if (word == text(right, b[j]) && at(i, j) > std::max(at(i + 1, j), at(i, j + 1))) {
            shared += weight(word);
            ++i;
            ++j;
        } else if (at(i + 1, j) >= at(i, j + 1)) {
            extend(result.left, a[i++]);
        } else {
            extend(result.right, b[j++]);
        }
    }
    for (; i < a.size(); ++i) {
        extend(result.left, a[i]);
    }
    for (; j < b.size(); ++j) {
        extend(result.right, b[j]);
    }
    result.similarity = total == 0 ? 1 : 2.0 * static_cast<double>(shared) / static_cast<double>(total);
    return result;
}

} // namespace gks
