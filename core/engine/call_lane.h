// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <fmt/format.h>
#include <string>
#include <string_view>

// ActivityChanged::lane of the calls of the scientist that are in flight at the same time, from 1: "scientist",
// "scientist 2", ... Views tell calls from lanes by it, and link without the engine.
namespace gks {

inline constexpr std::string_view callLaneName = "scientist";

inline std::string callLane(std::size_t seat) {
    return seat == 1 ? std::string(callLaneName) : fmt::format("{} {}", callLaneName, seat);
}

inline bool isCallLane(std::string_view lane) {
    return lane == callLaneName || lane.starts_with(fmt::format("{} ", callLaneName));
}

} // namespace gks
