// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/judge/plan/launch_plan.h"

#include <string>
#include <string_view>
#include <vector>

namespace gks::runner {

// What a runner executes for one shape. Both plans have been checked.
struct Opening {
    std::vector<std::string> variables; // of the module: before every call they hold what they held after the setup
    LaunchPlan setup;
    LaunchPlan plan;
};

std::string openingText(const Opening& opening);
Result<Opening> openingFromText(std::string_view text);

} // namespace gks::runner
