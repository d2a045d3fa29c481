// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/evaluation.h"
#include "app/cli/interrupts.h"
#include "app/cli/output.h"
#include "app/cli/plan_text.h"
#include "core/base/counted.h"
#include "core/base/quantity.h"
#include "core/judge/evaluator/trial/kernel_planning.h"
#include "core/judge/plan/facts_json.h"
#include "core/judge/plan/plan_json.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gks::cli {
namespace {

Result<TargetKind> chosenTarget(const Arguments& arguments) {
    return targetFromName(arguments.value("--target", "cpu"));
}

Result<Shape> chosenShape(const ProblemPack& pack, const Arguments& arguments) {
    GKS_TRY_ASSIGN(const int number, arguments.wholeNumber("--shape", 1, 1));
    GKS_TRY_ASSIGN(const TargetKind target, chosenTarget(arguments));
    const std::vector<Shape>& shapes = pack.shapesOf(target == TargetKind::cpu ? ShapeSet::cpu : ShapeSet::benchmark);
    if (static_cast<std::size_t>(number) > shapes.size()) {
        return usageError(fmt::format("{} has {} shapes for the {} target", pack.name, shapes.size(), name(target)),
                          "--shape", "See kernel-scientist-cli problems");
    }
    return shapes[static_cast<std::size_t>(number) - 1];
}

std::string tableOf(const LaunchPlan& plan, const KernelPlan& planned,
                    const std::map<std::string, std::int64_t>& dims) {
    return planRowsText(rowsOf(plan, planned.facts, planned.addresses, dims), planned.lines);
}

void show(const KernelPlan& planned, const ProblemPack& pack, const Shape& shape) {
    const auto dims = pack.namedShape(shape);
    const PlannedCall& call = planned.call;
    say("Launch plan for {}, {} ({} target)\n{}", pack.name, pack.shapeLabel(shape), name(planned.facts.code),
        tableOf(call.plan, planned, dims));
    if (!call.setup.operations.empty()) {
        say("\nSetup, once before the first call\n{}", tableOf(call.setup, planned, dims));
    }
    say("\nOperations: {} on {}. Workspace: {}. Waits of the host: {}.\n", call.plan.operations.size(),
        counted(call.plan.streams.size(), "stream"), formatBytes(planned.addresses.workspaceBytes), call.hostWaits);
    say("solve() took {} (the first time {}). The host code says so itself; no verdict rests on it.\n",
        formatMicroseconds(call.secondUs), formatMicroseconds(call.firstUs));
}

OrderedJson toJson(const KernelPlan& planned, const ProblemPack& pack, const Shape& shape) {
    OrderedJson lines = OrderedJson::object();
    for (const auto& [place, line] : planned.lines) {
        lines[fmt::format("{:#x}", place)] = line;
    }
    return {{"problem", pack.name},
            {"target", name(planned.facts.code)},
            {"shape", pack.namedShape(shape)},
            {"solve_us", planned.call.secondUs},
            {"first_solve_us", planned.call.firstUs},
            {"host_waits", planned.call.hostWaits},
            {"addresses", OrderedJson(gks::toJson(planned.addresses))},
            {"module", OrderedJson(gks::toJson(planned.facts))},
            {"setup", OrderedJson(gks::toJson(planned.call.setup))},
            {"plan", OrderedJson(gks::toJson(planned.call.plan))},
            {"lines", std::move(lines)}};
}

int runPlan(const Arguments& arguments) {
    const auto pack = loadProblemPack(arguments.value("--problem"));
    const auto source = pack ? readKernel(arguments.positional()) : tl::unexpected(pack.error());
    const auto shape = source ? chosenShape(*pack, arguments) : tl::unexpected(source.error());
    const auto options = shape ? compilerOptions(arguments) : tl::unexpected(shape.error());
    const auto target = options ? chosenTarget(arguments) : tl::unexpected(options.error());
    if (!target) {
        return failed(target.error());
    }
    const Interrupts interrupts;
    std::string log;
    const auto planned =
        planKernel({*pack, commonTarget(*target), *source, *shape, *options, arguments.has("--allow-no-sandbox")}, log,
                   interrupts.token());
    if (!planned) {
        const Refusal& refusal = planned.error();
        if (refusal.kind == VerdictKind::buildFailed && !log.empty()) {
            note("{}\n", log);
        }
        note("{}: {}{}\n", name(refusal.kind), refusal.reason, refusal.next.empty() ? "" : ". " + refusal.next);
        return refusal.kind == VerdictKind::infrastructureFailed ? infrastructureFailed : kernelFailed;
    }
    if (arguments.has("--json")) {
        printJson(toJson(*planned, *pack, *shape));
    } else {
        show(*planned, *pack, *shape);
    }
    return done;
}

} // namespace

const Command planCommand = {
    "plan",
    "KERNEL.hip",
    "Show what solve() asks of the device: launches, copies, streams; no kernel runs",
    {{"--problem", "NAME|DIR", "name of a built-in problem, or folder of a problem pack", true},
     {"--target", "cpu|amd|nvidia", "for which devices to plan (cpu); none is needed", false},
     {"--shape", "N", "which of the problem's shapes for that target (1)", false},
     compilerOptionsOption,
     {"--allow-no-sandbox", "", "run host code even where no sandbox works", false},
     {"--json", "", "print JSON", false}},
    runPlan};

} // namespace gks::cli
