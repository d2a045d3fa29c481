// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/evaluation.h"
#include "app/cli/output.h"
#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/quantity.h"
#include "core/base/terminal_text.h"
#include "core/base/text.h"
#include "core/scientist/tuning_run.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gks::cli {
namespace {

constexpr std::size_t shownPoints = 12;

Result<TuningPlan> planFrom(const Arguments& arguments) {
    TuningPlan plan;
    EvaluationRequest& request = plan.request;
    request.id = "tune";
    GKS_TRY_ASSIGN(request.problem, checkedProblem(arguments.value("--problem")));
    GKS_TRY_ASSIGN(request.source, readKernel(arguments.positional()));
    GKS_TRY_ASSIGN(request.target, targetFromName(arguments.value("--target", "cpu")));
    GKS_TRY_ASSIGN(request.device, arguments.wholeNumber("--device", 0, 0));
    if (arguments.has("--shapes")) {
        GKS_TRY_ASSIGN(request.shapes, shapeChoiceFromName(arguments.value("--shapes")));
    }
    GKS_TRY_ASSIGN(request.measureSeconds, arguments.number("--measure-seconds", request.measureSeconds, 0.01));
    GKS_TRY_ASSIGN(plan.evaluations, arguments.wholeNumber("--evaluations", plan.evaluations, 1));
    GKS_TRY_ASSIGN(plan.minutes, arguments.number("--minutes", 0, 0));
    request.allowNoSandbox = arguments.has("--allow-no-sandbox");
    plan.exploreSeconds = std::min(plan.exploreSeconds, request.measureSeconds);
    plan.remember = !arguments.has("--fresh");
    std::error_code ignored;
    const std::filesystem::path out = arguments.value("--out");
    if (!out.empty() && std::filesystem::exists(std::filesystem::symlink_status(out, ignored))) {
        return usageError("already exists", out.string(), "Choose another name");
    }
    const std::filesystem::path folder = std::filesystem::absolute(out, ignored).parent_path();
    if (!out.empty() && !std::filesystem::is_directory(folder, ignored)) { // known before the work, not behind it
        return usageError("is no folder that is there", folder.string(), "Make it first, or choose another place");
    }
    return plan;
}

std::string valuesText(const std::map<std::string, std::string>& values) {
    std::vector<std::string> parts;
    parts.reserve(values.size());
    for (const auto& [name, value] : values) {
        parts.push_back(fmt::format("{} {}", name, value));
    }
    return join(parts, ", ");
}

std::string timeText(const TunedPoint& point) {
    return point.us > 0 ? formatMicroseconds(point.us, point.ci95Us) : "-";
}

void showProgress(const TunedPoint& point, int number, const TuningPlan& plan) {
    note("{} of {}: {}: {} {}\n", number, plan.evaluations, valuesText(point.values), name(point.verdict),
         point.us > 0 ? timeText(point) : terminalLine(abbreviated(point.reason, 200)));
}

// One column for every tunable; the fastest first, what failed at the end.
void printTable(const TuningOutcome& outcome, bool cpu) {
    std::vector<const TunedPoint*> order;
    order.reserve(outcome.points.size());
    for (const TunedPoint& point : outcome.points) {
        order.push_back(&point);
    }
    std::stable_sort(order.begin(), order.end(), [](const TunedPoint* a, const TunedPoint* b) {
        return (a->us > 0 ? a->us : 1e300) < (b->us > 0 ? b->us : 1e300);
    });
    Table table;
    std::vector<std::string> heading;
    for (const auto& [name, value] : outcome.points.front().values) {
        heading.push_back("  " + name);
    }
    heading.insert(heading.end(), {cpu ? "Time (cpu target)" : "Time", "Verdict", ""});
    table.add(heading);
    for (std::size_t i = 0; i < std::min(order.size(), shownPoints); ++i) {
        const TunedPoint& point = *order[i];
        std::vector<std::string> row;
        row.reserve(point.values.size());
        for (const auto& [name, value] : point.values) {
            row.push_back("  " + value);
        }
        const bool given = order[i] == &outcome.points.front();
        const std::string remark = given                               ? "original"
                                   : point.values == outcome.candidate ? "compared in a paired run"
                                   : point.earlier                     ? "cached"
                                                                       : "";
        row.insert(row.end(), {timeText(point), std::string(name(point.verdict)), remark});
        table.add(std::move(row));
    }
    say("{}", table.text());
    if (order.size() > shownPoints) {
        say("  and {} more\n", order.size() - shownPoints);
    }
}

void print(const TuningOutcome& outcome, bool cpu) {
    printTable(outcome, cpu);
    const auto failures = std::count_if(outcome.points.begin(), outcome.points.end(),
                                        [](const TunedPoint& point) { return point.us <= 0; });
    const std::string space = outcome.allowedPoints > 0 ? fmt::format("{} configurations", outcome.allowedPoints)
                                                        : std::string("more than can be counted");
    say("\nTried {} of {}, {} failed; stopped after {}\n", outcome.points.size(), space, failures, outcome.ended);
    if (!outcome.notLookedAt.empty()) {
        say("Before a run points were not checked for {}\n", outcome.notLookedAt);
    }
    if (!outcome.comparison || !outcome.candidate) {
        say("No configuration is faster than the original\n");
        return;
    }
    const ComparisonFact& fact = *outcome.comparison;
    say("Paired run against the original: {}, {}{}\n  {}\n", name(fact.verdict), ratioText(fact),
        cpu ? " (CPU timings)" : "", valuesText(*outcome.candidate));
    if (fact.verdict != VerdictKind::faster) {
        say("Keeping the original: no configuration is confirmed faster\n");
    }
}

OrderedJson toJson(const TuningOutcome& outcome, const EvaluationRequest& request) {
    OrderedJson points = OrderedJson::array();
    for (const TunedPoint& point : outcome.points) {
        const bool measured = point.us > 0;
        points.push_back({{"values", point.values},
                          {"verdict", name(point.verdict)},
                          {"reason", point.reason},
                          {"us", measured ? OrderedJson(point.us) : OrderedJson()},
                          {"ci95_us", measured ? OrderedJson({point.ci95Us.low, point.ci95Us.high}) : OrderedJson()},
                          {"measure_seconds", point.measureSeconds},
                          {"earlier", point.earlier}});
    }
    OrderedJson json = {
        {"problem", outcome.given.problem},
        {"target", name(request.target)},
        {"device", outcome.given.device},
        {"kernel_sha256", sha256Hex(request.source)},
        {"points_allowed", outcome.allowedPoints > 0 ? OrderedJson(outcome.allowedPoints) : OrderedJson()},
        {"evaluations", outcome.evaluations},
        {"ended", outcome.ended},
        {"not_checked_before_runs", outcome.notLookedAt},
        {"points", std::move(points)},
        {"candidate", outcome.candidate ? OrderedJson(*outcome.candidate) : OrderedJson()},
        {"comparison", OrderedJson()},
        {"best", {{"values", outcome.best}, {"sha256", sha256Hex(outcome.source)}}}};
    if (outcome.comparison) {
        const ComparisonFact& fact = *outcome.comparison;
        json["comparison"] = {
            {"ratio", fact.ratio}, {"ci95", {fact.ci95.low, fact.ci95.high}}, {"verdict", name(fact.verdict)}};
    }
    return json;
}

int runTune(const Arguments& arguments) {
    const auto plan = planFrom(arguments);
    if (!plan) {
        return failed(plan.error());
    }
    Foreground foreground;
    const auto outcome = tune(
        *plan, [&](const EvaluationRequest& request) { return foreground.evaluate(request); },
        [&](const TunedPoint& point, int number) { showProgress(point, number, *plan); }, foreground.stop());
    if (!outcome) {
        return failed(outcome.error());
    }
    if (arguments.has("--json")) {
        printJson(toJson(*outcome, plan->request));
    } else {
        print(*outcome, plan->request.target == TargetKind::cpu);
    }
    if (arguments.has("--out")) {
        if (const auto written = writeFileAtomically(arguments.value("--out"), outcome->source); !written) {
            return failed(written.error());
        }
    }
    return done;
}

} // namespace

const Command tuneCommand = {
    "tune",
    "KERNEL.hip",
    "Find the best values for a kernel's tunables (// @tune NAME v1 v2 ...)",
    {{"--problem", "NAME|DIR", "name of a built-in problem, or folder of a problem pack", true},
     {"--target", "cpu|amd|nvidia", "target to run on (default: cpu)", false},
     {"--device", "N", "device index (default: 0)", false},
     {"--shapes", "quick|test|benchmark|all", "shapes to verify and measure (default: quick)", false},
     {"--evaluations", "N", "number of configurations to try (default: 40)", false},
     {"--minutes", "M", "stop exploring after this many minutes", false},
     {"--measure-seconds", "S", "seconds for the final paired run (default: 3); each configuration gets 0.5", false},
     {"--out", "BEST.hip", "write the tuned kernel here, or the original if no configuration is faster", false},
     {"--fresh", "", "ignore the tuning cache and do not write to it", false},
     {"--allow-no-sandbox", "", "run without a sandbox if none works; only for kernels you trust", false},
     {"--json", "", "print JSON", false}},
    runTune};

} // namespace gks::cli
