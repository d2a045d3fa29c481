// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scientist/briefing_text.h"

#include "core/base/one_line.h"
#include "core/base/quantity.h"
#include "core/base/text.h"
#include "core/campaign/limits.h"
#include "core/campaign/rules.h"
#include "core/judge/measured_shapes.h"
#include "core/scientist/machine.h"
#include "core/scientist/novelty.h"
#include "core/scientist/report_check.h"
#include "core/scientist/tuned_structures.h"

#include <algorithm>
#include <fmt/format.h>

namespace gks {
namespace {

constexpr std::string_view openTagMark = "<\xe2\x80\x8b/"; // a zero-width space keeps the tag open
constexpr std::size_t modelTextLimitBytes = 1500;
constexpr std::size_t shownLabelLimitBytes = 120;
constexpr std::size_t shownReportLimitBytes = 4000;
constexpr int reportLimit = 20; // static reports looked at for the name of their architecture

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
        if (finding->state != FindingState::dismissed) {
            shown.push_back(&*finding);
        }
    }
    std::reverse(shown.begin(), shown.end());
    return shown;
}

std::string findingsText(const Population& population) {
    std::vector<std::string> rows;
    for (const Finding* finding : shownFindings(population)) {
        const char* const doubt = finding->state == FindingState::contradicted
                                      ? "[contradicted by a later measurement; do not rely on it] "
                                      : "";
        rows.push_back(fmt::format("- {}{}", doubt, quoted(finding->text, limits::findingBytes)));
    }
    return rows.empty() ? "Nothing yet." : join(rows, "\n");
}

// How its kernel compares with its parent; null: not known.
const ComparisonFact* stepOf(const Population& population, const Experiment& experiment) {
    const Kernel* kernel = experiment.kernel ? population.kernel(*experiment.kernel) : nullptr;
    return kernel != nullptr && kernel->versusParent ? &*kernel->versusParent : nullptr;
}

std::string triedText(const Population& population) {
    std::vector<std::string> rows;
    for (auto experiment = population.experiments.rbegin();
         experiment != population.experiments.rend() && rows.size() < triedListLimit; ++experiment) {
        if (isUndecided(*experiment) || experiment->author == Author::tuner) { // its points stand together, below
            continue;
        }
        std::string outcome(name(experiment->state));
        if (experiment->measuredGainPercent) {
            outcome = fmt::format("measured {} %", formatPoints(*experiment->measuredGainPercent));
        } else if (const ComparisonFact* step = stepOf(population, *experiment);
                   step != nullptr && step->verdict == VerdictKind::undecided) {
            outcome = fmt::format("{} of its parent, which neither shows nor rules out a gain", comparisonText(*step));
        } else if (!experiment->failure.empty()) {
            outcome = "failed: " + quoted(withoutHeldOutShapes(experiment->failure), 300);
        }
        rows.push_back(fmt::format(
            "- on {}: {} (predicted {}; {})", kernelLabel(experiment->parent), quoted(experiment->description, 400),
            formatPercentRange({experiment->predictedLowPercent, experiment->predictedHighPercent}), outcome));
    }
    std::reverse(rows.begin(), rows.end());
    const auto structures = tunedStructures(population);
    std::size_t listed = 0;
    for (auto tuned = structures.rbegin(); tuned != structures.rend() && listed < tunedListLimit; ++tuned, ++listed) {
        rows.push_back("- " + tunedSummary(population, tuned->first, tuned->second));
    }
    return rows.empty() ? "Nothing yet." : join(rows, "\n");
}

std::string writtenText(const Population& population) {
    const auto nearest = nearestEarlier(population, writtenListLimit);
    std::vector<std::string> rows;
    for (auto kernel = population.kernels.rbegin();
         kernel != population.kernels.rend() && rows.size() < writtenListLimit; ++kernel) {
        if (kernel->author != Author::model && kernel->author != Author::person) {
            continue;
        }
        const auto near = nearest.find(kernel->id);
        rows.push_back(fmt::format("- {}: {} ({}{})", kernelLabel(kernel->id), quoted(oneLine(kernel->title, 120), 200),
                                   kernel->verdict ? name(*kernel->verdict) : "no verdict yet",
                                   near == nearest.end() ? std::string() : "; " + noveltyText(near->second)));
    }
    std::reverse(rows.begin(), rows.end());
    return rows.empty() ? "Nothing yet." : join(rows, "\n");
}

// A reason begins with the shape: "wrong: m=64 n=64, held-out, as declared: c: 3 of 9 elements differ".
std::string withoutHeldOutShapes(std::string reason) {
    const std::size_t end = reason.find(fmt::format(", {}", phase::heldOut));
    if (end == std::string::npos) {
        return reason;
    }
    const std::size_t before = reason.rfind(": ", end);
    const std::size_t begin = before == std::string::npos ? 0 : before + 2;
    return reason.replace(begin, end - begin, "a shape that is not shown");
}

std::string analysisText(const Population& population, const Kernel& kernel) {
    std::string text = kernel.experiment ? "" : kernel.author == Author::seed ? "a seed." : "written by hand.";
    if (const Experiment* experiment = kernel.experiment ? population.experiment(*kernel.experiment) : nullptr) {
        text = "the experiment was: " + quoted(experiment->description, modelTextLimitBytes);
    }
    if (const Kernel* parent = kernel.parents.empty() ? nullptr : population.kernel(kernel.parents.front())) {
        text += fmt::format(" Its parent {} took {} us.", kernelLabel(parent->id), timesText(*parent));
    }
    text += fmt::format(" It took {} us.", timesText(kernel));
    if (kernel.verdict) {
        text += fmt::format(" Verdict: {}.", name(*kernel.verdict));
    }
    if (kernel.versusParent) {
        text += fmt::format(" That is {} of its parent.", ratioText(*kernel.versusParent));
    }
    if (!kernel.rubric.empty()) {
        text += " Its writer said, and a check of the code found:\n" +
                quoted(reportText(kernel.rubric), shownReportLimitBytes);
    } else if (!kernel.report.empty()) {
        text += " Its writer said: " + quoted(kernel.report, modelTextLimitBytes);
    }
    return text;
}

std::string staticText(const Briefing& briefing, KernelId kernel) {
    const std::optional<StaticReport> report = briefing.staticReport ? briefing.staticReport(kernel) : std::nullopt;
    std::vector<std::string> rows;
    for (const KernelResources& one : report ? report->kernels : std::vector<KernelResources>()) {
        std::vector<std::string> mix;
        for (const auto& [kind, count] : one.instructions) {
            mix.push_back(fmt::format("{} {}", kind, count));
        }
        rows.push_back(fmt::format("{}: VGPR {}, AGPR {}, SGPR {}, spills {} vector and {} scalar, scratch {} B, LDS "
                                   "{} B, {} waves per SIMD; {}",
                                   quoted(one.name, 200), one.vgprs, one.agprs, one.sgprs, one.vgprSpills,
                                   one.sgprSpills, one.scratchBytes, one.ldsBytes, one.occupancyWavesPerSimd,
                                   join(mix, ", ")));
    }
    return abbreviated(join(rows, "\n"), shownOutputLimitBytes);
}

std::string reportArchitecture(const Briefing& briefing) {
    const auto& kernels = briefing.population->kernels;
    int asked = 0;
    for (auto kernel = kernels.rbegin(); briefing.staticReport && kernel != kernels.rend() && asked < reportLimit;
         ++kernel) {
        if (kernel->verdict) {
            ++asked;
            const auto report = briefing.staticReport(kernel->id);
            if (report && !report->architecture.empty()) {
                return labelText(report->architecture);
            }
        }
    }
    return "gfx942";
}

} // namespace gks
