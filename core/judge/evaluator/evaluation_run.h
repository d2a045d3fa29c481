// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/attempts.h"
#include "core/judge/evaluator/build/anchor_library.h"
#include "core/judge/evaluator/build/kernel_build.h"
#include "core/judge/evaluator/build/module_check.h"
#include "core/judge/evaluator/prepared_cases.h"
#include "core/judge/evaluator/session/runner_pool.h"
#include "core/judge/evaluator/session/transcript_writer.h"
#include "core/judge/evaluator/statistics/statistics.h"
#include "core/judge/evaluator/trial/kernel_trial.h"
#include "core/judge/evaluator/trial/planned_kernel.h"
#include "core/judge/evaluator/trial/tolerance_misses.h"
#include "core/judge/evaluator/trial/work_clock.h"
#include "core/judge/protocol.h"
#include "core/target/device_lock.h"

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

namespace gks {

// The state of one evaluation, in the order in which it comes about. Its course and its builds are in evaluation.cpp,
// its plans and the processes that execute them in evaluation_trials.cpp, what stands in the place of a kernel in
// evaluation_anchor.cpp, what is looked at without a device in evaluation_screening.cpp.
class EvaluationRun {
public:
    EvaluationRun(const EvaluationRequest& request, RunnerPool& runners, std::shared_ptr<const Reference>& reference,
                  std::unique_ptr<PreparedCases>& next, const EvaluationSink& sink, const std::stop_token& stop);

    Attempt attempt() {
        Verdict verdict = run();
        return {std::move(verdict), m_interrupted, m_sandbox != SandboxLevel::none};
    }

private:
    Verdict run();
    Judged<void> allStages();

    bool runsNothing() const { return m_request.staticOnly || m_request.buildOnly; }

    template<class Event>
    void tell(Event event) const {
        m_sink(EvaluationEvent(std::move(event)));
    }

    // Once for each: where code of others runs, and behind which wall.
    void tellProcess(const std::string& what) {
        if (m_told.insert(what).second) {
            tell(LogEvent{"process", what});
        }
    }
    std::string wall() const {
        return m_sandbox == SandboxLevel::none ? "no sandbox, allowed by the user"
                                               : m_verdict.sandbox + ", system call filter, limits";
    }
    void tellRunnerLog(const KernelTrial& trial) const {
        if (std::string log = trial.log(); !log.empty()) {
            tell(LogEvent{"runner", std::move(log)});
        }
    }

    Judged<void> prepare();
    Judged<void> chooseDevice();
    Judged<void> build();
    Judged<void> startBuilds();
    Judged<void> loadReference();
    // Its host code runs where nothing is within its reach.
    Judged<void> inspectModule() const { return checkHostModule(m_build->plan().hostModule); }
    // Nothing of a build may still run while times are taken.
    Judged<void> finishBuild();
    // From the first call to the last: verification on a card is in the times of whoever measures on it.
    Judged<void> lockDevice();

    Judged<void> planCases();
    void planNext();
    Judged<void> startRunners();
    RunnerSession::Setup runnerSetup() const;
    bool isCpu() const { return m_request.target == TargetKind::cpu; }
    // The baseline is timed and no more.
    std::vector<const CaseLayout*> layoutsOf(bool ofBaseline) const;

    // What the kernel's host code asks for, on every shape; none of it runs where anything is verified or timed.
    Judged<void> planKernel(const KernelBuild& build, bool ofBaseline);
    KernelPlanner::Setup plannerSetup() const;
    Judged<void> takeRecorded(const KernelBuild& build, const std::vector<const CaseLayout*>& layouts, bool ofBaseline);
    Judged<std::shared_ptr<const PlannedKernel>>
    askAgain(const KernelBuild& build, const std::vector<const CaseLayout*>& layouts, bool ofBaseline);
    std::shared_ptr<const RecordedPlans> recordPlans() const;

    std::unique_ptr<KernelTrial> startFrozen(std::shared_ptr<const PlannedKernel> kernel, bool reversedOrder);
    Judged<std::unique_ptr<KernelTrial>> start(bool ofBaseline, bool reversedOrder = false);
    Judged<void> verify();

    struct Measured {
        std::optional<RatioEstimate> ratio;
        double errorShare = 1;
    };
    Judged<Measured> measure();

    // evaluation_anchor.cpp
    bool isOfAnchor() const { return !m_request.anchor.empty(); }
    std::size_t runnersOfKernels() const { return (m_request.baseline ? 1U : 0U) + (isOfAnchor() ? 0U : 1U); }
    Judged<void> chooseAnchor();
    Judged<void> buildAnchor();
    Judged<std::unique_ptr<KernelTrial>> startAnchor();
    void noteVersion(const KernelTrial& trial);
    void concludeAnchor();
    ToleranceMisses* misses() { return isOfAnchor() ? &m_misses : nullptr; }
    // evaluation_screening.cpp
    Judged<void> planScreened();
    Judged<void> finishScreening();
    Judged<void> verifySmallest();

    // evaluation_counters.cpp
    void count();
    CounterReport countersOf(const Profiler& profiler);
    Judged<std::vector<RawCounters>> countPass(const Profiler& profiler, const std::vector<std::string>& counters,
                                               const std::vector<std::size_t>& shapes);

    const EvaluationRequest& m_request;
    RunnerPool& m_runners;
    std::shared_ptr<const Reference>& m_reference;
    std::unique_ptr<PreparedCases>& m_next;
    TranscriptWriter m_transcript;
    EvaluationSink m_sink; // writes the transcript on the way
    std::stop_token m_stop;
    std::shared_ptr<WorkClock> m_clock = std::make_shared<WorkClock>();
    Verdict m_verdict;
    std::set<std::string> m_told;
    std::optional<Refusal> m_interrupted;
    std::optional<ProblemPack> m_pack;
    Target m_target;
    Device m_device;
    std::optional<DeviceLock> m_deviceLock; // goes after the trials below
    SandboxLevel m_sandbox = SandboxLevel::none;
    std::unique_ptr<KernelBuild> m_build; // null: of an anchor
    std::unique_ptr<KernelBuild> m_baselineBuild;
    AnchorSpec m_anchor;
    AnchorLibrary m_anchorLibrary;
    ToleranceMisses m_misses;
    struct Plans {
        std::shared_ptr<const PlannedKernel> asked;    // by its host code: these are in the verdict
        std::shared_ptr<const PlannedKernel> executed; // the same, or those of a record
    };
    Plans& plansOf(bool ofBaseline) { return ofBaseline ? m_baselinePlans : m_kernelPlans; }
    Plans m_kernelPlans;
    Plans m_baselinePlans;
    std::optional<std::stop_callback<std::function<void()>>> m_onStop;
    std::optional<CaseImages> m_images;
    std::unique_ptr<PreparedCases> m_cases;
    std::unique_ptr<KernelTrial> m_trial;
};

} // namespace gks
