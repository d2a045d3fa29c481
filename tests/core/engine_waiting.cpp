// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/waiting.h"

#include <QTest>

using namespace gks;

class EngineWaiting final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void kernelsSayWhy();
    void experimentsSayWhy();
};

namespace {

Population twoKernels() {
    Population population;
    population.settings.scientist = ScientistKind::model;
    population.kernels.resize(2);
    population.kernels.edit(0).id = 1;
    population.kernels.edit(0).state = KernelState::evaluated;
    population.kernels.edit(0).verdict = VerdictKind::correct;
    population.kernels.edit(1).id = 2;
    population.kernels.edit(1).parents = {1};
    population.kernels.edit(1).author = Author::model;
    population.kernels.edit(1).state = KernelState::waiting;
    population.baseline = 1;
    return population;
}

} // namespace

void EngineWaiting::kernelsSayWhy() {
    Population population = twoKernels();
    Kernel& kernel = population.kernels.edit(1);
    QCOMPARE(waitText(population.kernels[0], population), std::string());
    QCOMPARE(waitText(kernel, population), std::string("waits for a device"));
    population.kernels.edit(0).verdict.reset();
    population.kernels.edit(0).state = KernelState::evaluating;
    QCOMPARE(waitText(kernel, population), std::string("waits for the verdict on kernel 00001"));
    population.settings.budgets.evaluations = 3;
    population.spend.evaluations = 3;
    QCOMPARE(waitText(kernel, population), std::string("over budget: evaluation budget reached (3)"));
    kernel.state = KernelState::proposed;
    QCOMPARE(waitText(kernel, population), std::string("waits for your approval of its code"));
}

void EngineWaiting::experimentsSayWhy() {
    Population population = twoKernels();
    Experiment experiment;
    experiment.parent = 2;
    experiment.pick = "most certain";
    QCOMPARE(waitText(experiment, population), std::string("waits for your approval"));
    experiment.state = ExperimentState::approved;
    QCOMPARE(waitText(experiment, population), std::string("waits for the verdict on its parent 00002"));
    experiment.parent = 1;
    QCOMPARE(waitText(experiment, population), std::string("waits to be written"));
    experiment.kernel = 2; // of which nothing is left but to mend it
    population.kernels.edit(1).verdict = VerdictKind::wrong;
    QCOMPARE(waitText(experiment, population), std::string("00002 is wrong: waits to be repaired"));
    experiment.kernel.reset();
    population.settings.scientist = ScientistKind::tuner;
    QCOMPARE(waitText(experiment, population), std::string("waits for a device"));
    experiment.author = Author::person;
    QVERIFY(waitText(experiment, population).starts_with("needs code"));
    experiment.tunables = {{"TILE", "32"}}; // which the tuner sets
    QCOMPARE(waitText(experiment, population), std::string("waits for a device"));
    experiment.state = ExperimentState::done;
    QCOMPARE(waitText(experiment, population), std::string());
}

QTEST_APPLESS_MAIN(EngineWaiting)
#include "engine_waiting.moc"
