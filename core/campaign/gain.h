// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/types.h"

#include <algorithm>
#include <string>

// A gain is the ratio of two times, before over after: 1.25 is a quarter more speed, below 1 is slower. Who writes %,
// and campaign files of schema 6 and earlier, have it as the share of time that is saved, in percent: 20 of 1.25.
namespace gks {

inline constexpr double mostSavedPercent = 99.9; // a kernel cannot take no time

constexpr double gainRatio(double savedPercent) {
    return 1 / (1 - std::min(savedPercent, mostSavedPercent) / 100);
}
// "1.05x to 1.18x"
inline std::string gainRangeText(const Interval& ratio) {
    return formatRatio(ratio.low) + " to " + formatRatio(ratio.high);
}

// "predicted 1.05x to 1.18x, measured 1.1x, 1.12x with both tuned", as far as it is known.
std::string gainsText(const Experiment& experiment);

} // namespace gks
