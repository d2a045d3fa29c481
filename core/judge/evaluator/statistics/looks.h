// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/evaluator/statistics/statistics.h"

#include <vector>

namespace gks {

// When a comparison with this budget may end, and what looking costs.
std::vector<Look> looksOf(TargetKind target, double seconds);

} // namespace gks
