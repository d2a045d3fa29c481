// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scientist/selection_policy.h"

#include <QTest>
#include <cmath>

using namespace gks;

namespace {

// A population is built by times; a child names its parent.
struct Sample {
    Population population;

    KernelId kernel(double us, KernelId parent = 0, VerdictKind verdict = VerdictKind::correct) {
        Kernel kernel;
        kernel.id = static_cast<KernelId>(population.kernels.size()) + 1;
        kernel.state = KernelState::evaluated;
        kernel.verdict = verdict;
        kernel.geomeanUs = us;
        if (parent != 0) {
            kernel.parents = {parent};
            Experiment experiment;
            experiment.id = static_cast<ExperimentId>(population.experiments.size()) + 1;
            experiment.parent = parent;
            experiment.kernel = kernel.id;
            experiment.state = isAccepted(verdict) ? ExperimentState::done : ExperimentState::failed;
            kernel.experiment = experiment.id;
            population.experiments.push_back(experiment);
        }
        population.kernels.push_back(kernel);
        return kernel.id;
    }
    void proposal(KernelId parent, ExperimentState state) {
        Experiment experiment;
        experiment.id = static_cast<ExperimentId>(population.experiments.size()) + 1;
        experiment.parent = parent;
        experiment.state = state;
        population.experiments.push_back(experiment);
    }
    Selection select(SelectorPolicy policy) const { return selectByPolicy(policy, population).value(); }
};

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

} // namespace

class ScientistSelectionPolicy : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void best();
    void pairedRunsRank();
    void leastExplored();
    void triesOfEveryKind();
    void upperConfidenceByHand();
    void upperConfidenceChoosesALineageFirst();
    void upperConfidenceLeavesWhatBringsNothing();
    void upperConfidenceDoesNotWasteStepsOnSlowKernels();
    void stepsUnderWaySpreadTheNext();
    void referenceComesFromAnotherLine();
    void pinnedReferenceStays();
    void nothingToChooseFrom();
};

void ScientistSelectionPolicy::best() {
    Sample sample;
    sample.kernel(100);
    sample.kernel(40);
    sample.kernel(10, 1, VerdictKind::wrong);
    sample.kernel(20, 1);
    sample.population.kernels.editBack().banned = true;
    const Selection selection = sample.select(SelectorPolicy::best);
    QCOMPARE(selection.basis, KernelId{2});
    QCOMPARE(
        selection.rationale,
        std::string("00002 is the fastest of 2 kernels with 40.0 us alone, not compared; tried 0 times, 0 failed"));
}

// The load of an evaluation is in a time alone, not in a paired run.
void ScientistSelectionPolicy::pairedRunsRank() {
    Sample sample;
    sample.kernel(100);
    sample.kernel(40);
    sample.kernel(60, 1);
    sample.kernel(10);
    for (const auto& [kernel, speedup] : {std::pair(1, 1.0), std::pair(2, 1.2), std::pair(3, 2.0)}) {
        const Interval interval = {speedup * 0.99, speedup * 1.01};
        sample.population.speeds.set(kernel, {speedup, interval, interval});
    }
    const Selection selection = sample.select(SelectorPolicy::best);
    QCOMPARE(selection.basis, KernelId{3}); // 4 was compared with nothing
    QCOMPARE(selection.rationale, std::string("00003 is the fastest of 4 kernels with 2.00x [1.98, 2.02] of the "
                                              "baseline; tried 0 times, 0 failed"));
    QVERIFY(selection.reference == KernelId{2});
}

void ScientistSelectionPolicy::leastExplored() {
    Sample sample;
    sample.kernel(100);
    sample.kernel(40);
    sample.kernel(30, 2);
    sample.kernel(0, 3, VerdictKind::buildFailed);
    QCOMPARE(sample.select(SelectorPolicy::leastExplored).basis, KernelId{1});
    sample.kernel(90, 1);
    QCOMPARE(sample.select(SelectorPolicy::leastExplored).basis, KernelId{5}); // made from the first, itself untried
    QVERIFY(contains(sample.select(SelectorPolicy::leastExplored).rationale, "least explored of 4 kernels: tried 0"));
}

void ScientistSelectionPolicy::triesOfEveryKind() {
    Sample sample;
    sample.kernel(100);
    sample.kernel(50, 1);
    sample.kernel(0, 1, VerdictKind::wrong);
    sample.proposal(1, ExperimentState::writing);
    sample.proposal(1, ExperimentState::proposed);
    sample.proposal(1, ExperimentState::rejected);
    sample.proposal(1, ExperimentState::failed); // a duplicate: never became a kernel
    Kernel byHand = sample.population.kernels[1];
    byHand.id = 4;
    byHand.experiment.reset();
    byHand.geomeanUs = 200;
    sample.population.kernels.push_back(byHand);
    const Tries tries = triesByParent(sample.population).at(1);
    QCOMPARE(tries.begun, 5);
    QCOMPARE(tries.failed, 2);
    QCOMPARE(tries.passed, 2);
    QVERIFY(std::abs(tries.sumLogGain - (std::log(2.0) - std::log(2.0))) < 1e-12);
}

// Two kernels, 100 us (two steps: 50 us and a failure) and 50 us (no step): n = 3 and 1, N = 4, spread = ln 2.
void ScientistSelectionPolicy::upperConfidenceByHand() {
    Sample sample;
    sample.kernel(100);
    sample.kernel(50, 1);
    sample.kernel(0, 1, VerdictKind::crashed);
    const Selection selection = sample.select(SelectorPolicy::upperConfidence);
    QCOMPARE(selection.basis, KernelId{2});
    const double doubt = 0.25 * std::log(2.0) * std::sqrt(2 * std::log(4.0));
    QVERIFY2(
        contains(selection.rationale,
                 QString::asprintf("%.2f = %.2f mean log speedup", std::log(2.0) + doubt, std::log(2.0)).toStdString()),
        selection.rationale.c_str());
}

// The lineage of the second seed is the slower one, but its steps win, also those from a kernel that is banned now; the
// first has been tried as often for nothing.
void ScientistSelectionPolicy::upperConfidenceChoosesALineageFirst() {
    Sample sample;
    sample.kernel(50);
    sample.kernel(100);
    const KernelId banned = sample.kernel(75, 2);
    sample.kernel(52, banned);
    sample.population.kernels.edit(2).banned = true;
    for (int i = 0; i < 2; ++i) {
        sample.kernel(0, 1, VerdictKind::wrong);
    }
    const Selection selection = sample.select(SelectorPolicy::upperConfidence);
    QVERIFY2(selection.rationale.starts_with("the lineage of 00002 has the highest upper confidence bound of 2 "
                                             "lineages ("),
             selection.rationale.c_str());
    QVERIFY2(contains(selection.rationale, "; within it, 00004 has the highest upper confidence bound of 2 kernels, "),
             selection.rationale.c_str());
    // A lineage whose steps bring nothing is left, although one of its kernels has not been tried.
    Sample fails;
    fails.kernel(100);
    fails.kernel(99);
    for (int i = 0; i < 8; ++i) {
        fails.kernel(99, 2);
        fails.population.kernels.editBack().banned = true;
    }
    fails.kernel(98.9, 2);
    QCOMPARE(fails.select(SelectorPolicy::upperConfidence).basis, KernelId{1});
}

void ScientistSelectionPolicy::upperConfidenceLeavesWhatBringsNothing() {
    Sample sample;
    sample.kernel(100);
    sample.kernel(98);
    sample.kernel(104);
    KernelId chosen = sample.select(SelectorPolicy::upperConfidence).basis;
    QCOMPARE(chosen, KernelId{2});
    int steps = 0;
    for (; chosen == 2 && steps < 50; ++steps) {
        sample.kernel(0, 2, VerdictKind::wrong);
        chosen = sample.select(SelectorPolicy::upperConfidence).basis;
    }
    QVERIFY2(steps > 0 && steps < 20, std::to_string(steps).c_str());
    // A kernel whose steps win is gone on with, although it has been tried as often.
    Sample winning;
    winning.kernel(100);
    winning.kernel(98);
    for (int i = 0; i < 5; ++i) {
        winning.kernel(0, 2, VerdictKind::wrong);
        winning.kernel(90, 1);
        winning.population.kernels.editBack().banned = true; // so that only the two are compared
    }
    QCOMPARE(winning.select(SelectorPolicy::upperConfidence).basis, KernelId{1});
}

void ScientistSelectionPolicy::upperConfidenceDoesNotWasteStepsOnSlowKernels() {
    Sample sample;
    sample.kernel(5000);
    sample.kernel(450);
    for (int i = 0; i < 3; ++i) {
        sample.kernel(0, 2, VerdictKind::wrong);
    }
    QCOMPARE(sample.select(SelectorPolicy::upperConfidence).basis, KernelId{2});
}

void ScientistSelectionPolicy::stepsUnderWaySpreadTheNext() {
    Sample sample;
    sample.kernel(100);
    sample.kernel(99.9);
    QCOMPARE(sample.select(SelectorPolicy::upperConfidence).basis, KernelId{2});
    sample.proposal(2, ExperimentState::approved);
    QCOMPARE(sample.select(SelectorPolicy::upperConfidence).basis, KernelId{1});
}

void ScientistSelectionPolicy::referenceComesFromAnotherLine() {
    Sample sample;
    sample.kernel(100);
    sample.kernel(90);
    sample.kernel(20, 1);
    sample.kernel(15, 1);
    QVERIFY(fastestOfAnotherLine(sample.population, 4) == KernelId{2});
    QVERIFY(fastestOfAnotherLine(sample.population, 2) == KernelId{4});
    sample.population.kernels.edit(1).banned = true;
    QVERIFY(fastestOfAnotherLine(sample.population, 4) == KernelId{3}); // one line is left
    sample.population.kernels.resize(1);
    QVERIFY(!fastestOfAnotherLine(sample.population, 1));
}

void ScientistSelectionPolicy::pinnedReferenceStays() {
    Sample sample;
    sample.kernel(100);
    sample.kernel(90);
    sample.kernel(80);
    sample.population.settings.pinnedReference = 1;
    QVERIFY(sample.select(SelectorPolicy::best).reference == KernelId{1});
}

void ScientistSelectionPolicy::nothingToChooseFrom() {
    Sample sample;
    sample.kernel(100, 0, VerdictKind::wrong);
    for (const SelectorPolicy policy :
         {SelectorPolicy::best, SelectorPolicy::upperConfidence, SelectorPolicy::leastExplored}) {
        QCOMPARE(selectByPolicy(policy, sample.population).error().kind, ErrorKind::kernel);
    }
}

QTEST_APPLESS_MAIN(ScientistSelectionPolicy)
#include "scientist_selection_policy.moc"
