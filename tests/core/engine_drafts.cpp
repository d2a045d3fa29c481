// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/draft_tally.h"
#include "core/scientist/conversation.h"
#include "core/scientist/portfolio.h"
#include "tests/support/engine_fakes.h"

#include <QTest>
#include <algorithm>
#include <cmath>
#include <set>

using namespace gks;
using namespace gks::test;

namespace {

std::ptrdiff_t countAsked(const FakeWorld& world, std::string_view beginning) {
    return std::count_if(world.asked.begin(), world.asked.end(),
                         [&](const std::string& question) { return question.starts_with(beginning); });
}

// One experiment, "a", that is written several times.
struct SeveralDrafts {
    EngineRun run;

    SeveralDrafts(int drafts, const std::deque<std::string>& sources, int calls = Policies().modelCalls,
                  const std::function<void(CampaignSettings&)>& more = {})
        : run(
              ScientistKind::model, 1,
              [&](CampaignSettings& settings) {
                  settings.policies.drafts = drafts;
                  if (more) {
                      more(settings);
                  }
              },
              calls) {
        run.world.rounds = {{proposal(1, "a")}};
        run.world.drafts = {{"a", sources}};
    }
    void start() {
        run.engine->send(command::Start{});
        QVERIFY(run.quiet());
    }
    Experiment experiment() const { return *run.population()->experiment(1); }
    std::vector<const Kernel*> drafts() const {
        std::vector<const Kernel*> found;
        for (const Kernel& kernel : held->kernels) {
            if (kernel.experiment == ExperimentId{1}) {
                found.push_back(&kernel);
            }
        }
        return found;
    }
    void look() { held = run.population(); }
    PopulationPtr held;
};

void checkCode(CampaignSettings& settings) {
    settings.policies.checkCode = true;
}

} // namespace

// An experiment is written several times side by side, and the best draft counts.
class EngineDrafts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theyAreWrittenSideBySideAndTheBestCounts();
    void oneThatPassesIsEnough();
    void theNewestFailedOneIsRepaired();
    void repairsAreLimited();
    void duplicatesLeaveALine();
    void nothingAtAllIsAFailure();
    void callsThatAreRareComeOneByOne();
    void killedDraftsAreWrittenAgain();
    void writersGoRound();
    void aPersonsWriterWritesAll();
    void rejectedCodeEndsTheLastOne();
    void codeIsSentBackBesideOthers();
    void fewerDraftsEndWhatIsOpen();
    void numbersAreWrittenOnce();
    void temperaturesDiffer();
    void stateFollowsTheTally();
};

void EngineDrafts::theyAreWrittenSideBySideAndTheBestCounts() {
    SeveralDrafts several(3, {"us 90", "us 50", "us 70"});
    several.run.world.held = "write";
    several.run.world.holdScientist = true;
    several.run.engine->send(command::Start{});
    QVERIFY(several.run.world.waitFor([](const FakeWorld& world) { return world.answering == 3; }));
    several.run.world.set([](FakeWorld& world) { world.holdScientist = false; });
    QVERIFY(several.run.quiet());
    several.look();
    QCOMPARE(several.drafts().size(), 3u);
    const Experiment done = several.experiment();
    QVERIFY(done.state == ExperimentState::done);
    QCOMPARE(several.run.kernel(*done.kernel).source, std::string("us 50"));
    QCOMPARE(done.measuredGain.value(), 2.0);
    QVERIFY(done.kernel == several.run.population()->best);
    QCOMPARE(several.run.population()->spend.evaluations, 5);
    for (const Kernel* draft : several.drafts()) {
        QVERIFY(draft->verdict == VerdictKind::faster && draft->parents == std::vector<KernelId>{1});
    }
}

void EngineDrafts::oneThatPassesIsEnough() {
    SeveralDrafts several(3, {"build-failed", "wrong", "us 80", "us 10"});
    several.start();
    several.look();
    QCOMPARE(several.drafts().size(), 3u);
    QVERIFY(several.experiment().state == ExperimentState::done && several.experiment().failure.empty());
    QCOMPARE(several.run.kernel(*several.experiment().kernel).source, std::string("us 80"));
    QCOMPARE(countAsked(several.run.world, "repair"), 0);
}

void EngineDrafts::theNewestFailedOneIsRepaired() {
    SeveralDrafts several(2, {"build-failed", "wrong", "us 70"});
    several.start();
    several.look();
    QCOMPARE(several.drafts().size(), 3u);
    const VerdictKind newest = *several.drafts()[1]->verdict;
    QCOMPARE(countAsked(several.run.world, "repair a 1 " + std::string(name(newest))), 1);
    QCOMPARE(countAsked(several.run.world, "repair"), 1);
    QVERIFY(several.experiment().state == ExperimentState::done);
    QVERIFY(several.experiment().kernel == several.drafts()[2]->id);
}

void EngineDrafts::repairsAreLimited() {
    SeveralDrafts several(2, {"wrong 1", "wrong 2", "wrong 3", "us 1"}, 3,
                          [](CampaignSettings& settings) { settings.repairAttempts = 1; });
    several.start();
    several.look();
    QCOMPARE(several.drafts().size(), 3u);
    QVERIFY(several.experiment().state == ExperimentState::failed);
    QCOMPARE(several.experiment().failure, std::string("wrong: as the source says"));
}

void EngineDrafts::duplicatesLeaveALine() {
    SeveralDrafts several(3, {"us 80", "/* the same */ us   80", "us 90"});
    several.start();
    several.look();
    QCOMPARE(several.drafts().size(), 2u);
    QVERIFY(several.experiment().state == ExperimentState::done);
    QVERIFY(several.run.didSteer("drop draft"));
    QVERIFY(several.run.warnings().empty());
    QCOMPARE(countAsked(several.run.world, "write"), 3);
}

void EngineDrafts::nothingAtAllIsAFailure() {
    SeveralDrafts several(3, {});
    several.start();
    QVERIFY(several.experiment().state == ExperimentState::failed);
    QCOMPARE(several.experiment().failure, std::string("nothing more to try"));
    QCOMPARE(countAsked(several.run.world, "write"), 3);
    QCOMPARE(several.run.warnings().size(), 1u);
}

void EngineDrafts::callsThatAreRareComeOneByOne() {
    SeveralDrafts several(3, {"us 90", "us 50", "us 70"}, 1);
    several.start();
    several.look();
    QCOMPARE(several.run.world.mostAnswering, 1);
    QCOMPARE(several.drafts().size(), 3u);
    QCOMPARE(several.experiment().measuredGain.value(), 2.0);
}

void EngineDrafts::killedDraftsAreWrittenAgain() {
    SeveralDrafts several(2, {"us 90", "us 50"});
    EngineRun& run = several.run;
    run.world.held = "write";
    run.world.holdScientist = true;
    run.engine->send(command::Start{});
    QVERIFY(run.world.waitFor([](const FakeWorld& world) { return world.answering == 2; }));
    QTRY_VERIFY(run.population()->experiment(1) != nullptr && several.experiment().state == ExperimentState::writing);
    run.close();
    run.world.set([](FakeWorld& world) { world.holdScientist = false; });
    run.open();
    QVERIFY(several.experiment().state == ExperimentState::approved);
    several.start();
    several.look();
    QCOMPARE(several.drafts().size(), 2u);
    QVERIFY(several.experiment().state == ExperimentState::done);
}

void EngineDrafts::writersGoRound() {
    SeveralDrafts several(3, {"us 90", "us 50", "us 70"}, 3, [](CampaignSettings& settings) {
        settings.models["default"].model = "one";
        settings.models["writer/deep"].model = "another";
    });
    several.start();
    several.look();
    QCOMPARE(countAsked(several.run.world, "write a by deep"), 1);
    QCOMPARE(countAsked(several.run.world, "write a"), 3);
    const auto drafts = several.drafts();
    QCOMPARE(std::count_if(drafts.begin(), drafts.end(), [](const Kernel* one) { return one->writer == "deep"; }), 1);
    const ExperimentId experiment = several.experiment().id;
    const auto turn = [&](const std::string& writer) {
        return turnOfDraft(*several.held, {}, {CallTask::write, experiment, writer});
    };
    QCOMPARE(turn("") + turn("deep"), 3);
    QCOMPARE(turn("deep"), 1); // another model counts for itself
    QCOMPARE(
        turnOfDraft(*several.held, {{{CallTask::write, experiment, "deep"}}}, {CallTask::write, experiment, "deep"}),
        2);
}

void EngineDrafts::aPersonsWriterWritesAll() {
    Experiment experiment;
    experiment.id = 1;
    experiment.writer = "deep";
    Population population;
    population.settings.models["writer/deep"].model = "another";
    DraftsUnderWay underWay;
    for (int draft = 0; draft < 3; ++draft) {
        const ScientistCall call = {CallTask::write, experiment.id, nextWriter(population, experiment)};
        QCOMPARE(call.writer, std::string("deep"));
        QCOMPARE(turnOfDraft(population, underWay, call), draft);
        underWay.calls.push_back(call);
    }
}

void EngineDrafts::rejectedCodeEndsTheLastOne() {
    SeveralDrafts several(2, {"us 90", "us 50"}, 3, checkCode);
    several.start();
    QCOMPARE(several.run.lastReason(), std::string("2 drafts need approval"));
    several.run.engine->send(command::RejectCode{4, "no"});
    QVERIFY(several.run.quiet());
    QVERIFY(several.experiment().state == ExperimentState::evaluating && several.experiment().kernel == KernelId{3});
    several.run.engine->send(command::ApproveCode{3});
    QVERIFY(several.run.quiet());
    QVERIFY(several.experiment().state == ExperimentState::done && several.experiment().kernel == KernelId{3});

    SeveralDrafts both(2, {"us 90", "us 50"}, 3, checkCode);
    both.start();
    both.run.engine->send(command::RejectCode{3, "no"});
    both.run.engine->send(command::RejectCode{4, "neither"});
    QVERIFY(both.run.quiet());
    QVERIFY(both.experiment().state == ExperimentState::rejected && both.experiment().failure == "neither");
    both.run.engine->send(command::ApproveCode{3});
    both.run.engine->send(command::Start{});
    QVERIFY(both.run.quiet());
    QVERIFY(both.experiment().state == ExperimentState::done && both.experiment().kernel == KernelId{3});
}

void EngineDrafts::codeIsSentBackBesideOthers() {
    SeveralDrafts several(2, {"us 90", "us 50", "us 40"}, 3, checkCode);
    several.start();
    several.run.engine->send(command::Pause{});
    several.run.engine->send(command::SendBackCode{3, "use LDS"});
    several.run.engine->send(command::SendBackCode{4, "you too"});
    QVERIFY(several.run.quiet());
    QCOMPARE(
        several.run.warnings().back(),
        std::string("kernel 00003 of the same experiment is on its way back to its writer. Send this one back when "
                    "that one is written anew"));
    QVERIFY(several.experiment().state == ExperimentState::approved && several.experiment().kernel == KernelId{3});
    several.run.engine->send(command::ApproveCode{4});
    several.run.engine->send(command::Start{});
    QVERIFY(several.run.quiet());
    QCOMPARE(countAsked(several.run.world, "repair a 1 use LDS"), 1);
    QVERIFY(several.run.kernel(4).verdict && several.run.kernel(5).state == KernelState::proposed);
    QVERIFY(several.experiment().state == ExperimentState::evaluating); // one waits for its approval
    several.run.engine->send(command::ApproveCode{5});
    several.run.engine->send(command::Start{});
    QVERIFY(several.run.quiet());
    QVERIFY(several.experiment().state == ExperimentState::done);
    QVERIFY(several.run.kernel(*several.experiment().kernel).versusParent->ratio >= 2);
}

void EngineDrafts::fewerDraftsEndWhatIsOpen() {
    SeveralDrafts several(2, {"us 90"}, 3, [](CampaignSettings& settings) { settings.budgets.evaluations = 3; });
    several.start(); // the budget has room for one draft
    QVERIFY(several.experiment().state == ExperimentState::approved && several.experiment().kernel);
    several.run.engine->send(command::SetBudgets{});
    several.run.engine->send(command::SetPolicies{});
    several.start();
    QVERIFY(several.experiment().state == ExperimentState::done);
    QCOMPARE(countAsked(several.run.world, "write"), 1);
}

void EngineDrafts::numbersAreWrittenOnce() {
    Population population;
    population.settings.policies.drafts = 4;
    population.settings.scientist = ScientistKind::model;
    Experiment experiment;
    QCOMPARE(draftsWanted(population, experiment), 4);
    experiment.kind = ExperimentKind::probe;
    QCOMPARE(draftsWanted(population, experiment), 1);
    experiment.kind = ExperimentKind::change;
    experiment.tunables = {{"TILE", "64"}};
    QCOMPARE(draftsWanted(population, experiment), 1);
    experiment.tunables.clear();
    population.settings.scientist = ScientistKind::tuner;
    QCOMPARE(draftsWanted(population, experiment), 1);
}

void EngineDrafts::temperaturesDiffer() {
    QCOMPARE(draftTemperature(0.7, 0), 0.7);
    QCOMPARE(draftTemperature(0.7, 1), 0.85);
    QCOMPARE(draftTemperature(0.7, 2), 0.55);
    for (const double own : {0.0, 0.7, 1.0, 1.5}) {
        std::set<int> thousandths;
        for (int turn = 0; turn < 8; ++turn) {
            const double asked = draftTemperature(own, turn);
            QVERIFY(asked >= 0 && asked <= std::max(own, 1.0));
            thousandths.insert(static_cast<int>(std::lround(1000 * asked)));
        }
        QCOMPARE(thousandths.size(), 8u);
    }
}

void EngineDrafts::stateFollowsTheTally() {
    using enum ExperimentState;
    DraftTally tally;
    Kernel kernel;
    QVERIFY(tally.state() == failed);
    tally.failed = &kernel;
    tally.mayBeRepaired = true;
    QVERIFY(tally.state() == approved);
    tally.accepted = 1;
    QVERIFY(tally.state() == done);
    tally.open = 1;
    QVERIFY(tally.state() == evaluating);
    tally.left = 1;
    QVERIFY(tally.state() == approved && tally.next() == CallTask::write);
    tally.sentBack = &kernel;
    QVERIFY(tally.state() == approved && tally.next() == CallTask::repair && tally.callsLeft() == 2);
    tally.calls = 1;
    QVERIFY(tally.state() == writing);
}

QTEST_APPLESS_MAIN(EngineDrafts)
#include "engine_drafts.moc"
