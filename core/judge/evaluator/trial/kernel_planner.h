// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/evaluator/session/planner_session.h"
#include "core/judge/plan/device_answers.h"
#include "core/problem/problem.h"
#include "core/target/target.h"

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <utility>

namespace gks {

// What host code of a target is told about its device where nobody has asked one: of the cpu target this machine.
DeviceAnswers answersOf(const Target& target);

// A build of any target, with its host code in a planner process: asks it for plans. The facts about its device code
// are read before that process starts.
class KernelPlanner {
public:
    struct Setup {
        Target target;
        std::optional<DeviceAnswers> device = {}; // answersOf(target) where it is left out
        SandboxLevel sandbox = SandboxLevel::bubblewrap;
        bool allowNoSandbox = false;
        std::chrono::duration<double> timeLimit{20}; // of each call of solve()
        std::stop_token stop = {};
    };
    // What is known of the build's device code, as it is checked for this device.
    static Judged<ModuleFacts> factsOf(const BuildPlan& build, const Setup& setup);
    // `reserveBytes`: of the largest set, with its workspace.
    static Judged<std::unique_ptr<KernelPlanner>> open(const BuildPlan& build, const Setup& setup,
                                                       std::uint64_t reserveBytes);

    // What workspace_bytes() asks for; `bare` is a set without a workspace. More than `limitBytes` is refused.
    Judged<std::uint64_t> workspaceBytes(const Shape& shape, const SetAddresses& bare, std::uint64_t limitBytes);
    Judged<PlannedCall> plan(const Shape& shape, const SetAddresses& addresses);

    const ModuleFacts& facts() const { return m_facts; }

private:
    explicit KernelPlanner(ModuleFacts facts) : m_facts(std::move(facts)) {}

    ModuleFacts m_facts;
    std::unique_ptr<PlannerSession> m_session;
};

} // namespace gks
