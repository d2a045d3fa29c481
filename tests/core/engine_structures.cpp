// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/structures.h"

#include <QTest>

using namespace gks;

namespace {

// A campaign of a model that wants two points of each new structure: the seed, and a kernel of another structure.
struct Sample {
    Population population;
    Structures structures;

    Sample() {
        population.settings.scientist = ScientistKind::model;
        population.settings.policies.tuningEvaluations = 2;
        kernel(1, Author::seed, "int seed;", 100, {});
        experiment(1, Author::model, 1);
        kernel(2, Author::model, tiled(8), 90, 1);
    }
    static std::string tiled(int tile) { return "// @tune TILE 4 8 16\n#define TILE " + std::to_string(tile) + "\n"; }

    Kernel& kernel(KernelId id, Author author, std::string source, double us, std::optional<ExperimentId> from) {
        Kernel one;
        one.id = id;
        one.author = author;
        one.source = std::move(source);
        one.verdict = VerdictKind::correct;
        one.geomeanUs = us;
        one.experiment = from;
        if (id > 1) {
            one.parents = {1};
        }
        population.kernels.push_back(std::move(one));
        return population.kernels.editBack();
    }
    Experiment& experiment(ExperimentId id, Author author, KernelId parent) {
        Experiment one;
        one.id = id;
        one.author = author;
        one.parent = parent;
        one.state = ExperimentState::done;
        population.experiments.push_back(one);
        return population.experiments.editBack();
    }
    Structures& read() {
        structures.follow(std::make_shared<const Population>(population));
        return structures;
    }
};

} // namespace

// What is still due for the structures of a population.
class EngineStructures : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void pointsThenDuelThenNothing();
    void awaitedStructureIsOpen();
    void whatIsNotTuned();
    void bannedKernelIsNoBest();
    void searchedStructureIsJudgedByWhatThereIs();
};

void EngineStructures::pointsThenDuelThenNothing() {
    Sample sample;
    QCOMPARE(sample.read().dueRoot()->id, KernelId{2});
    QVERIFY(!sample.structures.dueDuel() && sample.structures.areOpen());
    sample.experiment(2, Author::tuner, 2);
    sample.kernel(3, Author::tuner, Sample::tiled(16), 60, 2);
    sample.experiment(3, Author::tuner, 3).state = ExperimentState::evaluating;
    QVERIFY(sample.read().dueRoot() == nullptr);
    QVERIFY(!sample.structures.dueDuel() && sample.structures.areOpen()); // a point is under way
    QCOMPARE(sample.structures.pointsOf(sample.population.kernels[1]), std::size_t{2});
    sample.population.experiments.editBack().state = ExperimentState::failed;
    const auto duel = sample.read().dueDuel();
    QVERIFY(duel && duel->root->id == 2 && duel->fastest->id == 3 && duel->rival->id == 1);
    QCOMPARE(sample.structures.rootOf(*duel->fastest)->id, KernelId{2});
    sample.structures.setDuelled(2, true);
    QVERIFY(!sample.structures.areOpen());
    sample.structures.forgetRun();
    QVERIFY(sample.structures.dueDuel().has_value());
    sample.population.experiments.editFront().tunedGain = 1.67;
    QVERIFY(!sample.read().areOpen());
}

void EngineStructures::awaitedStructureIsOpen() {
    Sample sample;
    sample.population.kernels.edit(1).verdict.reset();
    QVERIFY(sample.read().areOpen() && sample.structures.dueRoot() == nullptr);
    sample.population.kernels.edit(1).state = KernelState::declined;
    QVERIFY(!sample.read().areOpen());
}

void EngineStructures::whatIsNotTuned() {
    Sample byPolicy;
    byPolicy.population.settings.policies.tuningEvaluations = 0;
    QVERIFY(!byPolicy.read().areOpen() && byPolicy.structures.dueRoot() == nullptr);
    Sample byTuner;
    byTuner.population.settings.scientist = ScientistKind::tuner;
    QVERIFY(!byTuner.read().areOpen() && !byTuner.structures.isPoint(byTuner.experiment(9, Author::tuner, 1)));
    Sample untunable;
    untunable.population.kernels.edit(1).source = "int other;";
    QVERIFY(!untunable.read().areOpen());
    Sample wrong;
    wrong.population.kernels.edit(1).verdict = VerdictKind::wrong;
    QVERIFY(!wrong.read().areOpen());
}

void EngineStructures::bannedKernelIsNoBest() {
    Sample sample;
    sample.kernel(3, Author::tuner, Sample::tiled(16), 60, {}).banned = true;
    QCOMPARE(sample.read().fastestLike(sample.population.kernels[1])->id, KernelId{2});
    sample.population.kernels.edit(2).banned = false;
    QCOMPARE(sample.read().fastestLike(sample.population.kernels[1])->id, KernelId{3});
}

void EngineStructures::searchedStructureIsJudgedByWhatThereIs() {
    Sample sample;
    sample.read().setSearched(2);
    QVERIFY(!sample.structures.areOpen()); // not one point: the first measurement stands
    sample.experiment(2, Author::tuner, 2);
    QVERIFY(sample.read().dueRoot() == nullptr && sample.structures.dueDuel().has_value());
}

QTEST_APPLESS_MAIN(EngineStructures)
#include "engine_structures.moc"
