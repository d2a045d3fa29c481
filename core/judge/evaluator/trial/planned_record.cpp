// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/judge/evaluator/trial/planned_kernel.h"
#include "core/judge/plan/plan_check.h"
#include "core/judge/plan/plan_compare.h"

#include <algorithm>
#include <fmt/format.h>

// What a verdict keeps of a planned kernel, and a planned kernel made of that again.
namespace gks {
namespace {

// A plan speaks of addresses, so it is of one layout: tensors of another version of the judge, or with other guard
// bands, lie elsewhere. The workspace is as large as the record has it.
const ShapePlan* recordedFor(const KernelPlans& recorded, const ProblemPack& pack, TargetKind target,
                             const CaseLayout& layout) {
    const auto named = pack.namedShape(layout.shape);
    const auto found = std::find_if(recorded.shapes.begin(), recorded.shapes.end(), [&](const ShapePlan& one) {
        const std::uint64_t workspaceBytes = one.addresses.workspaceBytes;
        return one.shape == named && workspaceBytes <= workspaceLimitBytes(target) &&
               addressesOn(pack, target, layout, workspaceBytes) == one.addresses;
    });
    return found == recorded.shapes.end() ? nullptr : &*found;
}

} // namespace

Judged<std::shared_ptr<const PlannedKernel>> PlannedKernel::fromRecord(const ProblemPack& pack, const BuildPlan& build,
                                                                       const std::vector<const CaseLayout*>& layouts,
                                                                       const KernelPlanner::Setup& setup,
                                                                       const KernelPlans& recorded) {
    auto kernel = std::make_shared<PlannedKernel>();
    GKS_TRY_ASSIGN(ModuleFacts facts, KernelPlanner::factsOf(build, setup));
    kernel->takeBuild(build, std::move(facts));
    for (const CaseLayout* layout : layouts) {
        if (kernel->find(*layout) != nullptr) {
            continue;
        }
        const ShapePlan* const found = recordedFor(recorded, pack, setup.target.kind, *layout);
        if (found == nullptr) {
            return refuse(
                VerdictKind::infrastructureFailed,
                fmt::format("{}: there is no recorded plan with these addresses", pack.shapeLabel(layout->shape)),
                "Use the version that wrote the record");
        }
        Case one = {found->addresses, {found->setup, found->plan, found->firstSolveUs, found->solveUs}};
        clearPadding(one.call.plan, kernel->m_facts);
        auto checked = checkSetup(one.call.setup, kernel->m_facts, one.addresses);
        if (checked) {
            checked = checkPlan(one.call.plan, kernel->m_facts, one.addresses);
        }
        if (!checked) {
            return refuse(VerdictKind::wrong, fmt::format("{}: the recorded plan does not fit this build: {}",
                                                          pack.shapeLabel(layout->shape), checked.error().message()));
        }
        kernel->add(pack, *layout, std::move(one));
    }
    return std::shared_ptr<const PlannedKernel>(std::move(kernel));
}

KernelPlans PlannedKernel::record(const ProblemPack& pack, const std::vector<CaseLayout>& timed) const {
    KernelPlans plans;
    plans.facts = m_facts;
    if (auto code = readFile(m_deviceModule)) {
        plans.deviceCodeSha256 = sha256Hex(*code);
        plans.deviceCodeBytes = code->size();
        if (code->size() <= deviceCodeLimitBytes) {
            plans.deviceCode = std::move(*code);
        }
    }
    for (const Planned& planned : m_cases) {
        const bool isTimed =
            std::any_of(timed.begin(), timed.end(), [&](const CaseLayout& layout) { return find(layout) == &planned; });
        const PlannedCall& call = planned.kernel.call;
        plans.shapes.push_back({pack.namedShape(planned.shape), isTimed, planned.kernel.addresses, call.setup,
                                call.plan, call.firstUs, call.secondUs});
    }
    return plans;
}

} // namespace gks
