// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/judge/attempts.h"
#include "core/judge/confine/sandbox.h"
#include "core/judge/evaluator_client.h"
#include "tests/support/process_table.h"

#include <QDateTime>
#include <QTest>
#include <atomic>
#include <csignal>
#include <fmt/format.h>
#include <thread>
#include <unistd.h>

using namespace gks;
using namespace std::chrono_literals;

// Somebody kills the judge's processes with SIGKILL: it is tried again and never charged to the kernel. What a kernel
// does to itself is charged.
class JudgeKilled : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void onceIsTriedAgain_data();
    void onceIsTriedAgain();
    void everyTimeIsNotTheKernelsFault_data();
    void everyTimeIsNotTheKernelsFault();
    void itsOwnDoingIsCharged_data();
    void itsOwnDoingIsCharged();
    void whenTheKernelMayHaveCausedIt_data();
    void whenTheKernelMayHaveCausedIt();
    void aBusyMachineIsNeverTheKernels();
};

namespace {

const std::string kernelFolder = std::string(GKS_SOURCE_DIR) + "/tests/data/kernels";

// Another source every time, so that it is compiled and not taken from the cache.
EvaluationRequest requestFor(const std::string& kernel, double measureSeconds) {
    static int number = 0;
    EvaluationRequest request;
    request.id = "killed";
    request.problem = kernelFolder + "/affine";
    request.source = fmt::format("{}// {} {}\n", readFile(kernelFolder + "/" + kernel).value_or(""), ::getpid(),
                                 QDateTime::currentMSecsSinceEpoch() + ++number);
    request.measureSeconds = measureSeconds;
    request.timeoutSeconds = 100;
    return request;
}

// Kills all processes of `program` that run in the stage: until the evaluation is tried again, or as long as it lasts.
class Killer {
public:
    enum class Until { triedAgain, theEnd };
    Killer(std::string program, Stage stage, Until until)
        : m_program(std::move(program))
        , m_stage(stage)
        , m_until(until)
        , m_thread([this](const std::stop_token& stop) { work(stop); }) {}

    void hear(const EvaluationEvent& event) {
        if (const auto* stage = std::get_if<StageEvent>(&event)) {
            m_now = stage->stage;
        } else if (const auto* log = std::get_if<LogEvent>(&event)) {
            if (log->text.find("tried again, attempt") != std::string::npos) {
                m_now = Stage::queued;
                ++m_triedAgain;
            }
        }
    }
    int triedAgain() const { return m_triedAgain; }

private:
    void work(const std::stop_token& stop) {
        while (!stop.stop_requested() && (m_until == Until::theEnd || m_triedAgain == 0)) {
            if (m_now == m_stage) {
                for (const int pid : test::descendants(::getpid(), m_program)) {
                    ::kill(pid, SIGKILL);
                }
            }
            std::this_thread::sleep_for(1ms); // between two looks at the process table
        }
    }

    std::string m_program;
    Stage m_stage;
    Until m_until;
    std::atomic<Stage> m_now = Stage::queued;
    std::atomic<int> m_triedAgain = 0;
    std::jthread m_thread;
};

} // namespace

void JudgeKilled::initTestCase() {
    qputenv("GKS_CACHE", GKS_BINARY_DIR "/test-cache");
    EvaluatorClient client; // headers are precompiled from here on
    const Verdict verdict = client.evaluate(requestFor("affine/seeds/naive.hip", 0.05), {}, {});
    QVERIFY2(verdict.kind == VerdictKind::correct, verdict.reason.c_str());
}

void JudgeKilled::onceIsTriedAgain_data() {
    QTest::addColumn<QByteArray>("program");
    QTest::addColumn<int>("stage");
    const auto row = [](const char* name, const char* program, Stage stage) {
        QTest::newRow(name) << QByteArray(program) << static_cast<int>(stage);
    };
    row("compiler", "kernel-scientist-hipcc", Stage::building);
    row("compiler of the compiler", "clang++-19", Stage::building);
    row("sandbox of the compiler", "kernel-scientist-confine", Stage::building);
    row("evaluator while it builds", "kernel-scientist-evaluator", Stage::building);
    row("oracle while it verifies", "kernel-scientist-oracle", Stage::verifying);
    row("runner while it verifies", "kernel-scientist-cpu-runner", Stage::verifying);
    row("evaluator while it verifies", "kernel-scientist-evaluator", Stage::verifying);
    row("runner while it measures", "kernel-scientist-cpu-runner", Stage::measuring);
    row("evaluator while it measures", "kernel-scientist-evaluator", Stage::measuring);
    row("sandbox of the runner", "kernel-scientist-confine", Stage::measuring);
    if (availableSandbox().level == SandboxLevel::bubblewrap) {
        row("bubblewrap", "bwrap", Stage::measuring);
    }
}

void JudgeKilled::onceIsTriedAgain() {
    QFETCH(QByteArray, program);
    QFETCH(int, stage);
    EvaluatorClient client;
    Killer killer(program.toStdString(), static_cast<Stage>(stage), Killer::Until::triedAgain);
    const Verdict verdict = client.evaluate(requestFor("affine/seeds/naive.hip", 1),
                                            [&](const EvaluationEvent& event) { killer.hear(event); }, {});
    QVERIFY2(verdict.kind == VerdictKind::correct, fmt::format("{}: {}", name(verdict.kind), verdict.reason).c_str());
    QVERIFY(killer.triedAgain() > 0);
}

void JudgeKilled::everyTimeIsNotTheKernelsFault_data() {
    QTest::addColumn<QByteArray>("program");
    QTest::addColumn<QByteArray>("reason");
    QTest::newRow("runner") << QByteArray("kernel-scientist-cpu-runner")
                            << QByteArray("the runner was killed from outside (SIGKILL), in each of 3 attempts");
    QTest::newRow("evaluator") << QByteArray("kernel-scientist-evaluator")
                               << QByteArray("the evaluator was killed from outside (SIGKILL), in each of 3 attempts");
}

void JudgeKilled::everyTimeIsNotTheKernelsFault() {
    QFETCH(QByteArray, program);
    QFETCH(QByteArray, reason);
    EvaluatorClient client;
    Killer killer(program.toStdString(), Stage::verifying, Killer::Until::theEnd);
    const Verdict verdict = client.evaluate(requestFor("bad/hangs_in_kernel.hip", 1),
                                            [&](const EvaluationEvent& event) { killer.hear(event); }, {});
    QCOMPARE(killer.triedAgain(), attemptLimit - 1);
    QVERIFY2(verdict.kind == VerdictKind::infrastructureFailed, verdict.reason.c_str());
    QVERIFY2(verdict.reason.ends_with(reason.toStdString()), verdict.reason.c_str());
    QVERIFY(!verdict.next.empty());
}

void JudgeKilled::itsOwnDoingIsCharged_data() {
    QTest::addColumn<QByteArray>("kernel");
    QTest::newRow("crash of the host code") << QByteArray("bad/crashes_on_host.hip");
    QTest::newRow("status of a killed process") << QByteArray("bad/exits_as_if_killed.hip");
}

void JudgeKilled::itsOwnDoingIsCharged() {
    QFETCH(QByteArray, kernel);
    EvaluatorClient client;
    Killer killer("nobody", Stage::queued, Killer::Until::theEnd);
    const Verdict verdict = client.evaluate(requestFor(kernel.toStdString(), 0.05),
                                            [&](const EvaluationEvent& event) { killer.hear(event); }, {});
    QVERIFY2(verdict.kind == VerdictKind::crashed, fmt::format("{}: {}", name(verdict.kind), verdict.reason).c_str());
    QCOMPARE(killer.triedAgain(), 0);
}

void JudgeKilled::whenTheKernelMayHaveCausedIt_data() {
    QTest::addColumn<bool>("isSandboxed");
    QTest::addColumn<int>("killedAttempts");
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("attempts");
    const auto row = [](const char* name, bool isSandboxed, int killed, VerdictKind kind, int attempts) {
        QTest::newRow(name) << isSandboxed << killed << static_cast<int>(kind) << attempts;
    };
    row("once", true, 1, VerdictKind::correct, 2);
    row("every time", true, 9, VerdictKind::infrastructureFailed, attemptLimit);
    row("once, no sandbox", false, 1, VerdictKind::correct, 2);
    row("every time, no sandbox", false, 9, VerdictKind::crashed, attemptLimit);
}

void JudgeKilled::whenTheKernelMayHaveCausedIt() {
    QFETCH(bool, isSandboxed);
    QFETCH(int, killedAttempts);
    QFETCH(int, kind);
    QFETCH(int, attempts);
    int made = 0;
    const Verdict verdict = inAttempts(
        [&] {
            Attempt attempt;
            attempt.isSandboxed = isSandboxed;
            attempt.verdict.kind = VerdictKind::correct;
            if (++made <= killedAttempts) {
                attempt.verdict.kind = VerdictKind::infrastructureFailed;
                attempt.interrupted = Refusal{VerdictKind::infrastructureFailed, "killed"};
                attempt.interrupted->ifAtFault = VerdictKind::crashed;
            }
            return attempt;
        },
        {}, {});
    QCOMPARE(made, attempts);
    QCOMPARE(static_cast<int>(verdict.kind), kind);
}

// The system's memory, or the lack of a sandbox, is no reason to charge the kernel with that.
void JudgeKilled::aBusyMachineIsNeverTheKernels() {
    int made = 0;
    const Verdict verdict = inAttempts(
        [&] {
            Attempt attempt;
            attempt.isSandboxed = false;
            attempt.verdict.kind = VerdictKind::infrastructureFailed;
            attempt.verdict.next = "Wait";
            attempt.interrupted = Refusal{VerdictKind::infrastructureFailed, "the machine was too busy"};
            attempt.interrupted->isStarved = true;
            ++made;
            return attempt;
        },
        {}, {});
    QCOMPARE(made, attemptLimit);
    QVERIFY(verdict.kind == VerdictKind::infrastructureFailed);
    QCOMPARE(verdict.reason, std::string("the machine was too busy, in each of 3 attempts"));
    QCOMPARE(verdict.next, std::string("Wait"));
}

QTEST_APPLESS_MAIN(JudgeKilled)
#include "judge_killed.moc"
