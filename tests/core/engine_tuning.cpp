// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/engine_fakes.h"

#include <QTest>
#include <algorithm>

using namespace gks;
using namespace gks::test;

namespace {

// The fake judge reads the time where the tunable stands.
const char* const tunable = "#define us 80 // @tune us 80 70 60 50\nint tunable;";

EngineRun tuningRun(int evaluations, const std::function<void(CampaignSettings&)>& more = {}) {
    return EngineRun(ScientistKind::model, 1, [&](CampaignSettings& settings) {
        settings.policies.tuningEvaluations = evaluations;
        if (more) {
            more(settings);
        }
    });
}

int points(const Population& population) {
    return static_cast<int>(std::count_if(population.kernels.begin(), population.kernels.end(),
                                          [](const Kernel& kernel) { return kernel.author == Author::tuner; }));
}

} // namespace

// A new structure is tuned before it is judged.
class EngineTuning : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void structureIsJudgedByItsBest();
    void notWithoutThePolicy();
    void whatTheDuelTeachesReplacesTheFirstDraft();
    void goesOnAfterReopening();
    void pointsOfALostRunAreWrittenByTheTuner();
    void unreadableConditionIsSaidAndPassed();
    void sameStructureIsNotTunedTwice();
};

void EngineTuning::structureIsJudgedByItsBest() {
    EngineRun run = tuningRun(3);
    run.world.rounds = {{proposal(1, "tile it")}, {proposal(0, "unroll it")}};
    run.world.drafts = {{"tile it", {tunable}}, {"unroll it", {"us 45"}}};
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    const auto population = run.population();
    QCOMPARE(points(*population), 3);
    const Kernel* fastest = nullptr;
    for (const Kernel& kernel : population->kernels) {
        fastest = kernel.author == Author::tuner && kernel.geomeanUs == 50 ? &kernel : fastest;
    }
    QVERIFY(fastest != nullptr);
    // Its own first measurement stands; the structure is judged tuned against tuned.
    const Experiment& experiment = *population->experiment(1);
    QCOMPARE(experiment.measuredGain.value(), 1.25);
    QCOMPARE(experiment.tunedGain.value(), 2.0);
    const auto evaluations = run.engine->evaluations(fastest->id).value();
    QCOMPARE(evaluations.size(), 2u);
    QCOMPARE(evaluations[1].purpose, std::string(tunedPurpose));
    QVERIFY(evaluations[1].baseline == KernelId{1});
    QVERIFY(fastest->versusParent.has_value()); // the summary still speaks of its parent
    // The next round was designed when the structure had been judged, and so goes on from its best.
    const Kernel& next = population->kernels.back();
    QCOMPARE(next.parents, std::vector<KernelId>{fastest->id});
    QVERIFY(run.didSteer("tune new kernel") && run.didSteer("compare tuned kernels"));
    QCOMPARE(population->spend.evaluations, 2 + 1 + 3 + 1 + 1);
    for (const std::string& asked : run.world.asked) {
        QVERIFY2(asked.find("Set us") == std::string::npos, asked.c_str()); // no model writes the tuner's points
    }
}

void EngineTuning::notWithoutThePolicy() {
    EngineRun run = tuningRun(0);
    run.world.rounds = {{proposal(1, "tile it")}};
    run.world.drafts = {{"tile it", {tunable}}};
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    QCOMPARE(points(*run.population()), 0);
    QVERIFY(!run.population()->experiment(1)->tunedGain);
}

void EngineTuning::whatTheDuelTeachesReplacesTheFirstDraft() {
    EngineRun run = tuningRun(3);
    run.world.rounds = {{proposal(1, "tile it")}};
    run.world.drafts = {{"tile it", {tunable}}};
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    const auto& findings = run.population()->findings;
    QCOMPARE(findings.size(), 1u);
    QCOMPARE(findings[0].subject, std::string("tile it"));
    QVERIFY(findings[0].gain->low > 1.8 && findings[0].gain->high < 2.2);
    QCOMPARE(findings[0].evaluations.size(), 1u);
    const std::string text = findings[0].text;
    QVERIFY2(text.starts_with("tile it, tried on 00001: 2.00x ["), text.c_str());
}

void EngineTuning::goesOnAfterReopening() {
    EngineRun run = tuningRun(3, [](CampaignSettings& settings) { settings.budgets.evaluations = 5; });
    run.world.rounds = {{proposal(1, "tile it")}};
    run.world.drafts = {{"tile it", {tunable}}};
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    QCOMPARE(points(*run.population()), 2);
    QVERIFY(!run.population()->experiment(1)->tunedGain);
    run.close();
    run.open();
    run.engine->send(command::SetBudgets{{}});
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    QCOMPARE(points(*run.population()), 3);
    QCOMPARE(run.population()->experiment(1)->tunedGain.value(), 2.0);
}

void EngineTuning::pointsOfALostRunAreWrittenByTheTuner() {
    EngineRun run = tuningRun(1, [](CampaignSettings& settings) { settings.budgets.evaluations = 3; });
    run.world.rounds = {{proposal(1, "tile it")}};
    run.world.drafts = {{"tile it", {tunable}}};
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    QCOMPARE(points(*run.population()), 0);
    run.close();
    // As a kill between the experiments and their kernels, or a change of the scientist, leaves them.
    run.campaign.reopen();
    for (const char* us : {"60", "70"}) {
        Experiment left = sampleExperiment(3, std::string("Set us to ") + us);
        left.author = Author::tuner;
        left.tunables = {{"us", us}};
        QVERIFY(run.campaign.store->addExperiments({left}));
    }
    CampaignSettings settings = run.campaign.store->population().value()->settings;
    settings.budgets = {};
    QVERIFY(run.campaign.store->saveSettings(settings, {}));
    run.campaign.store.reset();
    run.open();
    run.engine->send(command::Start{}); // the first command: nothing else has read the population before
    QVERIFY(run.quiet());
    for (const std::string& asked : run.world.asked) {
        QVERIFY2(asked.find("Set us") == std::string::npos, asked.c_str());
    }
    QCOMPARE(points(*run.population()), 2);
    QCOMPARE(run.kernel(4).geomeanUs, 60.0);
    QCOMPARE(run.population()->experiment(1)->tunedGain.value(), 100.0 / 60);
}

void EngineTuning::unreadableConditionIsSaidAndPassed() {
    EngineRun run = tuningRun(3);
    run.world.rounds = {{proposal(1, "tile it")}, {proposal(0, "unroll it")}};
    run.world.drafts = {{"tile it", {std::string(tunable) + "\n// @tune-if us < WIDTH"}}, {"unroll it", {"us 45"}}};
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    QCOMPARE(points(*run.population()), 0);
    QVERIFY(run.population()->experiment(2)->state == ExperimentState::done);
    const auto warnings = run.warnings();
    QCOMPARE(std::count_if(warnings.begin(), warnings.end(),
                           [](const std::string& text) { return text.starts_with("line 3: "); }),
             1);
}

void EngineTuning::sameStructureIsNotTunedTwice() {
    EngineRun run = tuningRun(2);
    run.world.rounds = {{proposal(1, "tile it")}, {proposal(3, "other numbers")}};
    run.world.drafts = {{"tile it", {tunable}},
                        {"other numbers", {"#define us 55 // @tune us 80 70 60 50\nint tunable;"}}};
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    QCOMPARE(points(*run.population()), 2);
    QVERIFY(run.population()->experiment(1)->tunedGain.has_value());
    for (const Experiment& experiment : run.population()->experiments) {
        QVERIFY(experiment.id == 1 || !experiment.tunedGain);
    }
}

QTEST_APPLESS_MAIN(EngineTuning)
#include "engine_tuning.moc"
