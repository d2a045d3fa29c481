// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/waiting.h"
#include "tests/support/engine_fakes.h"

#include <QTest>

using namespace gks;
using namespace gks::test;

namespace {

Experiment tuning(std::string description, const std::string& tile, std::string pick) {
    Experiment experiment = proposal(0, std::move(description), std::move(pick));
    experiment.tunables = {{"TILE", tile}};
    return experiment;
}

// A kernel of which the tuner's experiments set one number; the parent's own value does not matter for what comes out.
std::string tunableSource(const std::string& tile, int us) {
    return "// @tune TILE 8 16 32\n#define TILE " + tile + "\n// us " + std::to_string(us);
}

} // namespace

// What becomes of proposals: approved, edited, set aside, made again.
class EngineProposals : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void proposalsWaitForApproval();
    void editAndReorder();
    void personsExperimentRuns();
    void personsExperimentWithoutAModelWaitsForTheirCode();
    void whoNamesAModelHasTheirExperimentWritten();
    void unpickedStayOpenUntilTheirRoundIsOver();
    void setAsideCanBeApprovedBack();
    void sameProposalIsTakenUpAgain_data();
    void sameProposalIsTakenUpAgain();
    void pointUnderWayIsNotProposedAgain();
};

void EngineProposals::proposalsWaitForApproval() {
    EngineRun run(ScientistKind::tuner, 1,
                  [](CampaignSettings& settings) { settings.mode = Mode::approveExperiments; });
    run.world.rounds = {{proposal(1, "a"), proposal(1, "b"), proposal(1, "spare", "")}};
    run.world.drafts = {{"a", {"us 80"}}, {"b", {"us 70"}}};
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    QVERIFY(run.engine->state() == EngineState::paused);
    QCOMPARE(run.lastReason(), std::string("2 experiments need approval"));
    QCOMPARE(run.population()->kernels.size(), 2u);
    run.engine->send(command::ApproveExperiment{2});
    QVERIFY(run.quiet()); // goes on by itself and waits again
    QCOMPARE(run.kernel(3).experiment.value(), ExperimentId{2});
    QVERIFY(run.kernel(3).verdict);
    QCOMPARE(run.lastReason(), std::string("1 experiment needs approval"));
    run.engine->send(command::RejectExperiment{1});
    QVERIFY(run.quiet());
    QVERIFY(run.engine->state() == EngineState::idle);
    QCOMPARE(run.lastReason(), std::string("nothing left to try"));
    QVERIFY(run.didSteer("approve experiment") && run.didSteer("reject experiment"));
}

void EngineProposals::editAndReorder() {
    EngineRun run(ScientistKind::tuner, 1,
                  [](CampaignSettings& settings) { settings.mode = Mode::approveExperiments; });
    run.world.rounds = {{proposal(1, "a"), proposal(1, "b")}};
    run.world.drafts = {{"edited", {"us 80"}}, {"b", {"us 70"}}};
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    const Experiment before = *run.population()->experiment(1);
    const command::EditExperiment edit{.experiment = 1, .description = "edited", .innovation = 77};
    run.engine->send(edit);
    run.engine->send(command::ReorderExperiments{{2, 1}});
    QVERIFY(run.quiet());
    Experiment expected = before; // what the edit does not name stays
    expected.description = "edited";
    expected.innovation = 77;
    expected.editedByPerson = true;
    expected.position = run.population()->experiment(1)->position;
    QCOMPARE(*run.population()->experiment(1), expected);
    run.engine->send(command::SetMode{Mode::automatic}); // nobody is asked any more
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    QCOMPARE(run.kernel(3).experiment.value(), ExperimentId{2});
    QCOMPARE(run.kernel(4).experiment.value(), ExperimentId{1});
    run.engine->send(edit);
    QVERIFY(run.quiet());
    QVERIFY(run.warnings().back().find("can no longer be edited") != std::string::npos);
}

void EngineProposals::personsExperimentRuns() {
    EngineRun run(ScientistKind::model, 1,
                  [](CampaignSettings& settings) { settings.mode = Mode::approveExperiments; });
    run.world.drafts = {{"mine", {"us 80"}}};
    run.engine->send(command::AddExperiment{.parent = 1, .description = "mine"});
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    QVERIFY(run.population()->experiment(1)->author == Author::person);
    QVERIFY(run.population()->experiment(1)->state == ExperimentState::done);
    QVERIFY(run.kernel(3).author == Author::model); // who wrote it
}

// The tuner writes no code: the experiment waits, nothing fails, and the person's own kernel carries it out.
void EngineProposals::personsExperimentWithoutAModelWaitsForTheirCode() {
    EngineRun run;
    run.engine->send(
        command::AddExperiment{.parent = 1, .description = "pad\nthe rows", .predicted = Interval{1.1, 1.3}});
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    QVERIFY(run.population()->experiment(1)->state == ExperimentState::approved);
    QVERIFY(waitText(*run.population()->experiment(1), *run.population()).starts_with("needs code"));
    QVERIFY2(run.warnings().empty(), run.warnings().empty() ? "" : run.warnings().front().c_str());
    QCOMPARE(run.population()->kernels.size(), std::size_t{2}); // the seeds
    run.engine->send(command::AddKernel{1, "pad the rows", "wrong"});
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    QVERIFY(run.kernel(3).experiment == ExperimentId{1});
    QVERIFY(run.population()->experiment(1)->state == ExperimentState::approved); // another try is the person's
    run.engine->send(command::AddKernel{2, "pad the rows", "us 70"});             // of another parent: something else
    run.engine->send(command::AddKernel{1, "pad the rows", "us 50"});
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    QVERIFY(!run.kernel(4).experiment);
    QVERIFY(run.kernel(5).experiment == ExperimentId{1} && run.kernel(5).author == Author::person);
    const Experiment& done = *run.population()->experiment(1);
    QVERIFY(done.state == ExperimentState::done);
    QVERIFY(done.measuredGain.has_value()); // beside what was predicted
}

void EngineProposals::whoNamesAModelHasTheirExperimentWritten() {
    EngineRun run;
    run.engine->send(command::AddExperiment{.parent = 1, .description = "mine"});
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    run.world.set([](FakeWorld& world) { world.drafts = {{"mine", {"us 50"}}}; });
    run.engine->send(command::SetScientist{ScientistKind::model,
                                           {{"default", ModelChoice{"openai", "http://x", "m", "K", 0, 1000}}}});
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    QVERIFY(run.population()->experiment(1)->state == ExperimentState::done);
}

void EngineProposals::unpickedStayOpenUntilTheirRoundIsOver() {
    EngineRun run(ScientistKind::tuner, 1,
                  [](CampaignSettings& settings) { settings.mode = Mode::approveExperiments; });
    run.world.rounds = {{proposal(1, "a"), proposal(1, "spare", "")}};
    run.world.drafts = {{"a", {"us 80"}}};
    run.engine->send(command::Start{});
    QVERIFY(run.quiet()); // waits for a decision on a
    QVERIFY(run.population()->experiment(2)->state == ExperimentState::proposed);
    run.engine->send(command::ApproveExperiment{1});
    QVERIFY(run.quiet());
    QVERIFY(run.population()->experiment(1)->state == ExperimentState::done);
    QVERIFY(run.population()->experiment(2)->state == ExperimentState::notPicked);
    const auto steering = run.engine->steering().value();
    const auto aside = std::find_if(steering.begin(), steering.end(),
                                    [](const Steering& s) { return s.action == "retire experiment"; });
    QVERIFY(aside != steering.end());
    QVERIFY(aside->who == Author::tuner);
    QCOMPARE(aside->detail, std::string("2: spare"));
}

void EngineProposals::setAsideCanBeApprovedBack() {
    EngineRun run;
    run.world.rounds = {{proposal(0, "a"), proposal(0, "spare", "")}};
    run.world.drafts = {{"a", {"us 80"}}, {"better", {"us 40"}}};
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    run.close();
    run.open(); // the state is in the file
    QVERIFY(run.population()->experiment(2)->state == ExperimentState::notPicked);
    run.engine->send(command::EditExperiment{.experiment = 2, .description = "better"});
    run.engine->send(command::ApproveExperiment{2}); // at once, as Ctrl+Enter does: the edit must not be lost
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    QCOMPARE(run.population()->experiment(2)->description, std::string("better"));
    QVERIFY(run.population()->experiment(2)->state == ExperimentState::done);
    QVERIFY(run.kernel(4).experiment == ExperimentId{2});
    QVERIFY(run.warnings().empty());
}

void EngineProposals::sameProposalIsTakenUpAgain_data() {
    QTest::addColumn<bool>("tuned");
    QTest::addColumn<bool>("editedMeanwhile");
    QTest::newRow("words") << false << false;
    QTest::newRow("point") << true << false;
    QTest::newRow("point with a person's words") << true << true;
}

void EngineProposals::sameProposalIsTakenUpAgain() {
    QFETCH(bool, tuned);
    QFETCH(bool, editedMeanwhile);
    EngineRun run;
    const auto idea = [&](const char* words, const char* pick) {
        return tuned ? tuning(words, "32", pick) : proposal(0, "the idea", pick);
    };
    run.engine->send(command::AddKernel{1, "tunable", tunableSource("8", 90)});
    run.world.rounds = {{proposal(0, "a"), idea("TILE from 8", "")}};
    run.world.drafts = {{"a", {tunableSource("16", 80)}}};
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    QVERIFY(run.population()->experiment(2)->state == ExperimentState::notPicked);
    if (editedMeanwhile) {
        run.engine->send(command::EditExperiment{.experiment = 2, .description = "mine"});
    }
    // The same comes again, from another parent, and this time it is picked.
    const std::string words = editedMeanwhile ? "mine" : tuned ? "TILE from 16" : "the idea";
    run.world.set([&](FakeWorld& world) {
        world.rounds = {{idea("TILE from 16", "most certain")}};
        world.drafts[words] = {"us 40"};
    });
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    const auto population = run.population();
    QCOMPARE(population->experiments.size(), 2u);
    const Experiment& again = *population->experiment(2);
    QVERIFY(again.state == ExperimentState::done);
    QCOMPARE(again.round, 2);
    QCOMPARE(again.parent, KernelId{4});
    QCOMPARE(again.description, words);
    QCOMPARE(population->kernel(*again.kernel)->parents, std::vector<KernelId>{4});
    QVERIFY(run.didSteer("propose again"));
}

void EngineProposals::pointUnderWayIsNotProposedAgain() {
    EngineRun run(ScientistKind::model); // designs ahead of the lane
    run.engine->send(command::AddKernel{1, "tunable", tunableSource("8", 90)});
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    run.world.set([](FakeWorld& world) {
        world.rounds = {{tuning("TILE to 32", "32", "most certain"), tuning("TILE to 16", "16", "")}};
        world.drafts["my own"] = {tunableSource("32", 70)};
        world.holdEvaluations = true;
    });
    run.engine->send(command::AddExperiment{.parent = 3, .description = "my own", .tunables = {{"TILE", "32"}}});
    run.engine->send(command::Start{});
    QVERIFY(run.world.waitFor([](const FakeWorld& world) { return world.evaluating == 1 && world.rounds.empty(); }));
    run.world.set([](FakeWorld& world) { world.holdEvaluations = false; });
    QVERIFY(run.quiet());
    std::vector<std::string> descriptions;
    for (const Experiment& experiment : run.population()->experiments) {
        descriptions.push_back(experiment.description);
    }
    QCOMPARE(descriptions, (std::vector<std::string>{"my own", "TILE to 16"}));
}

QTEST_APPLESS_MAIN(EngineProposals)
#include "engine_proposals.moc"
