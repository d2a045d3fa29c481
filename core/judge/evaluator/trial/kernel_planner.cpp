// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator/trial/kernel_planner.h"

#include "core/judge/evaluator/build/module_facts_reader.h"
#include "core/judge/evaluator/session/runner_policy.h"

#include <fmt/format.h>
#include <unistd.h>

namespace gks {
namespace {

DeviceAnswers answersOfThisMachine(const std::string& architecture) {
    DeviceAnswers device;
    device.architecture = architecture;
    device.computeUnits = static_cast<std::uint32_t>(timedThreadsOnCpu());
    device.memoryBytes =
        static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    return device;
}

} // namespace

DeviceAnswers answersOf(const Target& target) {
    switch (target.kind) {
    case TargetKind::amd:
        return commonMi300x();
    case TargetKind::nvidia:
        return commonH200();
    case TargetKind::cpu:
        break;
    }
    return answersOfThisMachine(target.architecture);
}

Judged<ModuleFacts> KernelPlanner::factsOf(const BuildPlan& build, const Setup& setup) {
    auto facts = readModuleFacts(setup.target, build, setup.device.value_or(answersOf(setup.target)));
    if (!facts) {
        return refuse(facts.error());
    }
    return std::move(*facts);
}

Judged<std::unique_ptr<KernelPlanner>> KernelPlanner::open(const BuildPlan& build, const Setup& setup,
                                                           std::uint64_t reserveBytes) {
    GKS_TRY_ASSIGN(ModuleFacts facts, factsOf(build, setup));
    auto planner = std::unique_ptr<KernelPlanner>(new KernelPlanner(std::move(facts)));
    PlannerSession::Setup session;
    session.device = setup.device.value_or(answersOf(setup.target));
    session.hostModule = build.hostModule;
    session.facts = planner->m_facts;
    session.reserveBytes = reserveBytes;
    session.sandbox = setup.sandbox;
    session.allowNoSandbox = setup.allowNoSandbox;
    session.timeLimit = setup.timeLimit;
    session.stop = setup.stop;
    GKS_TRY_ASSIGN(planner->m_session, PlannerSession::start(std::move(session)));
    return planner;
}

Judged<std::uint64_t> KernelPlanner::workspaceBytes(const Shape& shape, const SetAddresses& bare,
                                                    std::uint64_t limitBytes) {
    GKS_TRY_ASSIGN(const std::uint64_t bytes, m_session->workspaceBytes(problemBytes(shape, bare)));
    if (bytes > limitBytes) {
        return refuse(VerdictKind::wrong,
                      fmt::format("workspace_bytes() asked for {} bytes, more than available", bytes));
    }
    return bytes;
}

Judged<PlannedCall> KernelPlanner::plan(const Shape& shape, const SetAddresses& addresses) {
    return m_session->plan(problemBytes(shape, addresses), addresses);
}

} // namespace gks
