// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/seed_probes.h"

#include "core/problem/problem.h"

#include <algorithm>
#include <fmt/format.h>

namespace gks {

bool wantsSeedProbes(const Population& population) {
    const CampaignSettings& settings = population.settings;
    return settings.policies.probes && !settings.judgedByHarness && settings.scientist == ScientistKind::model &&
           std::ranges::none_of(population.probes, [](const Kernel& probe) { return probe.author == Author::seed; });
}

Result<void> addSeedProbes(CampaignStore& store, const ProblemPack& probes) {
    for (const SeedKernel& seed : probes.seeds) {
        Kernel probe;
        probe.title = seed.title.empty() ? seed.name : seed.title;
        probe.source = seed.source;
        probe.probe = true;
        GKS_TRY(store.addKernel(std::move(probe)));
    }
    return store.addSteering({0, Author::engine, "open the notebook",
                              fmt::format("{} built-in probes are measured first", probes.seeds.size()), 0});
}

} // namespace gks
