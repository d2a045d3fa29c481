// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/plan_table.h"
#include "tests/support/sample_plans.h"

#include <QTest>

using namespace gks;
using namespace gks::test;

namespace {

ProblemPack pack() {
    ProblemPack pack;
    pack.name = "sample";
    pack.dims = {"n"};
    pack.tensors = {{"x", ElementType::f32, {"n"}, TensorRole::input},
                    {"y", ElementType::f32, {"n"}, TensorRole::output}};
    return pack;
}

QString linesOf(const std::vector<PlanTableRow>& rows) {
    std::string text;
    for (const PlanTableRow& row : rows) {
        text += std::string(1, markOf(row.kind)) + " " + row.cell(&PlanRow::operation) + " | " +
                row.cell(&PlanRow::what) + " | " + row.cell(&PlanRow::block) + " | " + row.cell(&PlanRow::arguments) +
                " | " + row.cell(&PlanRow::stream) + "\n";
    }
    return QString::fromStdString(text);
}

} // namespace

class ReportPlanTable : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aloneNothingIsMarked() {
        const KernelPlans plans = samplePlans(pack(), {{1024}}, {}, PlanStyle::cleared);
        const PlanTable table = planTable(plans, plans.shapes.front(), nullptr);
        QCOMPARE(linesOf(table.plan), QStringLiteral("  fill | y, 4 KiB with 0x0 |  |  | 0\n"
                                                     "  launch | gemm(Problem) | 128 | {x, y, n=1024} | 0\n"));
        QVERIFY(!table.isCompared && planChangesText(table).empty());
        QCOMPARE(planSummary(plans.shapes.front()), std::string("1 launch, 1 fill on 1 stream"));
        QCOMPARE(solveTimeText(plans.shapes.front()), std::string("solve() took 2.75 us, the first time 41.5 us"));
    }

    void differencesAreMarked() {
        const KernelPlans before = samplePlans(pack(), {{1024}}, {});
        const KernelPlans after = samplePlans(pack(), {{1024}}, {}, PlanStyle::streamed);
        const PlanTable table = planTable(after, after.shapes.front(), &before);
        QCOMPARE(
            linesOf(table.plan),
            QStringLiteral("+ fill | y, 4 KiB with 0x0 |  |  | 0\n"
                           "~ launch | gemm(Problem) | 256 -> 128 | {x, y, n=1024} | 0\n"
                           "+ record | event 0 |  |  | 0\n"
                           "+ wait | event 0 |  |  | 1 non-blocking\n"
                           "+ launch | reduce(float const*, float*, int) | 64 | workspace, y, n=1024 | 1 non-blocking\n"
                           "+ record | event 1 |  |  | 1 non-blocking\n"
                           "+ wait | event 1 |  |  | 0\n"));
        QCOMPARE(linesOf(table.setup).left(7), QStringLiteral("+ write"));
        QCOMPARE(planChangesText(table), std::string("7 added, 0 removed, 1 changed"));
        const PlanTable back = planTable(before, before.shapes.front(), &after);
        QCOMPARE(planChangesText(back), std::string("0 added, 7 removed, 1 changed"));
        QVERIFY(!back.setup.front().now && back.setup.front().before);
    }

    // Where the calls stand in the source, and where the tensors lie, is no difference.
    void placesAndAddressesAreNoDifference() {
        const KernelPlans before = samplePlans(pack(), {{1024}}, {}, PlanStyle::cleared);
        KernelPlans after = before;
        ShapePlan& shape = after.shapes.front();
        for (PlanOperation& operation : shape.plan.operations) {
            operation.place += 64;
        }
        const PlanTable table = planTable(after, shape, &before);
        QVERIFY(table.isCompared);
        QCOMPARE(planChangesText(table), std::string("the same"));
    }

    // A symbol may hold anything; a row stays one row.
    void aLineBreakInANameIsNoRow() {
        KernelPlans before = samplePlans(pack(), {{1024}}, {}, PlanStyle::cleared);
        std::get<KernelLaunch>(before.shapes.front().plan.operations.back().action).kernel = "a\nb";
        const KernelPlans after = samplePlans(pack(), {{1024}}, {}, PlanStyle::cleared);
        const PlanTable table = planTable(after, after.shapes.front(), &before);
        QCOMPARE(table.plan.size() - static_cast<std::size_t>(table.removed), std::size_t{2});
    }

    void anotherShapeIsNotCompared() {
        const KernelPlans before = samplePlans(pack(), {{2048}}, {{1024}});
        const KernelPlans after = samplePlans(pack(), {{1024}}, {});
        QVERIFY(!planTable(after, after.shapes.front(), &before).isCompared);
    }
};

QTEST_APPLESS_MAIN(ReportPlanTable)
#include "report_plan_table.moc"
