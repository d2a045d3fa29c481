// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

namespace gks {
namespace {

// Looked at before anything is parsed: the library's own hook for it walks over all siblings after every object.
bool isTooDeep(std::string_view text) {
    int depth = 0;
    bool inString = false;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        if (inString) {
            at += c == '\\' ? 1U : 0U;
            inString = c != '"';
        } else if (c == '"') {
            inString = true;
        } else if (c == '[' || c == '{') {
            ++depth;
        } else if (c == ']' || c == '}') {
            --depth;
        }
        if (depth > jsonDepthLimit) {
            return true;
        }
    }
    return false;
}

// The parser's message in plain words: "line 2, column 7: unexpected '}'; expected a text in quotes". Its own number of
// the error and the names of its tokens say nothing to who wrote the text.
std::string plainTrouble(std::string_view said) {
    constexpr std::pair<std::string_view, std::string_view> words[] = {
        {"'[', '{', or a literal", "a value"},
        {"string literal", "a text in quotes"},
        {"number literal", "a number"},
        {"true literal", "true"},
        {"false literal", "false"},
        {"null literal", "null"},
        {"unexpected end of input", "the text ends here"},
        {"expected end of input", "expected nothing more"},
        {"invalid literal", "this is no text in quotes, number, true, false or null"},
        {"invalid string: missing closing quote", "the closing quote of a text is missing"},
    };
    const auto behind = [](std::string_view text, std::string_view mark) {
        const std::size_t at = text.find(mark);
        return at == std::string_view::npos ? text : text.substr(at + mark.size());
    };
    said = behind(behind(said, "] "), "parse error at ");
    const std::size_t syntax = said.find("syntax error");
    if (syntax == std::string_view::npos) {
        return std::string(said); // of a number that is too large
    }
    std::string reason(behind(said.substr(syntax), "- "));
    if (const std::size_t read = reason.find("; last read: "); read != std::string::npos) { // it stands at that place
        const std::size_t end = reason.rfind("'; expected ");
        reason.erase(read, end == std::string::npos || end < read ? std::string::npos : end + 1 - read);
    }
    for (const auto& [its, plain] : words) {
        if (const std::size_t at = reason.find(its); at != std::string::npos) {
            reason.replace(at, its.size(), plain);
        }
    }
    return std::string(said.substr(0, syntax)) + reason;
}

} // namespace

Result<Json> parseJson(std::string_view text, std::string_view where) {
    if (isTooDeep(text)) {
        return usageError("not acceptable JSON (nested too deeply)", std::string(where));
    }
    try {
        return Json::parse(text);
    } catch (const Json::parse_error& error) {
        const std::size_t at = std::min(text.size(), error.byte > 0 ? error.byte - 1 : 0);
        const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
        return usageError(fmt::format("invalid JSON ({})", plainTrouble(error.what())),
                          fmt::format("{}:{}", where, line));
    } catch (const std::exception& error) {
        return usageError(fmt::format("invalid JSON ({})", plainTrouble(error.what())), std::string(where));
    }
}

} // namespace gks
