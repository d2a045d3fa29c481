// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/quantity.h"
#include "core/base/shared_list.h"

#include <cstdint>
#include <string>
#include <vector>

// Which comparisons a scale of speed is made of.
namespace gks {

// Two kernels in one paired run.
struct PairedComparison {
    std::int64_t evaluation = 0;
    std::int64_t kernel = 0;
    std::int64_t other = 0;
    double ratio = 1; // time of the other / time of the kernel
    Interval ci95 = {1, 1};
    std::string where = {}; // device and shapes: what was measured elsewhere is another scale
    bool operator==(const PairedComparison&) const = default;
};

// What a scale has room for, so that no file makes it cost more than a moment: comparisons, the newest, and pairs of
// kernels beyond those that connect them, which close the cycles that cost.
inline constexpr std::size_t mostComparisons = 50'000;
inline constexpr std::size_t mostCrossingPairs = 1000;

// Those that hang together with the anchor, on the device and shapes where most kernels do, in their order.
std::vector<PairedComparison> comparisonsAround(std::int64_t anchor, const SharedList<PairedComparison>& all);

} // namespace gks
