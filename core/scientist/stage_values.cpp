// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scientist/stage_values.h"

#include "core/base/files.h"
#include "core/base/terminal_text.h"
#include "core/base/text.h"
#include "core/campaign/anchors.h"
#include "core/campaign/model_stages.h"
#include "core/campaign/rules.h"
#include "core/campaign/stagnation.h"
#include "core/problem/probe_pack.h"
#include "core/scientist/briefing_text.h"
#include "core/scientist/calibration.h"
#include "core/scientist/champion_table.h"
#include "core/scientist/change_text.h"
#include "core/scientist/design_reply.h"
#include "core/scientist/failure_text.h"
#include "core/scientist/held_out.h"
#include "core/scientist/judge_rules.h"
#include "core/scientist/kernel_facts.h"
#include "core/scientist/knowledge.h"
#include "core/scientist/portfolio.h"
#include "core/scientist/probe_findings.h"
#include "core/scientist/shape_table.h"

#include <algorithm>
#include <fmt/format.h>

namespace gks {
namespace {

constexpr std::size_t shownChangeLimitBytes = 40000;
constexpr std::size_t shownItemLimitBytes = 1000;

std::string taskText(const Briefing& briefing) {
    return briefing.problem ? quoted(briefing.problem->notes, shownNotesLimitBytes) : std::string();
}

std::string headerText(const Briefing& briefing) {
    return briefing.problem && !briefing.problem->harness ? generateProblemHeader(*briefing.problem) : std::string();
}

// What the kernel's file is called where a harness judges it; empty where our own judge does.
std::string harnessText(const Briefing& briefing) {
    return briefing.problem && briefing.problem->harness ? labelText(briefing.problem->harness->source) : std::string();
}

std::string stagnationText(const Population& population) {
    const auto still = stagnation(population);
    return still ? still->text : std::string();
}

// For every stage, then for this one.
std::string hintText(const Briefing& briefing, ModelStage stage) {
    const CampaignSettings& settings = briefing.population->settings;
    const std::string common = quoted(settings.hint, shownNotesLimitBytes);
    const auto own = settings.hints.find(std::string(name(stage)));
    const std::string more = own == settings.hints.end() ? std::string() : quoted(own->second, shownNotesLimitBytes);
    return common.empty() || more.empty() ? common + more : common + "\n\n" + more;
}

void include(StageInput& input, KnowledgeChoice known) {
    input.values["knowledge"] = std::move(known.text);
    std::move(known.inclusions.begin(), known.inclusions.end(), std::back_inserter(input.inclusions));
}

void noteFindings(StageInput& input, const std::vector<const Finding*>& findings) {
    for (const Finding* finding : findings) {
        input.inclusions.push_back({"finding", fmt::format("finding {}", finding->id), estimatedTokens(finding->text)});
    }
}

void includeFindings(StageInput& input, const Briefing& briefing) {
    noteFindings(input, shownFindings(*briefing.population));
    input.values["findings"] = findingsText(briefing);
}

void includeMeasured(StageInput& input, const Briefing& briefing) {
    noteFindings(input, shownMeasurements(*briefing.population));
    input.values["measured"] = measuredText(*briefing.population, briefing.problem.get());
}

// The kernel that a step goes on from.
Result<void> addParent(StageInput& input, const Briefing& briefing, const Kernel& basis) {
    GKS_TRY_ASSIGN(const std::string source, basis.source.read()); // no model is asked about a kernel without its code
    input.values.insert({{"basisId", kernelLabel(basis.id)},
                         {"basisSource", quoted(source, shownSourceLimitBytes)},
                         {"basisAnalysis", analysisText(*briefing.population, basis)},
                         {"basisFacts", deviceFactsText(briefing, basis.id)},
                         {"shapeTable", shapeTableText(briefing, &basis)}});
    return {};
}

// `basis` is the kernel that it stands beside: which of both is the faster one differs by shape.
void addOther(StageInput& input, const Briefing& briefing, const Kernel* basis, const std::optional<KernelId>& id) {
    const Population& population = *briefing.population;
    const Kernel* other = id ? population.kernel(*id) : nullptr;
    std::string times;
    if (other != nullptr && basis != nullptr && !other->shapeMediansUs.empty()) {
        times = fmt::format(" Times alone in us, in the order of the shapes ({}): {}; the parent's: {}.",
                            shapesText(briefing), timesText(*other), timesText(*basis));
    }
    input.values.insert({{"otherId", other ? kernelLabel(other->id) : ""},
                         {"otherSource", other ? quoted(other->source.orNothing(), shownSourceLimitBytes) : ""},
                         {"otherAnalysis", other ? analysisText(population, *other) + times : ""}});
}

// Behind the table of shapes, for who decides where to go: what libraries reach on them.
std::string withAnchors(std::string table, const Population& population) {
    const Kernel* best = population.best ? population.kernel(*population.best) : nullptr;
    for (const AnchorFigure* anchor : newestAnchors(population)) {
        if (isMeasured(*anchor)) {
            table += fmt::format("\nA library on the same shapes, geometric mean: {}",
                                 quoted(terminalLine(anchorLine(population, *anchor, best)), shownItemLimitBytes));
        }
    }
    return table;
}

// What an experiment is, in sections of its own for each kind.
void addExperiment(StageInput& input, const Experiment& experiment) {
    const auto isKind = [&](ExperimentKind kind) {
        return std::string(experiment.kind == kind ? name(kind) : std::string_view());
    };
    input.values.insert({{"description", quoted(experiment.description, shownNotesLimitBytes)},
                         {"rubric", quoted(experiment.rubric, shownNotesLimitBytes)},
                         {"limit", quoted(experiment.limit, shownNotesLimitBytes)},
                         {"attackedShapes", quoted(experiment.shapes, shownNotesLimitBytes)},
                         {"disproof", quoted(experiment.disproof, shownNotesLimitBytes)},
                         {"isChange", isKind(ExperimentKind::change)},
                         {"isRewrite", isKind(ExperimentKind::rewrite)},
                         {"isMerge", isKind(ExperimentKind::merge)},
                         {"isDispatch", isKind(ExperimentKind::dispatch)}});
}

// The drafts of an experiment and what the judge said of them.
// In the place of a verdict: a prompt that a person has edited says it too.
constexpr std::string_view sentBack = "sent back by the person who leads this work";

std::string earlierDraftsText(const Briefing& briefing, const Experiment& experiment) {
    std::vector<std::string> rows;
    for (const Kernel* draft : draftsOf(*briefing.population, experiment.id)) {
        const bool declined = draft->state == KernelState::declined;
        if (draft->verdict || declined) {
            const std::string reason = withoutHeldOutShapes(draft->reason, briefing.problem.get());
            const std::string said =
                declined ? fmt::format("{}: {}", sentBack, reason) : verdictText(*draft->verdict, reason);
            rows.push_back(fmt::format("- {} \"{}\": {}", kernelLabel(draft->id), labelText(draft->title),
                                       quoted(said, shownItemLimitBytes)));
        }
    }
    return join(rows, "\n");
}

} // namespace

StageInput selectorInput(const Briefing& briefing) {
    StageInput input{{{"mission", taskText(briefing)},
                      {"target", targetText(briefing)},
                      {"shapes", shapesText(briefing)},
                      {"shapeTable", withAnchors(shapeTableText(briefing, nullptr), *briefing.population)},
                      {"champions", championTableText(briefing, nullptr, nullptr)},
                      {"population", populationText(briefing)},
                      {"stagnation", stagnationText(*briefing.population)},
                      {"hint", hintText(briefing, ModelStage::selector)}},
                     {}};
    includeMeasured(input, briefing);
    return input;
}

Result<StageInput> designerInput(const Briefing& briefing, const Kernel& basis, const Selection& selection) {
    const Population& population = *briefing.population;
    StageInput input{{{"mission", taskText(briefing)},
                      {"target", targetText(briefing)},
                      {"header", headerText(briefing)},
                      {"harness", harnessText(briefing)},
                      {"rules", judgeRulesText(briefing)},
                      {"tried", triedText(briefing)},
                      {"written", writtenText(population)},
                      {"calibration", calibrationText(population)},
                      {"avenues", avenuesText(population)},
                      {"twoParents", offersTwoParents(population, selection.reference) ? "yes" : ""},
                      {"stagnation", stagnationText(population)},
                      {"kinds", kindsText(population)},
                      {"hint", hintText(briefing, ModelStage::designer)},
                      {"rationale", quoted(selection.rationale, shownNotesLimitBytes)}},
                     {}};
    GKS_TRY(addParent(input, briefing, basis));
    input.values["shapeTable"] = withAnchors(std::move(input.values["shapeTable"]), population);
    addOther(input, briefing, &basis, selection.reference);
    const Kernel* reference = selection.reference ? population.kernel(*selection.reference) : nullptr;
    input.values["champions"] = championTableText(briefing, &basis, reference);
    GKS_TRY_ASSIGN(KnowledgeChoice known, knowledgeFor(briefing, &basis, nullptr));
    include(input, std::move(known));
    includeFindings(input, briefing);
    includeMeasured(input, briefing);
    return input;
}

Result<StageInput> writerInput(const Briefing& briefing, const Kernel& basis, const Experiment& experiment) {
    std::string reference; // says what is right; so does a parent that passed
    if (briefing.problem != nullptr && !briefing.problem->harness && !isAccepted(basis)) {
        GKS_TRY_ASSIGN(reference, readFile(briefing.problem->referencePath, 4 * shownSourceLimitBytes));
    }
    StageInput input{{{"task", taskText(briefing)},
                      {"target", targetText(briefing)},
                      {"header", headerText(briefing)},
                      {"harness", harnessText(briefing)},
                      {"rules", judgeRulesText(briefing)},
                      {"referenceImplementation", quoted(reference, shownSourceLimitBytes)},
                      {"hint", hintText(briefing, ModelStage::writer)}},
                     {}};
    addExperiment(input, experiment);
    GKS_TRY(addParent(input, briefing, basis));
    addOther(input, briefing, &basis, experiment.reference);
    GKS_TRY_ASSIGN(KnowledgeChoice known, knowledgeFor(briefing, &basis, &experiment));
    include(input, std::move(known));
    includeFindings(input, briefing);
    includeMeasured(input, briefing);
    return input;
}

namespace {

// With the pack that probes are built against in the place of the problem: task, header and rules are its own.
Result<Briefing> probeBriefing(const Briefing& briefing) {
    GKS_TRY_ASSIGN(ProblemPack pack, loadProblemPack(std::string(probePackName)));
    Briefing own = briefing;
    own.problem = std::make_shared<const ProblemPack>(std::move(pack));
    return own;
}

} // namespace

Result<StageInput> probeInput(const Briefing& briefing, const Experiment& experiment) {
    GKS_TRY_ASSIGN(const Briefing own, probeBriefing(briefing));
    std::vector<std::string> examples;
    for (const SeedKernel& seed : own.problem->seeds) {
        examples.push_back(quoted(seed.source, shownSourceLimitBytes));
    }
    StageInput input{{{"contract", taskText(own)},
                      {"target", targetText(briefing)},
                      {"header", headerText(own)},
                      {"rules", judgeRulesText(own)},
                      {"example", join(examples, "\n")},
                      {"description", quoted(experiment.description, shownNotesLimitBytes)},
                      {"rubric", quoted(experiment.rubric, shownNotesLimitBytes)},
                      {"disproof", quoted(experiment.disproof, shownNotesLimitBytes)},
                      {"hint", hintText(briefing, ModelStage::writer)}},
                     {}};
    GKS_TRY_ASSIGN(KnowledgeChoice known, knowledgeFor(own, nullptr, &experiment));
    include(input, std::move(known));
    includeMeasured(input, briefing);
    return input;
}

Result<StageInput> repairInput(const Briefing& briefing, const Experiment& experiment, const Draft& draft,
                               const Failure& failure, int attempt) {
    const Population& population = *briefing.population;
    const bool isProbe = experiment.kind == ExperimentKind::probe;
    const Kernel* parent = isProbe ? nullptr : population.kernel(experiment.parent);
    Briefing of = briefing; // what the draft is judged against
    if (isProbe) {
        GKS_TRY_ASSIGN(of, probeBriefing(briefing));
    }
    StageInput input{
        {{"task", taskText(of)},
         {"target", targetText(briefing)},
         {"header", headerText(of)},
         {"harness", harnessText(of)},
         {"rules", judgeRulesText(of)},
         {"shapeTable", isProbe ? std::string() : shapeTableText(briefing, parent)},
         {"hint", hintText(briefing, ModelStage::repair)},
         {"basisId", parent != nullptr ? kernelLabel(parent->id) : ""},
         {"basisSource", parent != nullptr ? quoted(parent->source.orNothing(), shownSourceLimitBytes) : ""},
         {"earlier", earlierDraftsText(briefing, experiment)},
         {"draftSource", quoted(draft.source, shownSourceLimitBytes)},
         {"verdict", failure.verdict ? std::string(name(*failure.verdict)) : std::string(sentBack)},
         {"reason", failure.reason.empty()
                        ? "without a word"
                        : quoted(withoutHeldOutShapes(failure.reason, briefing.problem.get()), shownOutputLimitBytes)},
         {"output", quoted(failure.output, failureTextLimitBytes)},
         {"attempt", failure.verdict ? fmt::format("{} of {}", attempt, population.settings.repairAttempts)
                                     : fmt::format("{}, asked for by that person", attempt)}},
        {}};
    addExperiment(input, experiment);
    input.values["isProbe"] = isProbe ? "yes" : "";
    addOther(input, briefing, parent, hasTwoParents(experiment.kind) ? experiment.reference : std::nullopt);
    GKS_TRY_ASSIGN(KnowledgeChoice known, knowledgeFor(of, parent, &experiment));
    include(input, std::move(known));
    return input;
}

StageInput checkerInput(const Experiment& experiment, const std::vector<RubricItem>& rubric, std::string_view before,
                        std::string_view after) {
    std::string claims;
    for (std::size_t i = 0; i < rubric.size(); ++i) {
        claims +=
            fmt::format("{}. {} -- claimed: {}{}\n", i + 1, quoted(rubric[i].item, shownItemLimitBytes),
                        rubric[i].claimed ? "done" : "not done",
                        rubric[i].note.empty() ? std::string() : "; " + quoted(rubric[i].note, shownItemLimitBytes));
    }
    // Of a rewrite the removed lines say nothing, and new code between them is hard to read.
    const std::string change = experiment.kind == ExperimentKind::rewrite
                                   ? "(a rewrite: the new source as a whole)\n" + std::string(after)
                                   : changeText(before, after, shownChangeLimitBytes);
    return {{{"description", quoted(experiment.description, shownNotesLimitBytes)},
             {"rubric", quoted(experiment.rubric, shownNotesLimitBytes)},
             {"claims", claims.empty() ? "none" : claims},
             {"change", change.empty() ? "nothing was changed" : quoted(change, 2 * shownChangeLimitBytes)}},
            {}};
}

} // namespace gks
