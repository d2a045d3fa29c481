// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/judge/plan/launch_plan.h"
#include "core/judge/plan/module_facts.h"

#include <cstddef>
#include <optional>

namespace gks {

// Sets every byte that the build calls padding to zero: what lay on the stack is no part of a plan.
void clearPadding(LaunchPlan& plan, const ModuleFacts& facts);

struct SplitPlan {
    LaunchPlan setup; // what only the first call does
    LaunchPlan plan;  // what every call does
};
// Of two calls of solve() with the same arguments. Places are not compared: a compiler may have made two copies of one
// line; streams and events are the same when they are used in the same way, since what was only done once may have
// shifted their numbers. An error when the second call does something that the first has not done in the same order.
// Setup is over before any call, so it is one stream, without the events that ordered it among other work.
Result<SplitPlan> splitSetup(const LaunchPlan& first, const LaunchPlan& second);

// The first operation in which two plans for the same addresses differ; of the shorter one's length where it is the
// other's beginning, or where streams alone differ. Nothing when they are equal. Places are not compared.
std::optional<std::size_t> firstDifference(const LaunchPlan& first, const LaunchPlan& second);

} // namespace gks
