// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/engine_fakes.h"

#include <QTest>
#include <algorithm>

using namespace gks;
using namespace gks::test;

namespace {

void screen(CampaignSettings& settings) {
    settings.policies.screening = true;
}

bool isAmong(const std::vector<EvaluationRequest>& requests, const std::string& source) {
    return std::any_of(requests.begin(), requests.end(),
                       [&](const EvaluationRequest& request) { return request.source == source; });
}

bool said(const EngineRun& run, const std::string& text) {
    const auto warnings = run.warnings();
    return std::count_if(warnings.begin(), warnings.end(),
                         [&](const std::string& warning) { return warning.find(text) != std::string::npos; }) == 1;
}

} // namespace

// Drafts are built and planned before a lane takes them.
class EngineScreening : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatDoesNotBuildTakesNoLane();
    void repairsStayLimited();
    void onlyAModelsDraftsAreScreened();
    void noVerdictSendsTheDraftToTheLane();
    void infrastructureThatFailsOnEndsIt();
    void lanesThatAreAwayNeedOneFailure();
    void benchAndLanesShareProcessors_data();
    void benchAndLanesShareProcessors();
    void cancelledDraftWaits();
    void killedScreeningIsDoneAgain();
    void screeningIsAPolicy();
};

void EngineScreening::whatDoesNotBuildTakesNoLane() {
    EngineRun run(ScientistKind::model, 1, screen);
    run.world.rounds = {{proposal(1, "a")}};
    run.world.drafts = {{"a", {"build-failed", "us 60"}}};
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    QVERIFY(isAmong(run.world.screened, "build-failed") && isAmong(run.world.screened, "us 60"));
    QVERIFY(!isAmong(run.world.requests, "build-failed") && isAmong(run.world.requests, "us 60"));
    QVERIFY(run.world.screened.front().screen && !run.world.screened.front().baseline);
    QCOMPARE(run.population()->spend.evaluations, 3); // the seeds and the repair
    const Kernel& failed = run.kernel(3);
    QVERIFY(failed.verdict == VerdictKind::buildFailed && failed.state == KernelState::evaluated);
    const auto evaluations = run.engine->evaluations(3).value();
    QCOMPARE(evaluations.size(), 1u);
    QCOMPARE(evaluations.front().purpose, std::string(screeningPurpose));
    QCOMPARE(evaluations.front().lane, std::string("bench"));
    QCOMPARE(run.engine->evaluations(4).value().front().purpose, std::string("new kernel"));
    const auto& asked = run.world.asked;
    QVERIFY(std::find(asked.begin(), asked.end(), "repair a 1 build-failed") != asked.end());
    QVERIFY(run.population()->experiment(1)->state == ExperimentState::done);
}

void EngineScreening::repairsStayLimited() {
    EngineRun run(ScientistKind::model, 1, [](CampaignSettings& settings) {
        screen(settings);
        settings.repairAttempts = 1;
    });
    run.world.rounds = {{proposal(1, "a")}};
    run.world.drafts = {{"a", {"build-failed 1", "build-failed 2", "us 1"}}};
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    QVERIFY(run.population()->experiment(1)->state == ExperimentState::failed);
    QCOMPARE(run.population()->kernels.size(), 4u);
    QCOMPARE(run.population()->spend.evaluations, 2);
    const Verdict seed = run.engine->evaluations(1).value().front().verdict;
    QCOMPARE(run.population()->spend.gpuSeconds, 2 * (seed.verifySeconds + seed.measureSeconds));
}

void EngineScreening::onlyAModelsDraftsAreScreened() {
    EngineRun run(ScientistKind::model, 1, screen);
    run.world.rounds = {{proposal(1, "a")}};
    run.world.drafts = {{"a", {"us 60"}}};
    run.engine->send(command::AddKernel{1, "mine", "us 75"});
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    run.engine->send(command::EvaluateAgain{4});
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    QCOMPARE(run.world.screened.size(), 1u);
    QCOMPARE(run.world.screened.front().source, std::string("us 60"));
    QVERIFY(isAmong(run.world.requests, "us 75"));
    QVERIFY(run.kernel(4).evaluations >= 2);
}

void EngineScreening::noVerdictSendsTheDraftToTheLane() {
    EngineRun run(ScientistKind::model, 1, screen);
    run.world.rounds = {{proposal(1, "a")}, {proposal(1, "b")}};
    run.world.drafts = {{"a", {"us 80"}}, {"b", {"us 60"}}};
    run.world.lostScreenings = 1;
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    QVERIFY(run.kernel(3).verdict == VerdictKind::faster);
    QCOMPARE(run.world.screened.size(), 2u); // the next one is screened all the same
    QVERIFY(run.warnings().empty());
}

void EngineScreening::infrastructureThatFailsOnEndsIt() {
    EngineRun run(ScientistKind::model, 1, screen);
    run.world.rounds = {{proposal(1, "a")}, {proposal(1, "b")}, {proposal(1, "c")}};
    run.world.drafts = {{"a", {"us 80"}}, {"b", {"us 60"}}, {"c", {"us 50"}}};
    run.world.lostScreenings = 9;
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    QCOMPARE(run.world.screened.size(), 2u);
    QVERIFY(run.kernel(5).verdict == VerdictKind::faster);
    QVERIFY(said(run, "drafts go to the lanes as they are, since this machine cannot build and plan them before: no "
                      "compiler"));
}

void EngineScreening::lanesThatAreAwayNeedOneFailure() {
    Campaign campaign;
    CampaignSettings settings = campaign.settings;
    settings.scientist = ScientistKind::model;
    QVERIFY(campaign.store->saveSettings(settings, {0, Author::person, "create", "", 0}));
    campaign.store.reset();
    FakeWorld world;
    world.rounds = {{proposal(1, "a")}, {proposal(1, "b")}};
    world.drafts = {{"a", {"us 80"}}, {"b", {"us 60"}}};
    world.lostScreenings = 9;
    EngineSeams seams = world.seams(ScientistKind::model);
    std::vector<LaneSpec> made;
    seams.evaluationService = [&made, make = seams.evaluationService](const LaneSpec& spec) {
        made.push_back(spec);
        return make(spec);
    };
    EngineOptions options;
    LaneSpec lane = {TargetKind::nvidia, 0, {}};
    lane.folder = "/nowhere/jobs";
    options.lanes = {lane};
    const auto engine = Engine::open(campaign.file, options, std::move(seams)).value();
    engine->send(command::Start{});
    QVERIFY(engine->waitUntilQuiet(20));
    QCOMPARE(world.screened.size(), 1u);
    QCOMPARE(engine->population()->spend.evaluations, 4);
    QVERIFY(made.back().folder.empty() && made.back().target == TargetKind::nvidia); // the bench is here
}

void EngineScreening::benchAndLanesShareProcessors_data() {
    QTest::addColumn<unsigned>("processors");
    QTest::addColumn<bool>("overlap");
    QTest::newRow("two") << 2u << false;
    QTest::newRow("three") << 3u << true;
}

// The draft of a is with the lane when that of b is there.
void EngineScreening::benchAndLanesShareProcessors() {
    QFETCH(unsigned, processors);
    QFETCH(bool, overlap);
    EngineRun run(ScientistKind::model, 1, screen);
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    run.close();
    run.world.processors = processors;
    run.open();
    run.world.drafts = {{"a", {"us 80"}}, {"b", {"us 60"}}};
    run.world.set([](FakeWorld& world) { world.holdEvaluations = true; });
    run.engine->send(command::AddExperiment{.parent = 1, .description = "a"});
    run.engine->send(command::AddExperiment{.parent = 1, .description = "b"});
    run.engine->send(command::Start{});
    QVERIFY(run.world.waitFor([](const FakeWorld& world) { return world.evaluating == 1; }));
    QTRY_COMPARE(run.population()->kernels.size(), 4u);
    run.engine->send(command::SetHint{"seen"}); // the loop has looked at what it can start
    QTRY_COMPARE(run.population()->settings.hint, std::string("seen"));
    if (overlap) {
        QVERIFY(run.world.waitFor([](const FakeWorld& world) { return world.screened.size() == 2; }));
    }
    run.world.set([](FakeWorld& world) { world.holdEvaluations = false; });
    QVERIFY(run.quiet());
    QCOMPARE(run.world.screened.size(), 2u);
    QCOMPARE(run.population()->spend.evaluations, 4);
    if (!overlap) {
        QVERIFY(!run.world.didOverlap);
    }
}

void EngineScreening::cancelledDraftWaits() {
    EngineRun run(ScientistKind::model, 1, screen);
    run.world.rounds = {{proposal(1, "a")}};
    run.world.drafts = {{"a", {"us 60"}}};
    run.world.holdScreenings = true;
    run.engine->send(command::Start{});
    QVERIFY(run.world.waitFor([](const FakeWorld& world) { return world.screening == 1; }));
    QTRY_VERIFY(run.population()->kernels.size() == 3 && run.kernel(3).state == KernelState::screening);
    run.engine->send(command::CancelCurrent{});
    QVERIFY(run.quiet());
    QVERIFY(run.kernel(3).state == KernelState::waiting && !run.kernel(3).verdict);
    run.world.set([](FakeWorld& world) { world.holdScreenings = false; });
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    QCOMPARE(run.world.screened.size(), 2u);
    QVERIFY(run.kernel(3).verdict == VerdictKind::faster);
}

void EngineScreening::killedScreeningIsDoneAgain() {
    EngineRun run(ScientistKind::model, 1, screen);
    run.world.rounds = {{proposal(1, "a")}};
    run.world.drafts = {{"a", {"us 60"}}};
    run.world.holdScreenings = true;
    run.engine->send(command::Start{});
    QVERIFY(run.world.waitFor([](const FakeWorld& world) { return world.screening == 1; }));
    run.close();
    run.world.set([](FakeWorld& world) { world.holdScreenings = false; });
    run.open();
    QVERIFY(run.kernel(3).state == KernelState::waiting);
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    QCOMPARE(run.world.screened.size(), 2u);
    QVERIFY(run.kernel(3).verdict == VerdictKind::faster);
}

void EngineScreening::screeningIsAPolicy() {
    QVERIFY(Policies().screening);
    EngineRun run(ScientistKind::model);
    run.world.rounds = {{proposal(1, "a")}};
    run.world.drafts = {{"a", {"build-failed", "us 60"}}};
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    QVERIFY(run.world.screened.empty() && isAmong(run.world.requests, "build-failed"));
    QCOMPARE(run.population()->spend.evaluations, 4);
}

QTEST_APPLESS_MAIN(EngineScreening)
#include "engine_screening.moc"
