// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/evaluator/session/frozen_layout.h"
#include "core/judge/evaluator/trial/kernel_planner.h"
#include "core/judge/recorded_plans.h"

#include <functional>
#include <memory>
#include <vector>

namespace gks {

// A kernel of a GPU's target on all shapes and sets of buffers of an evaluation: what its host code asks of the device,
// planned and checked before anything of its device code runs. The runner is given device code, setups and plans, and
// nothing else of the candidate.
class GpuPlannedKernel {
public:
    // Where the buffers of a set lie on the device, now that the size of the workspace is known. Variables may be
    // left out: then host code that asks for the address of one is refused.
    using Place = std::function<SetAddresses(const CaseLayout& layout, std::size_t set, std::uint64_t workspaceBytes)>;
    struct Sets {
        std::size_t count = 1; // for each layout
        std::uint64_t workspaceLimitBytes = 0;
        std::uint64_t reserveBytes = 0; // at most of one set with its workspace
        Place place;
    };
    // The plans of one layout's sets differ by the buffers' addresses alone.
    static Judged<std::shared_ptr<const GpuPlannedKernel>> plan(const ProblemPack& pack, const BuildPlan& build,
                                                                const std::vector<const CaseLayout*>& layouts,
                                                                const Sets& sets, const KernelPlanner::Setup& setup);

    struct Set {
        SetAddresses addresses;
        PlannedCall call; // its setup holds what the setups of all sets planned before it hold, in their order
    };
    struct Case {
        std::uint64_t workspaceBytes = 0;
        std::vector<Set> sets;
    };
    // Of one of the layouts that were planned, or of an equal one.
    const Case& of(const CaseLayout& layout) const;
    const std::filesystem::path& deviceCode() const { return m_deviceCode; } // a cubin, or AMD's code object
    const ModuleFacts& facts() const { return m_facts; }

private:
    struct Planned {
        Shape shape;
        Case kernel;
    };
    const Planned* find(const CaseLayout& layout) const;

    std::filesystem::path m_deviceCode;
    ModuleFacts m_facts;
    std::vector<Planned> m_cases;
};

// A kernel of the cpu target likewise. It has one set of buffers.
class PlannedKernel {
public:
    static Judged<std::shared_ptr<const PlannedKernel>> plan(const ProblemPack& pack, const BuildPlan& build,
                                                             const std::vector<const CaseLayout*>& layouts,
                                                             const KernelPlanner::Setup& setup);

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
    // Of a shape that was planned: each has one plan, whatever is mapped behind its tensors.
    const Case& of(const CaseLayout& layout) const;
    const std::filesystem::path& deviceModule() const { return m_deviceModule; }
    const ModuleFacts& facts() const { return m_facts; }
    // Of the largest case.
    std::uint64_t inputBytes() const { return m_inputBytes; }
    std::uint64_t outputBytes() const { return m_outputBytes; }

private:
    struct Planned {
        Shape shape;
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
