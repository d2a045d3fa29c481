// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/engine/call_lane.h"
#include "tests/support/engine_fakes.h"

#include <QTest>
#include <algorithm>
#include <set>

using namespace gks;
using namespace gks::test;

namespace {

std::ptrdiff_t countAsked(const FakeWorld& world, std::string_view beginning) {
    return std::count_if(world.asked.begin(), world.asked.end(),
                         [&](const std::string& question) { return question.starts_with(beginning); });
}

// A campaign of a model whose seeds are measured and in which a person has approved experiments.
struct RoundRun {
    EngineRun run;

    explicit RoundRun(const std::vector<std::string>& descriptions, int calls = Policies().modelCalls,
                      const std::function<void(CampaignSettings&)>& settings = {})
        : run(ScientistKind::model, 1, settings, calls) {
        run.engine->send(command::Start{});
        run.engine->waitUntilQuiet(20);
        for (const std::string& description : descriptions) {
            run.engine->send(command::AddExperiment{.parent = 1, .description = description});
        }
        run.engine->waitUntilQuiet(20);
        run.world.set([](FakeWorld& world) {
            world.asked.clear();
            world.mostAnswering = 0;
        });
    }
    // Starts with every call held, gives the loop the time to start too many of them, and lets them go.
    void runWithHeldCalls(int expected) {
        run.world.set([](FakeWorld& world) { world.holdScientist = true; });
        run.engine->send(command::Start{});
        QVERIFY(run.world.waitFor([&](const FakeWorld& world) { return world.answering == expected; }));
        run.engine->send(command::SetHint{"seen"});
        QTRY_COMPARE(run.population()->settings.hint, std::string("seen"));
        run.world.set([](FakeWorld& world) { world.holdScientist = false; });
        QVERIFY(run.quiet());
    }
};

} // namespace

// Calls of the scientist side by side.
class EngineCalls : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void roundIsWrittenAtOnce();
    void thereAreNoMoreCallsThanAllowed();
    void repairRunsBesideTheLaneAndOtherDrafts();
    void nextRoundIsDesignedWhileThisOneIsWritten();
    void personIsAskedOneByOne();
    void budgetOfTokensIsKept();
    void cancelEndsAllCalls();
    void killedCallsAreMadeAgain();
    void personsExperimentGoesFirst();
};

void EngineCalls::roundIsWrittenAtOnce() {
    RoundRun round({"a", "b", "c"});
    EngineRun& run = round.run;
    run.world.set([](FakeWorld& world) {
        world.drafts = {{"a", {"us 90"}}, {"b", {"us 80"}}, {"c", {"us 70"}}};
        world.holdScientist = true;
    });
    run.engine->send(command::Start{});
    QVERIFY(run.world.waitFor([](const FakeWorld& world) { return world.answering == 3; }));
    run.world.set([](FakeWorld& world) {
        QCOMPARE(countAsked(world, "write"), 3);
        world.holdScientist = false;
    });
    QVERIFY(run.quiet());
    QCOMPARE(run.population()->spend.evaluations, 5);
    std::set<std::string> lanes;
    std::set<ExperimentId> experiments;
    for (const ActivityChanged& activity : run.activities()) {
        if (activity.activity == Activity::writing) {
            QVERIFY(isCallLane(activity.lane));
            lanes.insert(activity.lane);
            experiments.insert(activity.experiment.value());
        }
    }
    QCOMPARE(lanes, (std::set<std::string>{"scientist", "scientist 2", "scientist 3"}));
    QCOMPARE(experiments, (std::set<ExperimentId>{1, 2, 3}));
    for (const ExperimentId id : experiments) { // what a call cost is with its own experiment
        QCOMPARE(run.engine->exchanges({}, id).value().size(), 1u);
    }
}

void EngineCalls::thereAreNoMoreCallsThanAllowed() {
    RoundRun round({"a", "b", "c"}, 2);
    EngineRun& run = round.run;
    run.world.set([](FakeWorld& world) { world.drafts = {{"a", {"us 90"}}, {"b", {"us 80"}}, {"c", {"us 70"}}}; });
    round.runWithHeldCalls(2);
    QCOMPARE(run.world.mostAnswering, 2);
    QCOMPARE(run.population()->spend.evaluations, 5);
}

void EngineCalls::repairRunsBesideTheLaneAndOtherDrafts() {
    RoundRun round({"a", "b", "c"});
    EngineRun& run = round.run;
    run.world.set([](FakeWorld& world) {
        world.drafts = {{"a", {"build-failed", "us 60"}}, {"b", {"us 80"}}, {"c", {"us 70"}}};
        world.held = "repair";
        world.holdScientist = true;
    });
    run.engine->send(command::Start{});
    QVERIFY(run.world.waitFor([](const FakeWorld& world) { return countAsked(world, "repair a") == 1; }));
    QTRY_COMPARE(run.population()->spend.evaluations, 5); // the seeds, the failed draft, b and c
    QVERIFY(run.population()->experiment(1)->state == ExperimentState::writing);
    run.world.set([](FakeWorld& world) { world.holdScientist = false; });
    QVERIFY(run.quiet());
    QVERIFY(run.population()->experiment(1)->state == ExperimentState::done);
}

void EngineCalls::nextRoundIsDesignedWhileThisOneIsWritten() {
    RoundRun round({});
    EngineRun& run = round.run;
    run.world.set([](FakeWorld& world) {
        world.rounds = {{proposal(1, "a")}, {proposal(1, "b")}};
        world.drafts = {{"a", {"us 90"}}, {"b", {"us 80"}}};
        world.held = "write";
        world.holdScientist = true;
    });
    run.engine->send(command::AddKernel{1, "", "us 95"}); // a second round rests on some result
    run.engine->send(command::Start{});
    QVERIFY(run.world.waitFor([](const FakeWorld& world) { return countAsked(world, "design") >= 2; }));
    QTRY_VERIFY(run.population()->experiment(2) != nullptr);
    QCOMPARE(run.population()->experiment(2)->round, run.population()->experiment(1)->round + 1);
    run.world.set([](FakeWorld& world) { world.holdScientist = false; });
    QVERIFY(run.quiet());
    QCOMPARE(run.population()->spend.evaluations, 5);
}

void EngineCalls::personIsAskedOneByOne() {
    RoundRun round({"a", "b", "c"}, Policies().modelCalls, [](CampaignSettings& settings) {
        settings.models["default"].provider = std::string(manualProviderName);
    });
    EngineRun& run = round.run;
    run.world.set([](FakeWorld& world) { world.drafts = {{"a", {"us 90"}}, {"b", {"us 80"}}, {"c", {"us 70"}}}; });
    round.runWithHeldCalls(1);
    QCOMPARE(run.world.mostAnswering, 1);
    QCOMPARE(run.population()->spend.evaluations, 5);
}

// A call takes 100 tokens: beside another one there is no room for it.
void EngineCalls::budgetOfTokensIsKept() {
    RoundRun round({"a", "b", "c", "d"}, Policies().modelCalls,
                   [](CampaignSettings& settings) { settings.budgets.tokens = 250; });
    EngineRun& run = round.run;
    run.world.set([](FakeWorld& world) {
        world.drafts = {{"a", {"us 90"}}, {"b", {"us 80"}}, {"c", {"us 70"}}, {"d", {"us 60"}}};
    });
    round.runWithHeldCalls(1);
    QCOMPARE(run.lastReason(), std::string("token budget reached (250)"));
    QCOMPARE(run.population()->spend.tokens, 300); // what had begun before it was reached
    QCOMPARE(run.world.mostAnswering, 1);
}

void EngineCalls::cancelEndsAllCalls() {
    RoundRun round({"a", "b", "c"});
    EngineRun& run = round.run;
    run.world.set([](FakeWorld& world) { world.holdScientist = true; });
    run.engine->send(command::Start{});
    QVERIFY(run.world.waitFor([](const FakeWorld& world) { return world.answering == 3; }));
    run.engine->send(command::CancelCurrent{});
    QVERIFY(run.quiet());
    QVERIFY(run.engine->state() == EngineState::paused);
    for (const Experiment& experiment : run.population()->experiments) {
        QVERIFY(experiment.state == ExperimentState::approved);
    }
    std::map<std::string, Activity> newest;
    for (const ActivityChanged& activity : run.activities()) {
        newest[activity.lane] = activity.activity;
    }
    for (const auto& [lane, activity] : newest) {
        QVERIFY2(activity == Activity::idle, lane.c_str());
    }
}

void EngineCalls::killedCallsAreMadeAgain() {
    RoundRun round({"a", "b", "c"});
    EngineRun& run = round.run;
    run.world.set([](FakeWorld& world) {
        world.drafts = {{"a", {"us 90"}}, {"b", {"us 80"}}, {"c", {"us 70"}}};
        world.holdScientist = true;
    });
    run.engine->send(command::Start{});
    QVERIFY(run.world.waitFor([](const FakeWorld& world) { return world.answering == 3; }));
    run.close();
    run.world.set([](FakeWorld& world) { world.holdScientist = false; });
    run.open();
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    QCOMPARE(run.population()->spend.evaluations, 5);
}

void EngineCalls::personsExperimentGoesFirst() {
    // One call at a time: several begin in no order.
    EngineRun run(
        ScientistKind::model, 1, [](CampaignSettings& settings) { settings.mode = Mode::approveExperiments; }, 1);
    run.world.rounds = {{proposal(1, "a"), proposal(1, "b")}};
    run.world.drafts = {{"a", {"us 90"}}, {"b", {"us 80"}}, {"mine", {"us 70"}}, {"mine too", {"us 60"}}};
    run.engine->send(command::Start{});
    QVERIFY(run.quiet()); // waits for approval
    run.engine->send(command::Pause{});
    run.engine->send(command::ApproveExperiment{1});
    run.engine->send(command::ApproveExperiment{2});
    run.engine->send(command::AddExperiment{.parent = 1, .description = "mine"});
    run.engine->send(command::AddExperiment{.parent = 1, .description = "mine too"});
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    std::vector<std::string> written;
    for (const std::string& question : run.world.asked) {
        if (question.starts_with("write")) {
            written.push_back(question);
        }
    }
    QCOMPARE(QString::fromStdString(join(written, ", ")),
             QStringLiteral("write mine, write mine too, write a, write b"));
}

QTEST_APPLESS_MAIN(EngineCalls)
#include "engine_calls.moc"
