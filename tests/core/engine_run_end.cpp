// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/run_end.h"

#include <QTest>

using namespace gks;

namespace {

// A best that is not the baseline, after evaluations of 2 s on the device each.
Population underWay() {
    Population population;
    population.kernels.resize(2);
    population.kernels.edit(0).id = 1;
    population.kernels.edit(1).id = 2;
    population.baseline = 1;
    population.best = 2;
    population.spend.evaluations = 10;
    population.spend.gpuSeconds = 20;
    return population;
}

std::string reason(const Population& population, const RunTimes& times) {
    return spentBudget(population, times).value_or("none");
}

} // namespace

// What of a budget is kept for the last measurements.
class EngineRunEnd : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void minutesAreKept();
    void deviceTimeIsKept();
    void nothingIsKeptForTheBaseline();
};

void EngineRunEnd::minutesAreKept() {
    Population population = underWay();
    population.settings.budgets.minutes = 10;
    QCOMPARE(reason(population, {.wallSeconds = 599 - 5 * 4, .evaluationSeconds = 4}), std::string("none"));
    QCOMPARE(reason(population, {.wallSeconds = 600 - 5 * 4, .evaluationSeconds = 4}),
             std::string("wall-time budget reached (10.0 min), 20.0 s of it kept to confirm the best"));
    // After reopening no evaluation has ended yet: the device time says how long they take.
    QCOMPARE(reason(population, {.wallSeconds = 589}), std::string("none"));
    QCOMPARE(reason(population, {.wallSeconds = 590}),
             std::string("wall-time budget reached (10.0 min), 10.0 s of it kept to confirm the best"));
    // Where an evaluation takes an hour, most of the budget is for work all the same.
    QCOMPARE(reason(population, {.wallSeconds = 449, .evaluationSeconds = 3600}), std::string("none"));
    QVERIFY(spentBudget(population, {.wallSeconds = 450, .evaluationSeconds = 3600}));
    QCOMPARE(reason(population, {.wallSeconds = 601, .evaluationSeconds = 4}),
             std::string("wall-time budget reached (10.0 min)"));
    QVERIFY(!isTimeOver(population, 590));
}

void EngineRunEnd::deviceTimeIsKept() {
    Population population = underWay();
    population.settings.budgets.gpuSeconds = 40;
    QCOMPARE(reason(population, {}), std::string("none"));
    population.spend.gpuSeconds = 30;
    population.spend.evaluations = 15;
    QCOMPARE(reason(population, {}),
             std::string("device-time budget reached (40.0 s), 10.0 s of it kept to confirm the best"));
}

void EngineRunEnd::nothingIsKeptForTheBaseline() {
    Population population = underWay();
    population.settings.budgets.minutes = 10;
    population.best = 1;
    QCOMPARE(reason(population, {.wallSeconds = 599, .evaluationSeconds = 4}), std::string("none"));
    population.best.reset();
    QCOMPARE(reason(population, {.wallSeconds = 599, .evaluationSeconds = 4}), std::string("none"));
    QCOMPARE(reason(population, {.wallSeconds = 600}), std::string("wall-time budget reached (10.0 min)"));
}

QTEST_APPLESS_MAIN(EngineRunEnd)
#include "engine_run_end.moc"
