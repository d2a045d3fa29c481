// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/population_text.h"

#include "app/cli/output.h"
#include "core/base/text.h"
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
    return formatPercentRange({e.predictedLowPercent, e.predictedHighPercent});
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

Result<KernelId> kernelFromText(const std::string& text, const Population& population) {
    KernelId id = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), id);
    if (failure != std::errc() || end != text.data() + text.size() || population.kernel(id) == nullptr) {
        return usageError(fmt::format("there is no kernel \"{}\"", text), "kernel",
                          fmt::format("There are {}", population.kernels.size()));
    }
    return id;
}

std::string populationTable(const Population& population) {
    Table table;
    table.add(
        {"  Kernel", "Parents", "Title", "Author", "Verdict", "Geometric mean", "Against the parent", "Speed-up"});
    for (const Kernel& kernel : population.kernels) {
        table.add({(population.best == kernel.id ? "* " : "  ") + kernelLabel(kernel.id), parentsText(kernel),
                   oneLine(kernel.title), std::string(name(kernel.author)),
                   verdictText(kernel) + (kernel.banned ? " (banned)" : ""),
                   timeText(kernel, population.settings.target), versusParentText(kernel),
                   kernel.speedup > 0 ? formatRatio(kernel.speedup) : "-"});
    }
    return table.text();
}

std::string experimentTable(const Population& population) {
    Table table;
    table.add(
        {"Experiment", "Round", "Parent", "State", "Picked as", "Predicted gain", "Measured", "Kernel", "Description"});
    for (const Experiment& e : population.experiments) {
        table.add({std::to_string(e.id), std::to_string(e.round), kernelLabel(e.parent), std::string(name(e.state)),
                   e.pick.empty() ? "-" : e.pick, predictedText(e),
                   e.measuredGainPercent ? formatPercent(*e.measuredGainPercent) : "-",
                   e.kernel ? kernelLabel(*e.kernel) : "-",
                   oneLine(e.failure.empty() ? e.description : e.description + " (" + e.failure + ")")});
    }
    return table.text();
}

std::string experimentText(const Experiment& e) {
    std::vector<std::pair<std::string, std::string>> facts = {
        {"Experiment", fmt::format("{}, {}, by {}", e.id, name(e.state), name(e.author))},
        {"Parent", kernelLabel(e.parent) + (e.reference ? ", reference " + kernelLabel(*e.reference) : "")},
        {"Picked as", e.pick.empty() ? "-" : e.pick},
        {"Predicted gain", fmt::format("{}, innovation {} of 100", predictedText(e), e.innovation)}};
    if (e.measuredGainPercent) {
        facts.emplace_back("Measured", formatPercent(*e.measuredGainPercent));
    }
    if (e.tunedGainPercent) {
        facts.emplace_back("Tuned against tuned", formatPercent(*e.tunedGainPercent));
    }
    if (e.kernel) {
        facts.emplace_back("Kernel", kernelLabel(*e.kernel));
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

std::string predictionTable(const Population& population) {
    const std::vector<CalibrationRow> rows = calibration(population);
    if (rows.empty()) {
        return {};
    }
    Table table;
    table.add({"  Stage", "Who", "Predictions", "Inside", "Share inside", "Bias", "Width", "Correction"});
    for (const CalibrationRow& row : rows) {
        const std::string bias =
            row.biasCi95 ? formatPoints(row.biasPercent, *row.biasCi95) : formatPoints(row.biasPercent);
        table.add({"  " + row.stage, oneLine(row.model), std::to_string(row.count), std::to_string(row.inside),
                   formatShare(row.coverage, row.coverageCi95), bias + " points",
                   formatSignificant(row.meanWidthPercent) + " points",
                   fmt::format("{} points, {} times as wide", formatPoints(row.shiftPercent),
                               formatSignificant(row.widening))});
    }
    return "\nPredictions: the gain that was predicted against the gain that was measured\n" + table.text();
}

std::string outageText(const Population& population) {
    std::string text;
    for (const auto& [label, outage] : population.settings.lanesOut) {
        text += fmt::format("Lane {} is out of service: {}. {}{}Then: run FILE --restore-lanes {}\n", label,
                            outage.reason, outage.next, outage.next.empty() ? "" : ". ", label);
    }
    return text;
}

std::string bestText(const Population& population, const std::vector<Evaluation>& evaluationsOfBest) {
    const Kernel* best = population.best ? population.kernel(*population.best) : nullptr;
    if (best == nullptr) {
        return "No kernel has passed its verdict yet.\n";
    }
    std::string text = fmt::format("Best: {} {}, {}\n", kernelLabel(best->id), oneLine(best->title),
                                   timeText(*best, population.settings.target));
    const bool cpu = population.settings.target == TargetKind::cpu;
    if (const auto confirmation = confirmationOf(evaluationsOfBest)) {
        const ComparisonFact& fact = *confirmation->verdict.comparison;
        text += fmt::format("Confirmed side by side with the baseline {}: {} ({}{})\n",
                            kernelLabel(confirmation->baseline.value_or(0)), ratioText(fact), name(fact.verdict),
                            cpu ? ", cpu timings" : "");
    } else if (best->id != population.baseline && best->speedup > 0) {
        text += fmt::format("{} of the baseline {}, from separate measurements, not confirmed yet{}\n",
                            formatRatio(best->speedup), kernelLabel(population.baseline.value_or(0)),
                            cpu ? " (cpu timings)" : "");
    }
    return text;
}

} // namespace gks::cli
