// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gks {

Result<Json> parseJson(std::string_view text, std::string_view where) {
    try {
        bool tooDeep = false;
        const auto guard = [&](int depth, Json::parse_event_t, Json&) {
            tooDeep = tooDeep || depth > jsonDepthLimit;
            if (depth > jsonDepthLimit) {
                throw std::length_error("nested too deeply"); // stops the parser at once
            }
            return true;
        };
        return Json::parse(text, guard);
    } catch (const Json::parse_error& error) {
        const std::size_t at = std::min(text.size(), error.byte > 0 ? error.byte - 1 : 0);
        const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
        return usageError(fmt::format("not valid JSON ({})", error.what()), fmt::format("{}:{}", where, line));
    } catch (const std::exception& error) {
        return usageError(fmt::format("not acceptable JSON ({})", error.what()), std::string(where));
    }
}

} // namespace gks
