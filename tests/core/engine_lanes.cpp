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
    void slotsOfALaneWorkAtTheSameTime();
    void jobsThatAreAwayDoNotOutlastTheMinutes();
    void lanesAreRead_data();
    void lanesAreRead();
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
    QVERIFY(said(run, "device cpu:0 is disabled: the device did not answer"));
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
    QVERIFY2(run.lastReason().find("is disabled") != std::string::npos, run.lastReason().c_str());
    QVERIFY(run.lastReason().find("Reset the device. Then run again") != std::string::npos);
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
        return one.who == Author::engine && one.action == "disable device" && one.detail.starts_with("cpu:0");
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
    QVERIFY(run.didSteer("re-enable device"));
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
    QVERIFY(said(run, "device amd:7 is not disabled"));
    QVERIFY(!run.didSteer("re-enable device"));
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

void EngineLanes::slotsOfALaneWorkAtTheSameTime() {
    EngineRun run;
    run.world.rounds = {{proposal(1, "a")}};
    run.world.drafts = {{"a", {"us 90"}}};
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    run.close();
    EngineOptions options;
    options.lanes.emplace_back();
    options.lanes.front().capacity = 3;
    run.engine = Engine::open(run.campaign.file, options, run.world.seams()).value();
    for (const KernelId kernel : {KernelId{1}, KernelId{2}, KernelId{3}}) {
        run.engine->send(command::EvaluateAgain{kernel});
    }
    run.world.set([](FakeWorld& world) { world.holdEvaluations = true; });
    run.engine->send(command::Start{});
    QVERIFY(run.world.waitFor([](const FakeWorld& world) { return world.evaluating == 3; }));
    run.world.set([](FakeWorld& world) { world.holdEvaluations = false; });
    QVERIFY(run.quiet());
    QCOMPARE(run.engine->evaluations(3).value().back().lane, std::string("cpu:0"));
}

void EngineLanes::jobsThatAreAwayDoNotOutlastTheMinutes() {
    EngineRun run;
    run.world.set([](FakeWorld& world) {
        world.lanesAreAway = true;
        world.holdEvaluations = true;
    });
    run.engine->send(command::Start{});
    QVERIFY(run.world.waitFor([](const FakeWorld& world) { return world.evaluating == 1; }));
    Budgets budgets = run.population()->settings.budgets;
    budgets.minutes = 1e-6;
    run.engine->send(command::SetBudgets{budgets});
    QVERIFY(run.quiet());
    QVERIFY(run.engine->state() == EngineState::idle);
    QVERIFY2(run.lastReason().find("wall-time budget reached") != std::string::npos, run.lastReason().c_str());
    QVERIFY(run.kernel(1).state == KernelState::waiting && !run.kernel(1).verdict);
    QVERIFY(run.warnings().empty());
}

void EngineLanes::lanesAreRead_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("read"); // for a campaign on amd; what is wrong with it where it begins with '!'
    const auto row = [](const char* text, const char* read) {
        QTest::newRow(text) << QString::fromLatin1(text) << QString::fromLatin1(read);
    };
    row("cpu:0", "cpu:0*1");
    row("amd:0,amd:1", "amd:0*1 amd:1*1");
    row("local:2", "amd:2*1");
    row("local:0,folder:FOLDER", "amd:0*1 folder:jobs*8");
    row("local:0 folder:FOLDER", "amd:0*1 folder:jobs*8");
    row("folder:3:FOLDER", "folder:jobs*3");
    row("folder:FOLDER/../jobs/", "folder:jobs*8");
    row("folder:\"FOLDER/a b\"", "folder:a b*8");
    row("folder:FOLDER folder:FOLDER", "!two lanes are called");
    row("local:0 local:0", "!two lanes are called");
    row("ssh:node1", "ssh:node1:0*1");
    row("ssh:me@node1.lab:gpu2-4, local:0", "ssh:node1.lab:2*1 ssh:node1.lab:3*1 ssh:node1.lab:4*1 amd:0*1");
    row("ssh:node1:gpu3 ssh:you@node1:gpu3", "!two lanes are called");
    row("slurm:partition=mi300,gpus=2,account=lab local:0", "slurm:mi300:0*1 slurm:mi300:1*1 amd:0*1");
    row("slurm:host=me@login,tasks=1", "slurm:login:default:0*1");
    row("slurm:", "slurm:default:0*1");
    row("ssh:-oProxyCommand=x", "!invalid device");
    row("ssh:a b:gpu0", "!b");
    row("ssh:node1:gpu4-2", "!invalid device");
    row("ssh:node1:gpu0-999", "!invalid device");
    row("ssh:", "!invalid device");
    row("slurm:partition=$(id)", "!nothing that Slurm is asked for");
    row("slurm:partition=--exclusive", "!nothing that Slurm is asked for");
    row("slurm:gpus=0", "!nothing that Slurm is asked for");
    row("slurm:wrap=x", "!nothing that Slurm is asked for");
    row("slurm:partition=a,partition=b", "!asks Slurm for \"partition\" twice");
    row("slurm:partition=mi300,by=sbatch", "slurm:mi300:0*1");
    row("slurm:by=qsub", "!\"by=qsub\" is nothing that Slurm is asked for");
    row("slurm:gpus=2,tasks=3", "!asks Slurm for \"tasks\" twice");
    row("folder:0:FOLDER", "!1 to 256 jobs");
    row("folder:FOLDER/none", "!is no folder");
    row("folder:", "!is no folder");
    row("folder", "!folder");
    row("amd:-1", "!invalid device");
    row("amd:0x", "!invalid device");
    row("moon:0", "!moon");
    row(" , ", "!invalid device");
}

void EngineLanes::lanesAreRead() {
    QFETCH(QString, text);
    QFETCH(QString, read);
    const auto folder = TemporaryDirectory::create("gks-lanes").value();
    const std::filesystem::path jobs = folder.path() / "jobs";
    QVERIFY(makeDirectories(jobs / "a b"));
    CampaignSettings settings;
    settings.target = TargetKind::amd;
    const auto lanes =
        parseLanes(text.replace(QLatin1String("FOLDER"), QString::fromStdString(jobs.string())).toStdString());
    if (read.startsWith(QLatin1Char('!'))) {
        QVERIFY(!lanes);
        QVERIFY2(lanes.error().message().find(read.mid(1).toStdString()) != std::string::npos,
                 lanes.error().message().c_str());
        return;
    }
    QVERIFY2(lanes, lanes ? "" : lanes.error().message().c_str());
    QStringList found;
    for (const LaneSpec& lane : lanesOf(settings, *lanes)) {
        found.append(QString::fromStdString(lane.label()) + QLatin1Char('*') + QString::number(lane.capacity));
        QVERIFY(lane.target == (lane.label() == "cpu:0" ? TargetKind::cpu : TargetKind::amd));
    }
    QCOMPARE(found.join(QLatin1Char(' ')), read);
}

QTEST_APPLESS_MAIN(EngineLanes)
#include "engine_lanes.moc"
