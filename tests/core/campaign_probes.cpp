// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/finding_use.h"
#include "core/campaign/rules.h"
#include "core/campaign/stagnation.h"
#include "tests/support/campaign_samples.h"

#include <QTest>

using namespace gks;
using namespace gks::test;

namespace {

const Steering because = {0, Author::person, "test", "", 0};
constexpr const char* probeSource = "// probe: without\n// probe: with ops=2 less=without\nint solve;";

Experiment question(KernelId parent) {
    Experiment experiment = sampleExperiment(parent, "What does a barrier cost?");
    experiment.kind = ExperimentKind::probe;
    experiment.state = ExperimentState::approved;
    return experiment;
}

Kernel probeOf(std::optional<ExperimentId> experiment, std::string source = probeSource) {
    Kernel probe;
    probe.title = "Cost of a barrier";
    probe.source = std::move(source);
    probe.author = Author::model;
    probe.experiment = experiment;
    probe.probe = true;
    return probe;
}

// Both seeds are judged, a probe ran, and a draft of another one waits.
struct Probed {
    Campaign campaign;
    ExperimentId asked = 0;
    KernelId ran = 0;
    KernelId waits = 0;

    Probed() {
        CampaignStore& store = *campaign.store;
        for (const KernelId seed : {1, 2}) {
            judge(seed, sampleEvaluation(seed, 100));
        }
        asked = store.addExperiments({question(1)}).value().front();
        ran = store.addKernel(probeOf(asked)).value();
        judge(ran, sampleEvaluation(ran, 1));
        waits = store.addKernel(probeOf({}, std::string(probeSource) + " int other;")).value();
    }
    void judge(KernelId kernel, const Evaluation& evaluation) {
        if (!campaign.store->setKernelState(kernel, KernelState::evaluating) ||
            !campaign.store->addEvaluation(evaluation)) {
            qFatal("the sample cannot be stored");
        }
    }
    PopulationPtr population() const { return campaign.store->population().value(); }
};

} // namespace

// A probe is written and judged as a kernel, and is none.
class CampaignProbes : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void probesStandApart();
    void aProbeThatRanEndsItsExperiment();
    void isNeverAParent();
    void duplicatesAmongThemselves();
    void whatMakesNoSenseIsRefused();
    void countsForNoStandStill();
    void usesAreCounted();
};

void CampaignProbes::probesStandApart() {
    Probed probed;
    probed.campaign.reopen();
    const PopulationPtr population = probed.population();
    QCOMPARE(population->kernels.size(), 2u);
    QCOMPARE(population->probes.size(), 2u);
    QVERIFY(population->kernel(probed.ran) == &population->probes.front() && population->probes.front().probe);
    QVERIFY(population->kernel(probed.waits) == &population->probes.back());
    QVERIFY(population->best == 1 || population->best == 2); // though the probe took a hundredth of the time
    QCOMPARE(population->baseline.value(), KernelId{1});
    QVERIFY(population->comparisons.empty());
}

void CampaignProbes::aProbeThatRanEndsItsExperiment() {
    const Probed probed;
    const Experiment& experiment = *probed.population()->experiment(probed.asked);
    QVERIFY(experiment.state == ExperimentState::done && experiment.kernel == probed.ran);
    QVERIFY(!experiment.measuredGain && !probed.population()->kernel(probed.ran)->versusParent);
}

void CampaignProbes::isNeverAParent() {
    const Probed probed;
    const PopulationPtr population = probed.population();
    const Kernel& ran = *population->kernel(probed.ran);
    QVERIFY(passedJudge(ran) && !isAccepted(ran) && !isMeasured(ran) && !mayBeParent(ran) && !mayBecomeParent(ran));
    QVERIFY(!mayBecomeParent(*population->kernel(probed.waits)));
    const std::string refusal = "is a probe";
    for (const SteeringCommand& command : std::vector<SteeringCommand>{
             command::PinParent{.parent = probed.ran}, command::PinParent{.parent = 1, .reference = probed.ran},
             command::SetBanned{probed.ran}, command::MeasureSideBySide{1, probed.ran},
             command::AddKernel{probed.ran, "t", "int solve2;"},
             command::AddExperiment{.parent = probed.ran, .description = "d"},
             command::AddExperiment{.parent = 1, .reference = probed.ran, .description = "d"}}) {
        const auto allowed = checkCommand(command, *population);
        QVERIFY(!allowed);
        QVERIFY2(allowed.error().what.find(refusal) != std::string::npos, allowed.error().message().c_str());
    }
    QVERIFY(checkCommand(command::EvaluateAgain{probed.ran}, *population));
}

void CampaignProbes::duplicatesAmongThemselves() {
    const Probed probed;
    const PopulationPtr population = probed.population();
    const std::string seed = population->kernels.front().source.orNothing();
    QVERIFY(duplicateOf(seed, *population) != nullptr && duplicateOf(seed, *population, true) == nullptr);
    QVERIFY(duplicateOf(probeSource, *population) == nullptr);
    QCOMPARE(duplicateOf(std::string(probeSource) + " // c", *population, true)->id, probed.ran);
}

void CampaignProbes::whatMakesNoSenseIsRefused() {
    Probed probed;
    CampaignSettings settings = probed.population()->settings;
    settings.scientist = ScientistKind::model;
    QVERIFY(probed.campaign.store->saveSettings(settings, because));
    command::AddExperiment add = {.parent = 1, .kind = ExperimentKind::probe, .description = "d"};
    QVERIFY(checkCommand(add, *probed.population()));
    add.predicted = Interval{1, 1.1};
    QVERIFY(!checkCommand(add, *probed.population()));
    QVERIFY(probed.campaign.store->addExperiments({question(1)}));
    QVERIFY(!checkCommand(command::EditExperiment{.experiment = 2, .predicted = Interval{1, 2}}, *probed.population()));
    settings.scientist = ScientistKind::tuner;
    QVERIFY(probed.campaign.store->saveSettings(settings, because));
    add.predicted.reset();
    QVERIFY(!checkCommand(add, *probed.population()));

    Kernel draft = probeOf(2, std::string(probeSource) + " int third;");
    draft.state = KernelState::proposed;
    const KernelId id = probed.campaign.store->addKernel(draft).value();
    QVERIFY(draftsToReview(*probed.population()).front()->id == id);
    QVERIFY(!checkCommand(command::EditCode{id, "int solve;"}, *probed.population())); // declares no variant
    QVERIFY(!checkCommand(command::EditCode{id, probeSource}, *probed.population()));  // is there
    QVERIFY(checkCommand(command::EditCode{id, "// probe: a\nint solve; int x;"}, *probed.population()));
}

void CampaignProbes::countsForNoStandStill() {
    Population population;
    population.settings.scientist = ScientistKind::model;
    population.settings.policies.stagnation = 1;
    population.best = 1;
    population.kernels.resize(1);
    population.kernels.edit(0).id = 1;
    Experiment asked;
    asked.id = 1;
    asked.kind = ExperimentKind::probe;
    asked.state = ExperimentState::done;
    population.experiments = {asked};
    QVERIFY(endedSinceBest(population).empty() && !stagnation(population));
    population.experiments.editFront().kind = ExperimentKind::change;
    QVERIFY(stagnation(population).has_value());
}

void CampaignProbes::usesAreCounted() {
    Campaign campaign;
    CampaignStore& store = *campaign.store;
    const auto finding = store.addFinding({.subject = "rows", .text = "Pad rows.", .probe = 2}).value();
    const auto other = store.addFinding({.text = "x"}).value();
    std::vector<Experiment> experiments(3, sampleExperiment(1, "a"));
    experiments[0].uses = {other, finding};
    experiments[1].uses = {finding};
    const auto ids = store.addExperiments(experiments).value();
    for (const ExperimentId id : ids) {
        Experiment approved = *store.population().value()->experiment(id);
        approved.state = ExperimentState::approved;
        QVERIFY(store.updateExperiment(approved)); // a use that was said stays said
    }
    campaign.reopen();
    PopulationPtr population = campaign.store->population().value();
    QVERIFY(population->finding(finding)->probe == 2 && !population->finding(other)->probe);
    QVERIFY(population->experiment(ids[0])->uses == (std::vector<std::int64_t>{finding, other}));
    QCOMPARE(usesText(*population->experiment(ids[0])), std::string("F1, F2"));
    QVERIFY(population->experiment(ids[2])->uses.empty());
    QVERIFY(useOf(*population, finding) == (FindingUse{2, 0}));
    QCOMPARE(useText(useOf(*population, other)), std::string("used by 1 experiment, which has not gained"));

    Kernel kernel = sampleKernel(1, "int faster;");
    kernel.experiment = ids[1];
    const KernelId made = campaign.store->addKernel(kernel).value();
    QVERIFY(campaign.store->setKernelState(made, KernelState::evaluating));
    QVERIFY(campaign.store->addEvaluation(sampleEvaluation(made, 50, 1)));
    population = campaign.store->population().value();
    QCOMPARE(useText(useOf(*population, finding)), std::string("used by 2 experiments, 1 of them gained"));
    QVERIFY(useText(useOf(*population, 99)).empty());
}

QTEST_APPLESS_MAIN(CampaignProbes)
#include "campaign_probes.moc"
