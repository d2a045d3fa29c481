// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/headline.h"

#include "core/base/text.h"
#include "core/campaign/anchors.h"
#include "core/campaign/confirmation.h"
#include "core/problem/shape_text.h"

#include <algorithm>
#include <fmt/format.h>

namespace gks {
std::string claimOf(const EvidenceItem& item) {
    const Verdict& verdict = item.evaluation.verdict;
    std::string text = fmt::format("{} {}: {}", kernelLabel(item.evaluation.kernel), item.title, name(verdict.kind));
    if (verdict.geomeanUs > 0) {
        text += ", " + formatMicroseconds(verdict.geomeanUs, verdict.geomeanCi95Us);
    }
    if (verdict.comparison) {
        const std::string baseline = item.evaluation.baseline ? "kernel " + kernelLabel(*item.evaluation.baseline)
                                                              : std::string("another kernel");
        text += fmt::format(", {} vs {} in a paired run", ratioText(*verdict.comparison), baseline);
    } else if (!isAccepted(verdict.kind)) {
        text += ", " + verdict.reason;
    }
    return text + ".";
}

std::string headline(const Evidence& evidence) {
    const EvidenceItem* subject = evidence.subjectItem();
    const std::string whose = evidence.pack.harness ? fmt::format(" It is {}.", judgedByHarness()) : std::string();
    if (subject == nullptr) {
        return "No kernel has passed yet." + whose;
    }
    std::string text = claimOf(*subject);
    const bool best = evidence.population && evidence.population->best == subject->evaluation.kernel;
    if (best && evidence.population->baseline != subject->evaluation.kernel) {
        text +=
            fmt::format(" {} against baseline {}.", isConfirmation(subject->evaluation) ? "Confirmed" : "Not confirmed",
                        baselineName(*evidence.population));
    }
    return (best ? "Best: " : "") + text + whose;
}

std::string harnessNotice(const ProblemPack& pack) {
    return pack.harness
               ? fmt::format("Every verdict and every time here is {} ({}): its commands draw the inputs, hold "
                             "what is right and have the clock, and nothing of it is proved.",
                             judgedByHarness(), pack.name)
               : std::string();
}

std::string spendSentence(const Spend& spend) {
    return fmt::format("{} evaluations, {} device time, {} wall time, {} tokens, {}", spend.evaluations,
                       formatSeconds(spend.gpuSeconds), formatClock(spend.wallSeconds),
                       formatTokens(static_cast<std::uint64_t>(std::max<std::int64_t>(spend.tokens, 0))),
                       formatCost(spend.usd, spend.unpricedTokens == 0));
}

std::string timeOf(const Kernel& kernel) {
    return kernel.geomeanUs > 0 ? formatMicroseconds(kernel.geomeanUs, kernel.geomeanCi95Us) : "-";
}

std::string versusParentOf(const Kernel& kernel) {
    return kernel.versusParent ? comparisonText(*kernel.versusParent) : "-";
}

std::string shapeLabel(const ProblemPack& pack, const std::map<std::string, std::int64_t>& shape) {
    std::vector<std::string> parts;
    for (const std::string& dim : pack.dims) {
        if (const auto at = shape.find(dim); at != shape.end()) {
            parts.push_back(fmt::format("{}={}", dim, at->second));
        }
    }
    return parts.empty() ? std::string(wholeRunText) : join(parts, " ");
}

std::string ratioOf(const MeasurementFact& fact) {
    if (!fact.ratio) {
        return "-";
    }
    return fact.ratioCi95 ? formatRatio(*fact.ratio, *fact.ratioCi95) : formatRatio(*fact.ratio);
}

std::vector<Refused> refusedOf(const Evidence& evidence) {
    std::vector<Refused> refused;
    for (const EvidenceItem& item : evidence.items) {
        const Verdict& verdict = item.evaluation.verdict;
        if (!isAccepted(verdict.kind)) {
            refused.push_back({fmt::format("{} {}", kernelLabel(item.evaluation.kernel), item.title),
                               std::string(name(verdict.kind)), verdict.reason});
        }
    }
    for (const Experiment& experiment :
         evidence.population ? evidence.population->experiments : SharedList<Experiment>()) {
        if (!experiment.kernel && !experiment.failure.empty()) {
            refused.push_back({fmt::format("experiment {} {}", experiment.id, abbreviated(experiment.description, 120)),
                               std::string(name(experiment.state)), experiment.failure});
        }
    }
    return refused;
}

std::vector<std::pair<std::string, std::string>> circumstances(const EvidenceItem& item) {
    const Verdict& verdict = item.evaluation.verdict;
    std::vector<std::pair<std::string, std::string>> facts = {
        {"Purpose", item.evaluation.purpose},
        {"Target", verdict.target},
        {"Device", verdict.device},
        {"Toolchain", verdict.build.toolchain},
        {"Sandbox", verdict.sandbox},
        {"Shapes", verdict.conditions.shapes},
        {"Cache flush", cacheFlushText(verdict.conditions)},
        {"Compiler options", join(verdict.conditions.compilerOptions, " ")},
        {"Source SHA-256", verdict.kernelSha256},
        {"Compared with, SHA-256", verdict.comparison ? verdict.comparison->baselineSha256 : ""}};
    for (const std::string& warning : verdict.warnings) {
        facts.emplace_back("Warning", warning);
    }
    for (const auto& [fact, value] : verdict.environment) {
        facts.emplace_back("Environment: " + fact, value);
    }
    facts.emplace_back("Seconds",
                       fmt::format("build {}, verify {}, measure {}", formatSeconds(verdict.buildSeconds),
                                   formatSeconds(verdict.verifySeconds), formatSeconds(verdict.measureSeconds)));
    std::erase_if(facts, [](const auto& fact) { return fact.second.empty(); });
    return facts;
}

std::vector<std::vector<std::string>> anchorRows(const Population& population) {
    const Kernel* const best = population.best ? population.kernel(*population.best) : nullptr;
    std::vector<std::vector<std::string>> rows;
    for (const AnchorFigure* anchor : newestAnchors(population)) {
        const auto speed = best != nullptr ? speedAgainst(population, *anchor, *best) : std::nullopt;
        rows.push_back(
            {anchor->title,
             isMeasured(*anchor) ? formatMicroseconds(anchor->geomeanUs, anchor->geomeanCi95Us) : "not measured",
             anchor->speedup > 0 ? formatRatio(anchor->speedup, anchor->speedupCi95) : "-",
             speed ? formatRatio(speed->ratio, speed->ci95) : "-", lacksText(*anchor)});
    }
    return rows;
}

} // namespace gks
