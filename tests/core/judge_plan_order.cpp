// SPDX-License-Identifier: GPL-3.0-or-later
// The other order in which verification runs a plan: as late as streams and events let each operation be.
#include "core/judge/plan/plan_order.h"

#include <QTest>

using namespace gks;

namespace {

using Order = std::vector<std::size_t>;

PlanOperation fill(std::uint32_t stream) {
    return {stream, 0, DeviceFill{}};
}
PlanOperation record(std::uint32_t stream, std::uint32_t event) {
    return {stream, 0, EventRecord{event}};
}
PlanOperation wait(std::uint32_t stream, std::uint32_t event) {
    return {stream, 0, EventWait{event}};
}

Order orderOf(const std::vector<StreamKind>& kinds, std::vector<PlanOperation> operations) {
    LaunchPlan plan;
    plan.streams.clear();
    for (const StreamKind kind : kinds) {
        plan.streams.push_back({kind, 0});
    }
    plan.operations = std::move(operations);
    return latestFirst(plan);
}

} // namespace

class JudgePlanOrder : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void oneStreamKeepsItsOrder() {
        QCOMPARE(orderOf({StreamKind::solve}, {fill(0), fill(0), fill(0)}), Order({0, 1, 2}));
    }

    void whatNothingOrdersRunsTheOtherWayRound() {
        QCOMPARE(
            orderOf({StreamKind::solve, StreamKind::nonBlocking, StreamKind::blocking}, {fill(1), fill(2), fill(0)}),
            Order({2, 1, 0}));
    }

    void anEventOrders() {
        QCOMPARE(orderOf({StreamKind::solve, StreamKind::nonBlocking},
                         {fill(0), record(0, 7), fill(0), wait(1, 7), fill(1)}),
                 Order({0, 1, 3, 4, 2}));
    }

    // A wait is for the newest record before it; one for an event that nobody recorded waits for nothing.
    void aWaitIsForTheNewestRecord() {
        QCOMPARE(orderOf({StreamKind::solve, StreamKind::nonBlocking},
                         {record(0, 7), fill(0), record(0, 7), wait(1, 7), wait(1, 8)}),
                 Order({0, 1, 2, 3, 4}));
    }

    void theNullStreamOrdersAllButTheIndependent() {
        const std::vector<StreamKind> kinds = {StreamKind::solve, StreamKind::legacy, StreamKind::blocking,
                                               StreamKind::nonBlocking};
        QCOMPARE(orderOf(kinds, {fill(2), fill(1), fill(0), fill(3)}), Order({3, 0, 1, 2}));
    }

    void whatNothingOrdersIsKnown() {
        LaunchPlan plan;
        plan.operations = {fill(0), fill(0)};
        QVERIFY(unordered(plan).empty());
        plan.streams = {{StreamKind::solve, 0}, {StreamKind::nonBlocking, 0}};
        plan.operations = {fill(0), record(0, 7), fill(1), wait(1, 7), fill(1), fill(0)};
        const std::vector<Order> expected = {{2}, {2}, {0, 1, 5}, {5}, {5}, {2, 3, 4}};
        QCOMPARE(unordered(plan), expected);
    }

    // 32 streams of 1000 operations each, as many as a plan may have.
    void theLargestPlanHasAnOrder() {
        std::vector<PlanOperation> operations;
        for (std::uint32_t i = 0; i < planStreamLimit * planStreamOperationLimit; ++i) {
            operations.push_back(fill(i % planStreamLimit));
        }
        const std::vector<StreamKind> kinds(planStreamLimit, StreamKind::nonBlocking);
        const Order order = orderOf(kinds, operations);
        QCOMPARE(order.size(), operations.size());
        QCOMPARE(order.front(), std::size_t(planStreamLimit - 1));
    }
};

QTEST_APPLESS_MAIN(JudgePlanOrder)
#include "judge_plan_order.moc"
