// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator/trial/evaluation_plan.h"
#include "core/judge/probe.h"

#include <QTest>
#include <nlohmann/json.hpp>

using namespace gks;

namespace {

const std::string probe = "// probe: launch\n#include \"problem.h\"\n  // probe: copy bytes=2*1000 less=launch\n"
                          "// probe: sum flops=4e6 ops=1000\n";

Verdict verdictOf(std::initializer_list<Interval> ci95Us) {
    Verdict verdict;
    for (const Interval& interval : ci95Us) {
        MeasurementFact fact;
        fact.shape = {{"variant", static_cast<std::int64_t>(verdict.measurements.size() + 1)}};
        fact.medianUs = (interval.low + interval.high) / 2;
        fact.ci95Us = interval;
        fact.samples = 20;
        verdict.measurements.push_back(fact);
    }
    return verdict;
}

} // namespace

// What a probe's source declares, and what follows from it and the times.
class JudgeProbeSource : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void variantsInOrder() {
        const auto variants = probeVariants(probe).value();
        QCOMPARE(variants.size(), std::size_t{3});
        QCOMPARE(variants[1].name, std::string("copy"));
        QVERIFY(variants[1].bytes == 2000.0 && variants[1].less == "launch" && !variants[1].flops);
        QVERIFY(variants[2].flops == 4e6 && variants[2].operations == 1000.0);
    }

    void badLinesAreNamed_data() {
        QTest::addColumn<QString>("source");
        QTest::addColumn<QString>("says");
        QTest::newRow("none") << "int a;\n" << "no line declares a variant";
        QTest::newRow("no name") << "// probe:\n" << "needs a name";
        QTest::newRow("path as name") << "// probe: ../a\n" << "needs a name";
        QTest::newRow("twice") << "// probe: a\n// probe: a\n" << "line 2 of the probe: variant \"a\" is there twice";
        QTest::newRow("later less") << "// probe: a less=b\n// probe: b\n" << "an earlier line";
        QTest::newRow("itself") << "// probe: a less=a\n" << "an earlier line";
        QTest::newRow("unknown key") << "// probe: a speed=3\n" << "is none of bytes=";
        QTest::newRow("amount twice") << "// probe: a ops=3 ops=4\n" << "each once";
        QTest::newRow("zero") << "// probe: a bytes=0\n" << "above 0";
        QTest::newRow("no number") << "// probe: a bytes=x\n" << "above 0";
        QTest::newRow("too much") << "// probe: a bytes=1e19\n" << "above 0";
        QTest::newRow("infinite") << "// probe: a bytes=1/0\n" << "above 0";
        QTest::newRow("no value") << "// probe: a bytes\n" << "above 0";
        std::string many;
        for (int i = 0; i < 17; ++i) {
            many += "// probe: v" + std::to_string(i) + "\n";
        }
        QTest::newRow("too many") << QString::fromStdString(many) << "more than 16 variants";
    }
    void badLinesAreNamed() {
        QFETCH(QString, source);
        QFETCH(QString, says);
        const auto variants = probeVariants(source.toStdString());
        QVERIFY(!variants && variants.error().kind == ErrorKind::kernel);
        QVERIFY2(variants.error().message().find(says.toStdString()) != std::string::npos,
                 variants.error().message().c_str());
    }

    void onlyDeclaredVariantsAreMeasured() {
        for (const TargetKind target : {TargetKind::cpu, TargetKind::nvidia}) {
            ProblemPack pack = loadProblemPack("probe").value();
            QVERIFY(isBuiltin(pack));
            QVERIFY(keepVariants(pack, probe));
            const auto plan = planEvaluation(pack, target, ShapeChoice::quick, Seed{1}).value();
            QCOMPARE(plan.measured.size(), std::size_t{3});
            for (const VerificationCase& one : plan.cases) {
                QVERIFY(one.layout.shape.front() <= 3);
            }
        }
    }

    void ratesFollowFromTimes() {
        const auto figures = probeFigures(probe, verdictOf({{9, 11}, {29, 31}, {99, 101}})).value();
        QCOMPARE(figures.size(), std::size_t{3});
        QVERIFY(!figures[0].gigabytesPerSecond);
        QVERIFY((figures[1].work == ProbeRate{20, {18, 22}}));
        QCOMPARE(figures[1].gigabytesPerSecond->value, 0.1); // 2000 bytes in 20 us
        QCOMPARE(figures[1].gigabytesPerSecond->ci95.low, 2.0 / 22);
        QCOMPARE(figures[1].gigabytesPerSecond->ci95.high, 2.0 / 18);
        QCOMPARE(figures[2].teraflopsPerSecond->value, 0.04);
        QCOMPARE(figures[2].nanosecondsPerOperation->value, 100.0);
        const OrderedJson json = toJson(figures);
        QCOMPARE(json[1]["less"].get<std::string>(), std::string("launch"));
        QCOMPARE(json[2]["ns_per_operation"]["ci95"][0].get<double>(), 99.0);
    }

    void anOpenDifferenceHasNoRate() {
        const auto figures = probeFigures(probe, verdictOf({{9, 31}, {29, 31}, {99, 101}})).value();
        QVERIFY(!figures[1].isDecided() && !figures[1].gigabytesPerSecond);
    }

    // What a busy machine leaves of a call that is as short as an empty one.
    void anEmptyCallIsNoFigure() {
        const auto figures = probeFigures(probe, verdictOf({{leastCallUs, leastCallUs}})).value();
        QVERIFY(!figures[0].isDecided());
        QVERIFY(ratesText(figures[0]).find("no longer than an empty call") != std::string::npos);
    }

    void unmeasuredVariantsAreLeftOut() {
        const auto figures = probeFigures(probe, verdictOf({{9, 11}})).value();
        QCOMPARE(figures.size(), std::size_t{1});
    }
};

QTEST_GUILESS_MAIN(JudgeProbeSource)
#include "judge_probe_source.moc"
