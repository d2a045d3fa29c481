// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator/trial/planned_kernel.h"

#include "core/base/files.h"
#include "core/base/quantity.h"
#include "core/judge/evaluator/session/runner_policy.h"
#include "core/judge/evaluator/trial/kernel_trial.h"
#include "core/judge/plan/facts_json.h"

#include <algorithm>
#include <fmt/format.h>
#include <unistd.h>

namespace gks {
namespace {

constexpr std::uint64_t reserveStepBytes = std::uint64_t{1} << 30;

std::uint32_t bandBehind(const CaseLayout& layout) {
    return layout.places.empty() ? 0 : layout.places.front().bandBehindBytes;
}

// From the first region to the end of the last.
std::uint64_t spanOf(const FrozenLayout& layout) {
    const frozen::Region& last = layout.regions.back();
    return last.address + last.bytes + frozen::readableBytes + frozen::guardBytes - frozen::firstAddress;
}

std::size_t machineMemoryBytes() {
    return static_cast<std::size_t>(::sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

} // namespace

const PlannedKernel::Planned* PlannedKernel::find(const CaseLayout& layout) const {
    const auto found = std::find_if(m_cases.begin(), m_cases.end(), [&](const Planned& planned) {
        return planned.shape == layout.shape && planned.bandBehindBytes == bandBehind(layout);
    });
    return found == m_cases.end() ? nullptr : &*found;
}

const PlannedKernel::Case& PlannedKernel::of(const CaseLayout& layout) const {
    return find(layout)->kernel;
}

Judged<void> PlannedKernel::takeBuild(const BuildPlan& build) {
    m_deviceModule = build.deviceModule;
    const auto text = readFile(build.moduleFacts);
    auto facts = text ? moduleFactsFromText(*text, "facts of the module") : tl::unexpected(text.error());
    if (!facts) {
        return refuse(facts.error());
    }
    m_facts = std::move(*facts);
    return {};
}

void PlannedKernel::add(const CaseLayout& layout, Case kernel) {
    m_inputBytes = std::max(m_inputBytes, kernel.layout.inputBytes);
    m_outputBytes = std::max(m_outputBytes, kernel.layout.outputBytes);
    m_cases.push_back({layout.shape, bandBehind(layout), std::move(kernel)});
}

Judged<std::shared_ptr<const PlannedKernel>> PlannedKernel::plan(const ProblemPack& pack, const BuildPlan& build,
                                                                 const std::vector<const CaseLayout*>& layouts,
                                                                 const Setup& setup) {
    auto kernel = std::make_shared<PlannedKernel>();
    GKS_TRY(kernel->takeBuild(build));
    PlannerSession::Setup session;
    session.hostModule = build.hostModule;
    session.facts = kernel->m_facts;
    session.computeUnits = static_cast<unsigned>(timedThreadsOnCpu());
    session.memoryBytes = machineMemoryBytes();
    session.sandbox = setup.sandbox;
    session.allowNoSandbox = setup.allowNoSandbox;
    session.timeLimit = setup.timeLimit;
    session.stop = setup.stop;
    for (const CaseLayout* layout : layouts) {
        session.reserveBytes = std::max(session.reserveBytes, cpuWorkspaceBytes + reserveStepBytes +
                                                                  spanOf(frozenLayoutOf(pack, *layout, 0)));
    }
    GKS_TRY_ASSIGN(const std::unique_ptr<PlannerSession> planner, PlannerSession::start(std::move(session)));
    for (const CaseLayout* layout : layouts) {
        if (kernel->find(*layout) != nullptr) {
            continue;
        }
        const std::vector<std::uint8_t> bare = problemBytes(layout->shape, frozenLayoutOf(pack, *layout, 0).addresses);
        GKS_TRY_ASSIGN(const std::uint64_t workspaceBytes, planner->workspaceBytes(bare));
        if (workspaceBytes > cpuWorkspaceBytes) {
            return refuse(VerdictKind::wrong,
                          fmt::format("{}: workspace_bytes() asked for {} bytes, more than there is",
                                      pack.shapeLabel(layout->shape), workspaceBytes));
        }
        Case one{frozenLayoutOf(pack, *layout, workspaceBytes), {}, {}};
        auto planned = planner->plan(problemBytes(layout->shape, one.layout.addresses), one.layout.addresses);
        if (!planned) {
            planned.error().reason = fmt::format("{}: {}", pack.shapeLabel(layout->shape), planned.error().reason);
            return tl::unexpected(planned.error());
        }
        one.setup = std::move(planned->setup);
        one.plan = std::move(planned->plan);
        one.firstSolveUs = planned->firstUs;
        one.solveUs = planned->secondUs;
        kernel->add(*layout, std::move(one));
    }
    return std::shared_ptr<const PlannedKernel>(std::move(kernel));
}

} // namespace gks
