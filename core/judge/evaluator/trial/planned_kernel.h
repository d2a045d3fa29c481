// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/evaluator/build/kernel_build.h"
#include "core/judge/evaluator/session/frozen_layout.h"
#include "core/judge/evaluator/session/planner_session.h"
#include "core/judge/evaluator/session/refusal.h"
#include "core/judge/recorded_plans.h"

#include <chrono>
#include <memory>
#include <stop_token>
#include <vector>

namespace gks {

// A kernel of the cpu target on all shapes of an evaluation: what its host code asks of the device, planned and checked
// before anything of its device code runs.
class PlannedKernel {
public:
    struct Setup {
        SandboxLevel sandbox = SandboxLevel::bubblewrap;
        bool allowNoSandbox = false;
        std::chrono::duration<double> timeLimit{20}; // of each call of solve()
        std::stop_token stop = {};
    };
    static Judged<std::shared_ptr<const PlannedKernel>> plan(const ProblemPack& pack, const BuildPlan& build,
                                                             const std::vector<const CaseLayout*>& layouts,
                                                             const Setup& setup);

    // From a record of plans instead: no host code runs. All of them are checked against this build.
    static Judged<std::shared_ptr<const PlannedKernel>> fromRecord(const ProblemPack& pack, const BuildPlan& build,
                                                                   const std::vector<const CaseLayout*>& layouts,
                                                                   const KernelPlans& recorded);
    // For the verdict. `timed`: the layouts that are measured.
    KernelPlans record(const ProblemPack& pack, const std::vector<CaseLayout>& timed) const;

    struct Case {
        FrozenLayout layout;
        LaunchPlan setup;
        LaunchPlan plan;
        double firstSolveUs = 0;
        double solveUs = 0;
    };
    // Of one of the layouts that were planned, or of an equal one.
    const Case& of(const CaseLayout& layout) const;
    const std::filesystem::path& deviceModule() const { return m_deviceModule; }
    // Of the largest case.
    std::uint64_t inputBytes() const { return m_inputBytes; }
    std::uint64_t outputBytes() const { return m_outputBytes; }

private:
    struct Planned {
        Shape shape;
        std::uint32_t bandBehindBytes = 0; // of all its tensors
        Case kernel;
    };
    const Planned* find(const CaseLayout& layout) const;
    Judged<void> takeBuild(const BuildPlan& build);
    void add(const CaseLayout& layout, Case kernel);

    std::filesystem::path m_deviceModule;
    ModuleFacts m_facts;
    std::vector<Planned> m_cases;
    std::uint64_t m_inputBytes = 0;
    std::uint64_t m_outputBytes = 0;
};

} // namespace gks
