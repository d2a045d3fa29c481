// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scientist/pick.h"
#include "core/scientist/scientist.h"

#include <QTest>

using namespace gks;

namespace {

std::vector<Experiment> five() {
    std::vector<Experiment> experiments;
    const auto add = [&](double low, double high, int innovation) {
        Experiment experiment;
        experiment.predicted = Interval{low, high};
        experiment.innovation = innovation;
        experiment.model = "m";
        experiments.push_back(experiment);
    };
    add(1, 1.11, 5);
    add(0.83, 2.5, 90);
    add(1.09, 1.14, 20);
    add(1.05, 1.43, 90);
    add(0.95, 1.09, 70);
    return experiments;
}

std::string picked(PickPolicy policy, const Population& population = {}) {
    auto experiments = five();
    experiments[4].pick = "of an earlier round";
    pickExperiments(experiments, policy, population);
    std::string text;
    for (const Experiment& experiment : experiments) {
        text += (experiment.pick.empty() ? "-" : experiment.pick) + ";";
    }
    return text;
}

} // namespace

class ScientistPick : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyPolicy();
    void fewerThanThree();
    void correctedRangesDecide();
    void anotherKindWhereNothingIsGained();
    void ofEqualOnesTheKindThatPaid();
};

void ScientistPick::everyPolicy() {
    QCOMPARE(picked(PickPolicy::threeOfFive), std::string("-;most innovative;most certain;highest potential;-;"));
    QCOMPARE(picked(PickPolicy::highestExpected),
             std::string("-;highest expected;highest expected;highest expected;-;"));
    QCOMPARE(picked(PickPolicy::mostCertain), std::string("most certain;-;most certain;most certain;-;"));
    QCOMPARE(picked(PickPolicy::mostInnovative), std::string("-;most innovative;-;most innovative;most innovative;"));
    QCOMPARE(picked(PickPolicy::all), std::string("all;all;all;all;all;"));
}

void ScientistPick::anotherKindWhereNothingIsGained() {
    Population still;
    still.settings.scientist = ScientistKind::model;
    still.settings.policies.stagnation = 1;
    still.kernels.resize(1);
    still.kernels.edit(0).id = 1;
    still.best = 1;
    still.avenues = {{1, 1, "asked", true}};
    still.experiments.resize(1); // a change
    still.experiments.edit(0).id = 1;
    still.experiments.edit(0).state = ExperimentState::failed;
    auto experiments = five();
    for (const std::size_t rewrite : {0U, 2U, 4U}) {
        experiments[rewrite].kind = ExperimentKind::rewrite;
    }
    const auto picks = [&](PickPolicy policy) {
        pickExperiments(experiments, policy, still);
        std::string text;
        for (const Experiment& experiment : experiments) {
            text += experiment.pick.empty() ? "-" : "x";
        }
        return text;
    };
    QCOMPARE(picks(PickPolicy::threeOfFive), std::string("x-x-x"));
    QCOMPARE(picks(PickPolicy::highestExpected), std::string("x-x-x"));
    experiments[1].avenue = 1; // the person's word comes first
    QCOMPARE(picks(PickPolicy::mostCertain), std::string("xxx--"));
    still.settings.policies.stagnation = 2;
    QCOMPARE(picks(PickPolicy::mostInnovative), std::string("-x-xx"));
}

void ScientistPick::fewerThanThree() {
    auto two = five();
    two.resize(2);
    pickExperiments(two, PickPolicy::mostCertain, {});
    QVERIFY(!two[0].pick.empty() && !two[1].pick.empty());
    std::vector<Experiment> none;
    pickExperiments(none, PickPolicy::threeOfFive, {});
    QVERIFY(none.empty());
}

// A model whose wide promises never hold, beside a person's word, which is taken as it is.
void ScientistPick::correctedRangesDecide() {
    Population population;
    for (int i = 0; i < 30; ++i) {
        Experiment experiment = five()[3];
        experiment.id = i + 1;
        experiment.state = ExperimentState::done;
        experiment.kernel = i + 1;
        experiment.measuredGain = 0.71;
        population.experiments.push_back(experiment);
        Kernel kernel;
        kernel.id = i + 1;
        kernel.experiment = experiment.id;
        kernel.verdict = VerdictKind::slower;
        population.kernels.push_back(kernel);
    }
    auto experiments = five();
    experiments[0].author = Author::person; // 0 to 10
    experiments[0].model.clear();
    pickExperiments(experiments, PickPolicy::highestExpected, population);
    QVERIFY(!experiments[0].pick.empty());
    auto uncorrected = experiments;
    pickExperiments(uncorrected, PickPolicy::highestExpected, {});
    QVERIFY(uncorrected[0].pick.empty());
}

void ScientistPick::ofEqualOnesTheKindThatPaid() {
    Population population;
    const auto draft = [&](ExperimentKind kind, double speedup) {
        Kernel kernel;
        kernel.id = static_cast<KernelId>(population.kernels.size()) + 1;
        kernel.verdict = VerdictKind::tie;
        kernel.geomeanUs = 100 / speedup;
        population.speeds.set(kernel.id, {speedup});
        kernel.author = kernel.id == 1 ? Author::seed : Author::model;
        if (kernel.id > 1) {
            Experiment experiment;
            experiment.id = kernel.id - 1;
            experiment.kind = kind;
            experiment.kernel = kernel.id;
            experiment.state = ExperimentState::done;
            kernel.experiment = experiment.id;
            population.experiments.push_back(experiment);
        }
        population.kernels.push_back(kernel);
    };
    for (int i = 0; i < 5; ++i) {
        draft(ExperimentKind::change, 1);
        draft(ExperimentKind::rewrite, 1 + 0.5 * i);
    }
    const auto pickedOf = [&](std::vector<ExperimentKind> kinds) {
        std::vector<Experiment> experiments(kinds.size());
        for (std::size_t at = 0; at < kinds.size(); ++at) {
            experiments[at].kind = kinds[at];
            experiments[at].predicted = Interval{1, 1.5};
            experiments[at].innovation = 50;
        }
        pickExperiments(experiments, PickPolicy::threeOfFive, population);
        std::string order(kinds.size(), '-');
        for (std::size_t at = 0; at < kinds.size(); ++at) {
            order[at] = experiments[at].pick == "most innovative" ? '1' : experiments[at].pick.empty() ? '-' : '+';
        }
        return order;
    };
    using enum ExperimentKind;
    QCOMPARE(pickedOf({change, change, rewrite, change}), std::string("++1-"));
    QCOMPARE(pickedOf({change, rewrite, merge, change}), std::string("++1-")); // never tried
    population.kernels.resize(1);
    population.experiments.clear();
    QCOMPARE(pickedOf({change, change, rewrite, change}), std::string("1++-"));
}

QTEST_APPLESS_MAIN(ScientistPick)
#include "scientist_pick.moc"
