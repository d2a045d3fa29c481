// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/asked_text.h"
#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "app/cli/plan_text.h"
#include "app/cli/population_json.h"
#include "app/cli/population_text.h"
#include "app/cli/probe_text.h"
#include "app/cli/show_best.h"
#include "app/cli/show_champions.h"
#include "app/cli/show_check.h"
#include "app/cli/show_comparison.h"
#include "app/cli/show_newest.h"
#include "app/cli/show_roofline.h"
#include "app/cli/show_search.h"
#include "app/cli/show_writers.h"
#include "core/base/error_place.h"
#include "core/base/terminal_text.h"
#include "core/base/text.h"
#include "core/campaign/agent_kernel.h"
#include "core/campaign/anchors.h"
#include "core/campaign/confirmation.h"
#include "core/campaign/file_lock.h"
#include "core/campaign/ranking.h"
#include "core/campaign/running.h"
#include "core/engine/waiting.h"
#include "core/problem/harness.h"
#include "core/problem/harness_commands.h"
#include "core/problem/shape_text.h"
#include "core/report/headline.h"
#include "core/report/samples_check.h"
#include "core/scientist/novelty.h"
#include "core/scientist/portfolio.h"
#include "core/scientist/probe_findings.h"

#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>

namespace gks::cli {
namespace {

std::string kernelStateText(const Kernel& kernel, const Population& population) {
    const std::string waits = waitText(kernel, population);
    return fmt::format("{}{}{}", name(kernel.state), waits.empty() ? "" : ": ", waits);
}

// The plan of a kernel and that of its parent; null where there is none, or none that can be read.
struct PlanPair {
    std::shared_ptr<const RecordedPlans> own;
    std::shared_ptr<const RecordedPlans> parents;
    std::string trouble;
};

PlanPair plansOf(const CampaignStore& store, const Kernel& kernel) {
    PlanPair plans;
    const auto read = [&](KernelId id) -> std::shared_ptr<const RecordedPlans> {
        auto found = store.newestPlans(id);
        if (!found) {
            plans.trouble += fmt::format("{}the plan of {} cannot be read: {}", plans.trouble.empty() ? "" : "; ",
                                         kernelLabel(id), found.error().message());
        }
        return std::move(found).value_or(nullptr);
    };
    plans.own = read(kernel.id);
    plans.parents = kernel.parents.empty() ? nullptr : read(kernel.parents.front());
    return plans;
}

// The number of a timed shape, from 1 on.
Result<const ShapePlan*> chosenShape(const KernelPlans& plans, const Arguments& arguments) {
    const std::vector<const ShapePlan*> timed = plans.timed();
    GKS_TRY_ASSIGN(const int number, arguments.wholeNumber("--shape", 1, 1));
    if (static_cast<std::size_t>(number) > timed.size()) {
        return usageError(fmt::format("this kernel was timed on {} shapes", timed.size()), "--shape");
    }
    return timed[static_cast<std::size_t>(number) - 1];
}

PlanTable tableOf(const PlanPair& plans, const ShapePlan& shape) {
    return planTable(plans.own->kernel, shape, plans.parents ? &plans.parents->kernel : nullptr);
}

Result<void> notePlan(const PlanPair& plans, const Kernel& kernel, const Arguments& arguments) {
    if (!plans.trouble.empty()) {
        note("Launch plan: {}\n", terminalLine(plans.trouble));
    }
    if (!plans.own) {
        note("{}", plans.trouble.empty() ? "Launch plan: none; it was evaluated without one\n" : "");
        return {};
    }
    GKS_TRY_ASSIGN(const ShapePlan* shape, chosenShape(plans.own->kernel, arguments));
    const PlanTable table = tableOf(plans, *shape);
    note("Launch plan for {}: {}. {}\n", namedShapeText(shape->shape), planSummary(*shape), solveTimeText(*shape));
    note("{}", planTableText(table.plan));
    if (!table.setup.empty()) {
        note("Setup, once before the first call\n{}", planTableText(table.setup));
    }
    if (table.isCompared) {
        note("Against the plan of {}: {}\n", kernelLabel(kernel.parents.front()), planChangesText(table));
    }
    return {};
}

OrderedJson toJson(const PlanTableRow& row) {
    const auto cells = [](const std::optional<PlanRow>& one) {
        return one ? OrderedJson({{"stream", one->stream},
                                  {"operation", one->operation},
                                  {"what", one->what},
                                  {"grid", one->grid},
                                  {"block", one->block},
                                  {"lds", one->lds},
                                  {"arguments", one->arguments}})
                   : OrderedJson();
    };
    return {{"mark", std::string(1, markOf(row.kind))}, {"now", cells(row.now)}, {"before", cells(row.before)}};
}

// In words as the tables have them; the plans themselves are in the evidence.
OrderedJson planJson(const PlanPair& plans) {
    OrderedJson json = OrderedJson::array();
    for (const ShapePlan* shape : plans.own ? plans.own->kernel.timed() : std::vector<const ShapePlan*>()) {
        const PlanTable table = tableOf(plans, *shape);
        OrderedJson one = {
            {"shape", shape->shape},        {"solve_us", shape->solveUs},    {"first_solve_us", shape->firstSolveUs},
            {"compared", table.isCompared}, {"setup", OrderedJson::array()}, {"plan", OrderedJson::array()}};
        for (const PlanTableRow& row : table.setup) {
            one["setup"].push_back(toJson(row));
        }
        for (const PlanTableRow& row : table.plan) {
            one["plan"].push_back(toJson(row));
        }
        json.push_back(std::move(one));
    }
    return json;
}

std::string authorText(const Kernel& kernel) {
    const std::string drafted = draftText(kernel);
    return authorName(kernel) + (drafted.empty() ? "" : ", " + drafted);
}

int showKernel(const CampaignStore& store, const Population& population, const Arguments& arguments) {
    const auto id = kernelFromText(arguments.value("--kernel"), population, "--kernel");
    if (!id) {
        return failed(id.error());
    }
    if (arguments.has("--roofline")) {
        return showRoofline(store, population, *id, arguments.has("--json"));
    }
    const auto verdict = store.newestVerdict(*id);
    if (!verdict) {
        return failed(verdict.error());
    }
    const auto evaluations = provenEvaluations(store, *id);
    if (!evaluations) {
        return failed(evaluations.error());
    }
    const std::vector<AskedResult> asked = askedResults(*evaluations);
    const Kernel& kernel = *population.kernel(*id);
    const Result<std::string> source = kernel.source.read();
    if (!source) {
        return failed(source.error());
    }
    const PlanPair plans = plansOf(store, kernel);
    const auto nearest = Novelty().nearestEarlier(population, {kernel.id});
    const NearDuplicate* near = nearest.empty() ? nullptr : &nearest.begin()->second;
    const std::string difference = near ? differenceText(kernel, *population.kernel(near->kernel), *near) : "";
    if (arguments.has("--json")) {
        OrderedJson json = kernelJson(population, kernel);
        json["report"] = kernel.report.orNothing();
        json["source"] = *source;
        json["near_duplicate"] =
            near
                ? OrderedJson(
                      {{"of", kernelLabel(near->kernel)}, {"similarity", near->similarity}, {"difference", difference}})
                : OrderedJson();
        json["newest_verdict"] = *verdict ? toJson(**verdict) : OrderedJson();
        json["side_by_side"] = resultsJson(asked);
        if (kernel.probe) {
            json["probe"] = true;
            json["geomean_us"] = json["ci95_us"] = nullptr; // over variants it would mean nothing
            json["figures"] = toJson(figuresOf(kernel, *verdict));
        }
        json["launch_plans"] = planJson(plans);
        json["launch_plan_trouble"] = plans.trouble;
        printJson(json);
        return done;
    }
    // The source alone on stdout, so that it can be saved; what is known of it on stderr.
    std::vector<std::string> path;
    for (const KernelId ancestor : population.ancestry(kernel.id)) {
        path.push_back(kernelLabel(ancestor));
    }
    const std::string parents =
        kernel.parents.size() < 2
            ? std::string()
            : fmt::format("Parents: {} and {}\n", kernelLabel(kernel.parents[0]), kernelLabel(kernel.parents[1]));
    if (kernel.probe) {
        note("{}{}", probeFactsText(population, kernel), probeTable(figuresOf(kernel, *verdict)));
        saySource(*source);
        return done;
    }
    note("{} {}\n{}Ancestry: {}\nAuthor: {}\nVerdict: {}\nTime alone: {}\nvs parent: {}\nSpeedup over the "
         "baseline {}: {}\n",
         kernelLabel(kernel.id), terminalLine(kernel.title), parents, join(path, " > "),
         terminalLine(authorText(kernel)),
         kernel.verdict ? verdictText(*kernel.verdict, terminalLine(reasonText(population, kernel)))
                        : kernelStateText(kernel, population),
         timeText(kernel, population.settings.target), versusParentText(kernel), terminalLine(baselineName(population)),
         scaledSpeedText(population, kernel));
    note("{}", resultsText(asked));
    for (const AnchorFigure* anchor : newestAnchors(population)) {
        if (const std::string speed = speedOfAnchorText(population, *anchor, kernel); !speed.empty()) {
            note("Against a library: {}\n", terminalLine(speed));
        }
    }
    if (near) {
        note("Novelty: {}\n", difference);
    }
    if (const auto noted = notePlan(plans, kernel, arguments); !noted) {
        return failed(noted.error());
    }
    saySource(*source);
    return done;
}

int showExperiment(const Population& population, const Arguments& arguments) {
    const auto id = arguments.wholeNumber("--experiment", 0, 1);
    const Experiment* found = id ? population.experiment(*id) : nullptr;
    if (found == nullptr) {
        return failed(id ? Error{ErrorKind::usage, fmt::format("experiment {} not found", *id), "--experiment",
                                 "Use --experiments to list them"}
                         : id.error());
    }
    if (arguments.has("--json")) {
        OrderedJson json = experimentJson(population, *found);
        json["rubric"] = found->rubric;
        json["drafts"] = OrderedJson::array();
        for (const Kernel& kernel : population.kernels) {
            if (kernel.experiment == found->id) {
                json["drafts"].push_back(kernelLabel(kernel.id));
            }
        }
        printJson(json);
    } else {
        say("{}", experimentText(population, *found));
    }
    return done;
}

// Instead of the table of kernels.
constexpr std::array<const char*, 7> showsOneThing = {"--kernel", "--compare", "--experiment", "--experiments",
                                                      "--rounds", "--shapes",  "--check"};

// What judged the newest of these verdicts, which holds wherever the campaign file is; empty: our own judge did.
std::string harnessOf(const std::vector<Evaluation>& evaluations) {
    const auto told = std::find_if(evaluations.rbegin(), evaluations.rend(), [](const Evaluation& one) {
        return one.verdict.environment.contains(commandsFact);
    });
    return told == evaluations.rend() ? std::string() : told->verdict.environment.at(commandsFact);
}

// Of the best kernel. What its speed rests on is measured against its samples, and every row that is listed against the
// row of an evaluation, before any of it is stated.
Result<std::vector<Evaluation>> evaluationsOfHeadline(const CampaignStore& store, const Population& population) {
    const auto proven = [&]() -> Result<std::vector<Evaluation>> {
        GKS_TRY(store.checkSummaries(std::numeric_limits<KernelId>::min()));
        std::vector<Evaluation> evaluations;
        for (const KernelId id : population.best ? population.ancestry(*population.best) : std::vector<KernelId>()) {
            GKS_TRY_ASSIGN(evaluations, provenEvaluations(store, id));
        }
        return evaluations; // of the last of them
    };
    return within(store.file().string(), proven());
}

int runShow(const Arguments& arguments) {
    const auto store = CampaignStore::open(arguments.positional(), CampaignStore::Access::read);
    if (!store) {
        return failed(store.error());
    }
    if (arguments.has("--roofline") && !arguments.has("--kernel")) {
        return failed(
            Error{ErrorKind::usage, "whose roofline is not said", "--roofline", "Name a kernel with --kernel"});
    }
    if (arguments.has("--unified") && !arguments.has("--compare")) {
        return failed(Error{ErrorKind::usage, "of which kernels is not said", "--unified", "Name two with --compare"});
    }
    if (arguments.has("--check")) {
        return showCheck(**store, arguments.has("--json"));
    }
    if (arguments.has("--best")) {
        return showBest(**store, arguments.has("--json"));
    }
    if (arguments.has("--search")) {
        return showSearch(**store, arguments.value("--search"), arguments.has("--json"));
    }
    const bool isPlain = !arguments.has("--all") && !arguments.has("--json") &&
                         std::none_of(showsOneThing.begin(), showsOneThing.end(),
                                      [&](const char* option) { return arguments.has(option); });
    if (isPlain || arguments.has("--newest")) {
        const auto count = arguments.wholeNumber("--newest", newestShown, 1);
        const auto kernels = (*store)->kernelCount();
        if (!count || !kernels) {
            return failed(count ? kernels.error() : count.error());
        }
        if (arguments.has("--newest") || *kernels > largeCampaignKernels) {
            return showNewest(**store, *count);
        }
    }
    const auto population = (*store)->population();
    if (!population) {
        return failed(population.error());
    }
    const Population& all = **population;
    if (arguments.has("--kernel")) {
        return showKernel(**store, all, arguments);
    }
    if (arguments.has("--compare")) {
        return showComparison(**store, all, arguments);
    }
    if (arguments.has("--experiment")) {
        return showExperiment(all, arguments);
    }
    if (arguments.has("--shapes")) {
        return showChampions(all, arguments.has("--json"));
    }
    const auto evaluations = evaluationsOfHeadline(**store, all);
    if (!evaluations) {
        return failed(evaluations.error());
    }
    const bool running = FileLock::isHeld((*store)->file());
    if (arguments.has("--json")) {
        OrderedJson json = populationJson(all, running, *evaluations);
        if (const std::string harness = harnessOf(*evaluations); !harness.empty()) {
            json["harness"] = harness;
        }
        printJson(json);
        return done;
    }
    if (arguments.has("--rounds") || arguments.has("--experiments")) {
        say("{}", arguments.has("--rounds") ? roundsText(all) : experimentTable(all));
        return done;
    }
    const std::string harness = harnessOf(*evaluations);
    say("{} on {}{}{}\n{}\n{}\n{}{}{}{}{}{}{}{}Spend: {}\n", terminalLine(all.problemTitle), name(all.settings.target),
        all.settings.judgedByHarness ? ", " + judgedByHarness() : "", running ? ", in use by another process" : "",
        harness.empty() ? std::string() : "Harness " + terminalLine(harness) + "\n", populationTable(all),
        anchorTable(all), probesText(all), bestText(all, *evaluations), reviewText(all, arguments.positional()),
        waitingText(all), outageText(all), predictionTable(all), writersTable(all), spendSentence(all.spend));
    return done;
}

} // namespace

const Command showCommand = {
    "show",
    "FILE.gks",
    "Show the kernels, the best kernel and the spend of a campaign",
    {{"--kernel", "ID", "print the source of a kernel (its facts and launch plan go to stderr)", false},
     {"--shape", "N", "which of the timed shapes the launch plan is for (1)", false},
     {"--roofline", "", "of the kernel shape by shape: floor, time, share of the floor and what binds it", false},
     {"--compare", "ID,ID[,...]",
      "2 to 16 kernels beside one another: times by shape, speed over the first, code, instructions, launch plans",
      false},
     {"--unified", "", "with --compare ID,ID: what turns the first source into the second, as unified text", false},
     {"--experiments", "", "list the experiments with predicted and measured gain", false},
     {"--experiment", "N", "show one experiment with its rubric", false},
     {"--rounds", "", "what the model saw in each round: limits, and avenues with what became of them", false},
     {"--shapes", "", "the best kernel of every shape, and what a dispatch of all of them would bring", false},
     {"--all", "", "list every kernel, also of a campaign with more than 2000", false},
     {"--newest", "N", "list the newest N kernels alone (default in a campaign with more than 2000: 100)", false},
     {"--best", "", "show the best kernel alone, with its speedup over the baseline; quick in a large campaign", false},
     {"--search", "WORDS", "list the kernels whose number, title, author or source holds all of these words", false},
     {"--check", "", "check that every row says what its verdict says, and every verdict is of its source", false},
     {"--json", "", "print JSON", false}},
    runShow,
    {},
    {{"--kernel", "--compare", "--experiment", "--experiments", "--rounds", "--shapes", "--check", "--best", "--search",
      "--newest"},
     {"--shape", "--compare", "--experiment", "--experiments", "--rounds", "--shapes", "--check", "--best", "--search",
      "--newest"},
     {"--roofline", "--shape", "--compare", "--experiment", "--experiments", "--rounds", "--shapes", "--check",
      "--best", "--search", "--newest"},
     {"--newest", "--json"},
     {"--newest", "--all"},
     {"--unified", "--json"}}};

} // namespace gks::cli
