// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/population_text.h"

#include "app/cli/output.h"
#include "core/base/terminal_text.h"
#include "core/base/text.h"
#include "core/campaign/agent_kernel.h"
#include "core/campaign/anchors.h"
#include "core/campaign/confirmation.h"
#include "core/campaign/finding_use.h"
#include "core/campaign/gain.h"
#include "core/campaign/ranking.h"
#include "core/campaign/rules.h"
#include "core/campaign/stagnation.h"
#include "core/engine/waiting.h"
#include "core/scientist/calibration.h"

#include <charconv>
#include <fmt/format.h>

namespace gks::cli {
namespace {

std::string verdictText(const Kernel& kernel) {
    return std::string(kernel.verdict ? name(*kernel.verdict) : name(kernel.state));
}

std::string parentsText(const Kernel& kernel) {
    std::vector<std::string> labels;
    for (const KernelId parent : kernel.parents) {
        labels.push_back(kernelLabel(parent));
    }
    return labels.empty() ? "-" : join(labels, " ");
}

std::string predictedText(const Experiment& e) {
    return e.predicted ? gainRangeText(*e.predicted) : "-";
}

std::string avenueText(const Population& population, const Avenue& avenue) {
    const Experiment* taken = population.takenUpBy(avenue.id);
    const std::string state = taken != nullptr ? fmt::format("taken up by experiment {}", taken->id)
                              : avenue.asked   ? "asked for"
                                               : "open";
    return fmt::format("  {} ({}): {}\n", avenueLabel(avenue.id), state, oneLine(avenue.text));
}

std::string openText(const SpeedScale& scale, const ComparisonWish& wish) {
    const auto ratio = scale.ratio(wish.kernel, wish.other);
    return ratio ? speedText(*ratio) + (isDecided(*ratio) ? ", but never in one run" : "") : "not compared";
}

std::string scaleText(const Population& population) {
    if (!population.scale || population.scale->comparisons().empty()) {
        return {};
    }
    const Agreement& agreement = population.scale->agreement();
    std::string text = fmt::format("Speeds: {} kernels on one scale, from {} paired runs",
                                   population.scale->kernels().size() + 1, population.scale->comparisons().size());
    if (agreement.redundant > 0) {
        text += fmt::format("; where several speak of the same they are {} times as far apart as their intervals say",
                            formatSignificant(agreement.tension, 2));
    }
    text += "\n";
    if (!population.settings.shapeWeights.empty()) {
        text += fmt::format("Speeds and times alone: {} ({}); verdicts against a parent count every shape once\n",
                            meanName(population.settings), weightsText(population.settings.shapeWeights));
    }
    if (const auto wish = nextComparison(population)) {
        text += fmt::format("Open: {} against {}: {}\n", kernelLabel(wish->kernel), kernelLabel(wish->other),
                            openText(*population.scale, *wish));
    }
    return text;
}

} // namespace

std::string timeText(const Kernel& kernel, TargetKind target) {
    if (kernel.geomeanUs <= 0) {
        return "-";
    }
    return formatMicroseconds(kernel.geomeanUs, kernel.geomeanCi95Us) + (target == TargetKind::cpu ? " cpu" : "");
}

std::string versusParentText(const Kernel& kernel) {
    if (!kernel.versusParent) {
        return "-";
    }
    const ComparisonFact& fact = *kernel.versusParent;
    const bool isWordy = fact.verdict == VerdictKind::tie || fact.verdict == VerdictKind::undecided;
    return isWordy ? comparisonText(fact) : ratioText(fact);
}

Result<KernelId> kernelFromText(const std::string& text, const Population& population, std::string_view where) {
    KernelId id = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), id);
    if (failure != std::errc() || end != text.data() + text.size() || population.kernel(id) == nullptr) {
        return usageError(
            fmt::format("kernel \"{}\" not found", text), std::string(where),
            fmt::format("The campaign has kernels 1 to {}", population.kernels.size() + population.probes.size()));
    }
    return id;
}

namespace {

std::vector<std::string> kernelHead() {
    return {"  Kernel", "Parents", "Title", "Author", "Verdict", "Time alone", "vs parent"};
}

std::vector<std::string> kernelRow(const Population& population, const Kernel& kernel) {
    return {(population.best == kernel.id ? "* " : "  ") + kernelLabel(kernel.id),
            parentsText(kernel),
            oneLine(kernel.title),
            authorName(kernel),
            verdictText(kernel) + (kernel.banned ? " (banned)" : ""),
            timeText(kernel, population.settings.target),
            versusParentText(kernel)};
}

} // namespace

std::string populationTable(const Population& population) {
    Table table;
    std::vector<std::string> head = kernelHead();
    head.emplace_back("Speedup");
    table.add(std::move(head));
    for (const Kernel& kernel : population.kernels) {
        std::vector<std::string> row = kernelRow(population, kernel);
        row.push_back(scaledSpeedText(population, kernel));
        table.add(std::move(row));
    }
    return table.text();
}

std::string kernelTable(const Population& population, const std::vector<const Kernel*>& kernels) {
    Table table;
    table.add(kernelHead());
    for (const Kernel* kernel : kernels) {
        table.add(kernelRow(population, *kernel));
    }
    return table.text();
}

std::string judgeLine(const CampaignSettings& settings) {
    return settings.judgedByHarness ? fmt::format("Every verdict here is {}\n", judgedByHarness()) : std::string();
}

std::string anchorTable(const Population& population) {
    const std::vector<const AnchorFigure*> anchors = newestAnchors(population);
    const Kernel* best = population.best ? population.kernel(*population.best) : nullptr;
    if (anchors.empty()) {
        return {};
    }
    Table table;
    table.add({"  Library", "Time alone", "Against " + oneLine(baselineName(population)),
               best != nullptr ? "The best against it" : "", "Lacks"});
    for (const AnchorFigure* anchor : anchors) {
        const auto speed = best != nullptr ? speedAgainst(population, *anchor, *best) : std::nullopt;
        table.add({"  " + oneLine(anchor->title),
                   isMeasured(*anchor) ? formatMicroseconds(anchor->geomeanUs, anchor->geomeanCi95Us) : "not measured",
                   anchor->speedup > 0 ? formatRatio(anchor->speedup, anchor->speedupCi95) : "-",
                   speed ? formatRatio(speed->ratio, speed->ci95) : "-", oneLine(lacksText(*anchor))});
    }
    return table.text() + "\n";
}

namespace {

// Of one whose kernels wait nothing is evaluated.
std::string_view stateText(const Experiment& experiment, const Population& population) {
    return stateInLine(experiment, population) ? name(KernelState::waiting) : name(experiment.state);
}

} // namespace

std::string experimentTable(const Population& population) {
    Table table;
    table.add({"Experiment", "Round", "Parent", "Kind", "State", "Picked as", "Predicted gain", "Measured gain",
               "Kernel", "Description"});
    for (const Experiment& e : population.experiments) {
        table.add({std::to_string(e.id), std::to_string(e.round), kernelLabel(e.parent), std::string(name(e.kind)),
                   std::string(stateText(e, population)), e.pick.empty() ? "-" : e.pick, predictedText(e),
                   e.measuredGain ? formatRatio(*e.measuredGain) : "-", e.kernel ? kernelLabel(*e.kernel) : "-",
                   oneLine(e.failure.empty() ? e.description : e.description + " (" + e.failure + ")")});
    }
    return table.text();
}

namespace {

// Every draft of an experiment with what became of it: "00003 build-failed, 00005 faster (1.31x of its parent)".
std::string draftsText(const Population& population, ExperimentId experiment) {
    std::vector<std::string> drafts;
    for (const Kernel& kernel : population.kernels) {
        if (kernel.experiment == experiment) {
            drafts.push_back(fmt::format(
                "{} {}{}", kernelLabel(kernel.id), kernel.verdict ? name(*kernel.verdict) : name(kernel.state),
                kernel.versusParent && isAccepted(kernel)
                    ? fmt::format(" ({} of its parent)", formatRatio(kernel.versusParent->ratio))
                    : std::string()));
        }
    }
    return drafts.size() < 2 ? std::string() : join(drafts, ", ");
}

} // namespace

std::string experimentText(const Population& population, const Experiment& e) {
    const std::string waits = waitText(e, population);
    std::vector<std::pair<std::string, std::string>> facts = {
        {"Experiment", fmt::format("{}, {}{}{}, by {}", e.id, stateText(e, population), waits.empty() ? "" : ", ",
                                   waits, name(e.author))},
        {"Kind", std::string(name(e.kind))},
        {"Parent",
         kernelLabel(e.parent) + (!e.reference            ? std::string()
                                  : hasTwoParents(e.kind) ? " and " + kernelLabel(*e.reference)
                                                          : ", reference kernel " + kernelLabel(*e.reference))},
        {"Picked as", e.pick.empty() ? "-" : e.pick},
        {"Predicted gain", fmt::format("{}, innovation {} of 100", predictedText(e), e.innovation)}};
    if (!e.limit.empty()) {
        facts.emplace_back("Attacks", e.limit + ", on " + e.shapes);
    }
    if (!e.disproof.empty()) {
        facts.emplace_back("Disproved by", e.disproof);
    }
    if (e.avenue) {
        facts.emplace_back("Takes up", "avenue " + avenueLabel(*e.avenue));
    }
    if (!e.writer.empty()) {
        facts.emplace_back("Writer", e.writer);
    }
    if (!e.uses.empty()) {
        facts.emplace_back("Rests on", "findings " + usesText(e));
    }
    if (e.measuredGain) {
        facts.emplace_back("Measured gain", formatRatio(*e.measuredGain));
    }
    if (e.tunedGain) {
        facts.emplace_back("Tuned vs tuned", formatRatio(*e.tunedGain));
    }
    if (e.kernel) {
        facts.emplace_back("Kernel", kernelLabel(*e.kernel));
    }
    if (const std::string drafts = draftsText(population, e.id); !drafts.empty()) {
        facts.emplace_back("Drafts", drafts);
    }
    if (!e.failure.empty()) {
        facts.emplace_back("Failure", e.failure);
    }
    std::string text;
    for (const auto& [fact, value] : facts) {
        text += fmt::format("{}: {}\n", fact, value);
    }
    return text + "\n" + e.description + "\n\n" + e.rubric + "\n";
}

std::string roundText(const Population& population, const Round& round) {
    std::string text =
        fmt::format("Round {} on {}{}, by {}\n", round.id, kernelLabel(round.parent),
                    round.reference ? ", reference kernel " + kernelLabel(*round.reference) : "", oneLine(round.model));
    text += round.rationale.empty() ? "" : fmt::format("Why: {}\n", oneLine(round.rationale));
    for (const ShapeLimit& row : round.diagnosis) {
        text += fmt::format("Limit on {}: {}; {} above the floor; evidence: {}\n", oneLine(row.shapes),
                            oneLine(row.limit), formatRatio(row.headroom), oneLine(row.evidence));
    }
    text += "Avenues:\n";
    for (const Avenue& avenue : population.avenues) {
        text += avenue.round == round.id ? avenueText(population, avenue) : "";
    }
    return text;
}

std::string roundsText(const Population& population) {
    std::vector<std::string> rounds;
    for (const Round& round : population.rounds) {
        rounds.push_back(roundText(population, round));
    }
    return rounds.empty() ? "No model has designed a round yet.\n" : join(rounds, "\n");
}

std::string predictionTable(const Population& population) {
    const std::vector<CalibrationRow> rows = calibration(population);
    if (rows.empty()) {
        return {};
    }
    Table table;
    table.add({"  Stage", "Model", "Predictions", "In range", "Coverage", "Bias", "Width", "Correction"});
    for (const CalibrationRow& row : rows) {
        const std::string bias = row.biasCi95 ? formatRatio(row.bias, *row.biasCi95) : formatRatio(row.bias);
        table.add(
            {"  " + row.stage, oneLine(row.model), std::to_string(row.count), std::to_string(row.inside),
             formatShare(row.coverage, row.coverageCi95), bias, formatRatio(row.meanWidth),
             fmt::format("times {}, width to the power {}", formatRatio(row.shift), formatSignificant(row.widening))});
    }
    return "\nCalibration: predicted vs measured gain\n" + table.text();
}

std::string reviewText(const Population& population, const std::string& file) {
    const auto drafts = draftsToReview(population);
    if (drafts.empty()) {
        return {};
    }
    Table table;
    for (const Kernel* draft : drafts) {
        table.add({"  " + kernelLabel(draft->id), oneLine(draft->title),
                   draft->parents.empty() ? std::string() : "from " + kernelLabel(draft->parents.front()),
                   draft->experiment ? fmt::format("experiment {}", *draft->experiment) : std::string()});
    }
    const std::string first = kernelLabel(drafts.front()->id);
    return fmt::format(
        "Code that waits for your approval:\n{}Read it: show {} --kernel {}. Then: steer {} approve-code {}, or "
        "send-back, reject-code, edit-code\n",
        table.text(), file, first, file, first);
}

std::string outageText(const Population& population) {
    std::string text;
    for (const auto& [label, outage] : population.settings.lanesOut) {
        text += fmt::format("Device {} is disabled: {}. {}{}To re-enable it: run FILE --restore-lanes {}\n", label,
                            outage.reason, outage.next, outage.next.empty() ? "" : ". ", label);
    }
    return text;
}

std::string headlineText(const Population& population, const std::vector<Evaluation>& evaluationsOfBest) {
    const Kernel* best = population.best ? population.kernel(*population.best) : nullptr;
    return best == nullptr ? std::string()
                           : fmt::format("Best: {} {}, {} alone\nSpeed: {}\n", kernelLabel(best->id),
                                         oneLine(best->title), timeText(*best, population.settings.target),
                                         terminalLine(headlineRatio(population, evaluationsOfBest).text()));
}

std::string bestText(const Population& population, const std::vector<Evaluation>& evaluationsOfBest) {
    std::string text = headlineText(population, evaluationsOfBest);
    if (text.empty()) {
        return "No kernel has passed yet.\n";
    }
    const auto still = stagnation(population);
    return text + (still ? still->text + "\n" : "") + scaleText(population);
}

} // namespace gks::cli
