// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/database.h"
#include "core/campaign/undo.h"
#include "tests/support/engine_fakes.h"

#include <QTest>
#include <algorithm>
#include <random>

using namespace gks;
using namespace gks::test;

// What a person can tell a running engine.
class EngineSteering : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void pauseFinishesWhatIsMeasured();
    void stopKillsAndSendsBack();
    void cancelLeavesTheKernelWaiting();
    void cancelReachesTheScientist();
    void stepIsOneRound();
    void pinnedParentIsUsedAtOnce();
    void bannedParentLosesItsExperiments();
    void bannedAndPinnedExcludeEachOther();
    void aBanThatIsTakenBackPinsAgain();
    void whatIsBeingWrittenIsNotRejected();
    void handWrittenKernelGoesFirst();
    void evaluateAgainComparesWithTheParent();
    void settingsAreKept();
    void nonsenseIsRefusedWithAWarning();
    void secondEngineIsRefused();
    void fullDiskPausesAndLosesNothing();
    void anotherProgramsLockIsWaitedFor();
    void whatWasPaidWaitsForTheFile();
    void anyOrderOfCommandsEndsQuiet();
    void parsesLanes();
};

void EngineSteering::pauseFinishesWhatIsMeasured() {
    EngineRun run;
    run.world.holdEvaluations = true;
    run.engine->send(command::Start{});
    QVERIFY(run.world.waitFor([](const FakeWorld& world) { return world.evaluating == 1; }));
    run.engine->send(command::Pause{});
    QVERIFY(!run.engine->waitUntilQuiet(0.1)); // still measuring
    QVERIFY(run.engine->state() == EngineState::paused);
    run.world.set([](FakeWorld& world) { world.holdEvaluations = false; });
    QVERIFY(run.quiet());
    QVERIFY(run.kernel(1).verdict == VerdictKind::correct);
    QVERIFY(!run.kernel(2).verdict);
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    QVERIFY(run.kernel(2).verdict);
}

void EngineSteering::stopKillsAndSendsBack() {
    EngineRun run;
    run.world.holdEvaluations = true;
    run.engine->send(command::Start{});
    QVERIFY(run.world.waitFor([](const FakeWorld& world) { return world.evaluating == 1; }));
    run.engine->send(command::Stop{});
    QVERIFY(run.quiet());
    QVERIFY(run.engine->state() == EngineState::idle);
    QVERIFY(run.kernel(1).state == KernelState::waiting && !run.kernel(1).verdict);
    QCOMPARE(run.engine->evaluations(1).value().size(), 0u);
    QVERIFY(run.warnings().empty());
}

void EngineSteering::cancelLeavesTheKernelWaiting() {
    EngineRun run;
    run.world.holdEvaluations = true;
    run.engine->send(command::Start{});
    QVERIFY(run.world.waitFor([](const FakeWorld& world) { return world.evaluating == 1; }));
    run.engine->send(command::CancelCurrent{});
    QVERIFY(run.quiet());
    QVERIFY(run.engine->state() == EngineState::paused);
    QVERIFY(run.kernel(1).state == KernelState::waiting);
    run.world.set([](FakeWorld& world) { world.holdEvaluations = false; });
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    QCOMPARE(run.order(), std::string("00001 00001 00002"));
}

void EngineSteering::cancelReachesTheScientist() {
    EngineRun run(ScientistKind::model);
    run.world.rounds = {{proposal(1, "a")}};
    run.world.drafts = {{"a", {"us 50"}}};
    run.engine->send(command::Start{});
    QVERIFY(
        run.world.waitFor([](const FakeWorld& world) { return !world.asked.empty() && world.requests.size() == 2; }));
    QVERIFY(run.quiet());
    run.world.set([](FakeWorld& world) {
        world.rounds = {{proposal(1, "b")}};
        world.drafts["b"] = {"us 40"};
        world.holdScientist = true;
    });
    run.engine->send(command::Start{});
    QVERIFY(run.world.waitFor(
        [](const FakeWorld& world) { return world.asked.back() == "select" && world.asked.size() > 3; }));
    run.engine->send(command::CancelCurrent{});
    QVERIFY(run.quiet());
    QVERIFY(run.engine->state() == EngineState::paused);
    run.world.set([](FakeWorld& world) { world.holdScientist = false; });
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    QVERIFY(run.population()->kernels.size() == 4);
}

void EngineSteering::stepIsOneRound() {
    EngineRun run;
    run.world.rounds = {{proposal(0, "a")}, {proposal(0, "b")}};
    run.world.drafts = {{"a", {"us 80"}}, {"b", {"us 70"}}};
    run.engine->send(command::Step{});
    QVERIFY(run.quiet());
    QVERIFY(run.engine->state() == EngineState::paused);
    QCOMPARE(run.population()->kernels.size(), 3u);
    QVERIFY(run.kernel(3).verdict);
    run.engine->send(command::Step{});
    QVERIFY(run.quiet());
    QVERIFY(run.engine->state() == EngineState::paused);
    QCOMPARE(run.population()->kernels.size(), 4u);
    run.engine->send(command::SetMode{Mode::step}); // the button then does the same
    run.world.set([](FakeWorld& world) {
        world.rounds = {{proposal(0, "c")}, {proposal(0, "d")}};
        world.drafts = {{"c", {"us 60"}}, {"d", {"us 50"}}};
    });
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    QVERIFY(run.engine->state() == EngineState::paused);
    QCOMPARE(run.population()->kernels.size(), 5u);
}

void EngineSteering::pinnedParentIsUsedAtOnce() {
    EngineRun run(ScientistKind::model);
    run.world.holdScientist = true;
    run.world.rounds = {{proposal(0, "a")}};
    run.world.drafts = {{"a", {"us 80"}}};
    run.engine->send(command::Start{});
    QVERIFY(run.world.waitFor([](const FakeWorld& world) { return !world.asked.empty(); })); // selecting
    run.engine->send(command::PinParent{2, 1});
    QVERIFY(run.world.waitFor(
        [](const FakeWorld& world) { return world.asked.size() == 2; })); // the first was cancelled, asked again
    run.world.set([](FakeWorld& world) { world.holdScientist = false; });
    QVERIFY(run.quiet());
    QVERIFY(std::find(run.world.asked.begin(), run.world.asked.end(), "design 00002") != run.world.asked.end());
    QCOMPARE(run.kernel(3).parents, std::vector<KernelId>{2});
    const auto next = run.nextParents();
    QVERIFY(next.front().pinned && next.front().parent == KernelId{2} && next.front().rationale == "pinned by you");
    QVERIFY(run.didSteer("pin parent"));
    run.engine->send(command::PinParent{});
    QVERIFY(run.quiet());
    QVERIFY(!run.population()->settings.pinnedParent);
}

void EngineSteering::bannedParentLosesItsExperiments() {
    EngineRun run(ScientistKind::tuner, 1,
                  [](CampaignSettings& settings) { settings.mode = Mode::approveExperiments; });
    run.world.rounds = {{proposal(1, "a"), proposal(2, "b")}};
    run.world.drafts = {{"b", {"us 80"}}};
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    run.engine->send(command::SetBanned{1, true});
    run.engine->send(command::ApproveExperiment{2});
    QVERIFY(run.quiet());
    QVERIFY(run.kernel(1).banned);
    QVERIFY(run.population()->experiment(1)->state == ExperimentState::rejected);
    QVERIFY(run.population()->experiment(1)->failure.find("banned") != std::string::npos);
    QVERIFY(run.population()->experiment(2)->state == ExperimentState::done);
    run.engine->send(command::SetBanned{1, false});
    QVERIFY(run.quiet());
    QVERIFY(!run.kernel(1).banned && run.didSteer("unban"));
    // A ban that is taken back leaves what it rejected for a person to approve.
    QVERIFY(run.population()->experiment(1)->state == ExperimentState::notPicked);
    QCOMPARE(run.population()->experiment(1)->failure, std::string());
}

void EngineSteering::bannedAndPinnedExcludeEachOther() {
    EngineRun run;
    run.engine->send(command::PinParent{2, 1});
    run.engine->send(command::SetBanned{2, true});
    QVERIFY(run.quiet());
    QVERIFY(run.kernel(2).banned);
    QVERIFY(!run.population()->settings.pinnedParent && !run.population()->settings.pinnedReference);
    QVERIFY(!run.nextParents().back().pinned);
    run.engine->send(command::PinParent{2});
    run.engine->send(command::AddExperiment{.parent = 2, .description = "x"});
    QVERIFY(run.quiet());
    QVERIFY(!run.population()->settings.pinnedParent);
    QVERIFY(run.population()->experiments.empty());
    QCOMPARE(run.warnings().size(), 2u);
    QVERIFY2(run.warnings().front().find("kernel 00002 is banned") != std::string::npos,
             run.warnings().front().c_str());
}

// With all that it changed; that the ban unpinned is no decision of its own.
void EngineSteering::aBanThatIsTakenBackPinsAgain() {
    EngineRun run;
    run.engine->send(command::PinParent{2, 1});
    run.engine->send(command::SetBanned{2, true});
    QVERIFY(run.quiet());
    QVERIFY(!run.didSteer("unpin parent"));
    const auto history = run.engine->steering();
    QVERIFY(history.has_value());
    const auto undo = undoCommand(*history, *run.population(), 0);
    QVERIFY2(undo.has_value(), undo ? "" : undo.error().message().c_str());
    run.engine->send(*undo);
    QVERIFY(run.quiet());
    QVERIFY(!run.kernel(2).banned);
    QVERIFY(run.population()->settings.pinnedParent == KernelId{2});
    QVERIFY(run.population()->settings.pinnedReference == KernelId{1});
    QVERIFY(run.nextParents().back().pinned);
}

void EngineSteering::whatIsBeingWrittenIsNotRejected() {
    EngineRun run(ScientistKind::model);
    run.engine->send(command::Start{}); // the seeds
    QVERIFY(run.quiet());
    run.world.set([](FakeWorld& world) {
        world.drafts = {{"mine", {"us 50"}}};
        world.holdScientist = true;
    });
    run.engine->send(command::AddExperiment{.parent = 1, .description = "mine"});
    run.engine->send(command::Start{});
    QVERIFY(run.world.waitFor([](const FakeWorld& world) {
        return std::find(world.asked.begin(), world.asked.end(), "write mine") != world.asked.end();
    }));
    run.engine->send(command::RejectExperiment{1});
    QTRY_COMPARE(run.warnings().size(), 1u);
    QVERIFY2(run.warnings().front().find("experiment 1 is writing already") != std::string::npos,
             run.warnings().front().c_str());
    QVERIFY(run.engine->state() == EngineState::running);
    run.world.set([](FakeWorld& world) { world.holdScientist = false; });
    QVERIFY(run.quiet());
    QVERIFY(run.population()->experiment(1)->state == ExperimentState::done);
}

void EngineSteering::handWrittenKernelGoesFirst() {
    EngineRun run;
    run.world.holdEvaluations = true;
    run.world.rounds = {{proposal(1, "a")}};
    run.world.drafts = {{"a", {"us 80"}}};
    run.engine->send(command::Start{});
    QVERIFY(run.world.waitFor([](const FakeWorld& world) { return world.evaluating == 1; }));
    run.engine->send(command::AddKernel{1, "by hand", "us 30"});
    run.world.set([](FakeWorld& world) { world.holdEvaluations = false; });
    QVERIFY(run.quiet());
    QVERIFY(run.order().starts_with("00001 00003 00002"));
    QVERIFY(run.kernel(3).author == Author::person && run.kernel(3).title == "by hand");
    QVERIFY(run.kernel(3).verdict == VerdictKind::faster);
    run.engine->send(command::AddKernel{1, "", "us 30 // as before"});
    QVERIFY(run.quiet());
    QVERIFY(run.warnings().back().find("same as kernel 00003") != std::string::npos);
}

void EngineSteering::evaluateAgainComparesWithTheParent() {
    EngineRun run;
    run.world.rounds = {{proposal(2, "a")}};
    run.world.drafts = {{"a", {"us 80"}}};
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    run.engine->send(command::EvaluateAgain{3});
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    const auto evaluations = run.engine->evaluations(3).value();
    QCOMPARE(evaluations.size(), 4u); // new, confirmed, again, confirmed
    QCOMPARE(evaluations[2].purpose, std::string("again"));
    QVERIFY(evaluations[2].baseline == KernelId{2});
    QVERIFY(run.didSteer("evaluate again"));
}

void EngineSteering::settingsAreKept() {
    EngineRun run;
    run.engine->send(command::SetHint{"try LDS"});
    run.engine->send(command::SetBudgets{{5, 0, 0, 0, 0}});
    run.engine->send(command::SetScientist{ScientistKind::model,
                                           {{"default", ModelChoice{"openai", "http://x", "m", "K", 0, 1000}}}});
    QVERIFY(run.quiet());
    run.close();
    run.open();
    const CampaignSettings& settings = run.population()->settings;
    QCOMPARE(settings.hint, std::string("try LDS"));
    QCOMPARE(settings.budgets.evaluations, 5);
    QCOMPARE(settings.models.at("default").model, std::string("m"));
    const auto steering = run.engine->steering().value();
    QCOMPARE(steering.back().detail, std::string("model, default m"));
    run.engine->send(command::SetHint{std::string(9000, 'x')});
    QVERIFY(run.quiet());
    QCOMPARE(run.population()->settings.hint, std::string("try LDS"));
    QVERIFY(run.warnings().back().find("the hint is too long") != std::string::npos);
    QVERIFY(run.didSteer("set hint") && run.didSteer("set budgets") && run.didSteer("set scientist"));
}

void EngineSteering::nonsenseIsRefusedWithAWarning() {
    EngineRun run;
    run.engine->send(command::PinParent{99});
    run.engine->send(command::SetBanned{99, true});
    run.engine->send(command::EvaluateAgain{99});
    run.engine->send(command::AddKernel{99, "x", "y"});
    run.engine->send(command::AddKernel{1, "x", "  "});
    run.engine->send(command::ApproveExperiment{99});
    run.engine->send(command::RejectExperiment{99});
    run.engine->send(command::EditExperiment{.experiment = 1, .description = "x"});
    run.engine->send(command::AddExperiment{.parent = 99, .description = "x"});
    run.engine->send(command::ReorderExperiments{{99}});
    QVERIFY(run.quiet());
    QCOMPARE(run.warnings().size(), 10u);
    QVERIFY(run.population()->kernels.size() == 2 && run.population()->experiments.empty());
    QVERIFY(run.engine->state() == EngineState::idle);
}

void EngineSteering::secondEngineIsRefused() {
    EngineRun run;
    const auto refused = Engine::open(run.campaign.file, {}, run.world.seams());
    QVERIFY(!refused);
    QVERIFY2(refused.error().message().find("in use by process") != std::string::npos,
             refused.error().message().c_str());
}

void EngineSteering::fullDiskPausesAndLosesNothing() {
    EngineRun run;
    run.close();
    run.world.lockPatience = std::chrono::milliseconds(100);
    run.open();
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    run.engine->send(command::AddKernel{1, "big", "us 20"});
    QVERIFY(run.quiet());
    // Another connection that will not let go is to the store what a full disk is: the write fails.
    auto other = Database::open(run.campaign.file.string(), Database::Access::readWrite).value();
    run.world.set([](FakeWorld& world) { world.holdEvaluations = true; });
    run.engine->send(command::Start{});
    QVERIFY(run.world.waitFor([](const FakeWorld& world) { return world.evaluating == 1; }));
    QVERIFY(other.execute("BEGIN IMMEDIATE"));
    run.world.set([](FakeWorld& world) { world.holdEvaluations = false; });
    QVERIFY(run.quiet());
    QVERIFY(run.engine->state() == EngineState::paused);
    QVERIFY2(run.lastReason().find("in use by another process") != std::string::npos, run.lastReason().c_str());
    QVERIFY(!run.kernel(3).verdict);
    QVERIFY(other.execute("ROLLBACK"));
    const std::size_t measured = run.world.requests.size();
    run.engine->send(command::PinParent{1});
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    QVERIFY(run.kernel(3).verdict == VerdictKind::faster); // the verdict was kept and is stored now
    QVERIFY(run.world.requests.size() <= measured + 2);    // not measured again but beside the best, to confirm it
}

void EngineSteering::anotherProgramsLockIsWaitedFor() {
    EngineRun run;
    run.world.set([](FakeWorld& world) { world.holdEvaluations = true; });
    run.engine->send(command::Start{});
    QVERIFY(run.world.waitFor([](const FakeWorld& world) { return world.evaluating == 1; }));
    auto other = Database::open(run.campaign.file.string(), Database::Access::readWrite).value();
    QVERIFY(other.execute("BEGIN IMMEDIATE"));
    run.world.set([](FakeWorld& world) { world.holdEvaluations = false; });
    const auto isTold = [&] {
        const auto warnings = run.warnings();
        return std::any_of(warnings.begin(), warnings.end(), [](const std::string& warning) {
            return warning.find("another program has locked the campaign") != std::string::npos;
        });
    };
    QVERIFY(QTest::qWaitFor(isTold, 30'000));
    QVERIFY(run.engine->state() == EngineState::running);
    QVERIFY(other.execute("ROLLBACK"));
    QVERIFY(run.quiet());
    QVERIFY(run.kernel(1).verdict && run.kernel(2).verdict);
    QVERIFY2(run.lastReason().find("locked") == std::string::npos, run.lastReason().c_str());
}

void EngineSteering::whatWasPaidWaitsForTheFile() {
    EngineRun run;
    run.close();
    run.world.lockPatience = std::chrono::milliseconds(100);
    run.open();
    auto other = Database::open(run.campaign.file.string(), Database::Access::readWrite).value();
    QVERIFY(other.execute("BEGIN IMMEDIATE"));
    for (const char* reply : {"one", "two"}) {
        Exchange exchange;
        exchange.stage = "writer";
        exchange.prompt = "[]";
        exchange.reply = reply;
        exchange.tokensIn = 100;
        run.engine->addExchange(exchange);
    }
    QVERIFY(run.quiet());
    QVERIFY(!run.warnings().empty());
    QVERIFY(run.engine->exchanges({}, {}).value().empty());
    QVERIFY(other.execute("ROLLBACK"));
    run.close();
    const auto store = CampaignStore::open(run.campaign.file, CampaignStore::Access::read).value();
    const auto kept = store->exchanges({}, {}).value();
    QCOMPARE(kept.size(), std::size_t{2});
    QCOMPARE(kept.front().reply, std::string("one"));
    QCOMPARE(store->population().value()->spend.tokens, 200);
}

void EngineSteering::anyOrderOfCommandsEndsQuiet() {
    std::mt19937 random(11);
    for (int round = 0; round < 8; ++round) {
        EngineRun run(round % 2 == 0 ? ScientistKind::tuner : ScientistKind::model,
                      1 + static_cast<std::size_t>(round % 3));
        for (int i = 0; i < 30; ++i) {
            const std::string description = "e" + std::to_string(i);
            run.world.rounds.push_back({proposal(0, description), proposal(0, description + "'")});
            run.world.drafts[description] = {"build-failed " + std::to_string(i), "us " + std::to_string(90 - i)};
            run.world.drafts[description + "'"] = {"us " + std::to_string(200 + i)};
        }
        Engine& engine = *run.engine;
        const std::vector<std::function<void()>> commands = {
            [&] { engine.send(command::Start{}); },
            [&] { engine.send(command::Pause{}); },
            [&] { engine.send(command::Step{}); },
            [&] { engine.send(command::Stop{}); },
            [&] { engine.send(command::CancelCurrent{}); },
            [&] { engine.send(command::PinParent{2}); },
            [&] { engine.send(command::PinParent{}); },
            [&] { engine.send(command::SetBanned{3, random() % 2 == 0}); },
            [&] { engine.send(command::EvaluateAgain{1}); },
            [&] { engine.send(command::AddKernel{1, "", "us " + std::to_string(random() % 50 + 10)}); },
            [&] { engine.send(command::ApproveExperiment{2}); },
            [&] { engine.send(command::RejectExperiment{3}); },
            [&] { engine.send(command::ReorderExperiments{{2, 1}}); },
            [&] { engine.send(command::AddExperiment{.parent = 1, .description = "e5"}); },
            [&] { engine.send(command::SetMode{static_cast<Mode>(random() % 3)}); },
            [&] { engine.send(command::SetHint{"x"}); },
            [&] { engine.send(command::SetBudgets{{static_cast<std::int64_t>(random() % 20), 0, 0, 0, 0}}); },
            [&] { engine.send(command::SetScientist{ScientistKind::tuner, {}}); },
            [&] { engine.waitUntilQuiet(0.01); }};
        for (int i = 0; i < 60; ++i) {
            commands[random() % commands.size()]();
        }
        engine.send(command::Pause{});
        QVERIFY(run.quiet());
        const auto population = engine.population();
        for (const Kernel& kernel : population->kernels) {
            QVERIFY(kernel.state != KernelState::evaluating);
        }
        for (const Experiment& experiment : population->experiments) {
            QVERIFY(experiment.state != ExperimentState::writing);
        }
        engine.send(command::SetMode{Mode::automatic});
        engine.send(command::SetBudgets{{population->spend.evaluations + 3, 0, 0, 0, 0}});
        engine.send(command::Start{});
        QVERIFY(run.quiet());
        QVERIFY2(engine.state() != EngineState::running, run.lastReason().c_str());
    }
}

void EngineSteering::parsesLanes() {
    const auto lanes = parseLanes("amd:0, amd:1,cpu").value();
    QCOMPARE(lanes.size(), 3u);
    QCOMPARE(lanes[1].label(), std::string("amd:1"));
    QCOMPARE(lanes[2].label(), std::string("cpu:0"));
    for (const char* bad : {"", "gpu:0", "cpu:", "cpu:x", "cpu:-1", "cpu:1x"}) {
        QVERIFY2(!parseLanes(bad), bad);
    }
}

QTEST_APPLESS_MAIN(EngineSteering)
#include "engine_steering.moc"
