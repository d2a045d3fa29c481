// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/run.h"

#include <cstddef>
#include <set>
#include <string>

namespace gks {

// What is built and planned before a lane takes it (isScreened()), and what has passed: of this run alone, after a kill
// it is looked at again, from the cache of builds. Benches are evaluators beside those of the lanes; they own no
// device.
class Screening {
public:
    Screening(Run& run, unsigned processors) : m_run(run), m_processors(processors) {}

    // Drafts that no lane takes yet.
    std::set<KernelId> due() const;
    // It waits for a lane from here on: nothing of it failed, or nobody can say.
    void passed(KernelId kernel);
    // No verdict: the draft goes to the lane. Where it goes on like this, or a lane's own machine has what is missing
    // here, nothing is screened any more in this run, which is said once.
    void failedByInfrastructure(const Evaluation& evaluation, bool lanesAreAway);

    // A card's host has processors for a few compilers beside the lanes. On the cpu target there is one bench.
    std::size_t benches(TargetKind target, std::size_t lanes) const;
    // Builds beside measurements. On the cpu target a kernel is timed on the processors that a compiler would take: a
    // lane needs two of them, for the kernel and for the evaluator that draws its inputs and checks its outputs, and
    // the bench one.
    bool mayRunBeside(TargetKind target, std::size_t lanes) const;

private:
    Run& m_run;
    unsigned m_processors;
    std::set<KernelId> m_passed;
};

// Evaluation::lane and ActivityChanged::lane of a bench, from 0: "bench", "bench 2".
std::string benchLane(std::size_t bench);

} // namespace gks
