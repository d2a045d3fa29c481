// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/run.h"
#include "core/engine/scheduler.h"
#include "core/scientist/scientist.h"

namespace gks {

struct DraftOrigin {
    Author author = Author::model; // who answered, for an experiment of a person
    std::string writer = {};       // Kernel::writer
    DraftCost cost = {};
};

// From an approved experiment to a kernel that waits for a lane.
class Drafts {
public:
    explicit Drafts(Run& run) : m_run(run) {}

    // As it is written now; nothing when that cannot be stored.
    std::optional<Experiment> begin(const Experiment& experiment);
    void drafted(ExperimentId id, const Result<Draft>& draft, const DraftOrigin& origin);

private:
    void noteLikeness(KernelId kernel, const Experiment& experiment, const std::string& source);
    void fail(const Experiment& experiment, std::string failure, const std::string& writer);

    Run& m_run;
};

// What a repair is told.
struct RepairOrder {
    Draft draft;
    Failure failure;
    int attempt = 1;
};
RepairOrder repairOrder(const Population& population, const Kernel& failed, const std::optional<Verdict>& verdict);

} // namespace gks
