// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/common/engine_bridge.h"

#include <memory>
#include <vector>

namespace gks {

// A campaign as it looks after an hour, made up in memory: 18 kernels with every verdict, experiments in every state,
// samples, conversations, findings. For tests of views and for screenshots; the numbers never change.
struct SampleCampaign {
    PopulationPtr population;
    std::shared_ptr<const ProblemPack> problem;
    std::shared_ptr<const CampaignQueries> queries;
    std::vector<EngineEvent>
        live; // what a running engine has just said: state, lanes, next parent, text, samples, warnings
};

SampleCampaign makeSampleCampaign();
// The campaign's first `kernels` kernels, for tests of growth.
PopulationPtr truncatedPopulation(const Population& population, std::size_t kernels);
// A bridge showing the sample, live events included when `running`.
std::unique_ptr<EngineBridge> makeSampleBridge(bool running = true);

} // namespace gks
