// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/evaluator/trial/case_data.h"
#include "core/judge/evaluator/trial/kernel_planner.h"
#include "core/judge/recorded_plans.h"

#include <memory>
#include <vector>

namespace gks {

// A kernel of any target on all shapes of an evaluation: what its host code asks of the device, planned and checked
// before anything of its device code runs. Who executes it is given device code, setups and plans, and nothing else of
// the candidate. A shape has one plan, whatever it is executed for.
class PlannedKernel {
public:
    static Judged<std::shared_ptr<const PlannedKernel>> plan(const ProblemPack& pack, const BuildPlan& build,
                                                             const std::vector<const CaseLayout*>& layouts,
                                                             const KernelPlanner::Setup& setup);

    // From a record of plans instead: no host code runs. All of them are checked against this build. Of the setup it is
    // target and device that count.
    static Judged<std::shared_ptr<const PlannedKernel>> fromRecord(const ProblemPack& pack, const BuildPlan& build,
                                                                   const std::vector<const CaseLayout*>& layouts,
                                                                   const KernelPlanner::Setup& setup,
                                                                   const KernelPlans& recorded);
    // For the verdict. `timed`: the layouts that are measured.
    KernelPlans record(const ProblemPack& pack, const std::vector<CaseLayout>& timed) const;

    struct Case {
        SetAddresses addresses;
        PlannedCall call;
    };
    // Of one of the shapes that were planned.
    const Case& of(const CaseLayout& layout) const;
    // Device code: a module of the cpu target, a cubin, or AMD's code object.
    const std::filesystem::path& deviceModule() const { return m_deviceModule; }
    const std::filesystem::path& checkedModule() const { return m_checkedModule; } // cpu target: tells its accesses
    const ModuleFacts& facts() const { return m_facts; }
    // cpu target: of the segments that the largest case needs.
    std::uint64_t inputBytes() const { return m_inputBytes; }
    std::uint64_t outputBytes() const { return m_outputBytes; }

private:
    struct Planned {
        Shape shape;
        Case kernel;
    };
    const Planned* find(const CaseLayout& layout) const;
    void takeBuild(const BuildPlan& build, ModuleFacts facts);
    void add(const ProblemPack& pack, const CaseLayout& layout, Case kernel);

    std::filesystem::path m_deviceModule;
    std::filesystem::path m_checkedModule;
    ModuleFacts m_facts;
    std::vector<Planned> m_cases;
    std::uint64_t m_inputBytes = 0;
    std::uint64_t m_outputBytes = 0;
};

// Where the buffers of a shape lie on a target.
SetAddresses addressesOn(const ProblemPack& pack, TargetKind target, const CaseLayout& layout,
                         std::uint64_t workspaceBytes);
std::uint64_t workspaceLimitBytes(TargetKind target); // more is refused

} // namespace gks
