// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator/trial/planned_kernel.h"

#include "core/judge/evaluator/session/frozen_layout.h"
#include "core/judge/evaluator/session/gpu_layout.h"
#include "core/judge/evaluator/trial/kernel_trial.h"

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

// What host code is kept from: nothing of its process may come to lie where it is told that buffers are.
std::uint64_t reserveBytesFor(const ProblemPack& pack, TargetKind target,
                              const std::vector<const CaseLayout*>& layouts) {
    if (target != TargetKind::cpu) {
        return gpuReservedBytes();
    }
    std::uint64_t bytes = 0;
    for (const CaseLayout* layout : layouts) {
        bytes = std::max(bytes, cpuWorkspaceBytes + reserveStepBytes + spanOf(frozenLayoutOf(pack, *layout, 0)));
    }
    return bytes;
}

template<class T>
Judged<T> ofShape(const ProblemPack& pack, const CaseLayout& layout, Judged<T> planned) {
    if (!planned) {
        planned.error().reason = fmt::format("{}: {}", pack.shapeLabel(layout.shape), planned.error().reason);
    }
    return planned;
}

} // namespace

SetAddresses addressesOn(const ProblemPack& pack, TargetKind target, const CaseLayout& layout,
                         std::uint64_t workspaceBytes) {
    return target == TargetKind::cpu ? frozenLayoutOf(pack, layout, workspaceBytes).addresses
                                     : gpuAddressesOf(pack, layout, workspaceBytes);
}

std::uint64_t workspaceLimitBytes(TargetKind target) {
    return target == TargetKind::cpu ? cpuWorkspaceBytes : gpuWorkspaceBytes;
}

const PlannedKernel::Planned* PlannedKernel::find(const CaseLayout& layout) const {
    const auto found = std::find_if(m_cases.begin(), m_cases.end(),
                                    [&](const Planned& planned) { return planned.shape == layout.shape; });
    return found == m_cases.end() ? nullptr : &*found;
}

const PlannedKernel::Case& PlannedKernel::of(const CaseLayout& layout) const {
    return find(layout)->kernel;
}

void PlannedKernel::takeBuild(const BuildPlan& build, ModuleFacts facts) {
    m_deviceModule = build.deviceModule;
    m_checkedModule = build.checkedModule;
    m_facts = std::move(facts);
}

void PlannedKernel::add(const ProblemPack& pack, const CaseLayout& layout, Case kernel) {
    if (m_facts.code == DeviceCode::cpu) {
        const FrozenLayout segments = frozenLayoutOf(pack, layout, kernel.addresses.workspaceBytes);
        m_inputBytes = std::max(m_inputBytes, segments.inputBytes);
        m_outputBytes = std::max(m_outputBytes, segments.outputBytes);
    }
    m_cases.push_back({layout.shape, std::move(kernel)});
}

Judged<std::shared_ptr<const PlannedKernel>> PlannedKernel::plan(const ProblemPack& pack, const BuildPlan& build,
                                                                 const std::vector<const CaseLayout*>& layouts,
                                                                 const KernelPlanner::Setup& setup) {
    const TargetKind target = setup.target.kind;
    auto kernel = std::make_shared<PlannedKernel>();
    GKS_TRY_ASSIGN(const std::unique_ptr<KernelPlanner> planner,
                   KernelPlanner::open(build, setup, reserveBytesFor(pack, target, layouts)));
    kernel->takeBuild(build, planner->facts());
    for (const CaseLayout* layout : layouts) {
        if (kernel->find(*layout) != nullptr) {
            continue;
        }
        GKS_TRY_ASSIGN(const std::uint64_t workspaceBytes,
                       ofShape(pack, *layout,
                               planner->workspaceBytes(layout->shape, addressesOn(pack, target, *layout, 0),
                                                       workspaceLimitBytes(target))));
        Case one = {addressesOn(pack, target, *layout, workspaceBytes), {}};
        GKS_TRY_ASSIGN(one.call, ofShape(pack, *layout, planner->plan(layout->shape, one.addresses)));
        kernel->add(pack, *layout, std::move(one));
    }
    return std::shared_ptr<const PlannedKernel>(std::move(kernel));
}

} // namespace gks
