// SPDX-License-Identifier: GPL-3.0-or-later
// What an evaluation verifies: nothing that is wrong on a large or an unusual shape may get through.
#include "core/base/files.h"
#include "core/base/text.h"
#include "core/judge/evaluator/trial/evaluation_plan.h"
#include "core/judge/evaluator/trial/shape_cuts.h"

#include <QTest>
#include <algorithm>
#include <fmt/format.h>
#include <set>

using namespace gks;

namespace {

std::vector<ProblemPack> packs() {
    return builtinProblems().value();
}

bool verifies(const EvaluationPlan& plan, const Shape& shape) {
    return std::any_of(plan.cases.begin(), plan.cases.end(),
                       [&](const VerificationCase& one) { return one.layout.shape == shape; });
}

bool verifiesExtent(const EvaluationPlan& plan, std::size_t dim, std::int64_t extent) {
    return std::any_of(plan.cases.begin(), plan.cases.end(),
                       [&](const VerificationCase& one) { return one.layout.shape[dim] == extent; });
}

Shape largestBenchmark(const ProblemPack& pack) {
    const auto& shapes = pack.shapesOf(ShapeSet::benchmark);
    return *std::max_element(shapes.begin(), shapes.end(), [&](const Shape& a, const Shape& b) {
        return pack.flops(a).value() < pack.flops(b).value();
    });
}

ProblemPack gemm() {
    return loadProblemPack("fp8-gemm").value();
}

constexpr CutLimits cheap = {3e7, 5e8};

} // namespace

class JudgeEvaluationPlan : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // With default settings, of every built-in problem, on every target.
    void heldOutAndLargeShapesAlwaysCount_data() {
        QTest::addColumn<int>("target");
        QTest::newRow("cpu") << static_cast<int>(TargetKind::cpu);
        QTest::newRow("amd") << static_cast<int>(TargetKind::amd);
        QTest::newRow("nvidia") << static_cast<int>(TargetKind::nvidia);
    }
    void heldOutAndLargeShapesAlwaysCount() {
        QFETCH(int, target);
        for (const ProblemPack& pack : packs()) {
            const auto plan = planEvaluation(pack, static_cast<TargetKind>(target), ShapeChoice::quick).value();
            for (const Shape& shape : pack.shapesOf(ShapeSet::heldOut)) {
                for (std::size_t dim = 0; dim < shape.size(); ++dim) {
                    QVERIFY2(verifiesExtent(plan, dim, shape[dim]), missing(pack, dim, shape[dim]).c_str());
                }
            }
            const Shape largest = largestExtents(pack);
            for (std::size_t dim = 0; dim < largest.size() && target == static_cast<int>(TargetKind::cpu); ++dim) {
                const std::string left = pack.dims[dim] + "=" + std::to_string(largest[dim]) + ": ";
                const bool isSaid = std::any_of(plan.notRun.begin(), plan.notRun.end(),
                                                [&](const std::string& one) { return one.starts_with(left); });
                QVERIFY2(verifiesExtent(plan, dim, largest[dim]) != isSaid, missing(pack, dim, largest[dim]).c_str());
            }
            const double most = pack.flops(largestBenchmark(pack)).value();
            const bool isCheap = target != static_cast<int>(TargetKind::cpu) || most <= 3e8;
            for (const Shape& shape : pack.shapesOf(ShapeSet::benchmark)) { // several may be the largest
                QVERIFY2(!isCheap || pack.flops(shape).value() < most || verifies(plan, shape),
                         pack.shapeLabel(shape).c_str());
            }
        }
    }

    void onlyTheLengthOfASequenceIsTooDear() {
        for (const ProblemPack& pack : packs()) {
            const auto plan = planEvaluation(pack, TargetKind::cpu, ShapeChoice::quick).value();
            const bool isAttention = pack.name == "attention-forward";
            QCOMPARE(std::count(plan.notRun.begin(), plan.notRun.end(), "seq=8192: 8.59 GFLOP"), isAttention ? 1 : 0);
        }
    }

    // Whoever reads the verdict learns which shapes themselves were not run.
    void everyBenchmarkShapeIsRunOrNamed() {
        for (const ProblemPack& pack : packs()) {
            const auto plan = planEvaluation(pack, TargetKind::cpu, ShapeChoice::quick).value();
            std::size_t run = 0;
            for (const Shape& whole : pack.shapesOf(ShapeSet::benchmark)) {
                const bool isNamed = std::any_of(plan.notRun.begin(), plan.notRun.end(), [&](const std::string& one) {
                    return one.starts_with(pack.shapeLabel(whole) + ": ");
                });
                QVERIFY2(isNamed != verifies(plan, whole), pack.shapeLabel(whole).c_str());
                QVERIFY2(isNamed || pack.flops(whole).value() <= 3e8, pack.shapeLabel(whole).c_str());
                QVERIFY2(!isNamed || pack.flops(whole).value() > 3e7, pack.shapeLabel(whole).c_str());
                run += isNamed ? 0 : 1;
            }
            const std::size_t all = pack.shapesOf(ShapeSet::benchmark).size();
            QVERIFY(run == all ||
                    plan.notRun.front() == fmt::format("{} of {} benchmark shapes as they are", all - run, all));
            QVERIFY(planEvaluation(pack, TargetKind::amd, ShapeChoice::quick).value().notRun.empty());
        }
    }

    // Shapes that are in no list: other ones for every secret, right for the pack, and none of them dear.
    void someShapesAreOfOneEvaluationAlone() {
        for (const ProblemPack& pack : packs()) {
            const auto known = planEvaluation(pack, TargetKind::cpu, ShapeChoice::quick).value();
            std::set<Shape> drawn;
            for (std::uint8_t i = 0; i < 20; ++i) {
                Seed secret{};
                secret.fill(i);
                const auto plan = planEvaluation(pack, TargetKind::cpu, ShapeChoice::quick, secret).value();
                QVERIFY(plan.cases.size() > known.cases.size());
                for (const VerificationCase& one : plan.cases) {
                    if (one.phase == phase::heldOutDrawn) {
                        QVERIFY2(!verifies(known, one.layout.shape), pack.shapeLabel(one.layout.shape).c_str());
                        QVERIFY(pack.flops(one.layout.shape).value() <= 3e7);
                        drawn.insert(one.layout.shape);
                    }
                }
            }
            QVERIFY2(drawn.size() > 30, (pack.name + ": " + std::to_string(drawn.size())).c_str());
        }
    }

    // On shapes of every evaluation alone as well, and on the dearest that there is time for.
    void racesAreLookedForBeyondTheListedShapes() {
        Seed secret{};
        secret.fill(7);
        for (const ProblemPack& pack : packs()) {
            const auto plan = planEvaluation(pack, TargetKind::cpu, ShapeChoice::quick, secret).value();
            std::set<Shape> looked;
            double spent = 0;
            for (const VerificationCase& one : plan.reversed) {
                const bool isListed = one.since < raceShapesRules;
                QCOMPARE(isListed, looked.size() < pack.shapesOf(ShapeSet::cpu).size());
                QVERIFY2(looked.insert(one.layout.shape).second, pack.shapeLabel(one.layout.shape).c_str());
                spent += isListed ? 0 : pack.flops(one.layout.shape).value();
            }
            QVERIFY(spent <= 2e6);
            for (const VerificationCase& one : plan.cases) {
                const bool hadRoom = pack.flops(one.layout.shape).value() <= 2e6 - spent;
                QVERIFY2(!hadRoom || looked.contains(one.layout.shape), pack.shapeLabel(one.layout.shape).c_str());
            }
            QVERIFY(planEvaluation(pack, TargetKind::amd, ShapeChoice::quick, secret).value().reversed.empty());
        }
    }

    // Who has the seed has the shapes.
    void drawnShapesFollowFromTheirSeed() {
        const std::string text(64, '7');
        const auto seed = shapeSeedFromText(text);
        QVERIFY(seed && *seed);
        QCOMPARE(hexText(**seed), text);
        QVERIFY(shapeSeedFromText("").value() == std::nullopt);
        for (const char* none : {"7", "of my own", "77777777777777777777777777777777777777777777777777777777777777777",
                                 "g777777777777777777777777777777777777777777777777777777777777777"}) {
            QVERIFY2(!shapeSeedFromText(none), none);
        }
        for (const ProblemPack& pack : packs()) {
            const auto drawn = [&] {
                std::vector<Shape> shapes;
                const auto plan = planEvaluation(pack, TargetKind::nvidia, ShapeChoice::quick, *seed).value();
                for (const VerificationCase& one : plan.cases) {
                    if (one.phase == phase::heldOutDrawn) {
                        shapes.push_back(one.layout.shape);
                    }
                }
                return shapes;
            };
            QVERIFY(!drawn().empty());
            QCOMPARE(drawn(), drawn());
        }
    }

    // What is right for the named extents alone is found out; what no named extent is, is not asked for.
    void drawnExtentsOfTheGemmAreNotTheNamedOnes() {
        const ProblemPack pack = gemm();
        const auto known = planEvaluation(pack, TargetKind::cpu, ShapeChoice::quick).value();
        Seed secret{};
        secret.fill(1);
        const auto plan = planEvaluation(pack, TargetKind::cpu, ShapeChoice::quick, secret).value();
        int unknown = 0;
        for (const VerificationCase& one : plan.cases) {
            const Shape& shape = one.layout.shape;
            QVERIFY2(shape[0] % 32 == 0 && shape[1] % 32 == 0 && shape[2] % 128 == 0, pack.shapeLabel(shape).c_str());
            for (std::size_t dim = 0; dim < 3; ++dim) {
                unknown += verifiesExtent(known, dim, shape[dim]) ? 0 : 1;
            }
        }
        QVERIFY(unknown > 0);
    }

    // No case costs more than a fraction of a second, and none is there twice.
    void theCpuTargetStaysQuick() {
        for (const ProblemPack& pack : packs()) {
            const auto plan = planEvaluation(pack, TargetKind::cpu, ShapeChoice::quick).value();
            for (auto one = plan.cases.begin(); one != plan.cases.end(); ++one) {
                QVERIFY2(pack.flops(one->layout.shape).value() <= 6e8, pack.shapeLabel(one->layout.shape).c_str());
                QVERIFY(one->since == firstRules ||
                        std::none_of(plan.cases.begin(), one, [&](const VerificationCase& before) {
                            return before.layout.shape == one->layout.shape;
                        }));
            }
        }
    }

    // m, n, k: each extent once, with as much of the others as is cheap.
    void cutsHaveEveryExtent() {
        const ShapeCuts cuts = cutsOf(gemm(), {160, 1088, 3840}, cheap);
        QCOMPARE(cuts.shapes, (std::vector<Shape>{{160, 704, 128}, {96, 1088, 128}, {32, 96, 3840}}));
        QVERIFY(cuts.notRun.empty());
        const ShapeCuts dear = cutsOf(gemm(), {160, 1088, 3840}, {1e8, 5e8});
        QCOMPARE(dear.shapes, (std::vector<Shape>{{160, 1088, 256}, {160, 64, 3840}}));
    }

    void whatIsTooDearIsNamed() {
        const ProblemPack attention = loadProblemPack("attention-forward").value();
        const ShapeCuts cuts = cutsOf(attention, {1, 8192, 32}, cheap);
        QCOMPARE(cuts.notRun, std::vector<std::string>{"seq=8192: 8.59 GFLOP"});
        QVERIFY(std::any_of(cuts.shapes.begin(), cuts.shapes.end(), [](const Shape& one) { return one[1] == 1024; }));
    }

    // Extents that depend on each other cannot be put together at will: the pack says so.
    void aPackMayRefuseToCombine() {
        ProblemPack pack = gemm();
        pack.combinesExtents = false;
        QCOMPARE(cutsOf(pack, {192, 320, 1920}, cheap).shapes, (std::vector<Shape>{{192, 320, 1920}}));
        const ShapeCuts dear = cutsOf(pack, {6144, 4608, 7168}, cheap);
        QVERIFY(dear.shapes.empty());
        QCOMPARE(dear.notRun, std::vector<std::string>{"m=6144 n=4608 k=7168: 406 GFLOP"});
    }

private:
    static std::string missing(const ProblemPack& pack, std::size_t dim, std::int64_t extent) {
        return pack.name + ": nothing has " + pack.dims[dim] + "=" + std::to_string(extent);
    }
};

QTEST_APPLESS_MAIN(JudgeEvaluationPlan)
#include "judge_evaluation_plan.moc"
