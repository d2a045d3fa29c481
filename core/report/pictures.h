// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/types.h"

#include <string>

// Pictures of a report as inline SVG. Colours come from the page's style sheet, so that they follow its scheme.
namespace gks {

// The ancestry of all kernels: a triangle up is faster than its parent, down slower, a circle a tie or uncompared, a
// half circle undecided, a cross refused.
std::string lineageSvg(const Population& population);
// Scaled time of every kernel that was compared, in the order of evaluation, and the best so far; a dashed line for
// each library that was measured.
std::string progressSvg(const Population& population);
// Samples of one shape in the order in which they were taken, of the baseline too.
std::string samplesSvg(const MeasurementFact& fact);

} // namespace gks
