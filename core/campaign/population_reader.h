// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/comparison_rows.h"
#include "core/campaign/database.h"
#include "core/campaign/kernel_texts.h"
#include "core/campaign/types.h"

#include <set>

namespace gks {

// The population as it stands in the file, kept in memory between calls: rows that a transaction touched are marked
// stale and only those are read again. The next population then costs a few queries and shares all else with the one
// before it, whatever its size; texts cost none.
class PopulationReader {
public:
    explicit PopulationReader(std::filesystem::path file) : m_texts(KernelTexts::of(std::move(file))) {}
    void putAway() { m_texts->putAway(); } // the file is about to be closed
    void kernelChanged(KernelId id) { m_staleKernels.insert(id); }
    void experimentChanged(ExperimentId id) { m_staleExperiments.insert(id); }
    void roundsChanged() { m_roundsStale = true; }
    void findingsChanged() { m_findingsStale = true; }
    void documentsChanged() { m_documentsStale = true; }
    void anchorsChanged() { m_anchorsStale = true; }
    void campaignChanged() { m_campaignStale = true; }
    void everythingChanged() { m_loaded = false; }

    Result<PopulationPtr> read(const Database& database);
    // The campaign's own row, and of its members these kernels and probes alone. Nothing is derived.
    Result<PopulationPtr> readAlone(const Database& database, const std::vector<KernelId>& kernels) const;

private:
    bool isStale() const;
    Result<void> load(const Database& database);
    Result<void> refresh(const Database& database);
    Result<void> readKernels(const Database& database, const std::string& where, std::initializer_list<Value> values);
    void fitShapes();

    bool m_loaded = false;
    std::int64_t m_schema = 0;      // a file that is only read is not brought to the newest one
    std::int64_t m_dataVersion = 0; // SQLite's: moves when another connection has written
    std::set<KernelId> m_staleKernels;
    std::set<ExperimentId> m_staleExperiments;
    bool m_roundsStale = false;
    bool m_findingsStale = false;
    bool m_documentsStale = false;
    bool m_anchorsStale = false;
    bool m_campaignStale = false;
    std::shared_ptr<KernelTexts> m_texts;
    ComparisonRows m_comparisons;
    std::shared_ptr<Population> m_current; // the published one, until something of it is stale
    PopulationPtr m_published;
};

} // namespace gks
