// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/run_link.h"
#include "tests/support/away_run.h"
#include "tests/support/campaign_samples.h"
#include "tests/support/cli_run.h"

#include <QTest>
#include <nlohmann/json.hpp>

using namespace gks;
using namespace gks::test;
using namespace std::chrono_literals;
namespace fs = std::filesystem;

// A run of one terminal, watched and steered from others.
class AttachCommands : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void steerReachesTheRun();
    void attachPrintsUntilTheRunEnds();
    void anInterruptLeavesTheRunAlone();
    void aPausedRunWaitsForWhoLooks();
    void nobodyRunsIt();

private:
    std::optional<TemporaryDirectory> m_folder;
};

void AttachCommands::init() {
    m_folder.emplace(TemporaryDirectory::create("attach").value());
    qputenv("GKS_STATE", (m_folder->path() / "state").c_str());
}

void AttachCommands::steerReachesTheRun() {
    AwayRun run(m_folder->path());
    const auto banned = runCli({"steer", run.file.string(), "ban", "2"});
    QVERIFY2(banned.ok(), banned.error.c_str());
    QVERIFY2(banned.output.starts_with("ban: 00002"), banned.output.c_str());
    const auto store = CampaignStore::open(run.file, CampaignStore::Access::read).value();
    QVERIFY(store->population().value()->kernel(2)->banned);
    QVERIFY(run.state() == EngineState::running);
    const auto refused = runCli({"steer", run.file.string(), "pin", "2"});
    QCOMPARE(refused.exit.status.value_or(-1), 2);
    QVERIFY2(refused.error.find("00002") != std::string::npos, refused.error.c_str());
    const auto taken = runCli({"steer", run.file.string(), "undo"});
    QVERIFY2(taken.ok(), taken.error.c_str());
    QVERIFY(!store->population().value()->kernel(2)->banned);
    const auto now = runCli({"steer", run.file.string(), "again", "1", "--now"});
    QVERIFY(now.exit.status == 2 && now.error.find("Leave --now out") != std::string::npos);
    run.stop();
}

void AttachCommands::attachPrintsUntilTheRunEnds() {
    AwayRun run(m_folder->path());
    Attached first({run.file.string(), "--events"});
    Attached second({run.file.string(), "--events"});
    QCOMPARE(first.field("state", "state"), std::string("running"));
    QCOMPARE(first.field("activity", "activity"), std::string("away"));
    QCOMPARE(second.field("state", "state"), std::string("running"));
    QVERIFY(runCli({"steer", run.file.string(), "pin", "2"}).ok());
    QCOMPARE(first.field("next-parent", "parent"), std::string("00002"));
    QCOMPARE(second.field("next-parent", "pinned"), std::string("true"));
    run.stop();
    QCOMPARE(first.field("end", "event"), std::string("end"));
    QVERIFY(first.wait() && second.wait());
    QCOMPARE(first.wait()->status.value_or(-1), 0);
}

void AttachCommands::anInterruptLeavesTheRunAlone() {
    AwayRun run(m_folder->path());
    Attached attached({run.file.string(), "--events"});
    QCOMPARE(attached.field("state", "state"), std::string("running"));
    attached.interrupt();
    QVERIFY(attached.wait().has_value());
    QCOMPARE(attached.wait()->status.value_or(-1), 0);
    QCOMPARE(attached.note(), std::string("no longer watching: the run goes on"));
    QVERIFY(run.state() == EngineState::running);
    run.stop();
}

void AttachCommands::aPausedRunWaitsForWhoLooks() {
    AwayRun run(m_folder->path());
    auto link = RunLink::to(run.file, {}, patience, {}).value();
    for (int time = 0; time < 3; ++time) {
        QVERIFY(link->ask(command::CancelCurrent{}, patience, {}).has_value());
        QTRY_VERIFY_WITH_TIMEOUT(run.state() == EngineState::paused, patienceMs);
        const auto looks = runCli({"steer", run.file.string(), "history"}); // takes longer than a look of the run's
        QVERIFY(looks.ok() && run.state() == EngineState::paused);
        QVERIFY(link->ask(command::Start{}, patience, {}).has_value());
        QTRY_VERIFY_WITH_TIMEOUT(run.state() == EngineState::running, patienceMs);
    }
    QVERIFY(link->ask(command::CancelCurrent{}, patience, {}).has_value());
    link.reset();
    QVERIFY(run.process->wait(patience).has_value()); // nobody is left who could go on with it
}

void AttachCommands::nobodyRunsIt() {
    const Campaign campaign;
    const auto held = runCli({"attach", campaign.file.string()}); // by this test, which is no engine
    QCOMPARE(held.exit.status.value_or(-1), 3);
    QVERIFY2(held.error.find("takes no commands") != std::string::npos, held.error.c_str());
    const std::string missing = (m_folder->path() / "missing.gks").string();
    QCOMPARE(runCli({"attach", missing}).exit.status.value_or(-1), 2);
}

QTEST_APPLESS_MAIN(AttachCommands)
#include "attach_commands.moc"
