// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/doctor.h"
#include "app/cli/findings_json.h"
#include "app/cli/mcp_tools.h"
#include "app/cli/population_json.h"
#include "app/cli/population_text.h"
#include "app/cli/show_comparison.h"
#include "core/base/text.h"
#include "core/campaign/campaign_pack.h"
#include "core/campaign/limits.h"
#include "core/campaign/rules.h"
#include "core/campaign/running.h"
#include "core/campaign/spend_json.h"
#include "core/engine/run_end.h"
#include "core/engine/waiting.h"
#include "core/export/export_forms.h"
#include "core/mcp/pages.h"
#include "core/report/samples_check.h"
#include "core/scientist/held_out.h"
#include "core/scientist/judge_rules.h"

#include <algorithm>
#include <fmt/format.h>

// Tools that only look.
namespace gks::cli {
namespace {

constexpr std::size_t idCharacters = 12;
constexpr std::size_t shownReasonBytes = 300;

// A campaign at one moment, beside whoever writes it.
struct Look {
    std::unique_ptr<CampaignStore> store;
    PopulationPtr population;
    std::optional<ProblemPack> pack; // none: it cannot be read

    const ProblemPack* packOrNull() const { return pack ? &*pack : nullptr; }
};

Result<Look> lookAt(McpPlace& place) {
    GKS_TRY_ASSIGN(McpCampaign * campaign, campaignOf(place));
    Look look;
    GKS_TRY_ASSIGN(look.store, campaign->read());
    GKS_TRY_ASSIGN(look.population, look.store->population());
    if (auto pack = packOfCampaign(look.population->settings)) {
        look.pack = std::move(*pack);
    }
    return look;
}

std::string whoWrote(const Kernel& kernel) {
    return kernel.author == Author::model && !kernel.writer.empty() ? kernel.writer : std::string(name(kernel.author));
}

std::string problemName(const Look& look) {
    return look.pack ? look.pack->name : look.population->problemTitle;
}

OrderedJson agentKernelRow(const Look& look, const Kernel& kernel) {
    const Population& population = *look.population;
    OrderedJson row = kernelJson(population, kernel);
    for (const char* unneeded : {"writer", "draft_usd", "draft_seconds", "sha256", "author"}) {
        row.erase(unneeded);
    }
    row["by"] = whoWrote(kernel);
    row["reason"] = withoutHeldOutShapes(abbreviated(kernel.reason, shownReasonBytes), look.packOrNull());
    if (const std::string waits = waitText(kernel, population); !waits.empty()) {
        row["waits"] = waits;
    }
    row["may_be_basis"] = mayBecomeParent(kernel);
    return row;
}

std::vector<const Kernel*> orderedKernels(const Population& population, bool fastestFirst) {
    std::vector<const Kernel*> order;
    for (const Kernel& kernel : population.kernels) {
        order.push_back(&kernel);
    }
    std::ranges::reverse(order);
    if (fastestFirst) {
        const auto ratio = [&](const Kernel* kernel) {
            const SpeedRatio* speed = population.speed(*kernel);
            return speed != nullptr ? speed->ratio : 0.0;
        };
        std::ranges::stable_sort(order, std::greater<>(), ratio);
    }
    return order;
}

Result<OrderedJson> headlineOf(const Look& look) {
    std::vector<Evaluation> ofBest;
    if (look.population->best) {
        GKS_TRY_ASSIGN(ofBest, provenEvaluations(*look.store, *look.population->best));
    }
    return headlineJson(*look.population, ofBest)["headline"];
}

OrderedJson writerJson(const std::string& file) {
    const CampaignWriter writer = writerOf(file);
    if (!writer.isThere) {
        return "nobody: what is proposed is evaluated by this server";
    }
    return writer.run ? OrderedJson(fmt::format("{}, {}", placeText(writer.run->place), stateText(*writer.run)))
                      : OrderedJson("another user or machine");
}

Result<std::string> populationPage(McpPlace& place, const Json& arguments) {
    GKS_TRY_ASSIGN(const Look look, lookAt(place));
    const Population& population = *look.population;
    OrderedJson rows = OrderedJson::array();
    for (const Kernel* kernel : orderedKernels(population, arguments.value("order", "") == "fastest")) {
        rows.push_back(agentKernelRow(look, *kernel));
    }
    GKS_TRY_ASSIGN(OrderedJson headline, headlineOf(look));
    OrderedJson facts = {{"problem", problemName(look)},
                         {"title", population.problemTitle},
                         {"target", name(population.settings.target)},
                         {"mode", name(population.settings.mode)},
                         {"opened_by", writerJson(place.campaign->file())},
                         {"headline", std::move(headline)},
                         {"hint_of_the_person", population.settings.hint},
                         {"pinned_basis", labelOrNull(population.settings.pinnedParent)},
                         {"kernels_in_all", population.kernels.size()}};
    GKS_TRY_ASSIGN(const OrderedJson page, mcp::rowsPage(std::move(facts), "kernels", rows, pageOf(arguments)));
    return mcp::textOf(page);
}

Result<KernelId> kernelNamed(const Look& look, const std::string& text) {
    return kernelFromText(text, *look.population, "kernel");
}

// Facts of a kernel with the verdict that is its own.
Result<OrderedJson> kernelFacts(const Look& look, const Kernel& kernel) {
    OrderedJson facts = agentKernelRow(look, kernel);
    facts["sha256"] = kernel.sourceSha256;
    OrderedJson ancestry = OrderedJson::array();
    for (const KernelId id : look.population->ancestry(kernel.id)) {
        ancestry.push_back(kernelLabel(id));
    }
    facts["ancestry"] = std::move(ancestry);
    GKS_TRY_ASSIGN(const auto verdict, look.store->newestVerdict(kernel.id));
    facts["newest_verdict"] = verdict ? agentVerdict(*verdict, look.packOrNull()) : OrderedJson();
    return facts;
}

Result<std::string> kernelPage(McpPlace& place, const Json& arguments) {
    GKS_TRY_ASSIGN(const Look look, lookAt(place));
    GKS_TRY_ASSIGN(const KernelId id, kernelNamed(look, arguments.value("kernel", "")));
    const Kernel& kernel = *look.population->kernel(id);
    GKS_TRY_ASSIGN(const OrderedJson facts, kernelFacts(look, kernel));
    GKS_TRY_ASSIGN(const std::string source, kernel.source.read());
    return withSource(place, facts, source, pageOf(arguments));
}

Result<std::string> comparePage(McpPlace& place, const Json& arguments) {
    GKS_TRY_ASSIGN(const Look look, lookAt(place));
    std::vector<KernelId> kernels;
    for (const Json& text : arguments.at("kernels")) {
        GKS_TRY_ASSIGN(const KernelId id, kernelNamed(look, text.get<std::string>()));
        kernels.push_back(id);
    }
    GKS_TRY_ASSIGN(const ComparisonTable table, comparisonOf(*look.store, *look.population, kernels));
    OrderedJson facts = comparisonJson(table);
    const OrderedJson rows = std::move(facts["rows"]);
    facts.erase("rows");
    facts.update(judgeJson(look.population->settings));
    GKS_TRY_ASSIGN(const OrderedJson page, mcp::rowsPage(std::move(facts), "rows", rows, pageOf(arguments)));
    return mcp::textOf(page);
}

Result<std::string> findingsPage(McpPlace& place, const Json& arguments) {
    GKS_TRY_ASSIGN(const Look look, lookAt(place));
    GKS_TRY_ASSIGN(const OrderedJson findings, findingsJson(*look.store, *look.population));
    OrderedJson shown = OrderedJson::array();
    for (OrderedJson finding : findings) {
        if (finding["state"] != name(FindingState::dismissed)) { // a person took it out of every prompt
            finding["text"] = withoutHeldOutShapes(finding["text"].get<std::string>(), look.packOrNull());
            shown.push_back(std::move(finding));
        }
    }
    GKS_TRY_ASSIGN(const OrderedJson page, mcp::rowsPage(OrderedJson::object(), "findings", shown, pageOf(arguments)));
    return mcp::textOf(page);
}

template<class Number>
OrderedJson budgetOrNull(Number number) { // none: without an end
    return number > 0 ? OrderedJson(number) : OrderedJson();
}

Result<std::string> budgetText(McpPlace& place) {
    GKS_TRY_ASSIGN(const Look look, lookAt(place));
    const Population& population = *look.population;
    const CampaignSettings& settings = population.settings;
    const Budgets& budgets = settings.budgets;
    const auto spent = spentBudget(population, {.wallSeconds = population.spend.wallSeconds});
    return mcp::textOf({{"budgets",
                         {{"evaluations", budgetOrNull(budgets.evaluations)},
                          {"minutes", budgetOrNull(budgets.minutes)},
                          {"usd", budgetOrNull(budgets.usd)},
                          {"tokens", budgetOrNull(budgets.tokens)},
                          {"device_seconds", budgetOrNull(budgets.gpuSeconds)},
                          {"goal_us", budgetOrNull(budgets.goalUs)}}},
                        {"spend", toJson(population.spend)},
                        {"spent", spent ? OrderedJson(*spent) : OrderedJson()},
                        {"agents_kernels_in_line", agentKernelsInLine(population)},
                        {"most_in_line", limits::agentKernels},
                        {"person_reads_code_first", settings.policies.checkCode},
                        {"trials_of_this_session", place.trials.load()},
                        {"opened_by", writerJson(place.campaign->file())}});
}

// The files of a form, one behind the other; an agent writes them where its own rights allow.
Result<std::string> exportedAs(McpPlace& place, const Look& look, KernelId id, const Json& arguments) {
    ExportOptions options;
    GKS_TRY_ASSIGN(options.form, exportFormFromName(arguments.at("as").get<std::string>()));
    GKS_TRY_ASSIGN(const ExportedKernel kernel, readExportedKernel(*look.store, id));
    GKS_TRY_ASSIGN(const BundleFiles files, exportFiles(kernel, options));
    OrderedJson facts = {{"kernel", kernelLabel(id)},
                         {"name", kernel.name},
                         {"claim", kernel.claim},
                         {"evidence_sha256", kernel.evidenceSha256},
                         {"open", openOf(kernel, options.form)},
                         {"files", OrderedJson::array()}};
    std::string text;
    for (const auto& [path, content] : files) {
        facts["files"].push_back({{"path", path}, {"bytes", content.size()}});
        text += fmt::format("==== {}\n{}\n", path, content);
    }
    return withSource(place, facts, text, pageOf(arguments));
}

Result<std::string> exported(McpPlace& place, const Json& arguments) {
    GKS_TRY_ASSIGN(const Look look, lookAt(place));
    const std::string wanted = arguments.value("kernel", "");
    if (wanted.empty() && !look.population->best) {
        return usageError("the campaign has no best kernel yet", "export", "Name a kernel");
    }
    GKS_TRY_ASSIGN(const KernelId id,
                   wanted.empty() ? Result<KernelId>(*look.population->best) : kernelNamed(look, wanted));
    if (arguments.contains("as")) {
        return exportedAs(place, look, id, arguments);
    }
    const Kernel& kernel = *look.population->kernel(id);
    GKS_TRY_ASSIGN(const auto evaluations, provenEvaluations(*look.store, id)); // its ratios are those of its samples
    GKS_TRY_ASSIGN(OrderedJson facts, kernelFacts(look, kernel));
    facts["problem"] = problemName(look);
    facts["evaluations"] = OrderedJson::array();
    for (const Evaluation& evaluation : evaluations) {
        OrderedJson row = {{"evaluation", evaluation.id},
                           {"purpose", evaluation.purpose},
                           {"compared_with", labelOrNull(evaluation.baseline)},
                           {"device", evaluation.verdict.device},
                           {"verdict", name(evaluation.verdict.kind)}};
        if (const auto& fact = evaluation.verdict.comparison) {
            row["ratio"] = fact->ratio;
            row["ci95"] = {fact->ci95.low, fact->ci95.high};
        }
        facts["evaluations"].push_back(std::move(row));
    }
    GKS_TRY_ASSIGN(const std::string source, kernel.source.read());
    return withSource(place, facts, source, pageOf(arguments));
}

Result<std::string> problemsText() {
    GKS_TRY_ASSIGN(const auto packs, builtinProblems());
    OrderedJson json = OrderedJson::array();
    for (const ProblemPack& pack : packs) {
        OrderedJson seeds = OrderedJson::array();
        for (const SeedKernel& seed : pack.seeds) {
            seeds.push_back(seed.name);
        }
        json.push_back({{"name", pack.name}, {"title", pack.title}, {"seeds", std::move(seeds)}});
    }
    return mcp::textOf({{"problems", std::move(json)}});
}

// The rules are those of a target: the campaign's, or the one that is asked about.
Result<TargetKind> briefedTarget(McpPlace& place, const Json& arguments) {
    if (arguments.contains("target")) {
        return targetFromName(arguments.at("target").get<std::string>());
    }
    if (!place.campaign) {
        return TargetKind::cpu;
    }
    GKS_TRY_ASSIGN(const auto store, place.campaign->read());
    GKS_TRY_ASSIGN(const CampaignSettings settings, store->settings());
    return settings.target;
}

OrderedJson shapesJson(const ProblemPack& pack) {
    OrderedJson shapes = OrderedJson::object();
    for (const ShapeSet set : {ShapeSet::test, ShapeSet::benchmark, ShapeSet::quick, ShapeSet::cpu}) {
        OrderedJson& labels = shapes[std::string(name(set))] = OrderedJson::array();
        for (const Shape& shape : pack.shapesOf(set)) {
            labels.push_back(pack.shapeLabel(shape));
        }
    }
    return shapes;
}

Result<std::string> problemBrief(McpPlace& place, const Json& arguments) {
    GKS_TRY_ASSIGN(ProblemPack pack, packOf(place, arguments));
    GKS_TRY_ASSIGN(const TargetKind target, briefedTarget(place, arguments));
    const std::string wanted = arguments.value("seed", std::string());
    const auto seed = std::ranges::find(pack.seeds, wanted, &SeedKernel::name);
    if (!wanted.empty() && seed == pack.seeds.end()) {
        return usageError(fmt::format("{} has no seed \"{}\"", pack.name, abbreviated(wanted, 80)), "seed",
                          "Call problem_brief without a seed: it names them");
    }
    OrderedJson facts = {{"problem", pack.name}, {"title", pack.title}, {"target", name(target)}};
    if (seed != pack.seeds.end()) {
        facts["seed"] = seed->name;
        return withSource(place, facts, seed->source, pageOf(arguments));
    }
    facts["shapes"] = shapesJson(pack);
    facts["seeds"] = OrderedJson::array();
    for (const SeedKernel& one : pack.seeds) {
        facts["seeds"].push_back({{"name", one.name}, {"title", one.title}});
    }
    auto population = std::make_shared<Population>();
    population->settings.target = target;
    population->settings.problem = pack.name;
    Briefing briefing;
    briefing.population = population;
    briefing.problem = std::make_shared<const ProblemPack>(pack);
    const std::string text = fmt::format("{}\n\nRules of the judge:\n{}\n\nproblem.h, which the source includes:\n{}",
                                         pack.notes, judgeRulesText(briefing), generateProblemHeader(pack));
    return withSource(place, facts, text, pageOf(arguments));
}

} // namespace

void addReadingTools(std::vector<mcp::Tool>& tools, McpPlace& place) {
    using mcp::Caller;
    const Json kernel = mcpText("a kernel's id as population has it, \"00012\"", idCharacters);
    tools.push_back({"doctor", "What this machine can do",
                     "Compilers, devices and sandbox of this machine, with one kernel tried on each target. Takes some "
                     "seconds; may give a handle for wait.",
                     mcpInput({}), false, [&place](const Json&, const Caller& caller) -> Result<std::string> {
                         GKS_TRY_ASSIGN(const std::string handle,
                                        place.jobs.start("doctor", [](const auto&, const auto&) -> Result<std::string> {
                                            OrderedJson json = doctorJson();
                                            json.erase("providers"); // whose keys are set is no agent's business
                                            return mcp::textOf(json);
                                        }));
                         return soonOrHandle(place, handle, caller.stop);
                     }});
    tools.push_back({"problems", "Built-in problems", "The problems that came with the program, with their seeds.",
                     mcpInput({}), false, [](const Json&, const Caller&) { return problemsText(); }});
    tools.push_back({"problem_brief", "What is to be computed",
                     "Task, tensors, shapes, the judge's rules and the header that a kernel includes; with seed: the "
                     "source of that seed.",
                     mcpInput({{"problem", mcpText("its name (the campaign's)", 64)},
                               {"target", mcpChoice("whose rules (the campaign's)", {"cpu", "amd", "nvidia"})},
                               {"seed", mcpText("name of a seed whose source is wanted", 64)},
                               {"page", mcpPage()}}),
                     false, [&place](const Json& arguments, const Caller&) { return problemBrief(place, arguments); }});
    tools.push_back(
        {"population", "Kernels of the campaign",
         "Every kernel with its parents, who wrote it, verdict, time and speed over the baseline, and who "
         "has the campaign open.",
         mcpInput({{"order", mcpChoice("what comes first (newest)", {"newest", "fastest"})}, {"page", mcpPage()}}),
         false, [&place](const Json& arguments, const Caller&) { return populationPage(place, arguments); }});
    tools.push_back({"kernel", "Source and verdict of a kernel", "A kernel's facts, newest verdict and whole source.",
                     mcpInput({{"kernel", kernel}, {"page", mcpPage()}}, {"kernel"}), false,
                     [&place](const Json& arguments, const Caller&) { return kernelPage(place, arguments); }});
    tools.push_back({"compare", "Kernels beside one another",
                     "Times by shape with paired ratios, registers, instructions and launches of 2 to 16 kernels; the "
                     "first is what the others are compared with.",
                     mcpInput({{"kernels", {{"type", "array"}, {"items", kernel}, {"minItems", 2}, {"maxItems", 16}}},
                               {"page", mcpPage()}},
                              {"kernels"}),
                     false, [&place](const Json& arguments, const Caller&) { return comparePage(place, arguments); }});
    tools.push_back({"findings", "Lessons of the campaign",
                     "What was learnt from verdicts, with the evaluations that taught it and those that contradict it.",
                     mcpInput({{"page", mcpPage()}}), false,
                     [&place](const Json& arguments, const Caller&) { return findingsPage(place, arguments); }});
    tools.push_back({"budget", "What may still be spent",
                     "Budgets of the campaign, what is spent of them, and how many kernels of agents are in line.",
                     mcpInput({}), false, [&place](const Json&, const Caller&) { return budgetText(place); }});
    tools.push_back({"export", "A kernel with its evidence",
                     "The source of a kernel (the best) with its evaluations as text. The ratios are checked against "
                     "their samples first. With as: the files of that form, each behind a line \"==== PATH\".",
                     mcpInput({{"kernel", kernel},
                               {"as", mcpChoice("the form (source and evaluations)",
                                                {"header", "library", "torch", "hf-kernel", "flashinfer"})},
                               {"page", mcpPage()}}),
                     false, [&place](const Json& arguments, const Caller&) { return exported(place, arguments); }});
}

} // namespace gks::cli
