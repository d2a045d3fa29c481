// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/run.h"
#include "core/engine/scientist_desk.h"

namespace gks {

// From an approved experiment to kernels that wait for a lane, and where the experiment stands by them.
class Drafts {
public:
    Drafts(Run& run, const ScientistDesk& scientists) : m_run(run), m_scientists(scientists) {}

    // As it is written now; nothing when that cannot be stored.
    std::optional<Experiment> begin(const Experiment& experiment);
    // `author`: who answered, for an experiment of a person.
    void drafted(const ScientistCall& call, const Result<Draft>& draft, Author author, const DraftCost& cost = {});

    DraftsUnderWay underWay() const { return {m_scientists.inFlight(), m_run.notes.barrenDrafts}; }
    // With a kernel of it as it is about to be (draftTally()).
    DraftTally tally(const Experiment& experiment, const Kernel* changed = nullptr) const;
    // Where its experiment goes by what a person says of a draft: a rejected one ends it only as the last that stands.
    ExperimentState afterDecision(const Kernel& draft, CampaignStore::DraftDecision decision) const;
    // Approved experiments of which nothing is to be written any more, since fewer drafts are asked for.
    void settle();

private:
    Result<KernelId> add(const Experiment& experiment, const ScientistCall& call, const Draft& draft, Author author,
                         const DraftCost& cost);
    void noteLikeness(KernelId kernel, const Experiment& experiment, const std::string& source);
    void comeToNothing(const Experiment& experiment, const ScientistCall& call, std::string failure);
    void fail(const Experiment& experiment, std::string failure, const std::string& writer);

    Run& m_run;
    const ScientistDesk& m_scientists;
};

// What a repair is told.
struct RepairOrder {
    Draft draft;
    Failure failure;
    int attempt = 1;
};
Result<RepairOrder> repairOrder(const Population& population, const Kernel& failed,
                                const std::optional<Verdict>& verdict);

} // namespace gks
