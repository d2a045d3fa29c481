// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/problem/parallel_ranges.h"

#include <atomic>
#include <cstddef>
#include <cstring>
#include <span>

namespace gks {

inline constexpr std::int64_t bytesPerThread = std::int64_t{4} << 20; // less is not worth a thread

// memcpy and memcmp on all cores: one core moves a fraction of what the memory can. Both spans have the same size.
inline void copyBytes(std::span<std::byte> to, std::span<const std::byte> from) {
    forRanges(static_cast<std::int64_t>(from.size()), bytesPerThread, [&](std::int64_t begin, std::int64_t end) {
        std::memcpy(to.data() + begin, from.data() + begin, static_cast<std::size_t>(end - begin));
    });
}

inline bool sameBytes(std::span<const std::byte> a, std::span<const std::byte> b) {
    std::atomic<bool> same = a.size() == b.size();
    forRanges(static_cast<std::int64_t>(a.size()), bytesPerThread, [&](std::int64_t begin, std::int64_t end) {
        if (same && std::memcmp(a.data() + begin, b.data() + begin, static_cast<std::size_t>(end - begin)) != 0) {
            same = false;
        }
    });
    return same;
}

} // namespace gks
