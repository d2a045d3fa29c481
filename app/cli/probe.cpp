// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/probe.h"

#include "app/cli/commands.h"
#include "app/cli/evaluation.h"
#include "app/cli/output.h"
#include "app/cli/probe_text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gks::cli {
namespace {

Result<EvaluationRequest> probeRequestFrom(const Arguments& arguments) {
    EvaluationRequest request;
    request.id = "1";
    request.problem = probePackName;
    GKS_TRY_ASSIGN(request.source, readKernel(arguments.positional()));
    GKS_TRY(probeVariants(request.source));
    GKS_TRY_ASSIGN(request.target, targetFromName(arguments.value("--target", "cpu")));
    GKS_TRY_ASSIGN(request.device, arguments.wholeNumber("--device", 0, 0));
    GKS_TRY_ASSIGN(request.measureSeconds,
                   arguments.number("--measure-seconds", defaultMeasureSeconds(request.target), 0.01));
    GKS_TRY_ASSIGN(request.timeoutSeconds, arguments.number("--timeout-seconds", request.timeoutSeconds, 0.1));
    request.allowNoSandbox = arguments.has("--allow-no-sandbox");
    GKS_TRY_ASSIGN(request.compilerOptions, compilerOptions(arguments));
    return request;
}

void print(const Verdict& verdict, const std::vector<ProbeFigure>& figures) {
    say("{}, {}{}\n{}", verdict.target, verdict.device,
        verdict.target == "cpu" ? ": figures of this CPU, not of a GPU" : "", probeTable(figures));
    for (const std::string& warning : verdict.warnings) {
        say("Warning: {}\n", warning);
    }
}

int runProbe(const Arguments& arguments) {
    const auto request = probeRequestFrom(arguments);
    if (!request) {
        return failed(request.error());
    }
    const Verdict verdict = evaluateInForeground(*request);
    if (!isAccepted(verdict.kind)) {
        printBuildFailure(verdict);
        note("{}{}\n", verdictText(verdict.kind, verdict.reason), verdict.next.empty() ? "" : ". " + verdict.next);
        return exitStatus(verdict);
    }
    const auto figures = probeFigures(request->source, verdict);
    if (!figures) {
        return failed(figures.error());
    }
    if (arguments.has("--json")) {
        printJson({{"target", verdict.target},
                   {"device", verdict.device},
                   {"sha256", verdict.kernelSha256},
                   {"clock", verdict.measurements.empty() ? "" : verdict.measurements.front().clock},
                   {"figures", toJson(*figures)}});
    } else {
        print(verdict, *figures);
    }
    return done;
}

} // namespace

const Command probeCommand = {
    "probe",
    "PROBE.hip",
    "Measure what a load pattern, a barrier or an instruction costs",
    {{"--target", "cpu|amd|nvidia", "target to run on (default: cpu)", false},
     {"--device", "N", "device index (default: 0)", false},
     {"--measure-seconds", "S", "budget of the measuring phase, over all variants (3, on a GPU 1.2)", false},
     {"--timeout-seconds", "S", "longest single call (120)", false},
     compilerOptionsOption,
     {"--allow-no-sandbox", "", "run even where no sandbox works; only for probes that you trust", false},
     {"--json", "", "print JSON", false}},
    runProbe};

} // namespace gks::cli
