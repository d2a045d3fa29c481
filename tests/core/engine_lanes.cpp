// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/engine_fakes.h"

#include <QTest>
#include <algorithm>

using namespace gks;
using namespace gks::test;

// Lanes whose device hangs or fails again and again.
class EngineLanes : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void hungDeviceLeavesAndTheOthersGoOn();
    void repeatedFailuresTakeALaneOut();
    void oneFailureDoesNot();
    void theLastLanePauses();
    void outageIsKeptInTheFileAndRecorded();
    void restoredLaneWorksAgain();
    void restoringWhatWorksIsRefused();
    void kernelThatFailsOnTwoLanesAsksThePerson();
};

namespace {

// Several drafts for two lanes.
void fill(EngineRun& run) {
    run.world.rounds = {{proposal(1, "a"), proposal(1, "b"), proposal(1, "c")}};
    run.world.drafts = {{"a", {"us 90"}}, {"b", {"us 80"}}, {"c", {"us 70"}}};
}

bool said(const EngineRun& run, const std::string& text) {
    const auto warnings = run.warnings();
    return std::any_of(warnings.begin(), warnings.end(),
                       [&](const std::string& warning) { return warning.find(text) != std::string::npos; });
}

const std::map<std::string, LaneOutage>& lanesOut(const EngineRun& run) {
    return run.population()->settings.lanesOut;
}

} // namespace

void EngineLanes::hungDeviceLeavesAndTheOthersGoOn() {
    EngineRun run(ScientistKind::tuner, 2);
    fill(run);
    run.world.hungDevices = {0};
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    QVERIFY(run.engine->state() == EngineState::idle);
    QCOMPARE(run.population()->spend.evaluations, 5); // nothing was charged for the hung ones
    QVERIFY(run.population()->best == KernelId{5});
    QVERIFY(lanesOut(run).contains("cpu:0") && !lanesOut(run).contains("cpu:1"));
    QVERIFY(said(run, "lane cpu:0 is out of service: the device did not answer"));
    QVERIFY(said(run, "Reset the device"));
    const auto onHung = std::count_if(run.world.requests.begin(), run.world.requests.end(),
                                      [](const EvaluationRequest& request) { return request.device == 0; });
    QCOMPARE(onHung, 1);
}

void EngineLanes::repeatedFailuresTakeALaneOut() {
    EngineRun run(ScientistKind::tuner, 1);
    run.world.brokenDevices = {0};
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    QVERIFY(run.engine->state() == EngineState::paused);
    QCOMPARE(run.world.requests.size(), 2u);
    QVERIFY(lanesOut(run).contains("cpu:0"));
}

void EngineLanes::oneFailureDoesNot() {
    EngineRun run(ScientistKind::tuner, 1);
    run.world.lostEvaluations = 1;
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    QVERIFY(run.engine->state() == EngineState::idle);
    QVERIFY(lanesOut(run).empty());
}

void EngineLanes::theLastLanePauses() {
    EngineRun run(ScientistKind::tuner, 2);
    fill(run);
    run.world.hungDevices = {0, 1};
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    QVERIFY(run.engine->state() == EngineState::paused);
    QVERIFY2(run.lastReason().find("is out of service") != std::string::npos, run.lastReason().c_str());
    QVERIFY(run.lastReason().find("Reset the device. Then start again") != std::string::npos);
    QVERIFY(run.kernel(1).state == KernelState::waiting && !run.kernel(1).verdict);
    QCOMPARE(run.population()->spend.evaluations, 0);
    // The person has reset them and starts again.
    run.world.set([](FakeWorld& world) { world.hungDevices.clear(); });
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    QVERIFY(lanesOut(run).empty());
    QVERIFY(run.engine->state() == EngineState::idle);
    QCOMPARE(run.population()->spend.evaluations, 5);
}

void EngineLanes::outageIsKeptInTheFileAndRecorded() {
    EngineRun run(ScientistKind::tuner, 2);
    fill(run);
    run.world.hungDevices = {0};
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    const std::size_t before = run.world.requests.size();
    run.close();
    run.open();
    const LaneOutage outage = lanesOut(run).at("cpu:0");
    QCOMPARE(outage.reason, std::string("the device did not answer"));
    QVERIFY(outage.since > 0);
    const auto steering = run.engine->steering().value();
    QVERIFY(std::any_of(steering.begin(), steering.end(), [](const Steering& one) {
        return one.who == Author::engine && one.action == "lane out of service" && one.detail.starts_with("cpu:0");
    }));
    run.engine->send(command::EvaluateAgain{2});
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    QVERIFY(run.world.requests.size() > before);
    for (std::size_t i = before; i < run.world.requests.size(); ++i) {
        QCOMPARE(run.world.requests[i].device, 1);
    }
}

void EngineLanes::restoredLaneWorksAgain() {
    EngineRun run(ScientistKind::tuner, 2);
    run.world.hungDevices = {0};
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    run.world.set([](FakeWorld& world) { world.hungDevices.clear(); });
    run.engine->send(command::RestoreLane{"cpu:0"});
    QVERIFY(run.quiet());
    QVERIFY(lanesOut(run).empty());
    QVERIFY(run.didSteer("put lane back in service"));
    const std::size_t before = run.world.requests.size();
    run.engine->send(command::EvaluateAgain{2});
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    QCOMPARE(run.world.requests.at(before).device, 0);
}

void EngineLanes::restoringWhatWorksIsRefused() {
    EngineRun run;
    run.engine->send(command::RestoreLane{"amd:7"});
    QVERIFY(run.quiet());
    QVERIFY(said(run, "lane amd:7 is not out of service"));
    QVERIFY(!run.didSteer("put lane back in service"));
}

void EngineLanes::kernelThatFailsOnTwoLanesAsksThePerson() {
    EngineRun run(ScientistKind::tuner, 2);
    run.world.lostEvaluations = 2; // the first seed, for which all others wait
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    QCOMPARE(run.world.requests.size(), 2u);
    QVERIFY(run.world.requests[0].device != run.world.requests[1].device);
    QVERIFY(lanesOut(run).empty());
    QVERIFY(run.engine->state() == EngineState::paused);
    QVERIFY(run.kernel(1).state == KernelState::waiting && !run.kernel(1).verdict);
}

QTEST_APPLESS_MAIN(EngineLanes)
#include "engine_lanes.moc"
