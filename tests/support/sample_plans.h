// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/recorded_plans.h"
#include "core/problem/problem.h"

#include <memory>
#include <vector>

namespace gks::test {

// Plans as a kernel might have them. Every step has more than the one before.
enum class PlanStyle {
    plain,    // one launch
    cleared,  // the output filled before it, with smaller blocks
    streamed, // and a second stream with a launch of its own, ordered by events; a table written once
};
KernelPlans samplePlans(const ProblemPack& pack, const std::vector<Shape>& timed, const std::vector<Shape>& verified,
                        PlanStyle style = PlanStyle::plain);

} // namespace gks::test
