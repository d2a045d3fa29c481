// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <concepts>
#include <fmt/format.h>
#include <string>
#include <string_view>

namespace gks {

// "1 seed", "2 seeds"; a word that takes no s brings its own plural: "1 launch", "2 launches".
std::string counted(std::integral auto count, std::string_view one, std::string_view many = {}) {
    return fmt::format("{} {}{}", count, count == 1 || many.empty() ? one : many,
                       count != 1 && many.empty() ? "s" : "");
}

} // namespace gks
