// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/best_row.h"
#include "core/campaign/rules.h"
#include "core/campaign/store_state.h"

// The best kernel, and any few others, without the rest of the population.
namespace gks {

Result<void> CampaignStore::State::noteBest(const PopulationPtr& population) const {
    if (!lock || population == noted) {
        return {};
    }
    GKS_TRY_ASSIGN(best, bestRowOf(database, *population));
    noted = population;
    return {};
}

Result<void> CampaignStore::State::writeBest() {
    if (best && best != writtenBest) {
        GKS_TRY(writeBestRow(database, *best));
        writtenBest = best;
    }
    return {};
}

Result<KernelId> CampaignStore::newestKernel() const {
    GKS_TRY_ASSIGN(const auto id, m_state->database.integer("SELECT max(id) FROM kernel"));
    return id.value_or(0);
}

Result<PopulationPtr> CampaignStore::kernelsAlone(const std::vector<KernelId>& kernels) const {
    return m_state->reader.readAlone(m_state->database, kernels);
}

Result<PopulationPtr> CampaignStore::bestAlone() const {
    GKS_TRY_ASSIGN(const std::int64_t schema, m_state->schema());
    GKS_TRY_ASSIGN(const auto row, readBestRow(m_state->database, schema));
    if (!row) {
        return population();
    }
    std::vector<KernelId> kernels;
    for (const auto& kernel : {row->baseline, row->kernel}) {
        if (kernel) {
            kernels.push_back(*kernel);
        }
    }
    GKS_TRY_ASSIGN(const PopulationPtr read, kernelsAlone(kernels));
    Population alone = *read;
    alone.baseline = row->baseline;
    alone.best = row->kernel;
    if (row->kernel && row->speed) {
        alone.speeds.set(*row->kernel, *row->speed);
    }
    const Kernel* best = alone.best ? alone.kernel(*alone.best) : nullptr;
    const Kernel* baseline = alone.baseline ? alone.kernel(*alone.baseline) : nullptr;
    const bool isThere = (!row->kernel || (best != nullptr && isMeasured(*best))) &&
                         (!row->baseline || (baseline != nullptr && baseline->author == Author::seed));
    return isThere ? std::make_shared<const Population>(std::move(alone)) : population(); // whoever wrote the row
}

} // namespace gks
