// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/rating/speed_scale.h"

namespace gks {

// Kernels of which the fastest is looked for: what may be called the best, or be the next parent.
struct Contest {
    std::vector<std::int64_t> candidates = {};
    double tieMarginPercent = 0.5; // a kernel that is faster by less is none the worse to miss
    std::size_t sideBySide = 3;    // so many of the first are measured with the first itself in any case
    std::size_t mostOfOnePair = 4; // comparisons of the same two: more would not decide it either
};

enum class ComparisonReason {
    notCompared, // the kernel is not on the scale
    sideBySide,  // it is among the first and was never measured with the first
    open,        // it may be the faster one
};

struct ComparisonWish {
    std::int64_t kernel = 0;
    std::int64_t other = 0; // the fastest so far, or the anchor where no candidate is on the scale
    ComparisonReason reason = ComparisonReason::open;
    bool operator==(const ComparisonWish&) const = default;
};

// The candidate that is the fastest by the scale; of equal ones the older. Nothing when none is on it.
std::optional<std::int64_t> fastestOf(const SpeedScale& scale, std::span<const std::int64_t> candidates);
// The comparison that decides most, nothing when no further one is worth its time.
std::optional<ComparisonWish> nextComparison(const SpeedScale& scale, const Contest& contest);

} // namespace gks
