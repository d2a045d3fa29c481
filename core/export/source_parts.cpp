// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/source_parts.h"

#include "core/base/text.h"
#include "core/campaign/normalized_source.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace gks {
namespace {

enum class DirectiveKind { none, include, condition, definition, once };

// Comments as blanks, of the same length and with the same line ends; literals stay.
std::string withBlankComments(std::string_view source) {
    std::string text(source);
    const auto blank = [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < std::min(end, text.size()); ++i) {
            text[i] = text[i] == '\n' ? '\n' : ' ';
        }
    };
    for (std::size_t at = 0; at < source.size();) {
        const std::string_view rest = source.substr(at);
        std::size_t end = at + 1;
        if (rest.starts_with("//")) {
            end = std::min(source.find('\n', at), source.size());
            blank(at, end);
        } else if (rest.starts_with("/*")) {
            const std::size_t close = source.find("*/", at + 2);
            end = close == std::string_view::npos ? source.size() : close + 2;
            blank(at, end);
        } else if (rest.starts_with("R\"")) {
            end = rawLiteralEnd(source, at + 1);
        } else if (rest.front() == '"' || rest.front() == '\'') {
            end = quotedLiteralEnd(source, at);
        }
        at = std::max(end, at + 1);
    }
    return text;
}

// Where raw literals reach over line ends, so that what looks like a directive in them is none.
bool isInside(const std::vector<std::pair<std::size_t, std::size_t>>& literals, std::size_t at) {
    return std::ranges::any_of(literals,
                               [&](const auto& literal) { return at > literal.first && at < literal.second; });
}

std::vector<std::pair<std::size_t, std::size_t>> rawLiterals(std::string_view text) {
    std::vector<std::pair<std::size_t, std::size_t>> found;
    for (std::size_t at = text.find("R\""); at != std::string_view::npos; at = text.find("R\"", at)) {
        const std::size_t end = std::max(rawLiteralEnd(text, at + 1), at + 2);
        found.emplace_back(at, end);
        at = end;
    }
    return found;
}

std::string_view directiveWord(std::string_view line, std::string_view& rest) {
    std::string_view text = trimmed(line);
    if (!text.starts_with('#')) {
        return {};
    }
    text = trimmed(text.substr(1));
    const std::size_t end = std::min(text.find_first_of(" \t(\"<\\\n"), text.size());
    rest = trimmed(text.substr(end));
    return text.substr(0, end);
}

DirectiveKind kindOf(std::string_view word, std::string_view rest) {
    if (word == "include") {
        return DirectiveKind::include;
    }
    if (word == "define" || word == "undef") {
        return DirectiveKind::definition;
    }
    if (word == "pragma" && rest == "once") {
        return DirectiveKind::once;
    }
    static const std::set<std::string_view> conditions = {"if",    "ifdef", "ifndef",  "else",
                                                          "endif", "elif",  "elifdef", "elifndef"};
    return conditions.contains(word) ? DirectiveKind::condition : DirectiveKind::none;
}

std::string macroName(std::string_view rest) {
    const auto found = words(rest);
    return found.empty() ? std::string() : std::string(found.front());
}

} // namespace

Result<SourceParts> splitSource(std::string_view source, std::string_view where) {
    const std::string plain = withBlankComments(source);
    const auto literals = rawLiterals(plain);
    SourceParts parts;
    std::set<std::string> macros;
    std::string pending; // directives since the last #include
    std::size_t depth = 0;
    std::size_t depthAtInclude = 0;
    bool includesMore = false;
    for (std::size_t at = 0; at < plain.size();) {
        std::size_t end = std::min(plain.find('\n', at), plain.size());
        while (end < plain.size() && end > at && plain[end - 1] == '\\') {
            end = std::min(plain.find('\n', end + 1), plain.size());
        }
        const std::size_t next = std::min(end + 1, plain.size());
        const std::string_view line = std::string_view(plain).substr(at, end - at);
        const std::string_view original = source.substr(at, next - at);
        std::string_view rest;
        const std::string_view word = isInside(literals, at) ? std::string_view() : directiveWord(line, rest);
        const DirectiveKind kind = kindOf(word, rest);
        if (kind == DirectiveKind::definition || kind == DirectiveKind::condition) {
            pending += std::string(line) + "\n";
            if (word == "define") {
                macros.insert(macroName(rest));
            }
            depth += word.starts_with("if") ? 1 : 0;
            depth -= word == "endif" && depth > 0 ? 1 : 0;
        }
        if (kind == DirectiveKind::include && rest.starts_with('"')) {
            if (rest.substr(1, rest.find('"', 1) - 1) != "problem.h") {
                return usageError(fmt::format("includes {}, which is not in the campaign", abbreviated(rest, 80)),
                                  std::string(where), "Export a kernel that is one file");
            }
        } else if (kind == DirectiveKind::include) {
            parts.prelude += pending + std::string(line) + "\n";
            pending.clear();
            depthAtInclude = depth;
            includesMore = true;
        }
        const bool isHoisted = kind == DirectiveKind::include || kind == DirectiveKind::once;
        parts.body += isHoisted ? std::string(static_cast<std::size_t>(std::ranges::count(original, '\n')), '\n')
                                : std::string(original);
        at = next;
    }
    for (; includesMore && depthAtInclude > 0; --depthAtInclude) {
        parts.prelude += "#endif\n";
    }
    macros.erase("");
    parts.macros.assign(macros.begin(), macros.end());
    if (!parts.body.ends_with('\n')) {
        parts.body += '\n';
    }
    return parts;
}

} // namespace gks
