// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/html_report.h"

#include "core/base/text.h"
#include "core/campaign/ranking.h"
#include "core/judge/explanation.h"
#include "core/report/headline.h"
#include "core/report/markup.h"
#include "core/report/pictures.h"
#include "core/report/plan_pages.h"

#include <algorithm>
#include <fmt/format.h>

namespace gks {
namespace {

// The policy lets nothing in from outside even if an escape were forgotten somewhere.
constexpr std::string_view head = R"html(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<style>
:root { --back: #fbfbfa; --front: #1d2024; --quiet: #667079; --line: #d7dbe0; --accent: #2563a8; --good: #1f7a45;
  --bad: #b3362b; --tie: #8a6d1c; }
@media (prefers-color-scheme: dark) { :root { --back: #17191c; --front: #e4e6e9; --quiet: #98a2ac; --line: #343a41;
  --accent: #6aa8ec; --good: #58b97e; --bad: #ec7b6f; --tie: #d3b35a; } }
body { background: var(--back); color: var(--front); font: 15px/1.5 system-ui, sans-serif; max-width: 68rem;
  margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.15rem; margin-top: 2.2rem; }
p.claim { font-size: 1.15rem; } .quiet { color: var(--quiet); }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: .25rem .6rem .25rem 0; border-bottom: 1px solid var(--line); vertical-align: top;
  overflow-wrap: anywhere; }
th { color: var(--quiet); font-weight: 500; } tr.best td { font-weight: 600; }
pre, code { font-family: ui-monospace, monospace; font-size: .85rem; overflow-wrap: anywhere; }
pre { border: 1px solid var(--line); padding: .8rem; overflow: auto; max-height: 40rem; }
.scroll { overflow: auto; } svg { display: block; max-width: 100%; } svg.lineage { max-width: none; }
.axis { fill: var(--quiet); font-size: 11px; } .grid { stroke: var(--line); } .edge { fill: none; stroke: var(--line); }
.line { fill: none; stroke: var(--accent); stroke-width: 1.5; } .dot { fill: var(--quiet); }
.baseline { fill: none; stroke: var(--quiet); stroke-width: 1; }
.anchor { fill: none; stroke: var(--front); stroke-width: 1; stroke-dasharray: 6 4; }
.faster { fill: var(--good); } .slower, .refused { fill: var(--bad); } .tie, .waiting, .undecided { fill: var(--tie); }
.hollow { fill: none; stroke: var(--tie); stroke-width: 2; }
.stroke { fill: none; stroke: var(--bad); stroke-width: 2.5; }
.best > path, .best > circle { stroke: var(--accent); stroke-width: 3; }
</style>
)html";

std::string section(std::string_view title, const std::string& content) {
    return content.empty() ? std::string() : fmt::format("<h2>{}</h2>\n{}", htmlEscaped(title), content);
}

std::string paragraph(const std::string& text, std::string_view style = {}) {
    return fmt::format("<p class=\"{}\">{}</p>\n", style, htmlEscaped(text));
}

std::string kernelTable(const Evidence& evidence) {
    HtmlTable table({"Kernel", "Title", "Author", "Verdict", "Time alone", "vs parent", "Speedup"});
    for (const Kernel& kernel : evidence.population->kernels) {
        table.add({kernelLabel(kernel.id), kernel.title, std::string(name(kernel.author)),
                   std::string(kernel.verdict ? name(*kernel.verdict) : name(kernel.state)), timeOf(kernel),
                   versusParentOf(kernel), scaledSpeedText(*evidence.population, kernel)},
                  evidence.population->best == kernel.id ? "best" : "");
    }
    return table.html();
}

std::string anchorsHtml(const Population& population) {
    HtmlTable table(anchorHeader);
    for (const std::vector<std::string>& row : anchorRows(population)) {
        table.add(row);
    }
    return table.empty() ? std::string() : table.html() + paragraph(anchorNotice, "quiet");
}

std::string shapes(const Evidence& evidence, const EvidenceItem& item) {
    HtmlTable table({"Shape", "Median", "Samples", "Roofline floor", "Compared with", "Ratio", "Clock"});
    std::string pictures;
    for (const MeasurementFact& fact : item.evaluation.verdict.measurements) {
        const std::string label = shapeLabel(evidence.pack, fact.shape);
        table.add({label, formatMicroseconds(fact.medianUs, fact.ci95Us), std::to_string(fact.samples),
                   fact.floorUs > 0 ? formatMicroseconds(fact.floorUs) : "-",
                   fact.baselineMedianUs > 0 ? formatMicroseconds(fact.baselineMedianUs) : "-", ratioOf(fact),
                   fact.clock});
        pictures +=
            paragraph(label + (fact.baselineSampleUs.empty() ? "" : "; the quiet line is the kernel compared with"),
                      "quiet") +
            samplesSvg(fact);
    }
    return table.empty() ? std::string() : table.html() + pictures;
}

std::string checks(const Evidence& evidence, const EvidenceItem& item) {
    HtmlTable table({"Phase", "Shape", "Inputs", "Compared", "Max error (absolute, relative)", "Passed"});
    for (const VerificationFact& fact : item.evaluation.verdict.verification) {
        table.add(
            {fact.phase, shapeLabel(evidence.pack, fact.shape), fact.distribution, comparedText(fact),
             fmt::format("{}, {}", formatSignificant(fact.maxAbsoluteError), formatSignificant(fact.maxRelativeError)),
             fact.passed ? "yes" : "failed: " + fact.detail});
    }
    return table.empty() ? std::string() : table.html();
}

std::string launchPlans(const Evidence& evidence, const EvidenceItem& item) {
    std::string html;
    for (const PlanPage& page : planPages(evidence.pack, item)) {
        HtmlTable table(planPageHeader());
        for (const std::vector<std::string>& row : page.rows) {
            table.add(row);
        }
        html += paragraph(page.title) + table.html() + paragraph(page.remarks, "quiet");
    }
    return html;
}

std::string staticFacts(const EvidenceItem& item) {
    const auto& report = item.evaluation.verdict.staticReport;
    if (!report) {
        return {};
    }
    HtmlTable table({"Function", "VGPR", "AGPR", "SGPR", "Spills", "Scratch", "LDS", "Waves/SIMD", "Code"});
    for (const KernelResources& kernel : report->kernels) {
        table.add({kernel.name, std::to_string(kernel.vgprs), std::to_string(kernel.agprs),
                   std::to_string(kernel.sgprs), std::to_string(kernel.vgprSpills + kernel.sgprSpills),
                   std::to_string(kernel.scratchBytes), std::to_string(kernel.ldsBytes),
                   std::to_string(kernel.occupancyWavesPerSimd), std::to_string(kernel.codeBytes)});
    }
    return paragraph(fmt::format("Compiled for {}; not measured.", report->architecture), "quiet") + table.html();
}

std::string proofSection(const EvidenceItem& item) {
    HtmlTable table({"Fact", "Value"});
    for (const auto& [fact, value] : circumstances(item)) {
        table.add({fact, value});
    }
    return table.html();
}

std::string refusals(const Evidence& evidence) {
    HtmlTable table({"Subject", "Verdict", "Reason"});
    for (const Refused& refused : refusedOf(evidence)) {
        table.add({refused.who, refused.what, abbreviated(refused.why, 600)});
    }
    return table.empty() ? std::string() : table.html();
}

std::string source(const EvidenceItem& item) {
    return "<pre>" + htmlEscaped(item.source) + "</pre>\n";
}

} // namespace

std::string htmlReport(const Evidence& evidence, const std::string& root) {
    const EvidenceItem* subject = evidence.subjectItem();
    std::string html(head);
    html += fmt::format("<title>{0}</title></head><body>\n<h1>{0}</h1>\n", htmlEscaped(evidence.pack.title));
    html += paragraph(headline(evidence), "claim");
    const std::string notice = harnessNotice(evidence.pack);
    html += notice.empty() ? "" : paragraph(notice);
    const bool cpu = std::any_of(evidence.items.begin(), evidence.items.end(),
                                 [](const EvidenceItem& item) { return item.evaluation.verdict.target == "cpu"; });
    html += cpu ? paragraph(cpuTimesNotice, "quiet") : "";
    if (evidence.population) {
        html += section("Progress", progressSvg(*evidence.population));
        html += section("Lineage", lineageSvg(*evidence.population));
        html += section("Kernels", kernelTable(evidence));
        html += section("Libraries", anchorsHtml(*evidence.population));
    }
    if (subject != nullptr) {
        html += section("Timings of " + kernelLabel(subject->evaluation.kernel), shapes(evidence, *subject));
        html += section("What solve() asks of the device", launchPlans(evidence, *subject));
        html += section("Verification", checks(evidence, *subject));
        html += section("Environment", proofSection(*subject));
        html += section("Static report", staticFacts(*subject));
        html += section("Source", source(*subject));
    }
    html += section("Rejected kernels and experiments", refusals(evidence));
    if (evidence.population) {
        html += section("Spend", paragraph(spendSentence(evidence.population->spend)));
    }
    if (root.empty()) { // no bundle
        return html + "</body></html>\n";
    }
    html += section("Verify this report", paragraph("This page is part of an evidence bundle with all sources, samples "
                                                    "and checks. Verify it with kernel-scientist-cli replay FOLDER.") +
                                              "<p>Root hash <code>" + htmlEscaped(root) + "</code></p>\n");
    return html + "</body></html>\n";
}

} // namespace gks
