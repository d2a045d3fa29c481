// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hipcpu/abi.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace gks::hipcpu {

// Plain accesses of one kind of the threads of a strip.
struct StripRow {
    std::uintptr_t first = 0;
    std::intptr_t laneBytes = 0; // from one to the next
    std::uint64_t bytes = 0;
    const AccessSite* site = nullptr;
    const void* object = nullptr;

    static constexpr std::intptr_t steps = stripThreads - 1;
    std::uintptr_t low() const {
        return laneBytes < 0 ? first + static_cast<std::uintptr_t>(laneBytes * steps) : first;
    }
    std::uintptr_t high() const { return low() + static_cast<std::uintptr_t>(std::abs(laneBytes) * steps) + bytes; }
};

// Those of all threads of a block, or of one strip.
struct ThreadRows {
    struct Distance { // from one to the next, of so many
        std::intptr_t bytes = 0;
        std::uint32_t count = 1;

        std::uintptr_t spread() const { return static_cast<std::uintptr_t>(bytes * (count - 1)); }
    };
    StripRow first;
    Distance strip, row, plane;
    std::uint32_t thread = 0; // the first of the first strip
    bool isReversed = false;  // strips come in the order of the loops, with the last threads first

    struct Extent {
        std::uintptr_t low = 0;
        std::uintptr_t high = 0;
        std::uintptr_t steps = 0; // bits of all distances
    };
    Extent extent() const {
        Extent all = {first.low(), first.high(), static_cast<std::uintptr_t>(first.laneBytes)};
        for (const Distance& distance : {strip, row, plane}) {
            if (distance.count > 1) {
                (distance.bytes < 0 ? all.low : all.high) += distance.spread();
                all.steps |= static_cast<std::uintptr_t>(distance.bytes);
            }
        }
        return all;
    }
    // `take` gets the row of each strip and its first thread, in the order of the loops.
    template<class Take>
    void forEachStrip(Take take) const {
        const std::uint32_t last = strip.count * row.count * plane.count - 1;
        StripRow strips = first;
        std::uint32_t number = 0;
        for (std::uint32_t z = 0; z < plane.count; ++z) {
            for (std::uint32_t y = 0; y < row.count; ++y) {
                for (std::uint32_t x = 0; x < strip.count; ++x, ++number) {
                    strips.first = first.first + static_cast<std::uintptr_t>(plane.bytes * z) +
                                   static_cast<std::uintptr_t>(row.bytes * y) +
                                   static_cast<std::uintptr_t>(strip.bytes * x);
                    take(strips, thread + (isReversed ? last - number : number) * stripThreads);
                }
            }
        }
    }
    // Without those that read the same as the strip before, of the same wave.
    template<class Take>
    void forEachOtherStrip(Take take) const {
        std::uintptr_t before = 0;
        std::uint32_t waveBefore = ~std::uint32_t{0};
        forEachStrip([&](const StripRow& reads, std::uint32_t begin) {
            if (reads.first != before || begin / waveSize != waveBefore) {
                take(reads, begin);
            }
            before = reads.first;
            waveBefore = begin / waveSize;
        });
    }
    // Whether no two threads touch the same byte, as far as distances tell.
    bool areApart() const {
        std::array<Distance, 4> all = {Distance{std::abs(first.laneBytes), stripThreads},
                                       {std::abs(strip.bytes), strip.count},
                                       {std::abs(row.bytes), row.count},
                                       {std::abs(plane.bytes), plane.count}};
        std::sort(all.begin(), all.end(), [](const Distance& a, const Distance& b) { return a.bytes < b.bytes; });
        auto span = static_cast<std::intptr_t>(first.bytes);
        for (const Distance& one : all) {
            if (one.count > 1 && one.bytes < span) {
                return false;
            }
            span += static_cast<std::intptr_t>(one.spread());
        }
        return true;
    }
    std::uint32_t threads() const { return strip.count * row.count * plane.count * stripThreads; }
};

} // namespace gks::hipcpu
