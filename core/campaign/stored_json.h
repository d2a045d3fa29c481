// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/campaign/damage.h"

#include <charconv>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace gks {

// JSON as a column holds it. Text of foreign origin may not be UTF-8; it is mended rather than refused.
template<class AnyJson>
std::string storedJson(const AnyJson& json) {
    return json.dump(-1, ' ', false, AnyJson::error_handler_t::replace);
}

// What cannot be read is damage, since this program wrote it.
inline tl::unexpected<Error> damagedColumn(std::string_view why, std::string_view column) {
    return damaged(why, std::string(column));
}
inline Result<Json> parseStoredJson(std::string_view text, std::string_view column) {
    auto json = parseJson(text, column);
    return json ? std::move(json) : damagedColumn(json.error().what, json.error().where);
}

// A column's JSON as T.
template<class T>
Result<T> readStoredJson(const std::string& text, const char* column) {
    GKS_TRY_ASSIGN(const Json json, parseStoredJson(text, column));
    try {
        return json.get<T>();
    } catch (const Json::exception& error) {
        return damagedColumn(error.what(), column);
    }
}

// A column's list of numbers; the usual short one without a tree of JSON.
template<class T>
Result<std::vector<T>> readStoredNumbers(const std::string& text, const char* column) {
    std::vector<T> numbers;
    if (text == "[]") {
        return numbers;
    }
    const char* at = text.data();
    const char* end = at + text.size();
    while (at != end && (*at == '[' || *at == ',')) {
        const auto [after, failure] = std::from_chars(at + 1, end, numbers.emplace_back());
        if (failure != std::errc()) {
            break;
        }
        at = after;
    }
    return at + 1 == end && *at == ']' ? Result<std::vector<T>>(std::move(numbers))
                                       : readStoredJson<std::vector<T>>(text, column);
}

} // namespace gks
