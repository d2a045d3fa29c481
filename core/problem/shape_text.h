// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <fmt/format.h>
#include <map>
#include <string>

namespace gks {

// The one shape of a problem that has no extents: whatever its harness runs.
inline constexpr const char* wholeRunText = "whole run";

// "k=256 m=64": a shape in words where the pack, which knows the order of its dims, is not at hand.
inline std::string namedShapeText(const std::map<std::string, std::int64_t>& shape) {
    std::string text;
    for (const auto& [dim, extent] : shape) {
        text += fmt::format("{}{}={}", text.empty() ? "" : " ", dim, extent);
    }
    return text.empty() ? std::string(wholeRunText) : text;
}

} // namespace gks
