// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/benchmarks/seed_costs.h"

#include "app/cli/output.h"
#include "core/base/elapsed.h"
#include "core/base/locations.h"
#include "core/base/quantity.h"
#include "core/judge/evaluator_client.h"
#include "core/problem/problem.h"

#include <chrono>
#include <fmt/format.h>

namespace gks::cli {
namespace {

struct Row {
    double seconds = 0; // from the source to the verdict
    Verdict verdict;
};

// By an evaluator of its own.
Row evaluated(const EvaluationRequest& request, const std::string& evaluator) {
    EvaluatorClient client({{evaluator}});
    const auto begin = std::chrono::steady_clock::now();
    Verdict verdict = client.evaluate(request, {}, {});
    return {secondsSince(begin), std::move(verdict)};
}

} // namespace

int costOfSeeds(const Arguments& arguments) {
    EvaluationRequest request;
    const auto target = targetFromName(arguments.value("--target", "cpu"));
    const auto packs = builtinProblems();
    if (!target || !packs) {
        return failed(target ? packs.error() : target.error());
    }
    request.target = *target;
    request.allowNoSandbox = arguments.has("--allow-no-sandbox");
    std::vector<std::pair<std::string, std::string>> evaluators;
    if (arguments.has("--beside")) {
        evaluators.emplace_back("the other", arguments.value("--beside"));
    }
    evaluators.emplace_back("this", siblingProgram("kernel-scientist-evaluator").string());
    const auto started = std::chrono::system_clock::now().time_since_epoch().count();
    Table table;
    table.add({"problem", "of", "build", "source to verdict", "build", "verify", "measure", "in calls", "before calls",
               "a call"});
    int status = done;
    for (const ProblemPack& pack : *packs) {
        request.problem = pack.name;
        for (const auto& [label, evaluator] : evaluators) {
            request.source = fmt::format("{}// {} at {}\n", pack.seeds.front().source, label, started);
            for (const char* build : {"cold", "cached"}) {
                request.id = fmt::format("{} {} {}", pack.name, label, build);
                const Row row = evaluated(request, evaluator);
                note("{}: {}\n", request.id, row.verdict.reason);
                status = isAccepted(row.verdict.kind) ? status : infrastructureFailed;
                table.add({pack.name, label, build, formatSeconds(row.seconds), formatSeconds(row.verdict.buildSeconds),
                           formatSeconds(row.verdict.verifySeconds), formatSeconds(row.verdict.measureSeconds),
                           formatSeconds(row.verdict.kernelSeconds), formatSeconds(row.verdict.preparationSeconds),
                           formatMicroseconds(row.verdict.geomeanUs, row.verdict.geomeanCi95Us)});
            }
        }
    }
    sayText(table.text());
    return status;
}

std::vector<Option> seedCostOptions() {
    return {{"--target", "cpu|amd|nvidia", "where to run (cpu)"},
            {"--beside", "FILE", "the evaluator of another build, for before and after in one run"},
            {"--allow-no-sandbox", "", "run even where no sandbox works"}};
}

} // namespace gks::cli
