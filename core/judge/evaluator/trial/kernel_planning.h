// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/evaluator/build/kernel_build.h"
#include "core/judge/evaluator/session/planner_session.h"
#include "core/problem/problem.h"

#include <cstdint>
#include <map>
#include <stop_token>
#include <string>
#include <vector>

// A kernel for one shape, built and planned, and nothing of its device code run: for people who want
// to see what solve() does.
namespace gks {

struct PlanningRequest {
    const ProblemPack& pack;
    Target target;
    std::string source;
    Shape shape;
    std::vector<std::string> compilerOptions;
    bool allowNoSandbox = false;
};

struct KernelPlan {
    PlannedCall call;
    ModuleFacts facts;
    SetAddresses addresses;                     // those of an evaluation; no tensor lies there now
    std::map<std::uint64_t, std::string> lines; // of the places in the plans
};

// The plan that an evaluation makes for this shape. `log` gets what the compiler says.
Judged<KernelPlan> planKernel(const PlanningRequest& request, std::string& log, const std::stop_token& stop);

} // namespace gks
