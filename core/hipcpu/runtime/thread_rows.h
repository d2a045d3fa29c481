// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hipcpu/abi.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace gks::hipcpu {

// Plain accesses of one kind of the threads of a strip, or of some of them side by side.
struct StripRow {
    std::uintptr_t first = 0;
    std::intptr_t laneBytes = 0; // from one to the next
    std::uint64_t bytes = 0;
    const AccessSite* site = nullptr;
    const void* object = nullptr;
    std::uint32_t lanes = stripThreads;

    std::uintptr_t low() const {
        return laneBytes < 0 ? first + static_cast<std::uintptr_t>(laneBytes * steps()) : first;
    }
    std::uintptr_t high() const { return low() + static_cast<std::uintptr_t>(std::abs(laneBytes) * steps()) + bytes; }

private:
    std::intptr_t steps() const { return static_cast<std::intptr_t>(lanes) - 1; }
};

// Those of all threads of a block, or of one strip (of some of its lanes, too).
struct ThreadRows {
    struct Distance { // from one to the next, of so many
        std::intptr_t bytes = 0;
        std::uint32_t count = 1;

        bool operator==(const Distance&) const = default;
        std::uintptr_t spread() const { return static_cast<std::uintptr_t>(bytes * (count - 1)); }
    };
    StripRow first;
    Distance strip, row, plane;
    std::uint32_t thread = 0; // the first of the first strip that takes part
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
                    take(strips, thread + (isReversed ? last - number : number) * first.lanes);
                }
            }
        }
    }
    // Strips of one wave that lie one behind the other are one row; `take` gets the wave.
    template<class Take>
    void forEachRowOfWave(Take take) const {
        StripRow joined = first;
        joined.lanes = 0;
        std::uint32_t wave = 0;
        forEachStrip([&](const StripRow& strip, std::uint32_t begin) {
            const auto behind =
                joined.first + static_cast<std::uintptr_t>(joined.laneBytes * std::intptr_t{joined.lanes});
            if (joined.lanes != 0 && (strip.first != behind || begin / waveSize != wave)) {
                take(joined, wave);
                joined.lanes = 0;
            }
            joined.first = joined.lanes == 0 ? strip.first : joined.first;
            joined.lanes += strip.lanes;
            wave = begin / waveSize;
        });
        take(joined, wave);
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
        auto span = static_cast<std::intptr_t>(first.bytes);
        for (const Distance& one : distances()) {
            if (one.count > 1 && one.bytes < span) {
                return false;
            }
            span += static_cast<std::intptr_t>(one.spread());
        }
        return true;
    }
    // Whether a thread touches a byte that one of the others does, as far as distances tell: where extents meet rows
    // may still lie between each other.
    bool meets(const ThreadRows& other) const {
        const Distances all = distances();
        return first.bytes != other.first.bytes || all != other.distances() ||
               reaches(static_cast<std::intptr_t>(other.first.first - first.first), all, all.size());
    }
    std::uint32_t threads() const { return strip.count * row.count * plane.count * first.lanes; }

private:
    using Distances = std::array<Distance, 4>;
    Distances distances() const { // the shortest first
        Distances all = {Distance{std::abs(first.laneBytes), first.lanes},
                         {std::abs(strip.bytes), strip.count},
                         {std::abs(row.bytes), row.count},
                         {std::abs(plane.bytes), plane.count}};
        std::sort(all.begin(), all.end(), [](const Distance& a, const Distance& b) { return a.bytes < b.bytes; });
        return all;
    }
    // Whether steps of the first `count` distances, forwards or backwards, may lead across `gap` to a common byte.
    bool reaches(std::intptr_t gap, const Distances& all, std::size_t count) const {
        auto span = static_cast<std::intptr_t>(first.bytes) - 1;
        if (count == 0) {
            return std::abs(gap) <= span;
        }
        const Distance& step = all[count - 1];
        if (step.bytes == 0) {
            return reaches(gap, all, count - 1);
        }
        for (std::size_t i = 0; i + 1 < count; ++i) {
            span += static_cast<std::intptr_t>(all[i].spread());
        }
        const auto most = static_cast<std::intptr_t>(step.count) - 1;
        const std::intptr_t nearest = gap / step.bytes;
        const std::intptr_t around = span / step.bytes + 1;
        if (around > 2) { // they lie every which way
            return true;
        }
        for (std::intptr_t steps = std::max(nearest - around, -most); steps <= std::min(nearest + around, most);
             ++steps) {
            if (reaches(gap - steps * step.bytes, all, count - 1)) {
                return true;
            }
        }
        return false;
    }
};

} // namespace gks::hipcpu
