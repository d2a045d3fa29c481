// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/agent_kernel.h"
#include "core/campaign/store.h"
#include "core/judge/code_summary.h"
#include "tests/support/gui_test.h"
#include "tests/support/sample_campaign.h"
#include "widgets/code/kernel_facts.h"
#include "widgets/code/static_summary.h"
#include "widgets/common/terms.h"
#include "widgets/common/theme.h"

#include <QTest>
#include <memory>

using namespace gks;
class KernelFactsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { m_gui = std::make_unique<GuiTest>(); }
    void cleanupTestCase() { m_gui.reset(); }
    void cleanup() { GuiTest::failOnWarnings(); }

    void whatTheCompilerSaysIsOneLine();
    void warningsOfTheJudgeAreShown();
    void anOpenVerdictIsSaidOnce();
    void theGainIsOfTheKernelThatItWasMeasuredOn();
    void librariesStandBesideTheKernel();
    void countersAreFoundOrExplained();
    void theJudgesSentenceRepeatsNothing();
    void championsOfShapesAreMarked();
    void timesAreOfTheRunThatTheHeadlineIsOf();
    void aProbeHasFiguresInThePlaceOfTimes();
    void aHarnessIsNamedWhereItJudges();
    void anAgentIsNamed();

private:
    std::unique_ptr<GuiTest> m_gui;
};

void KernelFactsTest::anAgentIsNamed() {
    Kernel kernel;
    kernel.author = Author::model;
    kernel.writer = agentWriter("claude-code");
    QCOMPARE(authorText(kernel), QStringLiteral("agent claude-code"));
    QCOMPARE(authorName(kernel), std::string("agent:claude-code"));
    kernel.writer = "second";
    QCOMPARE(authorText(kernel), QStringLiteral("model"));
    QCOMPARE(authorName(kernel), std::string("model"));
}

// Of AMD's code the report, of NVIDIA's what ptxas wrote; two that do not speak of the same are not compared.
void KernelFactsTest::whatTheCompilerSaysIsOneLine() {
    const auto plain = [](QString line) { return line.replace(QChar(QChar::Nbsp), QLatin1Char(' ')); };
    const auto ptxas = [](int registers, int spilled, int shared) {
        Verdict verdict;
        verdict.build.log = QStringLiteral("ptxas info    : Compiling entry function '_Z1aPf' for 'sm_90a'\n"
                                           "ptxas info    : Function properties for _Z1aPf\n"
                                           "    0 bytes stack frame, %2 bytes spill stores, %2 bytes spill loads\n"
                                           "ptxas info    : Used %1 registers, used 1 barriers, %3 bytes smem\n"
                                           "ptxas info    : Compiling entry function '_Z1bPf' for 'sm_90a'\n"
                                           "ptxas info    : Function properties for _Z1bPf\n"
                                           "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
                                           "ptxas info    : Used 10 registers, used 0 barriers\n")
                                .arg(registers)
                                .arg(spilled)
                                .arg(shared)
                                .toStdString();
        return codeSummary(verdict);
    };
    const auto before = ptxas(168, 0, 1024);
    const auto after = ptxas(128, 12, 1024);
    QVERIFY(before && after);
    QCOMPARE(plain(staticText(nullptr, *before)),
             QStringLiteral("registers 168    static shared memory 1 KiB    barriers 1"));
    QCOMPARE(plain(staticText(&*before, *after)),
             QStringLiteral(
                 "registers 168 \u2192 128    spills 0 B \u2192 24 B    static shared memory 1 KiB    barriers 1"));
    Verdict amd;
    amd.staticReport.emplace();
    amd.staticReport->architecture = "gfx942";
    amd.staticReport->kernels.resize(2);
    amd.staticReport->kernels[0].vgprs = 96;
    amd.staticReport->kernels[0].occupancyWavesPerSimd = 4;
    amd.staticReport->kernels[1].vgprs = 64;
    amd.staticReport->kernels[1].occupancyWavesPerSimd = 8;
    QCOMPARE(plain(staticText(&*before, *codeSummary(amd))),
             QStringLiteral("VGPR 96    SGPR 0    LDS 0 B    occupancy 4    code 0 B"));
    QVERIFY(!codeSummary(Verdict()));
}

void KernelFactsTest::warningsOfTheJudgeAreShown() {
    Evaluation evaluation;
    evaluation.verdict.kind = VerdictKind::correct;
    evaluation.verdict.verification.emplace_back();
    evaluation.verdict.warnings = {"n=5: read 4 bytes past the end of <x>"};
    const QString html = kernelFactsHtml({}, {}, {}, {evaluation}, Theme::instance().palette());
    QVERIFY2(html.contains(QLatin1String("warning: n=5: read 4 bytes past the end of &lt;x&gt;")), qPrintable(html));
}

void KernelFactsTest::anOpenVerdictIsSaidOnce() {
    const SampleCampaign sample = makeSampleCampaign();
    Kernel kernel = *sample.population->kernel(*sample.population->best);
    kernel.verdict = VerdictKind::undecided;
    kernel.versusParent->verdict = VerdictKind::undecided;
    const QString html = kernelFactsHtml(*sample.population, {}, kernel, {}, Theme::instance().palette());
    QCOMPARE(html.count(QLatin1String("undecided")), 1);
    QVERIFY2(html.contains(QLatin1String(" vs parent ")), qPrintable(html));
}

// Two kernels of one experiment: what the one gained is not said of the other.
void KernelFactsTest::theGainIsOfTheKernelThatItWasMeasuredOn() {
    const SampleCampaign sample = makeSampleCampaign();
    Population population = *sample.population;
    Kernel& failed = population.kernels.editBack();
    Experiment experiment;
    experiment.id = 900;
    experiment.predicted = Interval{1.05, 1.18};
    experiment.measuredGain = 1.1;
    experiment.tunedGain = 1.2;
    experiment.kernel = failed.id - 1;
    failed.probe = false;
    failed.experiment = experiment.id;
    population.experiments.push_back(experiment);
    const auto facts = [&] { return kernelFactsHtml(population, {}, failed, {}, Theme::instance().palette()); };
    QVERIFY2(facts().contains(predictionOf(experiment)), qPrintable(facts()));
    QVERIFY2(!facts().contains(gainsOf(experiment)), qPrintable(facts()));
    population.experiments.editBack().kernel = failed.id;
    QVERIFY2(facts().contains(gainsOf(experiment)), qPrintable(facts()));
}

void KernelFactsTest::librariesStandBesideTheKernel() {
    const SampleCampaign sample = makeSampleCampaign();
    Population population = *sample.population;
    const Kernel* kernel = population.kernel(*population.best);
    population.speeds.set(kernel->id, {2.8, {2.79, 2.81}});
    AnchorFigure anchor;
    anchor.name = "cublaslt";
    anchor.title = "cuBLASLt <13.1>";
    anchor.lacks = "sums in fewer bits";
    anchor.geomeanUs = 50;
    anchor.speedup = 2;
    anchor.speedupCi95 = {1.99, 2.01};
    population.anchors = {anchor};
    const QString html = kernelFactsHtml(population, {}, *kernel, {}, Theme::instance().palette());
    QVERIFY2(html.contains(QLatin1String("1.40x [1.39, 1.41] of cuBLASLt &lt;13.1&gt;, which lacks: sums in fewer "
                                         "bits")),
             qPrintable(html));
}

// A confirmation, which is the newest, counts nothing; a page without counters says why.
void KernelFactsTest::countersAreFoundOrExplained() {
    const SampleCampaign sample = makeSampleCampaign();
    auto population = std::make_shared<Population>(*sample.population);
    population->settings.target = TargetKind::nvidia;
    const Kernel& kernel = *population->kernel(12);
    QCOMPARE(*kernel.verdict, VerdictKind::faster);
    Evaluation counted;
    counted.verdict.kind = VerdictKind::faster;
    Evaluation confirmation = counted;
    counted.verdict.counters.emplace().why = "no profiler here";
    const auto page = [&](const std::vector<Evaluation>& evaluations) {
        return kernelFactsHtml(*population, {}, kernel, evaluations, Theme::instance().palette());
    };
    QVERIFY(page({counted, confirmation}).contains(QLatin1String("none: no profiler here")));
    QVERIFY(page({confirmation}).contains(QLatin1String("evaluated by an earlier version")));
    population->settings.target = TargetKind::cpu; // nothing counts there
    QVERIFY(!page({confirmation}).contains(QLatin1String("Hardware counters")));
}

// None of what our own judge does is said of it.
void KernelFactsTest::aHarnessIsNamedWhereItJudges() {
    const SampleCampaign sample = makeSampleCampaign();
    auto population = std::make_shared<Population>(*sample.population);
    population->settings.judgedByHarness = true;
    const Kernel& kernel = *population->kernel(12);
    Evaluation evaluation;
    evaluation.verdict.kind = VerdictKind::faster;
    evaluation.verdict.environment[judgeFact] = harnessLabel;
    MeasurementFact measured;
    measured.medianUs = 12.5;
    measured.ci95Us = {12, 13};
    measured.samples = 10;
    measured.clock = harnessLabel;
    evaluation.verdict.measurements.push_back(measured);
    VerificationFact fact;
    fact.phase = harnessLabel;
    fact.passed = true;
    evaluation.verdict.verification.push_back(fact);
    const QString page = kernelFactsHtml(*population, {}, kernel, {evaluation}, Theme::instance().palette());
    for (const char* said : {">judged by the user's harness<", ">whole run<", "Clock: the user's harness.",
                             ">verify: passed<", "none of it is proved"}) {
        QVERIFY2(page.contains(QString::fromLatin1(said).replace(QLatin1Char('\''), QLatin1String("&#39;"))) ||
                     page.contains(QLatin1String(said)),
                 qPrintable(QLatin1String(said) + page));
    }
    for (const char* ofOurJudge : {"secret seed", "Max error", "the judge's bound"}) {
        QVERIFY2(!page.contains(QLatin1String(ofOurJudge)), qPrintable(page));
    }
}

// What the line above says is not said again.
void KernelFactsTest::theJudgesSentenceRepeatsNothing() {
    const SampleCampaign sample = makeSampleCampaign();
    Kernel kernel = *sample.population->kernel(12);
    QVERIFY(kernel.versusParent && !kernel.parents.empty());
    kernel.reason = comparisonText(*kernel.versusParent);
    kernel.reason.replace(kernel.reason.find(' '), 1, ": ");
    kernel.reason += " the speed of the baseline, 71.6 us, 708 calls";
    const QString html = kernelFactsHtml(*sample.population, {}, kernel, {}, Theme::instance().palette());
    QVERIFY2(html.contains(QLatin1String(">71.6 us, 708 calls<")), qPrintable(html));
}

// Kernel 12 leads on the first two shapes of the sample; on the third 9 and 7 are equal.
void KernelFactsTest::championsOfShapesAreMarked() {
    const SampleCampaign sample = makeSampleCampaign();
    Evaluation evaluation;
    evaluation.verdict.kind = VerdictKind::faster;
    for (const Shape& shape : sample.problem->shapesOf(ShapeSet::cpu)) {
        evaluation.verdict.measurements.emplace_back().shape = sample.problem->namedShape(shape);
    }
    const auto cells = [&](KernelId id) {
        const Population& population = *sample.population;
        const QString html =
            kernelFactsHtml(population, {}, *population.kernel(id), {evaluation}, Theme::instance().palette());
        QStringList last;
        for (const QString& row : html.section(QStringLiteral("</table>"), 0, 0).split(QStringLiteral("<tr>")).mid(2)) {
            last.append(row.section(QStringLiteral("</td>"), -2, -2).section(QLatin1Char('>'), -1));
        }
        return last;
    };
    QCOMPARE(cells(12), QStringList({"this kernel", "this kernel", "00009 or 00007"}));
    QCOMPARE(cells(9), QStringList({"00012", "00012", "this kernel or 00007"}));
    QCOMPARE(cells(7), QStringList({"00012", "00012", "this kernel or 00009"}));
}

// A comparison that a person asked for later ran under another load.
void KernelFactsTest::timesAreOfTheRunThatTheHeadlineIsOf() {
    Kernel kernel;
    kernel.id = 7;
    const auto run = [](std::string_view purpose, double us) {
        Evaluation evaluation;
        evaluation.purpose = purpose;
        evaluation.verdict.kind = VerdictKind::correct;
        evaluation.verdict.geomeanUs = us;
        evaluation.verdict.geomeanCi95Us = {us * 0.99, us * 1.01};
        MeasurementFact& fact = evaluation.verdict.measurements.emplace_back();
        fact.shape = {{"n", 4}};
        fact.medianUs = us;
        fact.ci95Us = evaluation.verdict.geomeanCi95Us;
        fact.floorUs = 3;
        return evaluation;
    };
    const Palette& palette = Theme::instance().palette();
    const QString html = kernelFactsHtml({}, {}, kernel, {run("new kernel", 50), run(askedPurpose, 52)}, palette);
    const QString table = html.section(QStringLiteral("</table>"), 0, 0);
    QVERIFY2(table.contains(QLatin1String("50.0 us")) && !table.contains(QLatin1String("52.0 us")), qPrintable(html));
    QVERIFY2(html.contains(QLatin1String("A later one, side by side, as asked, took 52.0 us")), qPrintable(html));
    QVERIFY2(table.contains(QLatin1String(">Bound<")) && !table.contains(QLatin1String("floor")), qPrintable(table));
    QVERIFY(!kernelFactsHtml({}, {}, kernel, {run("new kernel", 50)}, palette).contains(QLatin1String("A later one")));
}

void KernelFactsTest::aProbeHasFiguresInThePlaceOfTimes() {
    Kernel probe;
    probe.id = 7;
    probe.probe = true;
    probe.source = "// probe: without\n// probe: with ops=100 less=without\n";
    Evaluation evaluation;
    evaluation.verdict.kind = VerdictKind::correct;
    for (const auto& [variant, us] : {std::pair{1, 2.0}, std::pair{2, 6.0}}) {
        MeasurementFact& fact = evaluation.verdict.measurements.emplace_back();
        fact.shape = {{"variant", variant}};
        fact.medianUs = us;
        fact.ci95Us = {us, us};
    }
    Population population;
    population.findings = {{.id = 3, .probe = 7}};
    const QString html = kernelFactsHtml(population, {}, probe, {evaluation}, Theme::instance().palette());
    for (const char* shown : {"with", "40.0 ns each", "finding F3"}) {
        QVERIFY2(html.contains(QLatin1String(shown)), qPrintable(html));
    }
    QVERIFY(!html.contains(QLatin1String("Roofline floor")) && !html.contains(QLatin1String("Champion")));
}

QTEST_MAIN(KernelFactsTest)
#include "kernel_facts_test.moc"
