// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/types.h"

#include <optional>
#include <string>
#include <vector>

// When a campaign stands still, and of what it has had enough: the end of a run, the prompts, what is picked of a round
// and what a person is shown ask here.
namespace gks {

// Experiments that ended and were drafted after the best, by id; none without a best.
std::vector<const Experiment*> endedSinceBest(const Population& population);

struct Stagnation {
    std::int64_t experiments = 0;                  // of models and people, in a row without a new best
    ExperimentKind tired = ExperimentKind::change; // tried most among the newest: the next round has another kind
    std::string text = {};                         // both with their figures, for people and prompts
};
// Nothing before Policies::stagnation experiments, and for the tuner, which has one kind alone.
std::optional<Stagnation> stagnation(const Population& population);

} // namespace gks
