// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/stagnation.h"

#include <QTest>

using namespace gks;

namespace {

// A best of the third experiment, and whatever is tried afterwards.
class Standstill {
public:
    explicit Standstill(int patience) {
        population.settings.scientist = ScientistKind::model;
        population.settings.policies.stagnation = patience;
        add(ExperimentKind::change, 1.1);
        add(ExperimentKind::rewrite, 0.5);
        add(ExperimentKind::change, 2);
        population.best = population.kernels.back().id;
    }

    Experiment& add(ExperimentKind kind, std::optional<double> gain = {}) {
        Experiment experiment;
        experiment.id = static_cast<ExperimentId>(population.experiments.size()) + 1;
        experiment.kind = kind;
        experiment.measuredGain = gain;
        experiment.state = gain ? ExperimentState::done : ExperimentState::failed;
        if (gain) {
            Kernel kernel;
            kernel.id = experiment.id + 10;
            kernel.experiment = experiment.id;
            experiment.kernel = kernel.id;
            population.kernels.push_back(kernel);
        }
        population.experiments.push_back(experiment);
        return population.experiments.editBack();
    }

    Population population;
};

} // namespace

// When a campaign stands still, and what it has had enough of.
class CampaignStagnation : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void saysItWithItsFigures();
    void beginsAfterSoMany();
    void theNewestDecideTheKind();
    void whatDoesNotCount();
};

void CampaignStagnation::saysItWithItsFigures() {
    Standstill still(3);
    still.add(ExperimentKind::change, 0.9);
    still.add(ExperimentKind::change, 0.98);
    still.add(ExperimentKind::rewrite); // it did not build
    const auto found = stagnation(still.population);
    QVERIFY(found);
    QCOMPARE(found->experiments, 3);
    QVERIFY(found->tired == ExperimentKind::change);
    QCOMPARE(found->text,
             std::string("3 experiments in a row brought no new best since 00013: 2 of kind change (best gain over the "
                         "parent: 0.980x), 1 of kind rewrite (best gain over the parent: none measured); the next "
                         "round is asked for another kind than change"));
}

void CampaignStagnation::beginsAfterSoMany() {
    Standstill still(2);
    QVERIFY(!stagnation(still.population));
    still.add(ExperimentKind::change, 0.9);
    QVERIFY(!stagnation(still.population));
    still.add(ExperimentKind::change, 0.9);
    QVERIFY(stagnation(still.population));
    Population gained = still.population;
    gained.best = gained.kernels.back().id;
    QVERIFY(!stagnation(gained));
    still.population.settings.policies.stagnation = 0;
    QVERIFY(!stagnation(still.population));
}

void CampaignStagnation::theNewestDecideTheKind() {
    Standstill still(3);
    for (int i = 0; i < 6; ++i) {
        still.add(ExperimentKind::change, 0.9);
    }
    still.add(ExperimentKind::rewrite, 0.9);
    QVERIFY(stagnation(still.population)->tired == ExperimentKind::change);
    still.add(ExperimentKind::rewrite, 0.9);
    QVERIFY(stagnation(still.population)->tired == ExperimentKind::rewrite);
    still.population.settings.policies.stagnation = 4; // two and two
    QVERIFY(stagnation(still.population)->tired == ExperimentKind::rewrite);
}

void CampaignStagnation::whatDoesNotCount() {
    Standstill still(1);
    still.add(ExperimentKind::change).state = ExperimentState::evaluating;
    still.add(ExperimentKind::change).state = ExperimentState::rejected;
    QVERIFY(endedSinceBest(still.population).empty());
    still.add(ExperimentKind::change, 0.9).author = Author::tuner;
    QCOMPARE(endedSinceBest(still.population).size(), 1u);
    QVERIFY2(!stagnation(still.population), "a point of the tuner is no idea");
    still.add(ExperimentKind::change, 0.9);
    QVERIFY(stagnation(still.population));
    still.population.settings.scientist = ScientistKind::tuner;
    QVERIFY(!stagnation(still.population));
    still.population.settings.scientist = ScientistKind::model;
    still.population.best.reset();
    QVERIFY(!stagnation(still.population));
}

QTEST_APPLESS_MAIN(CampaignStagnation)
#include "campaign_stagnation.moc"
