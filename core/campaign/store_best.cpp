// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error_place.h"
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

Result<std::int64_t> CampaignStore::kernelCount() const {
    GKS_TRY_ASSIGN(const auto count, m_state->database.integer("SELECT count(*) FROM kernel"));
    return count.value_or(0);
}

// Numbers have holes in a file of anybody's, so they are asked for and not counted.
Result<std::vector<KernelId>> CampaignStore::newestKernels(int count) const {
    std::vector<KernelId> found;
    GKS_TRY(m_state->database.each("SELECT id FROM (SELECT id FROM kernel ORDER BY id DESC LIMIT ?) ORDER BY id",
                                   {std::int64_t{count}}, [&](const Row& row) -> Result<void> {
                                       found.push_back(row.integer(0));
                                       return {};
                                   }));
    return found;
}

Result<std::vector<KernelId>> CampaignStore::kernelIds() const {
    return newestKernels(-1); // no limit
}

Result<PopulationPtr> CampaignStore::kernelsAlone(const std::vector<KernelId>& kernels) const {
    return within(m_state->file.string(), m_state->reader.readAlone(m_state->database, kernels));
}

Result<PopulationPtr> CampaignStore::bestAlone() const {
    GKS_TRY_ASSIGN(const std::int64_t schema, m_state->schema());
    GKS_TRY_ASSIGN(const auto row, readBestRow(m_state->database, schema));
    if (!row || !row->kernel || !row->baseline) { // that there is none is nothing to take a row's word for
        return population();
    }
    GKS_TRY_ASSIGN(const PopulationPtr read, kernelsAlone({*row->baseline, *row->kernel}));
    Population alone = *read;
    alone.baseline = row->baseline;
    alone.best = row->kernel;
    if (row->kernel && row->speed) {
        alone.speeds.set(*row->kernel, *row->speed);
    }
    const Kernel* best = alone.kernel(*row->kernel);
    const Kernel* baseline = alone.kernel(*row->baseline);
    const bool isThere =
        best != nullptr && isMeasured(*best) && baseline != nullptr && baseline->author == Author::seed;
    return isThere ? std::make_shared<const Population>(std::move(alone)) : population(); // whoever wrote the row
}

} // namespace gks
