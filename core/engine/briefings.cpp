// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/briefings.h"

#include "core/scientist/machine.h"

namespace gks {

Result<Briefing> Briefings::of(const PopulationPtr& population) {
    if (!m_problem) {
        GKS_TRY_ASSIGN(ProblemPack problem, m_loadProblem(population->settings.problem));
        m_problem = std::make_shared<const ProblemPack>(std::move(problem));
    }
    const auto verdictOf = [history = &m_history](KernelId kernel) {
        return history->ask([&](const CampaignStore& store) { return store.newestVerdict(kernel); })
            .value_or(std::optional<Verdict>());
    };
    const auto search = [history = &m_history](const std::string& words, int limit) {
        return history->ask([&](const CampaignStore& store) { return store.searchPassages(words, limit); })
            .value_or(std::vector<Passage>());
    };
    return Briefing{population, m_problem, verdictOf, search, deviceFinder(population, verdictOf)};
}

} // namespace gks
