// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/plan/launch_plan.h"

#include <cstddef>
#include <vector>

namespace gks {

// The operations of a checked plan in another order that its streams and events allow: of those that may come next
// always the one that was called last. What only the order of the calls makes right is wrong in this one.
std::vector<std::size_t> latestFirst(const LaunchPlan& plan);

// For every operation those that neither wait for it nor have it wait for them, ascending; nothing for a plan of one
// stream, where each waits for the one before, and for one of more operations than are worth asking about.
std::vector<std::vector<std::size_t>> unordered(const LaunchPlan& plan);

} // namespace gks
