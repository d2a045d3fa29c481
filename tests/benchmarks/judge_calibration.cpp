// SPDX-License-Identifier: GPL-3.0-or-later
// How far the judge can be trusted, as tables: false decisions on equal kernels, power on known differences, spread of
// repeated evaluations, and what an evaluation costs beside compiler and kernel. Goes through the real evaluator.
//   judge_calibration aa|power|repeat|overhead|seeds [options]      judge_calibration MODE --help says which
#include "app/cli/command.h"
#include "app/cli/output.h"
#include "core/base/files.h"
#include "core/base/quantity.h"
#include "core/base/terminal_text.h"
#include "core/base/text.h"
#include "core/judge/evaluator/statistics/statistics.h"
#include "core/judge/evaluator_client.h"
#include "tests/benchmarks/seed_costs.h"
#include "tests/support/calibration_pack.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

using namespace gks;
using namespace gks::cli;

namespace {

using Clock = std::chrono::steady_clock;

// One evaluation with what was seen of it.
struct Trial {
    Verdict verdict;
    double wallSeconds = 0; // from the source text to the verdict, on this side
    std::vector<double> candidateUs;
    std::vector<double> baselineUs;
};

class Bench {
public:
    static Result<std::unique_ptr<Bench>> create(const Arguments& arguments) {
        GKS_TRY_ASSIGN(TemporaryDirectory folder, TemporaryDirectory::create("judge-calibration"));
        auto bench = std::unique_ptr<Bench>(new Bench(std::move(folder)));
        EvaluationRequest& request = bench->m_request;
        GKS_TRY_ASSIGN(request.target, targetFromName(arguments.value("--target", "cpu")));
        GKS_TRY_ASSIGN(request.device, arguments.wholeNumber("--device", 0, 0));
        GKS_TRY_ASSIGN(request.measureSeconds, arguments.number("--measure-seconds", request.measureSeconds, 0.01));
        GKS_TRY_ASSIGN(request.tieMarginPercent, arguments.number("--margin", request.tieMarginPercent, 0));
        GKS_TRY_ASSIGN(bench->count, arguments.wholeNumber("--count", 0, 1));
        GKS_TRY_ASSIGN(bench->percent, arguments.number("--percent", 1, 0.1));
        request.allowNoSandbox = arguments.has("--allow-no-sandbox");
        bench->jsonPath = arguments.value("--json");
        if (arguments.has("--kernel")) {
            GKS_TRY_ASSIGN(bench->m_kernel, readFile(arguments.value("--kernel")));
            request.problem = arguments.value("--problem");
        } else {
            request.problem = (bench->m_folder.path() / "calibration").string();
            GKS_TRY(calibration::writePack(request.problem));
        }
        return bench;
    }

    // The kernel under test; the calibration kernel unless another was named.
    std::string kernel(const std::string& remark = {}) const {
        return m_kernel ? *m_kernel + (remark.empty() ? "" : "// " + remark + "\n")
                        : calibration::kernelSource(0, remark);
    }

    Trial evaluate(const std::string& source, const std::optional<std::string>& baseline) {
        m_request.id = fmt::format("{}", ++m_evaluations);
        m_request.source = source;
        m_request.baseline = baseline;
        Trial trial;
        const auto keep = [&](const EvaluationEvent& event) {
            if (const auto* samples = std::get_if<SamplesEvent>(&event)) {
                auto& into = samples->ofBaseline ? trial.baselineUs : trial.candidateUs;
                into.insert(into.end(), samples->us.begin(), samples->us.end());
            }
        };
        const auto begin = Clock::now();
        trial.verdict = m_client.evaluate(m_request, keep, {});
        trial.wallSeconds = std::chrono::duration<double>(Clock::now() - begin).count();
        return trial;
    }

    const EvaluationRequest& request() const { return m_request; }
    int count = 0;
    double percent = 1;
    std::string jsonPath;

private:
    explicit Bench(TemporaryDirectory folder) : m_folder(std::move(folder)) {}

    TemporaryDirectory m_folder;
    EvaluationRequest m_request;
    std::optional<std::string> m_kernel;
    std::uint64_t m_evaluations = 0;
    EvaluatorClient m_client;
};

std::string spread(std::vector<double> values, int digits = 4) {
    if (values.empty()) {
        return "-";
    }
    std::sort(values.begin(), values.end());
    const auto at = [&](double share) {
        return formatSignificant(values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))],
                                 digits);
    };
    return fmt::format("{} | {} | {} | {} | {}", at(0), at(0.05), at(0.5), at(0.95), at(1));
}

OrderedJson raw(const Trial& trial) {
    const Verdict& verdict = trial.verdict;
    OrderedJson json = {{"verdict", name(verdict.kind)},   {"reason", verdict.reason},
                        {"wall_s", trial.wallSeconds},     {"seconds", toJson(verdict)["seconds"]},
                        {"geomean_us", verdict.geomeanUs}, {"candidate_us", trial.candidateUs},
                        {"baseline_us", trial.baselineUs}};
    if (verdict.comparison) {
        json["ratio"] = verdict.comparison->ratio;
        json["ci95"] = {verdict.comparison->ci95.low, verdict.comparison->ci95.high};
        json["ci99"] = {verdict.comparison->ci99.low, verdict.comparison->ci99.high};
        json["round_blocks"] = verdict.measurements.front().roundBlocks;
    }
    return json;
}

int finish(const Bench& bench, std::string_view mode, const std::vector<Trial>& trials) {
    const auto accepted = [](const Trial& trial) { return isAccepted(trial.verdict.kind); };
    const auto bad = std::find_if_not(trials.begin(), trials.end(), accepted);
    if (bad != trials.end()) {
        fmt::print("Without a time: {} of {}, the first: {}\n", std::count_if(bad, trials.end(), std::not_fn(accepted)),
                   trials.size(), terminalLine(bad->verdict.reason));
    }
    if (!bench.jsonPath.empty()) {
        OrderedJson json = {{"mode", mode},
                            {"target", name(bench.request().target)},
                            {"device", trials.empty() ? "" : trials.front().verdict.device},
                            {"margin_percent", bench.request().tieMarginPercent},
                            {"measure_seconds", bench.request().measureSeconds},
                            {"trials", OrderedJson::array()}};
        for (const Trial& trial : trials) {
            json["trials"].push_back(raw(trial));
        }
        if (const auto written = writeFileAtomically(bench.jsonPath, json.dump(1) + "\n"); !written) {
            return failed(written.error());
        }
    }
    return bad == trials.end() ? done : infrastructureFailed;
}

void sayProgress(std::size_t i, int count, const Trial& trial) {
    fmt::print(stderr, "{} of {}: {}\n", i, count, terminalLine(trial.verdict.reason));
}

std::vector<double> each(const std::vector<Trial>& trials, double (*of)(const Trial&)) {
    std::vector<double> values;
    for (const Trial& trial : trials) {
        if (isAccepted(trial.verdict.kind)) {
            values.push_back(of(trial));
        }
    }
    return values;
}

int compare(Bench& bench, std::string_view mode, const std::string& source) {
    std::vector<Trial> trials;
    for (int i = 0; i < bench.count; ++i) {
        trials.push_back(bench.evaluate(source, bench.kernel()));
        sayProgress(trials.size(), bench.count, trials.back());
    }
    const auto number = [&](VerdictKind kind) {
        return std::to_string(
            std::count_if(trials.begin(), trials.end(), [&](const Trial& t) { return t.verdict.kind == kind; }));
    };
    fmt::print("{}, {}: {} comparisons at a margin of {}, budget {}\n", trials.front().verdict.target,
               trials.front().verdict.device, trials.size(), formatPercent(bench.request().tieMarginPercent),
               formatSeconds(bench.request().measureSeconds));
    Table table;
    table.add({"faster", number(VerdictKind::faster)});
    table.add({"slower", number(VerdictKind::slower)});
    table.add({"tie", number(VerdictKind::tie)});
    table.add({"undecided", number(VerdictKind::undecided)});
    table.add({"", "least | 5 % | median | 95 % | most"});
    table.add({"ratio", spread(each(trials, [](const Trial& t) { return t.verdict.comparison->ratio; }))});
    table.add({"interval, half width %", spread(each(trials,
                                                     [](const Trial& t) {
                                                         const Interval& ci = t.verdict.comparison->ci95;
                                                         return 50 * (ci.high - ci.low);
                                                     }),
                                                3)});
    table.add({"samples of each kernel",
               spread(each(trials, [](const Trial& t) { return static_cast<double>(t.candidateUs.size()); }))});
    table.add({"time of a call, us", spread(each(trials, [](const Trial& t) { return t.verdict.geomeanUs; }))});
    table.add({"measuring, s", spread(each(trials, [](const Trial& t) { return t.verdict.measureSeconds; }), 3)});
    table.add({"in all, s", spread(each(trials, [](const Trial& t) { return t.wallSeconds; }), 3)});
    fmt::print("{}", table.text());
    return finish(bench, mode, trials);
}

int runEqual(const Arguments& arguments) {
    auto bench = Bench::create(arguments);
    if (!bench) {
        return failed(bench.error());
    }
    (*bench)->count = (*bench)->count > 0 ? (*bench)->count : 200;
    return compare(**bench, "aa", (*bench)->kernel());
}

int runPower(const Arguments& arguments) {
    auto bench = Bench::create(arguments);
    if (!bench) {
        return failed(bench.error());
    }
    (*bench)->count = (*bench)->count > 0 ? (*bench)->count : 100;
    fmt::print("{} more work than the baseline\n", formatPercent((*bench)->percent));
    return compare(**bench, "power", calibration::kernelSource((*bench)->percent));
}

int runRepeat(const Arguments& arguments) {
    auto bench = Bench::create(arguments);
    if (!bench) {
        return failed(bench.error());
    }
    (*bench)->count = (*bench)->count > 0 ? (*bench)->count : 10;
    std::vector<Trial> trials;
    Table table;
    table.add({"evaluation", "median", "samples", "in all"});
    for (int i = 0; i < (*bench)->count; ++i) {
        const Trial& trial = trials.emplace_back((*bench)->evaluate((*bench)->kernel(), std::nullopt));
        sayProgress(trials.size(), (*bench)->count, trial);
        table.add({std::to_string(i + 1), formatMicroseconds(trial.verdict.geomeanUs, trial.verdict.geomeanCi95Us),
                   std::to_string(trial.candidateUs.size()), formatSeconds(trial.wallSeconds)});
    }
    const std::vector<double> medians = each(trials, [](const Trial& t) { return t.verdict.geomeanUs; });
    fmt::print("{}, {}\n{}", trials.front().verdict.target, trials.front().verdict.device, table.text());
    if (!medians.empty()) {
        const auto [least, most] = std::minmax_element(medians.begin(), medians.end());
        fmt::print("from the least to the most: {} of the median\n",
                   formatPercent(100 * (*most - *least) / median(medians)));
    }
    return finish(**bench, "repeat", trials);
}

// What a timed call costs beside the kernel, where that is known.
void printCallCost(const std::vector<Trial>& trials) {
    Table table;
    table.add({"of a timed call, us", "inputs", "poison", "caches", "stop", "probes", "beside inputs and caches"});
    for (const Trial& trial : trials) {
        if (const auto& cost = trial.verdict.callCost) {
            table.add({formatMicroseconds(trial.verdict.geomeanUs), formatSignificant(cost->inputsUs, 3),
                       formatSignificant(cost->poisonUs, 3), formatSignificant(cost->cachesUs, 3),
                       formatSignificant(cost->stopUs, 3), formatSignificant(cost->probesUs, 3),
                       formatSignificant(cost->poisonUs + cost->stopUs + cost->probesUs, 3)});
        }
    }
    fmt::print("{}", table.text());
}

int runOverhead(const Arguments& arguments) {
    auto bench = Bench::create(arguments);
    if (!bench) {
        return failed(bench.error());
    }
    (*bench)->count = (*bench)->count > 0 ? (*bench)->count : 5;
    std::vector<Trial> trials;
    Table table;
    table.add(
        {"build", "source to verdict", "compiler", "kernel", "before calls", "rest", "build", "verify", "measure"});
    // What is made once on a machine (precompiled headers, the pack's reference) is not a cost of an evaluation.
    (void)(*bench)->evaluate((*bench)->kernel(), std::nullopt);
    const auto started = std::chrono::system_clock::now().time_since_epoch().count();
    for (int i = 0; i < (*bench)->count; ++i) {
        const std::string source = (*bench)->kernel(fmt::format("build {} of {}", i, started));
        for (const char* label : {"cold", "cached"}) {
            const Trial& trial = trials.emplace_back((*bench)->evaluate(source, std::nullopt));
            const Verdict& verdict = trial.verdict;
            sayProgress(trials.size(), 2 * (*bench)->count, trial);
            table.add({label, formatSeconds(trial.wallSeconds), formatSeconds(verdict.compilerSeconds),
                       formatSeconds(verdict.kernelSeconds), formatSeconds(verdict.preparationSeconds),
                       formatSeconds(verdict.overheadSeconds), formatSeconds(verdict.buildSeconds),
                       formatSeconds(verdict.verifySeconds), formatSeconds(verdict.measureSeconds)});
        }
    }
    fmt::print("{}, {}\n{}", trials.front().verdict.target, trials.front().verdict.device, table.text());
    printCallCost(trials);
    return finish(**bench, "overhead", trials);
}

std::vector<Option> options(std::string_view countHelp, bool anyKernel, std::vector<Option> more = {}) {
    more.insert(more.end(), {{"--target", "cpu|amd|nvidia", "where to run (cpu)"},
                             {"--device", "N", "device index (default: 0)"},
                             {"--count", "N", countHelp},
                             {"--measure-seconds", "S", "budget of the measuring phase (3)"},
                             {"--allow-no-sandbox", "", "run even where no sandbox works"},
                             {"--json", "FILE", "raw figures of every evaluation"}});
    if (anyKernel) {
        more.push_back({"--kernel", "FILE", "a kernel of your own instead of the calibration kernel, with --problem"});
        more.push_back({"--problem", "NAME|DIR", "its problem"});
    }
    return more;
}

const Option margin = {"--margin", "PERCENT", "a difference inside is a tie (0.5)"};
const std::vector<cli::Command> modes = {
    {"aa", "", "A kernel against itself: how often is a difference claimed?",
     options("comparisons (200)", true, {margin}), runEqual},
    {"power", "", "A kernel with a little more work: how often is it called slower?",
     options("comparisons (100)", false, {margin, {"--percent", "P", "how much more work (1)"}}), runPower},
    {"repeat", "", "Separate evaluations of one kernel: do their medians agree?", options("evaluations (10)", true),
     runRepeat},
    {"overhead", "", "What an evaluation costs beside compiler and kernel",
     options("evaluations of either sort (5)", true), runOverhead},
    {"seeds", "", "What an evaluation of every built-in problem costs", seedCostOptions(), costOfSeeds},
};

} // namespace

int main(int argumentCount, char** arguments) {
    std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
    const std::vector<std::string> words(arguments + 1, arguments + argumentCount);
    const auto mode = std::find_if(modes.begin(), modes.end(),
                                   [&](const cli::Command& m) { return !words.empty() && m.name == words.front(); });
    if (mode == modes.end()) {
        fmt::print(stderr, "Usage: judge_calibration aa|power|repeat|overhead|seeds [--help]\n");
        return wrongUsage;
    }
    const std::vector<std::string> rest(words.begin() + 1, words.end());
    if (std::find(rest.begin(), rest.end(), "--help") != rest.end()) {
        fmt::print("{}", helpText(*mode));
        return done;
    }
    const auto parsed = parseArguments(*mode, rest);
    return parsed ? mode->run(*parsed) : failed(parsed.error());
}
