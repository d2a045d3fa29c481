// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

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
        return usageError(fmt::format("invalid JSON ({})", error.what()), fmt::format("{}:{}", where, line));
    } catch (const std::exception& error) {
        return usageError(fmt::format("invalid JSON ({})", error.what()), std::string(where));
    }
}

} // namespace gks
