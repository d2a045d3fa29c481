// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/store.h"

namespace gks {

// The built-in probes open the notebook of a model's campaign: they are measured before anything else, and the first
// design reads their figures (Policies::probes). Not where a harness judges: they are our own judge's.
bool wantsSeedProbes(const Population& population);
Result<void> addSeedProbes(CampaignStore& store, const ProblemPack& probes);

} // namespace gks
