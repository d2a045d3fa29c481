// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator/trial/planned_kernel.h"

#include "core/judge/evaluator/build/module_facts_reader.h"
#include "core/judge/evaluator/session/runner_policy.h"
#include "core/judge/evaluator/trial/kernel_trial.h"
#include "core/judge/plan/plan_compare.h"

#include <algorithm>
#include <fmt/format.h>

namespace gks {
namespace {

constexpr std::uint64_t reserveStepBytes = std::uint64_t{1} << 30;

// From the first region to the end of the last.
std::uint64_t spanOf(const FrozenLayout& layout) {
    const frozen::Region& last = layout.regions.back();
    return last.address + last.bytes + frozen::readableBytes + frozen::guardBytes - frozen::firstAddress;
}

template<class T>
Judged<T> ofShape(const ProblemPack& pack, const CaseLayout& layout, Judged<T> planned) {
    if (!planned) {
        planned.error().reason = fmt::format("{}: {}", pack.shapeLabel(layout.shape), planned.error().reason);
    }
    return planned;
}

} // namespace

Judged<std::shared_ptr<const GpuPlannedKernel>> GpuPlannedKernel::plan(const ProblemPack& pack, const BuildPlan& build,
                                                                       const std::vector<const CaseLayout*>& layouts,
                                                                       const Sets& sets,
                                                                       const KernelPlanner::Setup& setup) {
    auto kernel = std::make_shared<GpuPlannedKernel>();
    kernel->m_deviceCode = build.deviceModule;
    GKS_TRY_ASSIGN(const std::unique_ptr<KernelPlanner> planner, KernelPlanner::open(build, setup, sets.reserveBytes));
    kernel->m_facts = planner->facts();
    for (const CaseLayout* layout : layouts) {
        if (kernel->find(*layout) != nullptr) {
            continue;
        }
        Case one;
        GKS_TRY_ASSIGN(one.workspaceBytes, ofShape(pack, *layout,
                                                   planner->workspaceBytes(layout->shape, sets.place(*layout, 0, 0),
                                                                           sets.workspaceLimitBytes)));
        for (std::size_t i = 0; i < sets.count; ++i) {
            Set set = {sets.place(*layout, i, one.workspaceBytes), {}};
            GKS_TRY_ASSIGN(set.call, ofShape(pack, *layout, planner->plan(layout->shape, set.addresses)));
            one.sets.push_back(std::move(set));
            const Set& first = one.sets.front();
            const Set& last = one.sets.back();
            if (const auto same =
                    differByAddressesAlone(first.call.plan, first.addresses, last.call.plan, last.addresses);
                !same) {
                return ofShape(pack, *layout, Judged<std::shared_ptr<const GpuPlannedKernel>>(refuse(same.error())));
            }
        }
        kernel->m_cases.push_back({layout->shape, std::move(one)});
    }
    return std::shared_ptr<const GpuPlannedKernel>(std::move(kernel));
}

const GpuPlannedKernel::Planned* GpuPlannedKernel::find(const CaseLayout& layout) const {
    const auto found = std::find_if(m_cases.begin(), m_cases.end(),
                                    [&](const Planned& planned) { return planned.shape == layout.shape; });
    return found == m_cases.end() ? nullptr : &*found;
}

const GpuPlannedKernel::Case& GpuPlannedKernel::of(const CaseLayout& layout) const {
    return find(layout)->kernel;
}

const PlannedKernel::Planned* PlannedKernel::find(const CaseLayout& layout) const {
    const auto found = std::find_if(m_cases.begin(), m_cases.end(),
                                    [&](const Planned& planned) { return planned.shape == layout.shape; });
    return found == m_cases.end() ? nullptr : &*found;
}

const PlannedKernel::Case& PlannedKernel::of(const CaseLayout& layout) const {
    return find(layout)->kernel;
}

Judged<void> PlannedKernel::takeBuild(const BuildPlan& build) {
    m_deviceModule = build.deviceModule;
    auto facts = readModuleFacts(commonTarget(TargetKind::cpu), build, {});
    if (!facts) {
        return refuse(facts.error());
    }
    m_facts = std::move(*facts);
    return {};
}

void PlannedKernel::add(const CaseLayout& layout, Case kernel) {
    m_inputBytes = std::max(m_inputBytes, kernel.layout.inputBytes);
    m_outputBytes = std::max(m_outputBytes, kernel.layout.outputBytes);
    m_cases.push_back({layout.shape, std::move(kernel)});
}

Judged<std::shared_ptr<const PlannedKernel>> PlannedKernel::plan(const ProblemPack& pack, const BuildPlan& build,
                                                                 const std::vector<const CaseLayout*>& layouts,
                                                                 const KernelPlanner::Setup& setup) {
    auto kernel = std::make_shared<PlannedKernel>();
    GKS_TRY(kernel->takeBuild(build));
    std::uint64_t reserveBytes = 0;
    for (const CaseLayout* layout : layouts) {
        reserveBytes =
            std::max(reserveBytes, cpuWorkspaceBytes + reserveStepBytes + spanOf(frozenLayoutOf(pack, *layout, 0)));
    }
    GKS_TRY_ASSIGN(const std::unique_ptr<KernelPlanner> planner, KernelPlanner::open(build, setup, reserveBytes));
    for (const CaseLayout* layout : layouts) {
        if (kernel->find(*layout) != nullptr) {
            continue;
        }
        GKS_TRY_ASSIGN(const std::uint64_t workspaceBytes,
                       ofShape(pack, *layout,
                               planner->workspaceBytes(layout->shape, frozenLayoutOf(pack, *layout, 0).addresses,
                                                       cpuWorkspaceBytes)));
        Case one{frozenLayoutOf(pack, *layout, workspaceBytes), {}, {}};
        GKS_TRY_ASSIGN(PlannedCall planned, ofShape(pack, *layout, planner->plan(layout->shape, one.layout.addresses)));
        one.setup = std::move(planned.setup);
        one.plan = std::move(planned.plan);
        one.firstSolveUs = planned.firstUs;
        one.solveUs = planned.secondUs;
        kernel->add(*layout, std::move(one));
    }
    return std::shared_ptr<const PlannedKernel>(std::move(kernel));
}

} // namespace gks
