// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scientist/briefing_text.h"

#include <QTest>

using namespace gks;

namespace {

StaticReport reportOf(int vgprs, int ldsBytes, int waves, int spills = 0) {
    StaticReport report;
    KernelResources kernel;
    kernel.vgprs = vgprs;
    kernel.ldsBytes = ldsBytes;
    kernel.occupancyWavesPerSimd = waves;
    kernel.vgprSpills = spills;
    report.kernels = {kernel};
    return report;
}

Kernel kernelOf(KernelId id, double us, const Interval& ci) {
    Kernel kernel;
    kernel.id = id;
    kernel.state = KernelState::evaluated;
    kernel.verdict = VerdictKind::correct;
    kernel.geomeanUs = us;
    kernel.geomeanCi95Us = ci;
    kernel.shapeMediansUs = {us, us};
    return kernel;
}

} // namespace

class ScientistBriefing : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void resourcesAndTheirChange();
    void rowOfTheSelector();
    void heldOutShapesStaySecret();
    void checkedReportIsPartOfTheHistory();
};

void ScientistBriefing::resourcesAndTheirChange() {
    const StaticReport parent = reportOf(64, 16384, 8);
    QCOMPARE(resourcesText(parent, nullptr), std::string("VGPR 64, LDS 16384 B, 8 waves per SIMD"));
    QCOMPARE(resourcesText(parent, &parent), std::string("VGPR 64, LDS 16384 B, 8 waves per SIMD"));
    const StaticReport child = reportOf(128, 8192, 4, 3);
    QCOMPARE(resourcesText(child, &parent),
             std::string("VGPR 128 (+64), LDS 8192 B (-8192), 4 waves per SIMD (-4), spills 3 (+3)"));
    StaticReport two = parent; // the more demanding kernel of a source counts
    two.kernels.push_back(child.kernels.front());
    QCOMPARE(resourcesText(two, nullptr), std::string("VGPR 128, LDS 16384 B, 4 waves per SIMD, spills 3"));
}

void ScientistBriefing::rowOfTheSelector() {
    Population population;
    population.kernels = {kernelOf(1, 200, {199, 201}), kernelOf(2, 100, {99, 101})};
    population.kernels[1].parents = {1};
    ComparisonFact comparison;
    comparison.ratio = 2;
    comparison.ci95 = {1.98, 2.02};
    comparison.verdict = VerdictKind::faster;
    population.kernels[1].versusParent = comparison;
    Experiment failed;
    failed.id = 1;
    failed.parent = 2;
    failed.state = ExperimentState::failed;
    population.experiments = {failed};
    Briefing briefing{std::make_shared<const Population>(population), nullptr, {}};
    briefing.staticReport = [](KernelId id) { return std::optional(reportOf(id == 1 ? 64 : 96, 0, 4)); };
    const std::string first = formatMicroseconds(200, {199, 201});
    const std::string second = formatMicroseconds(100, {99, 101});
    const std::string rows = populationText(briefing);
    QCOMPARE(QByteArray::fromStdString(rows),
             QByteArray::fromStdString("00001 | parents none | correct | times 200.0 200.0 | geometric mean " + first +
                                       " | VGPR 64, LDS 0 B, 4 waves per SIMD | tried 1 times as a parent, 0 failed | eligible\n" +
                                       "00002 | parents 00001 | correct | times 100.0 100.0 | geometric mean " +
                                       second + " | " + formatRatio(2, {1.98, 2.02}) +
                                       " of its parent (faster) | VGPR 96 (+32), LDS 0 B, 4 waves per SIMD | tried 1 "
                                       "times as a parent, 1 failed | eligible"));
}

void ScientistBriefing::heldOutShapesStaySecret() {
    QCOMPARE(withoutHeldOutShapes("m=64 n=72 k=8, held-out, as declared: c: 3 of 9 elements differ"),
             std::string("a shape that is not shown, held-out, as declared: c: 3 of 9 elements differ"));
    QCOMPARE(withoutHeldOutShapes("wrong: m=64, held-out, x: y"),
             std::string("wrong: a shape that is not shown, held-out, x: y"));
    QCOMPARE(withoutHeldOutShapes("wrong: m=64, test, x: y"), std::string("wrong: m=64, test, x: y"));
    Population population;
    Experiment experiment;
    experiment.id = 1;
    experiment.state = ExperimentState::failed;
    experiment.failure = "wrong: m=7919, held-out, as declared: c differs";
    population.experiments = {experiment};
    const std::string tried = triedText(population);
    QVERIFY2(tried.find("7919") == std::string::npos && tried.find("c differs") != std::string::npos, tried.c_str());
}

void ScientistBriefing::checkedReportIsPartOfTheHistory() {
    Population population;
    Kernel kernel = kernelOf(1, 100, {99, 101});
    kernel.report = "I did everything";
    population.kernels = {kernel};
    QVERIFY(analysisText(population, kernel).find("I did everything") != std::string::npos);
    kernel.rubric = {{"Pad LDS", true, "yes", false, "no line does"}};
    const std::string text = analysisText(population, kernel);
    QVERIFY2(text.find("used: Pad LDS (yes) [doubted: no line does]") != std::string::npos, text.c_str());
}

QTEST_APPLESS_MAIN(ScientistBriefing)
#include "scientist_briefing.moc"
