// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/code/kernel_facts.h"

#include "core/base/foreign_text.h"
#include "core/base/quantity.h"
#include "core/campaign/anchors.h"
#include "core/campaign/champions.h"
#include "core/campaign/confirmation.h"
#include "core/campaign/finding_use.h"
#include "core/campaign/rules.h"
#include "core/campaign/summary.h"
#include "core/judge/probe.h"
#include "core/scientist/portfolio.h"
#include "core/scientist/probe_findings.h"
#include "widgets/common/palette.h"
#include "widgets/common/rich_text.h"
#include "widgets/common/statements.h"
#include "widgets/common/terms.h"
#include "widgets/common/verdict_mark.h"
#include "widgets/common/words.h"

#include <QObject>
#include <QStringList>
#include <algorithm>

namespace gks {
namespace {

class Page {
public:
    explicit Page(const Palette& palette) : m_palette(palette) {}

    void heading(const QString& text) {
        m_html +=
            QStringLiteral("<p style='margin-top:14px; margin-bottom:4px'><b>%1</b></p>").arg(text.toHtmlEscaped());
    }
    void line(const QString& text, bool quiet = false) {
        m_html += QStringLiteral("<p style='margin:2px 0; color:%1'>%2</p>")
                      .arg((quiet ? m_palette.quietText : m_palette.text).name(), text.toHtmlEscaped());
    }
    void colored(const QString& text, const QColor& color) {
        m_html +=
            QStringLiteral("<p style='margin:2px 0; color:%1'><b>%2</b></p>").arg(color.name(), text.toHtmlEscaped());
    }
    void code(const QString& text) {
        m_html += QStringLiteral("<pre style='background:%1; margin:4px 0'>%2</pre>")
                      .arg(m_palette.panel.name(), text.toHtmlEscaped());
    }
    void beginTable(const QStringList& headers, bool lastWraps = false) {
        m_lastWraps = lastWraps;
        m_html += QStringLiteral("<table cellspacing='0' cellpadding='3' width='100%'><tr>");
        for (qsizetype i = 0; i < headers.size(); ++i) {
            m_html += QStringLiteral("<td align='%1' style='color:%2; border-bottom:1px solid %3'>%4</td>")
                          .arg(align(i), m_palette.quietText.name(), m_palette.line.name(), headers[i].toHtmlEscaped());
        }
        m_html += QStringLiteral("</tr>");
    }
    void row(const QStringList& cells, const QColor& color = {}) {
        m_html += QStringLiteral("<tr>");
        for (qsizetype i = 0; i < cells.size(); ++i) {
            // A number is not torn from its unit, nor a ratio from its interval.
            const bool mayWrap = m_lastWraps && i + 1 == cells.size();
            m_html += QStringLiteral("<td align='%1' style='color:%2;%3'>%4</td>")
                          .arg(align(i), (color.isValid() ? color : m_palette.text).name(),
                               mayWrap ? QString() : QStringLiteral(" white-space:nowrap"), cells[i].toHtmlEscaped());
        }
        m_html += QStringLiteral("</tr>");
    }
    void raw(const QString& html) { m_html += html; }
    void endTable() { m_html += QStringLiteral("</table>"); }
    const QString& html() const { return m_html; }

private:
    static QString align(qsizetype column) { return column == 0 ? QStringLiteral("left") : QStringLiteral("right"); }

    const Palette& m_palette;
    QString m_html;
    bool m_lastWraps = false; // of the table: a text, not a number
};

using Dims = std::vector<std::string>;

QString text(const std::string& s) {
    return QString::fromStdString(s);
}

// Whose shape it is: this kernel's, another's; where nothing decides that, who may be and how many more.
QString championCell(const ShapeChampion* champion, KernelId kernel) {
    if (champion == nullptr) {
        return QStringLiteral("\u2013");
    }
    const auto nameOf = [&](KernelId id) { return id == kernel ? QObject::tr("this kernel") : idText(id); };
    if (champion->isDecided()) {
        return nameOf(champion->kernel);
    }
    const bool isAmong = std::ranges::find(champion->rivals, kernel) != champion->rivals.end();
    const QString first = nameOf(isAmong ? kernel : champion->kernel);
    return champion->rivals.size() == 1
               ? QObject::tr("%1 or %2").arg(first, nameOf(isAmong ? champion->kernel : champion->rivals.front()))
               : QStringLiteral("%1\u00a0+%2").arg(first).arg(champion->rivals.size());
}

void measurements(Page& page, const Evaluation& evaluation, const Dims& dims, const Champions& champions,
                  KernelId kernel) {
    const Verdict& verdict = evaluation.verdict;
    const QString other =
        evaluation.baseline ? QObject::tr("vs %1").arg(idText(*evaluation.baseline)) : QObject::tr("comparison");
    page.heading(QObject::tr("Timings on %1").arg(text(verdict.device.empty() ? verdict.target : verdict.device)));
    const bool ofHarness = !judgedBy(verdict).empty();
    page.beginTable({QObject::tr("Shape"), QObject::tr("Median"), QObject::tr("Samples"), other, QObject::tr("Bound"),
                     QObject::tr("Champion")},
                    true);
    QString clock;
    for (const MeasurementFact& fact : verdict.measurements) {
        const QString ratio =
            fact.ratio && fact.ratioCi95 ? text(formatRatio(*fact.ratio, *fact.ratioCi95)) : QStringLiteral("\u2013");
        page.row({shapeText(fact.shape, dims), text(formatMicroseconds(fact.medianUs, fact.ci95Us)),
                  countText(fact.samples), ratio,
                  fact.floorUs > 0 ? text(formatMicroseconds(fact.floorUs)) : QStringLiteral("\u2013"),
                  championCell(champions.of(fact.shape), kernel)});
        clock = word(fact.clock);
    }
    page.endTable();
    if (ofHarness) {
        page.line(QObject::tr("Clock: %1. Intervals: 95 % confidence. Beside another kernel a sample is the median of "
                              "one run of measure.")
                      .arg(clock),
                  true);
        return;
    }
    page.line(
        QObject::tr("Clock: %1. Intervals: 95 % confidence. What is faster than the judge's bound is refused; the "
                    "floor that a kernel can reach is on the page Roofline. Champion +2: two others may be as fast.")
            .arg(clock),
        true);
}

// Of a probe in the place of times: what it measured of the machine.
void figures(Page& page, const Population& population, const Verdict& verdict, const Kernel& probe) {
    const auto measured = probeFigures(probe.source.orNothing(), verdict);
    if (!measured || measured->empty()) {
        return;
    }
    page.heading(QObject::tr("Figures of %1").arg(text(verdict.device.empty() ? verdict.target : verdict.device)));
    page.beginTable({QObject::tr("Variant"), QObject::tr("A call"), QObject::tr("Samples"), QObject::tr("Less"),
                     QObject::tr("Rate")});
    for (const ProbeFigure& figure : *measured) {
        page.row({text(figure.variant.name), text(formatMicroseconds(figure.medianUs, figure.ci95Us)),
                  countText(figure.samples), text(figure.variant.less.value_or("\u2013")), text(ratesText(figure))});
    }
    page.endTable();
    const Finding* finding = findingOfProbe(population, probe.id);
    page.line(
        finding != nullptr
            ? QObject::tr("Intervals are 95 %. Prompts have them as finding %1.").arg(text(findingLabel(finding->id)))
            : QObject::tr("Intervals are 95 %."),
        true);
}

// One row for each kind of check over all shapes and inputs; what failed is listed by itself.
struct CheckSummary {
    std::string phase;
    std::vector<std::map<std::string, std::int64_t>> shapes;
    QStringList distributions;
    std::int64_t elements = 0;
    double largestError = 0;
    bool whole = true; // every element of every call
    bool passed = true;
};

std::vector<CheckSummary> summarized(const std::vector<VerificationFact>& facts) {
    std::vector<CheckSummary> all;
    for (const VerificationFact& fact : facts) {
        auto entry = std::find_if(all.begin(), all.end(), [&](const CheckSummary& c) { return c.phase == fact.phase; });
        if (entry == all.end()) {
            entry = all.insert(all.end(), CheckSummary{});
            entry->phase = fact.phase;
        }
        if (std::find(entry->shapes.begin(), entry->shapes.end(), fact.shape) == entry->shapes.end()) {
            entry->shapes.push_back(fact.shape);
        }
        if (const QString distribution = text(fact.distribution);
            !entry->distributions.contains(distribution) && !distribution.isEmpty()) {
            entry->distributions.append(distribution);
        }
        entry->elements += fact.checked;
        entry->whole = entry->whole && std::all_of(fact.outputs.begin(), fact.outputs.end(),
                                                   [](const OutputCoverage& one) { return one.isWhole(); });
        entry->largestError = std::max(entry->largestError, fact.maxAbsoluteError);
        entry->passed = entry->passed && fact.passed;
    }
    return all;
}

void verification(Page& page, const Verdict& verdict, const Dims& dims, const Palette& palette) {
    page.heading(QObject::tr("Verification"));
    page.beginTable({QObject::tr("Check"), QObject::tr("Shapes"), QObject::tr("Elements"), QObject::tr("Max error"),
                     QObject::tr("Result")});
    for (const CheckSummary& check : summarized(verdict.verification)) {
        page.row({word(check.phase), QString::number(check.shapes.size()),
                  check.whole ? countText(check.elements) : QObject::tr("%1, a sample").arg(countText(check.elements)),
                  text(formatSignificant(check.largestError, 2)),
                  check.passed ? QObject::tr("passed") : QObject::tr("failed")},
                 check.passed ? QColor() : palette.wrong);
    }
    page.endTable();
    QStringList distributions;
    for (const VerificationFact& fact : verdict.verification) {
        if (!fact.distribution.empty() && !distributions.contains(word(fact.distribution))) {
            distributions.append(word(fact.distribution));
        }
        if (!fact.passed) {
            page.colored(word(fact.phase) + QStringLiteral(", ") + shapeText(fact.shape, dims) + QStringLiteral(": ") +
                             text(fact.detail),
                         palette.wrong);
        }
    }
    for (const std::string& warning : verdict.warnings) {
        page.colored(QObject::tr("warning: %1").arg(text(warning)), palette.suspect);
    }
    page.line(
        QObject::tr("Inputs: %1. Every check uses a fresh secret seed.").arg(distributions.join(QStringLiteral(", "))),
        true);
}

// What was looked at is the harness's own business.
void harnessVerification(Page& page, const Verdict& verdict, const Palette& palette) {
    page.heading(QObject::tr("Verification"));
    for (const VerificationFact& fact : verdict.verification) {
        if (fact.passed) {
            page.line(QObject::tr("verify: passed"));
        } else {
            page.colored(QObject::tr("verify: failed: %1").arg(text(fact.detail)), palette.wrong);
        }
    }
    page.line(QObject::tr("Inputs, what is right and the clock are the harness's own; none of it is proved."), true);
}

void staticReport(Page& page, const StaticReport& report) {
    page.heading(QObject::tr("Static report, %1 (compiled, not measured)").arg(text(report.architecture)));
    page.beginTable({QObject::tr("Function"), QStringLiteral("VGPR"), QStringLiteral("AGPR"), QStringLiteral("SGPR"),
                     QStringLiteral("LDS"), QObject::tr("Spills"), QObject::tr("Waves/SIMD"), QStringLiteral("MFMA"),
                     QObject::tr("Code")});
    for (const KernelResources& kernel : report.kernels) {
        const auto matrix = kernel.instructions.find("mfma");
        const QString shortName = text(kernel.name).section(QLatin1Char('('), 0, 0);
        page.row({shortName, QString::number(kernel.vgprs), QString::number(kernel.agprs),
                  QString::number(kernel.sgprs), text(formatBytes(static_cast<std::uint64_t>(kernel.ldsBytes))),
                  QString::number(kernel.vgprSpills + kernel.sgprSpills), QString::number(kernel.occupancyWavesPerSimd),
                  QString::number(matrix == kernel.instructions.end() ? 0 : matrix->second),
                  text(formatBytes(static_cast<std::uint64_t>(kernel.codeBytes)))});
    }
    page.endTable();
}

void counters(Page& page, const CounterReport& report, const std::vector<std::string>& dims) {
    page.heading(report.tool.empty() ? QObject::tr("Hardware counters")
                                     : QObject::tr("Hardware counters by %1").arg(text(report.tool)));
    if (!report.why.empty()) {
        page.line(QObject::tr("none: %1").arg(text(report.why)), true);
    }
    for (const LaunchCounters& launch : report.launches) {
        page.line(QStringLiteral("%1, %2: %3")
                      .arg(shapeText(launch.shape, dims), text(launch.kernel).section(QLatin1Char('('), 0, 0),
                           text(counterText(launch.facts))));
    }
}

void origin(Page& page, const Population& population, const Kernel& kernel, const Palette& palette) {
    page.heading(QObject::tr("Origin"));
    QString line = QObject::tr("By %1, %2").arg(authorText(kernel), dateText(kernel.createdAt));
    if (!kernel.parents.empty()) {
        line += QObject::tr(", parent %1").arg(idText(kernel.parents.front()));
    }
    if (kernel.parents.size() > 1) {
        line += QObject::tr(" and %1").arg(idText(kernel.parents[1]));
    } else if (kernel.reference) {
        line += QObject::tr(", reference kernel %1").arg(idText(*kernel.reference));
    }
    page.line(line);
    if (const std::string drafted = draftText(kernel); !drafted.empty()) {
        page.line(text(drafted), true);
    }
    if (const Experiment* experiment = kernel.experiment ? population.experiment(*kernel.experiment) : nullptr) {
        page.line(text(experiment->description));
        // Several kernels may come of one experiment; its gain was measured on one of them.
        const bool isMeasured = experiment->kernel == kernel.id;
        page.line(kernel.probe ? QString() : isMeasured ? gainsOf(*experiment) : predictionOf(*experiment), true);
    }
    if (const auto rubric = kernel.rubric.orNothing(); !rubric.empty()) {
        page.heading(QObject::tr("Writer's report, checked against the code"));
        page.raw(rubricHtml(rubric, palette));
    } else if (const std::string report = kernel.report.orNothing(); !report.empty()) {
        page.line(text(report));
    }
}

// The judge's sentence behind what the line above it says: "71.6 us ±0.1 % (708 calls, device events of either
// kernel)".
QString withoutOutcome(const QString& reason, const Kernel& kernel) {
    if (!kernel.versusParent || kernel.parents.empty()) {
        return reason;
    }
    const QString said = QStringLiteral("%1: %2 the speed of %3, ")
                             .arg(text(std::string(name(kernel.versusParent->verdict))),
                                  text(ratioText(*kernel.versusParent)), idText(kernel.parents.front()));
    return reason.startsWith(said) ? reason.mid(said.size()) : reason;
}

// The newest that there are: a confirmation takes none. A card counts for kernels that came out faster.
void countersOf(Page& page, const Population& population, const Kernel& kernel,
                const std::vector<Evaluation>& evaluations, const Dims& dims) {
    const auto counted = std::find_if(evaluations.rbegin(), evaluations.rend(),
                                      [](const Evaluation& one) { return one.verdict.counters.has_value(); });
    if (counted != evaluations.rend()) {
        counters(page, *counted->verdict.counters, dims);
    } else if (population.settings.target != TargetKind::cpu && !population.settings.judgedByHarness &&
               kernel.verdict == VerdictKind::faster && !kernel.probe) {
        page.heading(QObject::tr("Hardware counters"));
        page.line(QObject::tr("None: this kernel was evaluated by an earlier version, or without the policy counters. "
                              "Set it (steer FILE.gks policy counters yes) and evaluate the kernel again."),
                  true);
    }
}

} // namespace

QString kernelFactsHtml(const Population& population, const std::vector<std::string>& dims, const Kernel& kernel,
                        const std::vector<Evaluation>& evaluations, const Palette& palette) {
    Page page(palette);
    QString outcome = kernelStateText(kernel);
    if (kernel.versusParent && !kernel.parents.empty()) {
        const QString parent = idText(kernel.parents.front());
        const QString versus = versusParentText(kernel); // of a tie it says that it is one
        outcome = versus.startsWith(outcome) ? QObject::tr("%1 vs parent %2").arg(versus, parent)
                                             : QObject::tr("%1: %2 vs parent %3").arg(outcome, versus, parent);
    }
    page.colored(outcome, colorOf(markOf(kernel), palette));
    const bool ofHarness = population.settings.judgedByHarness && kernel.verdict && !kernel.probe;
    if (!kernel.reason.empty() && !(kernel.probe && passedJudge(kernel))) {
        QString reason = withoutOutcome(text(reasonText(population, kernel)), kernel);
        const QString judge = QStringLiteral("; ") % text(judgedByHarness());
        if (ofHarness && reason.endsWith(judge)) { // said below, in the language of the window
            reason.chop(judge.size());
        }
        page.line(reason);
    }
    if (ofHarness) {
        page.line(judgedByHarnessText(), true);
    }
    for (const AnchorFigure* anchor : newestAnchors(population)) {
        if (const std::string speed = speedOfAnchorText(population, *anchor, kernel); !speed.empty()) {
            const std::string lacks = lacksText(*anchor);
            page.line(text(speed) % (lacks.empty() ? QString() : QObject::tr(", which lacks: %1").arg(text(lacks))),
                      true);
        }
    }
    const auto newest = std::find_if(evaluations.rbegin(), evaluations.rend(), [](const Evaluation& e) {
        return e.verdict.kind != VerdictKind::infrastructureFailed;
    });
    if (newest != evaluations.rend()) {
        const Verdict& verdict = newest->verdict;
        if (!verdict.next.empty()) {
            page.line(text(verdict.next), true);
        }
        if (kernel.probe) {
            figures(page, population, verdict, kernel);
        } else if (const Evaluation* measured = ownRun(evaluations);
                   measured != nullptr && !measured->verdict.measurements.empty()) {
            measurements(page, *measured, dims, championsOf(population), kernel.id);
            if (measured != &*newest && !verdict.measurements.empty()) {
                page.line(
                    QObject::tr("These times are of the run that the kernel's verdict is of. A later one, %1, "
                                "took %2.")
                        .arg(text(newest->purpose), text(formatMicroseconds(verdict.geomeanUs, verdict.geomeanCi95Us))),
                    true);
            }
        }
        if (!judgedBy(verdict).empty()) {
            harnessVerification(page, verdict, palette);
        } else if (!verdict.verification.empty()) {
            verification(page, verdict, dims, palette);
        }
        if (verdict.staticReport) {
            staticReport(page, *verdict.staticReport);
        }
        countersOf(page, population, kernel, evaluations, dims);
        if (!verdict.build.log.empty()) {
            page.heading(QObject::tr("Compiler output"));
            page.code(text(attributed(verdict.build.log, compilerSpeaker, verdict.build.log.size())));
        }
        page.line(QObject::tr("Build %1%2, verify %3, measure %4. Sandbox: %5")
                      .arg(text(formatSeconds(verdict.buildSeconds)),
                           verdict.build.cached ? QObject::tr(" (cached)") : QString(),
                           text(formatSeconds(verdict.verifySeconds)), text(formatSeconds(verdict.measureSeconds)),
                           text(verdict.sandbox)),
                  true);
    }
    origin(page, population, kernel, palette);
    return page.html();
}

} // namespace gks
