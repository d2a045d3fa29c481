// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/judge/evaluator/session/runner_policy.h"
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
const ShapePlan* recordedFor(const KernelPlans& recorded, const ProblemPack& pack, const CaseLayout& layout,
                             FrozenLayout& into) {
    const auto named = pack.namedShape(layout.shape);
    for (const ShapePlan& one : recorded.shapes) {
        if (one.shape == named && one.addresses.workspaceBytes <= cpuWorkspaceBytes) {
            into = frozenLayoutOf(pack, layout, one.addresses.workspaceBytes);
            if (into.addresses == one.addresses) {
                return &one;
            }
        }
    }
    return nullptr;
}

} // namespace

Judged<std::shared_ptr<const PlannedKernel>> PlannedKernel::fromRecord(const ProblemPack& pack, const BuildPlan& build,
                                                                       const std::vector<const CaseLayout*>& layouts,
                                                                       const KernelPlans& recorded) {
    auto kernel = std::make_shared<PlannedKernel>();
    GKS_TRY(kernel->takeBuild(build));
    for (const CaseLayout* layout : layouts) {
        if (kernel->find(*layout) != nullptr) {
            continue;
        }
        Case one;
        const ShapePlan* const found = recordedFor(recorded, pack, *layout, one.layout);
        if (found == nullptr) {
            return refuse(
                VerdictKind::infrastructureFailed,
                fmt::format("{}: there is no recorded plan with these addresses", pack.shapeLabel(layout->shape)),
                "Use the version that wrote the record");
        }
        one.setup = found->setup;
        one.plan = found->plan;
        clearPadding(one.plan, kernel->m_facts);
        auto checked = checkSetup(one.setup, kernel->m_facts, one.layout.addresses);
        if (checked) {
            checked = checkPlan(one.plan, kernel->m_facts, one.layout.addresses);
        }
        if (!checked) {
            return refuse(VerdictKind::wrong, fmt::format("{}: the recorded plan does not fit this build: {}",
                                                          pack.shapeLabel(layout->shape), checked.error().message()));
        }
        one.firstSolveUs = found->firstSolveUs;
        one.solveUs = found->solveUs;
        kernel->add(*layout, std::move(one));
    }
    return std::shared_ptr<const PlannedKernel>(std::move(kernel));
}

KernelPlans PlannedKernel::record(const ProblemPack& pack, const std::vector<CaseLayout>& timed) const {
    KernelPlans plans;
    plans.facts = m_facts;
    if (auto code = readFile(m_deviceModule)) {
        plans.deviceCodeSha256 = sha256Hex(*code);
        if (code->size() <= deviceCodeLimitBytes) {
            plans.deviceCode = std::move(*code);
        }
    }
    for (const Planned& planned : m_cases) {
        const bool isTimed =
            std::any_of(timed.begin(), timed.end(), [&](const CaseLayout& layout) { return find(layout) == &planned; });
        plans.shapes.push_back({pack.namedShape(planned.shape), isTimed, planned.kernel.layout.addresses,
                                planned.kernel.setup, planned.kernel.plan, planned.kernel.firstSolveUs,
                                planned.kernel.solveUs});
    }
    return plans;
}

} // namespace gks
