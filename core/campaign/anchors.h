// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/types.h"
#include "core/rating/speed_scale.h"

#include <optional>
#include <string>
#include <vector>

// What is said of the libraries that a problem pack names, beside kernels. They are no kernels: nothing is ranked by
// them, and nothing is learnt from them.
namespace gks {

// Purpose of the evaluation of one; it is of no kernel.
inline constexpr std::string_view anchorPurpose = "anchor";

// The newest figure of each name, in the order of the names' first figures.
std::vector<const AnchorFigure*> newestAnchors(const Population& population);
// What a verdict says of an anchor, put into its figure: times, comparison, device, and what it calls itself. `reason`
// is why it is not right, or why there is no time.
void takeVerdict(AnchorFigure& anchor, const Verdict& verdict);

inline bool isMeasured(const AnchorFigure& anchor) {
    return anchor.geomeanUs > 0;
}

// Speed of a kernel / speed of the anchor. Both were measured beside the common baseline, not side by side: the
// interval holds the uncertainty of both. Nothing where one of them was not compared with it.
std::optional<SpeedRatio> speedAgainst(const Population& population, const AnchorFigure& anchor, const Kernel& kernel);

// "1.40x [1.37, 1.43] of cuBLASLt 13.1.0"; empty as above.
std::string speedOfAnchorText(const Population& population, const AnchorFigure& anchor, const Kernel& kernel);

// Where it lies among times that are scaled to the baseline (scaledUs()): by its comparison, else alone. 0: nowhere.
double scaledUs(const Population& population, const AnchorFigure& anchor);

// What stands against calling it right: what the pack says that it lacks, and what the judge found.
std::string lacksText(const AnchorFigure& anchor);

// One line: "cuBLASLt 13.1.0: 160 us, 0.800x [0.782, 0.818] of its speed has kernel 00004; lacks ...". Of one that was
// not measured it says why. `best` may be null.
std::string anchorLine(const Population& population, const AnchorFigure& anchor, const Kernel* best);

} // namespace gks
