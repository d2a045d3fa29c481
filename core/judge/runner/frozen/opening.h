// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/judge/plan/launch_plan.h"
#include "core/judge/runner/frozen/protocol.h"

#include <string>
#include <string_view>
#include <vector>

namespace gks::frozen {

// What a process with device code is to hold. Both plans have been checked.
struct Opening {
    std::string module; // device module
    unsigned threads = 1;
    bool isRaceCheck = false;        // blocks and threads in reversed order, LDS poisoned, reads past the end named
    std::uint64_t blockSeconds = 60; // in such a check: a block that takes longer is said to have no end
    std::uint64_t addressBytes = 0;  // that it may use, but for those of blocks that get a thread each
    std::vector<Region> regions;
    LaunchPlan setup;
    LaunchPlan plan;
};

std::string openingText(const Opening& opening);
Result<Opening> openingFromText(std::string_view text);

} // namespace gks::frozen
