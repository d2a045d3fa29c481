// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator/session/runner_session.h"

#include <QTest>

using namespace gks;

// A device that hangs before any candidate was loaded is the device's trouble, not a kernel's.
class JudgeDeviceTrouble : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void hangingDeviceIsNamed() {
        if (availableSandbox().level == SandboxLevel::none) {
            QSKIP("no sandbox works here, and this test runs a program in one");
        }
        RunnerSession::Setup setup;
        setup.device.runtime = GKS_HANGING_RUNTIME;
        setup.segmentBytes = 4096;
        setup.sandbox = availableSandbox().level;
        auto session = RunnerSession::start(setup);
        QVERIFY2(session.has_value(), session ? "" : session.error().message().c_str());
        const auto loaded = (*session)->load("not reached", std::chrono::duration<double>(1), {});
        QVERIFY(!loaded);
        QVERIFY(loaded.error().trouble == RunnerTrouble::deviceHung);
    }

    void troubleBecomesTheVerdicts_data() {
        QTest::addColumn<int>("trouble");
        QTest::addColumn<int>("device");
        QTest::addColumn<int>("kind");
        const auto row = [](const char* name, RunnerTrouble trouble, DeviceTrouble device, VerdictKind kind) {
            QTest::newRow(name) << static_cast<int>(trouble) << static_cast<int>(device) << static_cast<int>(kind);
        };
        row("hung", RunnerTrouble::deviceHung, DeviceTrouble::hung, VerdictKind::infrastructureFailed);
        row("lost", RunnerTrouble::deviceLost, DeviceTrouble::lost, VerdictKind::infrastructureFailed);
        row("killed", RunnerTrouble::killed, DeviceTrouble::none, VerdictKind::infrastructureFailed);
        row("killed before", RunnerTrouble::killedBefore, DeviceTrouble::none, VerdictKind::infrastructureFailed);
        row("other", RunnerTrouble::infrastructure, DeviceTrouble::none, VerdictKind::infrastructureFailed);
        row("slow kernel", RunnerTrouble::timedOut, DeviceTrouble::none, VerdictKind::timedOut);
        row("busy machine", RunnerTrouble::starved, DeviceTrouble::none, VerdictKind::infrastructureFailed);
        row("crash", RunnerTrouble::crashed, DeviceTrouble::none, VerdictKind::crashed);
    }
    void troubleBecomesTheVerdicts() {
        QFETCH(int, trouble);
        QFETCH(int, device);
        QFETCH(int, kind);
        const Refusal refusal = refuse(RunnerError{static_cast<RunnerTrouble>(trouble), "what"}, "doing").value();
        QVERIFY(refusal.device == static_cast<DeviceTrouble>(device));
        QVERIFY(refusal.kind == static_cast<VerdictKind>(kind));
        const auto is = [&](RunnerTrouble one) { return static_cast<int>(one) == trouble; };
        QCOMPARE(refusal.next.empty(), refusal.device == DeviceTrouble::none && !is(RunnerTrouble::starved));
        QCOMPARE(refusal.mayGoWell(),
                 is(RunnerTrouble::killed) || is(RunnerTrouble::killedBefore) || is(RunnerTrouble::starved));
    }
};

QTEST_APPLESS_MAIN(JudgeDeviceTrouble)
#include "judge_device_trouble.moc"
