// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/database.h"
#include "core/campaign/types.h"
#include "core/rating/shape_scales.h"

#include <set>

namespace gks {

// The population as it stands in the file, kept in memory between calls: rows that a transaction touched are marked
// stale and only those are read again. A population of ten thousand kernels then costs one copy, not one query per
// kernel.
class PopulationReader {
public:
    void kernelChanged(KernelId id) { m_staleKernels.insert(id); }
    void experimentChanged(ExperimentId id) { m_staleExperiments.insert(id); }
    void roundsChanged() { m_roundsStale = true; }
    void findingsChanged() { m_findingsStale = true; }
    void documentsChanged() { m_documentsStale = true; }
    void anchorsChanged() { m_anchorsStale = true; }
    void campaignChanged() { m_campaignStale = true; }
    void everythingChanged() { m_loaded = false; }

    Result<PopulationPtr> read(const Database& database);

private:
    bool isStale() const;
    Result<void> load(const Database& database);
    Result<void> refresh(const Database& database);
    Result<void> readComparisons(const Database& database);
    void fitShapes();

    bool m_loaded = false;
    std::int64_t m_schema = 0;           // a file that is only read is not brought to the newest one
    std::int64_t m_newestEvaluation = 0; // whose comparison is in the population, if it has one
    std::int64_t m_dataVersion = 0;      // SQLite's: moves when another connection has written
    std::set<KernelId> m_staleKernels;
    std::set<ExperimentId> m_staleExperiments;
    bool m_roundsStale = false;
    bool m_findingsStale = false;
    bool m_documentsStale = false;
    bool m_anchorsStale = false;
    bool m_campaignStale = false;
    std::vector<ShapeComparison> m_shapeComparisons; // of the same evaluations as the population's
    Population m_current;
    PopulationPtr m_published;
};

} // namespace gks
