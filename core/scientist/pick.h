// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/types.h"

#include <vector>

namespace gks {

// How many of a round are run by every policy but `all`.
inline constexpr std::size_t pickCount = 3;

// Marks the experiments to be run, in Experiment::pick; the paper's policy takes the most innovative, the highest upper
// bound and the highest lower bound, without replacement. What takes up an avenue that the person asks for comes first,
// one for each; after them no kind of which a campaign that stands still has had enough (stagnation.h). A probe is run
// beside them, by every policy. Predicted ranges count as `population` has shown them to come out (calibration.h). Of
// equal ones the kind that has brought most for its cost comes first, or was never tried (portfolio.h).
void pickExperiments(std::vector<Experiment>& experiments, PickPolicy policy, const Population& population);

} // namespace gks
