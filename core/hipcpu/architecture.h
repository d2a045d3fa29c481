// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

// Which of AMD's architectures the cpu target plays. LLVM 19, which retargets, knows gfx942 alone. Code for gfx950 is
// compiled by it for gfx942, of which gfx950 is a superset but for xf32, with gfx950's macros; what gfx950 adds is
// declared in include/gfx950/builtins.h under the names that LLVM 20 gave its intrinsics, and from there on is lowered
// like all others. A later clang's own IR is no way round: LLVM 19 does not read the bitcode of another version.
namespace gks::hipcpu {

enum class Architecture : std::uint32_t { gfx942, gfx950 };

constexpr std::string_view nameOf(Architecture architecture) {
    return architecture == Architecture::gfx950 ? "gfx950" : "gfx942";
}

// "gfx950", and with features behind a colon: "gfx950:sramecc+:xnack-".
constexpr std::optional<Architecture> architectureFrom(std::string_view name) {
    name = name.substr(0, name.find(':'));
    for (const Architecture each : {Architecture::gfx942, Architecture::gfx950}) {
        if (name == nameOf(each)) {
            return each;
        }
    }
    return std::nullopt;
}

// What a block may have, static and dynamic.
constexpr std::uint32_t ldsLimitBytes(Architecture architecture) {
    return (architecture == Architecture::gfx950 ? 160u : 64u) << 10;
}
inline constexpr std::uint32_t greatestLdsBytes = ldsLimitBytes(Architecture::gfx950); // of any architecture

// Of the card, MI300X or MI350X. The cpu target's device has one for each worker.
constexpr std::uint32_t cardComputeUnits(Architecture architecture) {
    return architecture == Architecture::gfx950 ? 256 : 304;
}

} // namespace gks::hipcpu
