// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scientist/briefing_text.h"

#include "core/base/one_line.h"
#include "core/base/quantity.h"
#include "core/base/text.h"
#include "core/campaign/finding_use.h"
#include "core/campaign/gain.h"
#include "core/campaign/limits.h"
#include "core/campaign/rules.h"
#include "core/judge/measured_shapes.h"
#include "core/scientist/held_out.h"
#include "core/scientist/machine.h"
#include "core/scientist/novelty.h"
#include "core/scientist/probe_findings.h"
#include "core/scientist/report_check.h"
#include "core/scientist/tuned_structures.h"

#include <algorithm>
#include <fmt/format.h>

namespace gks {
namespace {

constexpr std::string_view openTagMark = "<\xe2\x80\x8b/"; // a zero-width space keeps the tag open
constexpr std::size_t modelTextLimitBytes = 1500;
constexpr std::size_t triedTextLimitBytes = 400;
constexpr std::size_t avenueTextLimitBytes = 600;
constexpr std::size_t shownLabelLimitBytes = 120;
constexpr std::size_t shownReportLimitBytes = 4000;

} // namespace

std::string quoted(std::string_view text, std::size_t limitBytes) {
    return replaceAll(abbreviated(sanitizedUtf8(text), limitBytes), "</", openTagMark);
}

std::string unquoted(std::string text) {
    return replaceAll(std::move(text), openTagMark, "</");
}

std::string oneLine(std::string_view text, std::size_t limitBytes) {
    const std::string line = withoutControls(sanitizedUtf8(text.substr(0, 4 * limitBytes)));
    return std::string(beginningOf(trimmed(line), limitBytes));
}

std::string timesText(const Kernel& kernel) {
    std::vector<std::string> times;
    for (const double us : kernel.shapeMediansUs) {
        times.push_back(formatSignificant(us, 4));
    }
    return times.empty() ? "-" : join(times, " ");
}

std::string labelText(std::string_view text) {
    std::string line = shortened(quoted(text, modelTextLimitBytes), shownLabelLimitBytes);
    std::replace_if(
        line.begin(), line.end(),
        [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '<' || c == '>' || c == 0x7f; },
        ' ');
    return std::string(trimmed(line));
}

std::string targetText(const Briefing& briefing) {
    return machineText(machineOf(briefing));
}

std::string shapesText(const Briefing& briefing) {
    if (briefing.problem == nullptr) {
        return "unknown";
    }
    const CampaignSettings& settings = briefing.population->settings;
    std::vector<std::string> labels;
    for (const Shape& shape : measuredShapes(*briefing.problem, settings.target, settings.shapes)) {
        labels.push_back(briefing.problem->shapeLabel(shape));
    }
    return labels.empty() ? "unknown" : join(labels, "; ");
}

std::vector<const Finding*> shownFindings(const Population& population) {
    std::vector<const Finding*> shown;
    for (auto finding = population.findings.rbegin();
         finding != population.findings.rend() && shown.size() < findingListLimit; ++finding) {
        if (finding->state != FindingState::dismissed && !finding->probe) {
            shown.push_back(&*finding);
        }
    }
    std::reverse(shown.begin(), shown.end());
    return shown;
}

std::string findingsText(const Briefing& briefing) {
    std::vector<std::string> rows;
    for (const Finding* finding : shownFindings(*briefing.population)) {
        const char* const doubt = finding->state == FindingState::contradicted
                                      ? "[contradicted by a later measurement; do not rely on it] "
                                      : "";
        // The others say their gain in words of the engine's.
        const std::string measured = finding->author == Author::model && finding->gain
                                         ? fmt::format(" [measured: {}]", gainRangeText(*finding->gain))
                                         : std::string();
        rows.push_back(fmt::format(
            "- {}: {}{}{}", findingLabel(finding->id), doubt,
            quoted(withoutHeldOutShapes(finding->text, briefing.problem.get()), limits::findingBytes), measured));
    }
    return rows.empty() ? "Nothing yet." : join(rows, "\n");
}

// How its kernel compares with its parent; null: not known.
const ComparisonFact* stepOf(const Population& population, const Experiment& experiment) {
    const Kernel* kernel = experiment.kernel ? population.kernel(*experiment.kernel) : nullptr;
    return kernel != nullptr && kernel->versusParent ? &*kernel->versusParent : nullptr;
}

std::string triedText(const Briefing& briefing) {
    const Population& population = *briefing.population;
    std::vector<std::string> rows;
    std::size_t setAside = 0;
    for (auto experiment = population.experiments.rbegin();
         experiment != population.experiments.rend() && rows.size() < triedListLimit; ++experiment) {
        const bool isTooOld = isUndecided(*experiment) && ++setAside > setAsideListLimit;
        if (isTooOld || experiment->author == Author::tuner) { // whose points stand together, below
            continue;
        }
        std::string outcome = isUndecided(*experiment) ? "set aside" : std::string(name(experiment->state));
        if (const ComparisonFact* step = stepOf(population, *experiment)) {
            outcome = fmt::format("measured {}{}", comparisonText(*step),
                                  step->verdict == VerdictKind::undecided ? ", which neither shows nor rules out a gain"
                                                                          : "");
        } else if (experiment->measuredGain) {
            outcome = "measured " + formatRatio(*experiment->measuredGain);
        } else if (const Finding* figures =
                       experiment->kernel ? findingOfProbe(population, *experiment->kernel) : nullptr) {
            outcome = "its figures: " + findingLabel(figures->id);
        } else if (!experiment->failure.empty()) {
            outcome = "failed: " + quoted(withoutHeldOutShapes(experiment->failure, briefing.problem.get()), 300);
        }
        rows.push_back(fmt::format(
            "- on {}: {} ({}{})", kernelLabel(experiment->parent), experimentText(*experiment, triedTextLimitBytes),
            experiment->predicted ? "predicted " + gainRangeText(*experiment->predicted) + "; " : std::string(),
            outcome));
    }
    std::reverse(rows.begin(), rows.end());
    const auto structures = tunedStructures(population);
    std::size_t listed = 0;
    for (auto tuned = structures.rbegin(); tuned != structures.rend() && listed < tunedListLimit; ++tuned, ++listed) {
        rows.push_back("- " + tunedSummary(population, tuned->first, tuned->second));
    }
    return rows.empty() ? "Nothing yet." : join(rows, "\n");
}

std::string avenuesText(const Population& population) {
    std::vector<const Avenue*> shown = askedAvenues(population);
    const std::vector<const Avenue*> unused = unusedAvenues(population);
    for (auto avenue = unused.rbegin(); avenue != unused.rend() && shown.size() < avenueListLimit; ++avenue) {
        if (!(*avenue)->asked) {
            shown.push_back(*avenue);
        }
    }
    std::vector<std::string> rows;
    for (const Avenue* avenue : shown) {
        rows.push_back(fmt::format(
            "- {} (round {}): {}{}", avenueLabel(avenue->id), avenue->round, quoted(avenue->text, avenueTextLimitBytes),
            avenue->asked ? " [asked for by the person: at least one experiment takes this up]" : ""));
    }
    return join(rows, "\n");
}

std::string experimentText(const Experiment& experiment, std::size_t limitBytes) {
    const std::string text = shortened(quoted(experiment.description, 4 * limitBytes), limitBytes);
    if (experiment.kind == ExperimentKind::change) {
        return text;
    }
    const bool two = hasTwoParents(experiment.kind) && experiment.reference;
    return fmt::format("{}{}: {}", name(experiment.kind), two ? " with " + kernelLabel(*experiment.reference) : "",
                       text);
}

std::string writtenText(const Population& population) {
    std::vector<KernelId> written; // the newest
    for (auto kernel = population.kernels.rbegin();
         kernel != population.kernels.rend() && written.size() < writtenListLimit; ++kernel) {
        if (kernel->author == Author::model || kernel->author == Author::person) {
            written.push_back(kernel->id);
        }
    }
    std::reverse(written.begin(), written.end());
    const auto nearest = Novelty().nearestEarlier(population, written);
    std::vector<std::string> rows;
    for (const KernelId id : written) {
        const Kernel& kernel = *population.kernel(id);
        const auto near = nearest.find(id);
        rows.push_back(fmt::format("- {}: {} ({}{})", kernelLabel(id), quoted(oneLine(kernel.title, 120), 200),
                                   kernel.verdict ? name(*kernel.verdict) : "no verdict yet",
                                   near == nearest.end() ? std::string() : "; " + noveltyText(near->second)));
    }
    return rows.empty() ? "Nothing yet." : join(rows, "\n");
}

std::string analysisText(const Population& population, const Kernel& kernel) {
    std::string text = kernel.experiment ? "" : kernel.author == Author::seed ? "a seed." : "written by hand.";
    if (const Experiment* experiment = kernel.experiment ? population.experiment(*kernel.experiment) : nullptr) {
        text = "the experiment was: " + experimentText(*experiment, modelTextLimitBytes);
    }
    if (kernel.verdict) {
        text += fmt::format(" Verdict: {}.", name(*kernel.verdict));
    }
    if (kernel.versusParent) {
        text += fmt::format(" Gain over {}: {}.",
                            kernel.parents.empty() ? std::string("the baseline")
                                                   : "its parent " + kernelLabel(kernel.parents.front()),
                            ratioText(*kernel.versusParent));
    }
    const std::vector<RubricItem> rubric = kernel.rubric.orNothing();
    const std::string report = rubric.empty() ? kernel.report.orNothing() : "";
    if (!rubric.empty()) {
        text +=
            " Its writer said, and a check of the code found:\n" + quoted(reportText(rubric), shownReportLimitBytes);
    } else if (!report.empty()) {
        text += " Its writer said: " + quoted(report, modelTextLimitBytes);
    }
    return text;
}

} // namespace gks
