// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/engine_fakes.h"

#include <QTest>
#include <algorithm>

using namespace gks;
using namespace gks::test;

// What runs when, and how a run ends.
class EngineScheduling : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void seedsThenRoundsThenConfirmation();
    void kernelIsComparedWithItsParent();
    void failedDraftsAreRepairedAndKept();
    void repairsEnd();
    void duplicatesAreNotBuilt();
    void lostEvaluatorIsTriedOnceMore();
    void budgets_data();
    void budgets();
    void endsWhenNothingIsGained();
    void aGoalThatIsNotConfirmedEndsNothing();
    void aPartOfTheBudgetIsKeptForTheBest();
    void theBestIsConfirmedWhileAModelThinks();
    void oneMoreEvaluationThanTheBudgetIsNeverStarted();
    void modelWorksAheadOfTheLane();
    void lanesWorkAtTheSameTime();
    void wrongSeedsEndTheRun();
    void scientistErrorPauses();
    void pauseEndsTheWaitForAServer();
    void spendIsCounted();
    void eventsAreCoalesced();
    void goesOnAfterReopening();
};

void EngineScheduling::seedsThenRoundsThenConfirmation() {
    EngineRun run;
    run.world.rounds = {{proposal(0, "a"), proposal(0, "b", ""), proposal(0, "c")}, {proposal(0, "d")}};
    run.world.drafts = {{"a", {"us 80"}}, {"c", {"us 60"}}, {"d", {"us 50"}}};
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    QCOMPARE(run.order(), std::string("00001 00002 00003 00004 00005 00003 00005"));
    QVERIFY(run.engine->state() == EngineState::idle);
    QCOMPARE(run.lastReason(), std::string("nothing left to try"));
    const auto population = run.population();
    QVERIFY(population->best == KernelId{5});
    QCOMPARE(population->speed(*population->kernel(5))->ratio, 2.0);
    QCOMPARE(population->kernel(5)->parents, std::vector<KernelId>{4}); // the second round went on from the best
    QVERIFY(population->experiment(2)->state == ExperimentState::notPicked);
    QCOMPARE(population->spend.evaluations, 5);
    const auto evaluations = run.engine->evaluations(5).value();
    QCOMPARE(evaluations.size(), 2u);
    QCOMPARE(evaluations[1].purpose, std::string(confirmationPurpose));
    const Evaluation third = run.engine->evaluations(3).value().back(); // it was never in one run with the best
    QCOMPARE(third.purpose, std::string(rankingPurpose));
    QVERIFY(third.baseline == KernelId{5});
    QVERIFY(run.kernel(3).verdict == VerdictKind::faster); // than its parent, as before
    QVERIFY(evaluations[1].baseline == KernelId{1});
    QVERIFY(run.didSteer("select parent") && run.didSteer("start"));
    run.engine->send(command::Start{}); // confirmed already
    QVERIFY(run.quiet());
    QCOMPARE(run.engine->evaluations(5).value().size(), 2u);
}

void EngineScheduling::kernelIsComparedWithItsParent() {
    EngineRun run;
    run.world.rounds = {{proposal(2, "a")}};
    run.world.drafts = {{"a", {"us 80"}}};
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    QVERIFY(!run.world.requests[0].baseline);
    QVERIFY(run.world.requests[1].baseline == samplePack().seeds[0].source);
    QVERIFY(run.world.requests[2].baseline == samplePack().seeds[1].source);
    QVERIFY(run.kernel(3).verdict == VerdictKind::faster);
    QCOMPARE(run.kernel(3).versusParent->ratio, 1.25);
    QCOMPARE(run.population()->experiment(1)->measuredGain.value(), 1.25);
}

void EngineScheduling::failedDraftsAreRepairedAndKept() {
    EngineRun run;
    run.world.rounds = {{proposal(0, "a"), proposal(0, "b")}};
    run.world.drafts = {{"a", {"build-failed", "wrong", "us 70"}}, {"b", {"us 90"}}};
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    const auto asked = run.world.asked;
    QVERIFY(std::find(asked.begin(), asked.end(), "repair a 1 build-failed") != asked.end());
    QVERIFY(std::find(asked.begin(), asked.end(), "repair a 2 wrong") != asked.end());
    const auto population = run.population();
    QCOMPARE(population->kernels.size(), 6u); // two seeds, three drafts of a, one of b
    std::vector<VerdictKind> verdicts;
    for (const Kernel& kernel : population->kernels) {
        if (kernel.experiment == ExperimentId{1}) {
            QCOMPARE(kernel.parents, std::vector<KernelId>{1}); // the basis, not the failed draft
            verdicts.push_back(*kernel.verdict);
        }
    }
    QCOMPARE(verdicts, (std::vector<VerdictKind>{VerdictKind::buildFailed, VerdictKind::wrong, VerdictKind::faster}));
    QVERIFY(population->experiment(1)->state == ExperimentState::done &&
            population->experiment(1)->kernel == population->best);
    QVERIFY(population->experiment(2)->state == ExperimentState::done);
}

void EngineScheduling::repairsEnd() {
    EngineRun run(ScientistKind::tuner, 1, [](CampaignSettings& settings) { settings.repairAttempts = 1; });
    run.world.rounds = {{proposal(0, "a"), proposal(0, "b")}};
    run.world.drafts = {{"a", {"build-failed 1", "build-failed 2", "us 1"}}, {"b", {"wrong"}}};
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    const auto population = run.population();
    QCOMPARE(population->kernels.size(), 5u);
    QVERIFY(population->experiment(1)->state == ExperimentState::failed);
    QVERIFY(population->experiment(1)->failure.find("build-failed") != std::string::npos);
    QVERIFY(population->experiment(2)->state == ExperimentState::failed); // the scientist had no repair
    QVERIFY(population->experiment(2)->failure.find("wrong") != std::string::npos);
}

void EngineScheduling::duplicatesAreNotBuilt() {
    EngineRun run;
    run.world.rounds = {{proposal(0, "a"), proposal(0, "b")}};
    run.world.drafts = {{"a", {"us 70"}}, {"b", {"/* the same */ us   70"}}};
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    QVERIFY(run.population()->experiment(2)->state == ExperimentState::failed);
    QCOMPARE(run.population()->experiment(2)->failure, std::string("duplicate of 00003"));
    QCOMPARE(run.population()->kernels.size(), 3u);
}

void EngineScheduling::lostEvaluatorIsTriedOnceMore() {
    EngineRun run;
    run.world.lostEvaluations = 1;
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    QVERIFY(run.engine->state() == EngineState::idle);
    QCOMPARE(run.order(), std::string("00001 00001 00002"));
    QCOMPARE(run.warnings().size(), 1u);

    EngineRun twice;
    twice.world.lostEvaluations = 2;
    twice.engine->send(command::Start{});
    QVERIFY(twice.quiet());
    QVERIFY(twice.engine->state() == EngineState::paused);
    QVERIFY(twice.lastReason().find("the evaluator was lost") != std::string::npos);
    QVERIFY(twice.kernel(1).state == KernelState::waiting && !twice.kernel(1).verdict);
    twice.engine->send(command::Start{}); // the person has mended it
    QVERIFY(twice.quiet());
    QVERIFY(twice.kernel(1).verdict == VerdictKind::correct);
}

void EngineScheduling::budgets_data() {
    QTest::addColumn<int>("which");
    QTest::addColumn<QString>("reason");
    QTest::newRow("evaluations") << 0 << "evaluation budget reached (3)";
    QTest::newRow("usd") << 1 << "cost budget reached ($0.01)";
    QTest::newRow("tokens") << 2 << "token budget reached (100)";
    QTest::newRow("device-time") << 3 << "device-time budget reached (9.00 s)";
    QTest::newRow("goal") << 5 << "goal of 95.0 us reached: 90.0 us";
    QTest::newRow("minutes") << 4 << "wall-time budget reached (1.00e-07 min)";
}

void EngineScheduling::budgets() {
    QFETCH(int, which);
    QFETCH(QString, reason);
    EngineRun run(ScientistKind::tuner, 1, [&](CampaignSettings& settings) {
        Budgets& budgets = settings.budgets;
        which == 0   ? void(budgets.evaluations = 3)
        : which == 1 ? void(budgets.usd = 0.01)
        : which == 2 ? void(budgets.tokens = 100)
        : which == 3 ? void(budgets.gpuSeconds = 9)
        : which == 4 ? void(budgets.minutes = 1e-7)
                     : void(budgets.goalUs = 95);
    });
    run.world.rounds = {{proposal(0, "a"), proposal(0, "b"), proposal(0, "c")}};
    run.world.drafts = {{"a", {"us 90"}}, {"b", {"us 80"}}, {"c", {"us 70"}}};
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    QVERIFY(run.engine->state() == EngineState::idle);
    QCOMPARE(run.lastReason(), reason.toStdString());
    const auto before = run.population()->spend.evaluations;
    QVERIFY(before <= 3);
    run.engine->send(command::SetBudgets{{}});
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    QCOMPARE(run.population()->spend.evaluations, 5);
    QVERIFY(run.population()->best == KernelId{5});
}

void EngineScheduling::endsWhenNothingIsGained() {
    EngineRun run(ScientistKind::tuner, 1, [](CampaignSettings& settings) { settings.budgets.fruitless = 2; });
    run.world.rounds = {{proposal(0, "a"), proposal(0, "b"), proposal(0, "c"), proposal(0, "d"), proposal(0, "e")}};
    run.world.drafts = {{"a", {"us 90"}}, {"b", {"us 95"}}, {"c", {"us 50"}}, {"d", {"us 80"}}, {"e", {"us 70"}}};
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    QCOMPARE(run.lastReason(), std::string("2 experiments in a row brought no new best"));
    QCOMPARE(run.population()->spend.evaluations, 7); // b alone is not enough
    QVERIFY(run.population()->best == KernelId{5});
}

void EngineScheduling::aGoalThatIsNotConfirmedEndsNothing() {
    EngineRun run(ScientistKind::tuner, 1, [](CampaignSettings& settings) { settings.budgets.goalUs = 95; });
    run.world.rounds = {{proposal(1, "lucky"), proposal(1, "b"), proposal(1, "good"), proposal(1, "left")}};
    run.world.drafts = {{"lucky", {"us 90"}}, {"b", {"us 98"}}, {"good", {"us 60"}}, {"left", {"us 50"}}};
    run.world.againUs["us 90"] = 97;
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    QVERIFY2(run.lastReason().starts_with("goal of 95.0 us reached: "), run.lastReason().c_str());
    QVERIFY(run.population()->best == KernelId{5});
    QVERIFY2(run.engine->evaluations(3).value().size() > 1, "the lucky one was measured once more first");
    QCOMPARE(run.population()->spend.evaluations, 5); // what was left to try waits for another goal
    run.engine->send(command::SetBudgets{{.goalUs = 58}});
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    QVERIFY2(run.lastReason().starts_with("goal of 58.0 us reached: "), run.lastReason().c_str());
}

void EngineScheduling::aPartOfTheBudgetIsKeptForTheBest() {
    EngineRun run(ScientistKind::tuner, 1, [](CampaignSettings& settings) { settings.budgets.gpuSeconds = 60; });
    std::vector<Experiment> round;
    for (int i = 0; i < 20; ++i) { // of 3 s each
        const std::string description = "e" + std::to_string(i);
        round.push_back(proposal(1, description));
        run.world.drafts[description] = {"us " + std::to_string(90 - i)};
    }
    run.world.rounds = {round};
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    QCOMPARE(run.lastReason(), std::string("device-time budget reached (1 min 00 s), 15.0 s of it kept to confirm "
                                           "the best"));
    const auto population = run.population();
    QCOMPARE(population->spend.evaluations, 15);
    QVERIFY2(population->spend.gpuSeconds <= 60, std::to_string(population->spend.gpuSeconds).c_str());
    QCOMPARE(run.engine->evaluations(*population->best).value().back().purpose, std::string(confirmationPurpose));
}

void EngineScheduling::theBestIsConfirmedWhileAModelThinks() {
    EngineRun run(ScientistKind::model, 1, [](CampaignSettings& settings) { settings.budgets.gpuSeconds = 9; });
    run.world.rounds = {{proposal(1, "a"), proposal(1, "b")}};
    run.world.drafts = {{"a", {"us 50"}}, {"b", {"us 40"}}};
    run.world.holdScientist = true;
    run.world.held = "write b";
    run.engine->send(command::Start{});
    QVERIFY2(
        run.world.waitFor([](const FakeWorld& world) { return world.answering == 1 && world.requests.size() >= 4; }),
        "the budget ended while b was written, and nothing was confirmed");
    QTRY_COMPARE(run.engine->evaluations(3).value().back().purpose, std::string(confirmationPurpose));
    QVERIFY(run.engine->state() == EngineState::running); // what was asked for is taken in
    run.world.set([](FakeWorld& world) { world.holdScientist = false; });
    QVERIFY(run.quiet());
    QVERIFY(run.engine->state() == EngineState::idle);
    QVERIFY(run.kernel(4).state == KernelState::waiting);
}

void EngineScheduling::oneMoreEvaluationThanTheBudgetIsNeverStarted() {
    EngineRun run(ScientistKind::tuner, 3);
    run.engine->send(command::Start{}); // the seeds
    QVERIFY(run.quiet());
    QCOMPARE(run.population()->spend.evaluations, 2);
    for (const char* source : {"us 90", "us 80", "us 70", "us 60"}) {
        run.engine->send(command::AddKernel{1, "", source});
    }
    run.engine->send(command::SetBudgets{{.evaluations = 4}});
    run.engine->send(command::Start{}); // three lanes are free and four kernels wait
    QVERIFY(run.quiet());
    QCOMPARE(run.population()->spend.evaluations, 4);
    QCOMPARE(run.world.requests.size(), 7u); // and two side by side with the best, and the confirmation
}

void EngineScheduling::modelWorksAheadOfTheLane() {
    EngineRun run(ScientistKind::model, 1, {}, 1);
    run.engine->send(command::Start{}); // the seeds
    QVERIFY(run.quiet());
    run.world.set([](FakeWorld& world) {
        world.rounds = {{proposal(1, "a"), proposal(1, "b"), proposal(1, "c")}};
        world.drafts = {{"a", {"us 90"}}, {"b", {"us 80"}}, {"c", {"us 70"}}};
        world.holdEvaluations = true;
    });
    const auto written = [](const FakeWorld& world) {
        return std::count_if(world.asked.begin(), world.asked.end(),
                             [](const std::string& question) { return question.starts_with("write"); });
    };
    run.engine->send(command::Step{});
    // With one call at a time: while the first is measured the second is written, but not the third, which the lane
    // could not take.
    QVERIFY(run.world.waitFor([&](const FakeWorld& world) { return world.evaluating == 1 && written(world) == 2; }));
    run.engine->send(command::SetHint{"seen"});
    QTRY_COMPARE(run.population()->settings.hint, std::string("seen"));
    QTRY_COMPARE(run.population()->kernels.size(), 4u);
    run.world.set([&](FakeWorld& world) {
        QCOMPARE(written(world), 2);
        world.holdEvaluations = false;
    });
    QVERIFY(run.quiet());
    QCOMPARE(run.population()->spend.evaluations, 5);
}

void EngineScheduling::lanesWorkAtTheSameTime() {
    EngineRun run(ScientistKind::tuner, 2);
    run.world.rounds = {{proposal(1, "a"), proposal(1, "b"), proposal(1, "c")}};
    run.world.drafts = {{"a", {"us 90"}}, {"b", {"us 80"}}, {"c", {"us 70"}}};
    run.world.holdEvaluations = true;
    run.engine->send(command::Start{});
    QVERIFY(run.world.waitFor([](const FakeWorld& world) { return world.evaluating == 1; }));
    QCOMPARE(run.order(), std::string("00001")); // the others are compared with it
    run.world.set([](FakeWorld& world) { world.holdEvaluations = false; });
    QVERIFY(run.world.waitFor([](const FakeWorld& world) { return world.requests.size() >= 2; }));
    run.world.set([](FakeWorld& world) { world.holdEvaluations = true; });
    QVERIFY(
        run.world.waitFor([](const FakeWorld& world) { return world.evaluating == 2 || world.requests.size() >= 6; }));
    run.world.set([](FakeWorld& world) { world.holdEvaluations = false; });
    QVERIFY(run.quiet());
    QCOMPARE(run.world.mostAtOnce, 2);
    QCOMPARE(run.population()->spend.evaluations, 5);
}

void EngineScheduling::wrongSeedsEndTheRun() {
    EngineRun run;
    run.close();
    {
        ProblemPack pack = samplePack();
        pack.seeds[0].source = "wrong 1";
        pack.seeds[1].source = "wrong 2";
        run.campaign.file = run.campaign.folder.path() / "wrong.gks";
        QVERIFY(CampaignStore::create(run.campaign.file, run.campaign.settings, pack));
    }
    run.open();
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    QVERIFY(run.engine->state() == EngineState::idle);
    QVERIFY2(run.lastReason().find("no kernel has passed") != std::string::npos, run.lastReason().c_str());
}

void EngineScheduling::scientistErrorPauses() {
    EngineRun run;
    run.world.selectError = Error{ErrorKind::infrastructure, "connection refused", "selector", "Check the address"};
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    QVERIFY(run.engine->state() == EngineState::paused);
    QVERIFY(run.lastReason().find("connection refused") != std::string::npos);
    run.world.set([](FakeWorld& world) { world.selectError.reset(); });
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    QVERIFY(run.engine->state() == EngineState::idle);
}

// Hours may pass until it takes the request; nothing is lost by not waiting for it.
void EngineScheduling::pauseEndsTheWaitForAServer() {
    EngineRun run(ScientistKind::model);
    run.world.holdScientist = true;
    run.world.serverIsBusy = true;
    run.engine->send(command::Start{});
    QVERIFY(run.world.waitFor([](const FakeWorld& world) { return !world.asked.empty(); }));
    run.engine->send(command::Pause{});
    QVERIFY(run.quiet());
    QVERIFY(run.engine->state() == EngineState::paused);
    const auto activities = run.activities();
    const auto told = std::find_if(activities.begin(), activities.end(),
                                   [](const ActivityChanged& activity) { return !activity.detail.empty(); });
    QVERIFY(told != activities.end());
    QCOMPARE(told->detail, std::string("writer: the server answered 503; next try in 1 min 00 s"));
    QVERIFY(told->activity == Activity::selecting && told->since <= now() - 3000);
}

void EngineScheduling::spendIsCounted() {
    EngineRun run;
    run.world.rounds = {{proposal(0, "a")}};
    run.world.drafts = {{"a", {"us 90"}}};
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    const Spend spend = run.population()->spend;
    QCOMPARE(spend.tokens, 100);
    QCOMPARE(spend.usd, 0.01);
    QVERIFY(spend.wallSeconds > 0);
    const auto exchanges = run.engine->exchanges(KernelId{3}, {}).value();
    QCOMPARE(exchanges.size(), 1u);
    QVERIFY(exchanges[0].experiment == ExperimentId{1});
}

void EngineScheduling::eventsAreCoalesced() {
    EngineRun run;
    run.close();
    run.world.publishInterval = std::chrono::hours(1); // longer than any test: what is left is published at once
    run.open();
    std::vector<Experiment> round;
    for (int i = 0; i < 40; ++i) {
        const std::string description = "e" + std::to_string(i);
        round.push_back(proposal(1, description));
        run.world.drafts[description] = {"us " + std::to_string(90 - i)};
    }
    run.world.rounds = {round};
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    // Over 160 changes, and one event at the opening and at each change of state.
    QVERIFY2(run.populationEvents() <= 8, std::to_string(run.populationEvents()).c_str());
    QCOMPARE(run.population()->kernels.size(), 42u);
}

void EngineScheduling::goesOnAfterReopening() {
    EngineRun run;
    run.world.rounds = {{proposal(0, "a"), proposal(0, "b")}};
    run.world.drafts = {{"a", {"us 90"}}, {"b", {"us 80"}}};
    run.world.holdEvaluations = true;
    run.engine->send(command::Start{});
    QVERIFY(run.world.waitFor([](const FakeWorld& world) { return world.evaluating == 1; }));
    run.close(); // kills what is in flight
    run.world.set([](FakeWorld& world) { world.holdEvaluations = false; });
    run.open();
    QVERIFY(run.engine->state() == EngineState::idle);
    QVERIFY(run.kernel(1).state == KernelState::waiting);
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    QVERIFY(run.population()->best == KernelId{4});
}

QTEST_APPLESS_MAIN(EngineScheduling)
#include "engine_scheduling.moc"
