// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/evaluator/refusal.h"
#include "core/judge/evaluator/session/runner_session.h"
#include "core/judge/evaluator/trial/call_inputs.h"
#include "core/judge/evaluator/trial/case_data.h"
#include "core/judge/evaluator/trial/past_reads.h"
#include "core/judge/verdict.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace gks {

// One kernel and what it runs in: sets a shape, calls, reads back. Every call, whatever it is for, is the same sequence
// of steps, so that a kernel cannot tell verification from measurement.
class KernelTrial {
public:
    virtual ~KernelTrial() = default;

    // Once; later calls do nothing.
    virtual Judged<void> load() = 0;
    // What a call takes that does nothing; known after load().
    virtual double emptyCallUs() const = 0;
    // Around such a call, what the judge's clock has and the one beside it has not.
    virtual double emptyWayUs() const = 0;
    virtual Judged<void> setShape(const CaseLayout& layout) = 0;
    virtual bool isSet(const CaseLayout& layout) const = 0;
    // The values from which the next calls get their inputs; they have to have the layout that was set.
    virtual Judged<void> supply(const InputSource& source) = 0;

    struct Call {
        double hostUs = 0; // of the call, on the judge's clock; cpu target: on that of the keeper, who stops the kernel
        double eventUs = 0;          // what the device's events said; 0 where there are none
        std::vector<PastRead> reads; // where they are checked
        std::string race;            // the first that was found, where they are looked for, as a sentence
        double judgeUs = 0;          // cpu target: from the command to the keeper until its answer; hostUs lies inside
        CallCost cost = {};          // of this call, as far as the trial knows it
    };
    virtual Judged<Call> call(const InputSource& source, const InputChoice& choice) = 0;
    // Outputs of the last call, laid out as the shape's layout says; valid until the next command.
    virtual Judged<std::span<const std::byte>> download() = 0;
    // The same of which these pieces count alone.
    virtual Judged<std::span<const std::byte>> probe(std::span<const runner::Piece>) { return download(); }
    // The same outputs where they lie, in the order of the pack, where this side sees them; inputs are empty.
    virtual std::vector<std::span<const std::byte>> standingOutputs() const { return {}; }
    // Whether all around the outputs is as it was before the last call, where this side sees it.
    virtual bool bandsStand() const { return true; }
    // What the last call destroyed, as a sentence; empty when guard bands and inputs are intact.
    virtual Judged<std::string> inspectMemory(const Tensors& inputs) = 0;

    // What was looked at for races in the last call, as a sentence; empty where they are not looked for.
    virtual std::string raceCheck() const { return {}; }
    // What was found in the accesses of the last call, however it ended; races are among them.
    virtual std::vector<AccessFinding> diagnostics() const { return {}; }
    // What device code printed in the last call that was looked at so.
    virtual std::string printed() const { return {}; }

    // Ends the trial; a process that takes long to end may be put away where nobody waits for it.
    virtual std::unique_ptr<RunnerSession> release() { return nullptr; }
    virtual std::string log() const = 0;
};

// A workspace beyond these is refused.
inline constexpr std::size_t cpuWorkspaceBytes = std::size_t{1} << 30;
inline constexpr std::size_t gpuWorkspaceBytes = std::size_t{8} << 30;

} // namespace gks
