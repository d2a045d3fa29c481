// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/plan/launch_plan.h"
#include "core/judge/plan/module_facts.h"
#include "core/judge/runner/frozen/protocol.h"
#include "core/judge/runner/frozen/race_words.h"
#include "core/problem/problem.h"

#include <optional>
#include <string>
#include <vector>

namespace gks {

// What the numbers of a race are of.
struct RaceContext {
    const ProblemPack& pack;
    const LaunchPlan& plan;
    const std::vector<frozen::Region>& regions; // of the tensors in order, then of the workspace
    const ModuleFacts& facts;
};

// Who meets whom where, as a sentence. The numbers come from a process that device code may lie in: what fits nothing
// of the plan is said to be so, and stays a race, because no honest kernel would say it of itself.
std::string raceText(const frozen::RaceWords::Race& race, const RaceContext& context);

// What was looked at. Nothing was said: nothing that blocks share was touched, or the process has said no word.
std::string raceCheckText(const std::optional<frozen::RaceWords>& words);

} // namespace gks
