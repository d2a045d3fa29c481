// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator/trial/kernel_planning.h"

#include "core/judge/evaluator/trial/kernel_planner.h"
#include "core/judge/plan/plan_compare.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <set>

namespace gks {
namespace {

constexpr std::uint64_t plannedSetBegin = 0x200000000000; // where nothing of a process comes to lie by itself
constexpr std::uint64_t plannedSetDistance = std::uint64_t{1} << 40;
constexpr std::uint64_t bufferAlignmentBytes = std::uint64_t{2} << 20;
constexpr std::uint64_t plannedWorkspaceLimitBytes = std::uint64_t{1} << 30;

// Buffers one after the other, each with free pages behind it.
Result<SetAddresses> madeUpAddresses(const ProblemPack& pack, const Shape& shape, std::uint64_t begin,
                                     std::uint64_t workspaceBytes) {
    SetAddresses addresses;
    for (const TensorSpec& tensor : pack.tensors) {
        GKS_TRY_ASSIGN(const std::int64_t count, pack.elementCount(tensor, shape));
        const std::uint64_t bytes = static_cast<std::uint64_t>(count) * sizeBytes(tensor.type);
        addresses.tensors.push_back({tensor.name, begin, bytes, tensor.role == TensorRole::output});
        begin += (bytes / bufferAlignmentBytes + 2) * bufferAlignmentBytes;
    }
    addresses.workspace = workspaceBytes > 0 ? begin : 0;
    addresses.workspaceBytes = workspaceBytes;
    return addresses;
}

std::uint64_t bytesOf(const SetAddresses& addresses) {
    std::uint64_t bytes = addresses.workspaceBytes;
    for (const TensorAddress& tensor : addresses.tensors) {
        bytes += tensor.bytes;
    }
    return bytes;
}

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
    const auto bare = madeUpAddresses(request.pack, request.shape, plannedSetBegin, 0);
    if (!bare) {
        return refuse(bare.error());
    }
    GKS_TRY_ASSIGN(const std::unique_ptr<KernelPlanner> planner,
                   KernelPlanner::open(build->plan(), setup, bytesOf(*bare) + plannedWorkspaceLimitBytes));
    GKS_TRY_ASSIGN(const std::uint64_t workspaceBytes,
                   planner->workspaceBytes(request.shape, *bare, plannedWorkspaceLimitBytes));
    std::array<SetAddresses, 2> sets;
    std::array<PlannedCall, 2> calls;
    for (std::size_t i = 0; i < sets.size(); ++i) {
        sets[i] = madeUpAddresses(request.pack, request.shape, plannedSetBegin + i * plannedSetDistance, workspaceBytes)
                      .value();
        GKS_TRY_ASSIGN(calls[i], planner->plan(request.shape, sets[i]));
    }
    if (const auto same = differByAddressesAlone(calls[0].plan, sets[0], calls[1].plan, sets[1]); !same) {
        return refuse(same.error());
    }
    auto lines = planner->places().linesOf(placesIn(calls[0]));
    return KernelPlan{std::move(calls[0]), planner->facts(), std::move(sets[0]), std::move(lines)};
}

} // namespace gks
