// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/shape_times.h"
#include "core/campaign/types.h"

namespace gks {

// A file comes from anybody, and what is ranked and shown stands in columns. An error names the row that holds no
// measurement: a number that is none, a negative time or sum, an interval without its value.
Result<void> checkNumbers(const Kernel& kernel);         // before weights
Result<void> checkNumbers(const Experiment& experiment); // what was measured of it
Result<void> checkNumbers(const Finding& finding);
Result<void> checkNumbers(const Evaluation& evaluation); // its ratio
Result<void> checkNumbers(const std::vector<ShapeTime>& times, std::int64_t evaluation);
Result<void> checkNumbers(const Spend& spend);
bool isRatioRange(const Interval& interval); // two ratios, the lower first

} // namespace gks
