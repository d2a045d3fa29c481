// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/markdown_report.h"

#include "core/base/text.h"
#include "core/campaign/ranking.h"
#include "core/report/headline.h"
#include "core/report/markup.h"
#include "core/report/plan_pages.h"

#include <algorithm>
#include <fmt/format.h>

namespace gks {
namespace {

std::string row(const std::vector<std::string>& cells) {
    std::string text = "|";
    for (const std::string& cell : cells) {
        text += " " + markdownEscaped(cell) + " |";
    }
    return text + "\n";
}

std::string header(const std::vector<std::string>& cells) {
    std::string text = row(cells) + "|";
    for (std::size_t i = 0; i < cells.size(); ++i) {
        text += "---|";
    }
    return text + "\n";
}

std::string kernels(const Population& population) {
    std::string text =
        "\n## Kernels\n" + header({"Kernel", "Title", "Author", "Verdict", "Time alone", "vs parent", "Speedup"});
    for (const Kernel& kernel : population.kernels) {
        text += row({kernelLabel(kernel.id) + (population.best == kernel.id ? ", best" : ""), kernel.title,
                     std::string(name(kernel.author)),
                     std::string(kernel.verdict ? name(*kernel.verdict) : name(kernel.state)), timeOf(kernel),
                     versusParentOf(kernel), scaledSpeedText(population, kernel)});
    }
    return text;
}

std::string anchorsMarkdown(const Population& population) {
    std::string text;
    for (const std::vector<std::string>& cells : anchorRows(population)) {
        text += row(cells);
    }
    return text.empty() ? text : fmt::format("\n## Libraries\n{}{}\n{}\n", header(anchorHeader), text, anchorNotice);
}

std::string proof(const Evidence& evidence, const EvidenceItem& item) {
    const Verdict& verdict = item.evaluation.verdict;
    std::string text = fmt::format("\n## {} {}\n", evidence.pack.harness ? "Timings of" : "Evidence for",
                                   kernelLabel(item.evaluation.kernel)) +
                       header({"Shape", "Median", "Samples", "Floor", "Ratio"});
    for (const MeasurementFact& fact : verdict.measurements) {
        text += row({shapeLabel(evidence.pack, fact.shape), formatMicroseconds(fact.medianUs, fact.ci95Us),
                     std::to_string(fact.samples), fact.floorUs > 0 ? formatMicroseconds(fact.floorUs) : "-",
                     ratioOf(fact)});
    }
    const auto passed = std::count_if(verdict.verification.begin(), verdict.verification.end(),
                                      [](const VerificationFact& fact) { return fact.passed; });
    text += fmt::format("\n{} of {} checks passed.\n\n", passed, verdict.verification.size());
    text += header({"Fact", "Value"});
    for (const auto& [fact, value] : circumstances(item)) {
        text += row({fact, value});
    }
    return text;
}

std::string launchPlans(const Evidence& evidence, const EvidenceItem& item) {
    std::string text;
    for (const PlanPage& page : planPages(evidence.pack, item)) {
        text += fmt::format("\n{}\n\n", markdownEscaped(page.title)) + header(planPageHeader());
        for (const std::vector<std::string>& cells : page.rows) {
            text += row(cells);
        }
        text += fmt::format("\n{}\n", markdownEscaped(page.remarks));
    }
    return text.empty() ? text : "\n## What solve() asks of the device\n" + text;
}

} // namespace

std::string markdownReport(const Evidence& evidence, const std::string& root) {
    std::string text =
        fmt::format("# {}\n\n{}\n", markdownEscaped(evidence.pack.title), markdownEscaped(headline(evidence)));
    const std::string notice = harnessNotice(evidence.pack);
    text += notice.empty() ? "" : fmt::format("\n{}\n", markdownEscaped(notice));
    const bool cpu = std::any_of(evidence.items.begin(), evidence.items.end(),
                                 [](const EvidenceItem& item) { return item.evaluation.verdict.target == "cpu"; });
    text += cpu ? fmt::format("\n{}\n", cpuTimesNotice) : "";
    if (evidence.population) {
        text += kernels(*evidence.population);
        text += anchorsMarkdown(*evidence.population);
    }
    if (evidence.subjectItem() != nullptr) {
        text += proof(evidence, *evidence.subjectItem()) + launchPlans(evidence, *evidence.subjectItem());
    }
    const std::vector<Refused> refused = refusedOf(evidence);
    if (!refused.empty()) {
        text += "\n## Rejected kernels and experiments\n" + header({"What", "Verdict", "Why"});
        for (const Refused& one : refused) {
            text += row({one.who, one.what, abbreviated(one.why, 600)});
        }
    }
    if (evidence.population) {
        text += fmt::format("\n## Spend\n{}\n", markdownEscaped(spendSentence(evidence.population->spend)));
    }
    if (root.empty()) { // no bundle
        return text;
    }
    return text + fmt::format("\n## Verify this report\n`kernel-scientist-cli replay FOLDER` verifies every file, "
                              "sample and verdict.\n\nRoot hash `{}`\n",
                              root);
}

} // namespace gks
