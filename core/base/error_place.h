// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>

namespace gks {

// What failed in a part, with the whole named before it: "FILE, kernel 00002: ...". Once, however often it is said.
inline Error within(std::string_view whole, Error error) {
    if (!error.where.starts_with(whole)) {
        error.where = error.where.empty() ? std::string(whole) : std::string(whole) + ", " + error.where;
    }
    return error;
}
template<class T>
Result<T> within(std::string_view whole, Result<T> result) {
    if (!result) {
        result = tl::unexpected(within(whole, std::move(result).error()));
    }
    return result;
}

} // namespace gks
