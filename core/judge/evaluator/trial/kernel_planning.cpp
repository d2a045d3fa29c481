// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator/trial/kernel_planning.h"

#include "core/judge/evaluator/build/module_places.h"
#include "core/judge/evaluator/trial/planned_kernel.h"

#include <set>

namespace gks {
namespace {

Judged<SandboxLevel> sandboxFor(const PlanningRequest& request) {
    const SandboxFinding& sandbox = availableSandbox();
    if (sandbox.level == SandboxLevel::none && !request.allowNoSandbox) {
        return refuse(VerdictKind::infrastructureFailed, "no sandbox works on this machine: " + sandbox.reason,
                      "Install bubblewrap and allow user namespaces, or allow planning without a sandbox");
    }
    return sandbox.level;
}

Judged<std::unique_ptr<KernelBuild>> builtModule(const PlanningRequest& request, SandboxLevel sandbox, std::string& log,
                                                 const std::stop_token& stop) {
    KernelBuild::Options options;
    options.target = request.target;
    options.sandbox = sandbox;
    options.allowNoSandbox = request.allowNoSandbox;
    options.staticReport = false;
    options.compilerOptions = request.compilerOptions;
    if (const auto prepared = prepareToolchain(options.target); !prepared) {
        return refuse(prepared.error());
    }
    GKS_TRY_ASSIGN(std::unique_ptr<KernelBuild> build,
                   KernelBuild::start(request.pack, request.source, options, {}, stop));
    const auto done = build->waitForModule();
    log = build->facts().log;
    GKS_TRY(done);
    GKS_TRY(build->waitForReport()); // there is none; the build is kept for the next time
    return build;
}

std::set<std::uint64_t> placesIn(const PlannedCall& call) {
    std::set<std::uint64_t> places;
    for (const LaunchPlan* plan : {&call.setup, &call.plan}) {
        for (const PlanOperation& operation : plan->operations) {
            places.insert(operation.place);
        }
    }
    places.erase(0);
    return places;
}

} // namespace

Judged<KernelPlan> planKernel(const PlanningRequest& request, std::string& log, const std::stop_token& stop) {
    GKS_TRY_ASSIGN(const SandboxLevel sandbox, sandboxFor(request));
    GKS_TRY_ASSIGN(const std::unique_ptr<KernelBuild> build, builtModule(request, sandbox, log, stop));
    KernelPlanner::Setup setup;
    setup.target = request.target;
    setup.sandbox = sandbox;
    setup.allowNoSandbox = request.allowNoSandbox;
    setup.stop = stop;
    const auto layout = layoutOf(request.pack, request.shape);
    if (!layout) {
        return refuse(layout.error());
    }
    GKS_TRY_ASSIGN(const auto planned, PlannedKernel::plan(request.pack, build->plan(), {&*layout}, setup));
    const PlannedKernel::Case& found = planned->of(*layout);
    const ModulePlaces places(build->plan().hostModule, sandbox, request.allowNoSandbox);
    return KernelPlan{found.call, planned->facts(), found.addresses, places.linesOf(placesIn(found.call))};
}

} // namespace gks
