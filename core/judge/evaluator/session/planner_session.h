// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/process.h"
#include "core/judge/confine/sandbox.h"
#include "core/judge/evaluator/build/module_places.h"
#include "core/judge/evaluator/refusal.h"
#include "core/judge/plan/device_answers.h"
#include "core/judge/plan/launch_plan.h"
#include "core/judge/plan/module_facts.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace gks {

// What a call of solve() does with one set of tensors, checked. The numbers beside the plans come from a process that
// runs the candidate's host code: they are for people.
struct PlannedCall {
    // Once before the first call, in whatever process that is: of this plan and of all that the session has made
    // before, since host code that has written a variable for one of them does not write it again for the next.
    LaunchPlan setup;
    LaunchPlan plan;
    double firstUs = 0; // of solve(), with what it does only once
    double secondUs = 0;
    std::uint64_t hostWaits = 0; // for the device; the order that they make is in the plan
};

// One sandboxed planner process with a candidate's host module, and the conversation with it. No device, no tensor and
// no clock of the judge is there. Once something went wrong every further call says so.
class PlannerSession {
public:
    struct Setup {
        std::filesystem::path hostModule;
        ModuleFacts facts;
        DeviceAnswers device;
        std::size_t reserveBytes = 0; // of the largest set, with its workspace
        SandboxLevel sandbox = SandboxLevel::bubblewrap;
        bool allowNoSandbox = false;
        std::chrono::duration<double> timeLimit{20}; // of each request
        std::stop_token stop = {};
    };
    // Starts the process and loads the module.
    static Judged<std::unique_ptr<PlannerSession>> start(Setup setup);
    ~PlannerSession();

    // What workspace_bytes() asks for; 0 when there is no such function. `problem` as problemBytes() makes it.
    Judged<std::uint64_t> workspaceBytes(std::span<const std::uint8_t> problem);
    Judged<PlannedCall> plan(std::span<const std::uint8_t> problem, const SetAddresses& addresses);

private:
    explicit PlannerSession(Setup setup);
    Judged<void> launch();
    Judged<Json> ask(const Json& request);
    Judged<Json> converse(const Json& request);
    Judged<void> send(const std::string& text);
    Judged<void> receive(char* into, std::size_t bytes, std::chrono::steady_clock::time_point deadline);
    Judged<Json> judged(const std::string& text) const;
    Refusal ended();
    std::string at(const Json& json, const char* key) const;
    bool isAsked(const std::string& name) const; // of what a planner speaks

    Setup m_setup;
    ModulePlaces m_places;
    std::optional<ChildProcess> m_child;
    int m_channel = -1;
    bool m_isReady = false;             // from then on the candidate's code may run in there
    std::vector<std::string> m_tensors; // of the set that was asked about last
    LaunchPlan m_setupSoFar;
    std::optional<Refusal> m_broken;
};

// struct Problem of a shape with a set's addresses, as generateProblemHeader() lays it out.
std::vector<std::uint8_t> problemBytes(std::span<const std::int64_t> shape, const SetAddresses& addresses);

std::filesystem::path captureLibrary(DeviceCode code);
// What the planner's side of the wall may see: the capture library and the module. No device, nothing to write to.
SandboxPolicy plannerPolicy(const PlannerSession::Setup& setup);

} // namespace gks
