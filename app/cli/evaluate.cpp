// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/evaluation.h"
#include "app/cli/output.h"
#include "core/base/quantity.h"
#include "core/base/terminal_text.h"
#include "core/base/text.h"
#include "core/judge/explanation.h"
#include "core/judge/recorded_plans.h"
#include "core/problem/harness.h"
#include "core/problem/shape_text.h"
#include "core/report/bundle.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gks::cli {
namespace {

// A kernel, or in its place an anchor of the pack, which brings no source.
Result<void> takeSubject(const Arguments& arguments, EvaluationRequest& request) {
    request.anchor = arguments.value("--anchor");
    if (request.anchor.empty()) {
        if (arguments.positional().empty()) {
            return usageError("missing KERNEL.hip");
        }
        GKS_TRY_ASSIGN(request.source, readKernel(arguments.positional()));
        return {};
    }
    if (!arguments.positional().empty()) {
        return usageError("a kernel and a library were given", "--anchor",
                          "A library is measured beside a kernel that --baseline names");
    }
    for (const char* ofAKernel : {"--evidence", "--counters", "--flags"}) {
        if (arguments.has(ofAKernel)) {
            return usageError(fmt::format("a library has no {}", ofAKernel), "--anchor");
        }
    }
    GKS_TRY_ASSIGN(const ProblemPack pack, loadProblemPack(request.problem));
    std::vector<std::string> there;
    for (const AnchorSpec& anchor : pack.anchors) {
        if (anchor.name == request.anchor && anchor.target == name(request.target)) {
            return {};
        }
        there.push_back(fmt::format("{} for {}", anchor.name, anchor.target));
    }
    return usageError(fmt::format("{} has no anchor \"{}\" for {}", pack.name, request.anchor, name(request.target)),
                      "--anchor", there.empty() ? "It names no library" : "It has " + join(there, ", "));
}

// To look for a mistake: what the kernel prints is shown then, and nothing is judged.
Result<void> takeChecked(const Arguments& arguments, EvaluationRequest& request) {
    request.screen = request.checked = arguments.has("--checked");
    if (!request.checked) {
        return {};
    }
    if (request.target != TargetKind::cpu) {
        return usageError(fmt::format("no access is checked on the target {}", name(request.target)), "--checked",
                          "Leave out --target: the same source runs on the CPU");
    }
    for (const char* ofAVerdict : {"--baseline", "--anchor", "--evidence", "--counters", "--explain"}) {
        if (arguments.has(ofAVerdict)) {
            return usageError(fmt::format("nothing is measured, so there is no {}", ofAVerdict), "--checked");
        }
    }
    return {};
}

// A problem, or a command pack.
Result<std::string> problemToJudge(const Arguments& arguments) {
    const std::string given = arguments.value("--problem");
    auto problem = checkedProblem(given);
    if (problem || !isHarness(given)) {
        return problem;
    }
    for (const char* ofOurJudge :
         {"--anchor", "--counters", "--flags", "--flush-bytes", "--evidence", "--explain", "--checked"}) {
        if (arguments.has(ofOurJudge)) {
            return usageError(fmt::format("a command pack has no {}: it is judged by {}", ofOurJudge, harnessLabel),
                              given, "Leave it out, or put it into the commands of harness.toml");
        }
    }
    GKS_TRY_ASSIGN(const Harness harness, loadHarness(given));
    return harness.folder.string();
}

Result<EvaluationRequest> requestFrom(const Arguments& arguments) {
    EvaluationRequest request;
    request.id = "1";
    GKS_TRY_ASSIGN(request.problem, problemToJudge(arguments));
    GKS_TRY_ASSIGN(request.target, targetFromName(arguments.value("--target", "cpu")));
    GKS_TRY(takeSubject(arguments, request));
    GKS_TRY_ASSIGN(request.device, arguments.wholeNumber("--device", 0, 0));
    GKS_TRY_ASSIGN(request.measureSeconds,
                   arguments.number("--measure-seconds", defaultMeasureSeconds(request.target), 0.01));
    GKS_TRY_ASSIGN(request.timeoutSeconds, arguments.number("--timeout-seconds", request.timeoutSeconds, 0.1));
    if (arguments.has("--flush-bytes")) {
        GKS_TRY_ASSIGN(const int bytes, arguments.wholeNumber("--flush-bytes", 0, 1));
        request.flushBytes = static_cast<std::size_t>(bytes);
    }
    GKS_TRY_ASSIGN(request.shapes, shapeChoiceFromName(arguments.value("--shapes", "quick")));
    request.allowNoSandbox = arguments.has("--allow-no-sandbox");
    request.counters = arguments.has("--counters");
    GKS_TRY_ASSIGN(request.compilerOptions, compilerOptions(arguments));
    GKS_TRY(takeChecked(arguments, request));
    if (arguments.has("--baseline")) {
        GKS_TRY_ASSIGN(request.baseline, readKernel(arguments.value("--baseline")));
    }
    return request;
}

using Dims = std::vector<std::string>;

// In the order of the pack, like everywhere else.
std::string label(const std::map<std::string, std::int64_t>& shape, const Dims& dims) {
    std::vector<std::string> parts;
    for (const std::string& dim : dims) {
        if (const auto at = shape.find(dim); at != shape.end()) {
            parts.push_back(fmt::format("{}={}", dim, at->second));
        }
    }
    return parts.empty() ? std::string(wholeRunText) : join(parts, " ");
}

void printMeasurements(const Verdict& verdict, const Dims& dims) {
    if (verdict.measurements.empty()) {
        return;
    }
    Table table;
    table.add({"  Shape", "Median", "Samples", "Judge's bound", verdict.comparison ? "vs baseline" : ""});
    for (const MeasurementFact& fact : verdict.measurements) {
        const std::string ratio = !fact.ratio      ? ""
                                  : fact.ratioCi95 ? formatRatio(*fact.ratio, *fact.ratioCi95)
                                                   : formatRatio(*fact.ratio);
        table.add({"  " + label(fact.shape, dims), formatMicroseconds(fact.medianUs, fact.ci95Us),
                   std::to_string(fact.samples), fact.floorUs > 0 ? formatMicroseconds(fact.floorUs) : "-", ratio});
    }
    if (verdict.geomeanUs > 0) {
        table.add({"  Geomean", formatMicroseconds(verdict.geomeanUs, verdict.geomeanCi95Us), "", "",
                   verdict.comparison ? ratioText(*verdict.comparison) : ""});
    }
    say("\nTimings{}\n{}", verdict.target == "cpu" ? " (CPU timings, not GPU)" : "", table.text());
}

void printCounters(const CounterReport& report, const Dims& dims) {
    if (!report.why.empty()) {
        say("\nNo hardware counters: {}\n", report.why);
        return;
    }
    say("\nHardware counters of one call of each quick shape, by {}\n", report.tool);
    for (const LaunchCounters& launch : report.launches) {
        say("  {}  {}\n    {}\n", label(launch.shape, dims), launch.kernel, counterText(launch.facts));
    }
}

void printVerification(const Verdict& verdict, const Dims& dims) {
    const auto passed = std::count_if(verdict.verification.begin(), verdict.verification.end(),
                                      [](const VerificationFact& f) { return f.passed; });
    if (verdict.verification.empty()) {
        return;
    }
    const auto sampled =
        std::count_if(verdict.verification.begin(), verdict.verification.end(), [](const VerificationFact& fact) {
            return !std::all_of(fact.outputs.begin(), fact.outputs.end(),
                                [](const OutputCoverage& one) { return one.isWhole(); });
        });
    say("\nChecks: {} of {} passed{}\n", passed, verdict.verification.size(),
        sampled > 0 ? fmt::format("; in {} of them a sample of each output was compared, in the others all", sampled)
                    : std::string());
    Table table;
    for (const VerificationFact& fact : verdict.verification) {
        if (!fact.passed) {
            table.add({"  " + fact.phase, label(fact.shape, dims), fact.distribution, fact.detail});
        }
    }
    say("{}", table.text());
    for (const std::string& shape : verdict.notRun) {
        say("  Too large for this target: {}\n", shape);
    }
}

std::string anchorText(const Verdict& verdict) {
    const auto version = verdict.environment.find("anchor_version");
    return version == verdict.environment.end() ? std::string() : terminalLine(version->second);
}

std::string judgeText(const Verdict& verdict) {
    const auto judge = verdict.environment.find(judgeFact);
    return judge == verdict.environment.end() ? std::string()
                                              : terminalLine(judge->second) + "; no proof of GPU Kernel Scientist's";
}

void print(const Verdict& verdict, const Dims& dims) {
    say("{}\n", verdictText(verdict.kind, verdict.reason));
    if (!verdict.next.empty()) {
        say("{}\n", verdict.next);
    }
    printBuildFailure(verdict);
    printVerification(verdict, dims);
    for (const std::string& warning : verdict.warnings) {
        say("Warning: {}\n", warning);
    }
    for (const AccessFinding& finding : verdict.diagnostics) {
        say("Found in the checked run ({}): {}\n", terminalLine(finding.kind), terminalLine(finding.message));
    }
    if (!verdict.printed.empty()) {
        say("\nPrinted by the kernel\n");
        for (const std::string_view line : lines(verdict.printed)) {
            say("  {}\n", terminalLine(line));
        }
    }
    printMeasurements(verdict, dims);
    if (verdict.staticReport && !verdict.staticReport->kernels.empty()) {
        say("\n{}", staticReportText(*verdict.staticReport));
    }
    if (verdict.counters) {
        printCounters(*verdict.counters, dims);
    }
    const std::string place = verdict.target + (verdict.device.empty() ? "" : ", " + verdict.device);
    const std::string spent = fmt::format("build {}, verify {}, measure {}, total {}",
                                          formatSeconds(verdict.buildSeconds), formatSeconds(verdict.verifySeconds),
                                          formatSeconds(verdict.measureSeconds), formatSeconds(verdict.totalSeconds));
    Table table;
    for (const auto& [fact, value] : std::initializer_list<std::pair<const char*, std::string>>{
             {"Problem", verdict.problem},
             {"Judged by", judgeText(verdict)},
             {"Target", place},
             {"Anchor", anchorText(verdict)},
             {"Toolchain", verdict.build.toolchain + (verdict.build.cached ? " (cached build)" : "")},
             {"Clock", verdict.measurements.empty() ? "" : verdict.measurements.front().clock},
             {"Cache flush", cacheFlushText(verdict.conditions)},
             {"Compiler options", join(verdict.conditions.compilerOptions, " ")},
             {"Sandbox", verdict.sandbox},
             {anchorText(verdict).empty() ? "Kernel" : "Source", verdict.kernelSha256},
             {"Time", spent}}) {
        if (!value.empty()) {
            table.add({fact, value});
        }
    }
    say("\n{}", table.text());
}

// --explain
void print(const Explanation& text, const Dims& dims) {
    const auto list = [](std::string_view title, const std::vector<std::string>& sentences) {
        say("\n{}\n", title);
        for (const std::string& sentence : sentences) {
            say("  {}\n", sentence);
        }
    };
    if (!text.processes.empty()) {
        list("Where it ran", text.processes);
    }
    Table table;
    table.add({"  Shape", "Phase", "Inputs", "Calls compared", "Of each output", ""});
    for (const Explanation::Checked& one : text.checks) {
        table.add({"  " + label(one.shape, dims), one.phase, one.inputs,
                   one.timedCalls > 0 ? fmt::format("{} of {}", one.calls, one.timedCalls) : std::to_string(one.calls),
                   one.compared, one.passed ? "" : "failed"});
    }
    if (!text.checks.empty()) {
        say("\nWhat was checked\n{}", table.text());
    }
    if (!text.races.empty()) {
        list("Races looked for, where threads run in reversed order", text.races);
    }
    list("What decided", text.decided);
    list("What would have changed the verdict", text.otherwise);
}

Result<void> writeEvidence(const EvaluationRequest& request, const Verdict& verdict, const std::string& folder) {
    GKS_TRY_ASSIGN(const Evidence evidence, evidenceOf(request, verdict));
    GKS_TRY_ASSIGN(const WrittenBundle written, writeBundle(evidence, folder));
    note("Evidence: {}\nRoot hash: {}\n", written.folder.string(), written.root);
    return {};
}

int runEvaluate(const Arguments& arguments) {
    const auto request = requestFrom(arguments);
    if (!request) {
        return failed(request.error());
    }
    const bool wantsEvidence = arguments.has("--evidence");
    if (const auto free = checkBundleFolder(arguments.value("--evidence")); wantsEvidence && !free) {
        return failed(free.error());
    }
    const Verdict verdict = evaluateInForeground(*request);
    if (arguments.has("--json")) {
        OrderedJson json = gks::toJson(verdict);
        if (!request->anchor.empty()) {
            json["anchor"] = request->anchor;
        }
        if (verdict.plans) {
            json["plans"] = OrderedJson(gks::toJson(*verdict.plans, CodeBytes::left));
        }
        printJson(json);
    } else {
        const auto pack = loadProblemPack(request->problem);
        const Dims dims = pack ? pack->dims : Dims();
        print(verdict, dims);
        if (arguments.has("--explain")) {
            print(explain(verdict), dims);
        }
    }
    if (wantsEvidence) {
        if (const auto written = writeEvidence(*request, verdict, arguments.value("--evidence")); !written) {
            return failed(written.error());
        }
    }
    return exitStatus(verdict);
}

} // namespace

const Command evaluateCommand = {
    "evaluate",
    "[KERNEL.hip]",
    "Build, verify and measure a kernel, or a library that the problem names, and compare it with a baseline",
    {{"--problem", "NAME|DIR", "name of a built-in problem, or folder of a problem pack or a command pack", true},
     {"--target", "cpu|amd|nvidia", "target to run on (default: cpu)", false},
     {"--device", "N", "device index (default: 0)", false},
     {"--shapes", "quick|test|benchmark|all", "shapes to verify and measure (default: quick)", false},
     {"--baseline", "KERNEL.hip",
      "compare with this kernel in paired runs; the verdict is faster, slower, tie or undecided", false},
     {"--anchor", "NAME", "in the place of a kernel: a library that the problem names, measured the same way", false},
     {"--measure-seconds", "S", "measuring time in seconds (default: 3, on a GPU 1.2)", false},
     {"--timeout-seconds", "S", "time limit for one call and its verification, in seconds (default: 120)", false},
     {"--flush-bytes", "N", "empties the caches with so much, for slow devices; the times then say nothing", false},
     {"--counters", "", "what the hardware counters say of a kernel that is faster or correct, by ncu or rocprofv3",
      false},
     {"--allow-no-sandbox", "", "run without a sandbox if none works; only for kernels you trust", false},
     compilerOptionsOption,
     {"--evidence", "DIR", "write an evidence bundle to this folder; verify it with replay", false},
     {"--checked", "",
      "check every access on the smallest test shape, and show what the kernel prints; nothing is measured", false},
     {"--explain", "", "what was checked, what decided, and what would have changed the verdict", false},
     {"--json", "", "print the verdict as JSON", false}},
    runEvaluate};

} // namespace gks::cli
