// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hipcpu/runtime/race_detector.h"

#include <algorithm>
#include <cstring>

namespace gks::hipcpu {

inline constexpr std::size_t wordBytes = 4;

inline bool isPlain(AccessKind kind) {
    return kind == AccessKind::read || kind == AccessKind::guess || kind == AccessKind::write ||
           kind == AccessKind::fill;
}

// An access as the detector hears of it.
struct RaceDetector::Told {
    Where where;
    Memory* memory = nullptr; // null: LDS
    std::uintptr_t at = 0;    // address, or offset in LDS
    std::size_t bytes = 0;
    AccessKind kind = AccessKind::read;
    const char* value = nullptr;
    const char* held = nullptr; // what is there now
    const AccessSite* site = nullptr;

    std::uint16_t siteNumber() const { return siteNumberOf(site); }
    // Whether the bytes from `done` on become others.
    bool changes(std::size_t done, std::size_t count) const {
        switch (kind) {
        case AccessKind::write:
        case AccessKind::atomicWrite:
            return value != nullptr && std::memcmp(held + done, value + done, count) != 0;
        case AccessKind::fill:
            return std::any_of(held + done, held + done + count, [this](char byte) { return byte != *value; });
        case AccessKind::update:
        case AccessKind::blindUpdate:
            return value != nullptr;
        default:
            return false;
        }
    }
};

} // namespace gks::hipcpu
