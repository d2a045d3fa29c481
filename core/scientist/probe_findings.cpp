// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scientist/probe_findings.h"

#include "core/base/text.h"
#include "core/campaign/finding_use.h"
#include "core/campaign/limits.h"
#include "core/judge/probe.h"
#include "core/scientist/briefing_text.h"
#include "core/scientist/held_out.h"

#include <algorithm>
#include <fmt/format.h>

namespace gks {
namespace {

constexpr std::size_t probeSubjectLimitBytes = 160;

// "with_barriers: 40 ns each [39.8, 40.2], less without; 13.4 us [13.2, 13.6] a call"
std::string figureText(const ProbeFigure& figure) {
    const std::string call = formatProbeRate({figure.medianUs, figure.ci95Us}, "us") + " a call";
    const std::string rates = ratesText(figure);
    if (!figure.isDecided() && !figure.variant.less) {
        return fmt::format("{}: {}", figure.variant.name, rates);
    }
    if (rates.empty() && !figure.variant.less) {
        return fmt::format("{}: {}", figure.variant.name, call);
    }
    const std::string work = rates.empty() ? formatProbeRate(figure.work, "us") : rates;
    const std::string less = figure.variant.less ? ", less " + *figure.variant.less : std::string();
    return fmt::format("{}: {}{}; {}", figure.variant.name, work, less, call);
}

std::string figuresText(const std::string& subject, const std::vector<ProbeFigure>& figures, const Verdict& verdict) {
    std::vector<std::string> rows = {fmt::format("{} ({}{}; 95 % intervals):", subject, verdict.target,
                                                 verdict.device.empty() ? "" : ", " + verdict.device)};
    for (const ProbeFigure& figure : figures) {
        rows.push_back("- " + figureText(figure));
    }
    return abbreviated(sanitizedUtf8(join(rows, "\n")), limits::findingBytes);
}

} // namespace

const Finding* findingOfProbe(const Population& population, KernelId probe) {
    const auto found = std::ranges::find(population.findings, std::optional(probe), &Finding::probe);
    return found == population.findings.end() ? nullptr : &*found;
}

std::optional<FindingChange> probeFinding(const Population& population, const Kernel& probe,
                                          const Evaluation& evaluation) {
    if (!probe.probe || !isAccepted(evaluation.verdict.kind)) {
        return {};
    }
    const auto figures = probeFigures(probe.source.orNothing(), evaluation.verdict);
    if (!figures || figures->empty()) {
        return {};
    }
    const std::string subject = oneLine(probe.title, probeSubjectLimitBytes);
    const Finding* known = findingOfProbe(population, probe.id);
    Finding finding = known != nullptr ? *known : Finding();
    if (!finding.editedByPerson) {
        finding.subject = subject;
        finding.text = figuresText(subject, *figures, evaluation.verdict);
    }
    finding.evaluations = {evaluation.id}; // the figures are of this one alone
    finding.author = probe.author;
    finding.probe = probe.id;
    finding.changedAt = 0;
    return FindingChange{std::move(finding), known == nullptr, false};
}

std::vector<const Finding*> shownMeasurements(const Population& population) {
    std::vector<const Finding*> shown;
    for (auto finding = population.findings.rbegin();
         finding != population.findings.rend() && shown.size() < measuredListLimit; ++finding) {
        if (finding->probe && finding->state != FindingState::dismissed) {
            shown.push_back(&*finding);
        }
    }
    std::ranges::reverse(shown);
    return shown;
}

std::string measuredText(const Population& population, const ProblemPack* problem) {
    std::vector<std::string> rows;
    for (const Finding* finding : shownMeasurements(population)) {
        rows.push_back(fmt::format("{}: {}", findingLabel(finding->id),
                                   quoted(withoutHeldOutShapes(finding->text, problem), limits::findingBytes)));
    }
    return join(rows, "\n");
}

} // namespace gks
