// SPDX-License-Identifier: GPL-3.0-or-later
// The evaluator as a process: cancelled, killed, restarted, spoken to in pieces. Nothing may be left behind.
#include "core/base/files.h"
#include "core/base/json.h"
#include "core/base/locations.h"
#include "core/base/process.h"
#include "core/base/text.h"
#include "core/judge/attempts.h"
#include "core/judge/evaluator_client.h"
#include "tests/support/process_table.h"

#include <QTest>
#include <csignal>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <thread>
#include <unistd.h>

using namespace gks;
using namespace std::chrono_literals;

namespace {

const std::string kernelFolder = std::string(GKS_SOURCE_DIR) + "/tests/data/kernels";

EvaluationRequest requestFor(const std::string& kernel) {
    EvaluationRequest request;
    request.id = "life";
    request.problem = kernelFolder + "/affine";
    request.source = readFile(kernelFolder + "/" + kernel).value_or("");
    request.measureSeconds = 0.1;
    request.timeoutSeconds = 100;
    return request;
}

int pidOf(std::string_view program) {
    const std::vector<int> found = test::descendants(::getpid(), program);
    return found.empty() ? 0 : found.front();
}

// Polls for a condition that no descriptor announces.
bool waitUntil(const std::function<bool()>& condition) {
    for (int i = 0; i < 6000; ++i) {
        if (condition()) {
            return true;
        }
        std::this_thread::sleep_for(10ms);
    }
    return false;
}

// The runner of a kernel that never ends.
int waitForRunner() {
    int pid = 0;
    waitUntil([&] { return (pid = pidOf("kernel-scientist-cpu-runner")) != 0; });
    return pid;
}

} // namespace

class JudgeLifecycle : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { qputenv("GKS_CACHE", GKS_BINARY_DIR "/test-cache"); }

    void cancelEndsEverything() {
        EvaluatorClient client;
        std::stop_source stop;
        int runner = 0;
        std::jthread canceller([&] {
            runner = waitForRunner();
            stop.request_stop();
        });
        int verdicts = 0;
        const Verdict verdict = client.evaluate(
            requestFor("bad/hangs_in_kernel.hip"),
            [&](const EvaluationEvent& event) { verdicts += std::holds_alternative<VerdictEvent>(event) ? 1 : 0; },
            stop.get_token());
        canceller.join();
        QVERIFY(runner != 0);
        QVERIFY(verdict.kind == VerdictKind::infrastructureFailed);
        QCOMPARE(verdict.reason, std::string("cancelled"));
        QCOMPARE(verdicts, 1);
        QVERIFY(waitUntil([&] { return test::isGone(runner); }));
        // The same client goes on.
        const Verdict next = client.evaluate(requestFor("affine/seeds/naive.hip"), {}, {});
        QVERIFY2(next.kind == VerdictKind::correct, next.reason.c_str());
    }

    // A quick kernel is always answering, so nobody waits long enough to look for the cancel.
    void cancelIsHeededBetweenQuickCalls() {
        EvaluatorClient client;
        std::stop_source stop;
        EvaluationRequest request = requestFor("affine/seeds/naive.hip");
        request.measureSeconds = 600;
        int evaluator = 0;
        const auto cancelInMeasurement = [&](const EvaluationEvent& event) {
            const auto* stage = std::get_if<StageEvent>(&event);
            if (stage != nullptr && stage->stage == Stage::measuring) {
                evaluator = pidOf("kernel-scientist-evaluator");
                stop.request_stop();
            }
        };
        QCOMPARE(client.evaluate(request, cancelInMeasurement, stop.get_token()).reason, std::string("cancelled"));
        QVERIFY(evaluator != 0);
        QCOMPARE(pidOf("kernel-scientist-evaluator"), evaluator); // it gave up by itself and had not to be killed
    }

    void cancelledBeforeItBegins() {
        EvaluatorClient client;
        std::stop_source stop;
        stop.request_stop();
        QCOMPARE(client.evaluate(requestFor("affine/seeds/naive.hip"), {}, stop.get_token()).reason,
                 std::string("cancelled"));
    }

    void killedEvaluatorIsReportedAndLeavesNothing() {
        EvaluatorClient client;
        int runner = 0;
        std::jthread killer([&] { // every time that it is tried again
            for (int attempt = 0; attempt < attemptLimit; ++attempt) {
                runner = waitForRunner();
                const int evaluator = pidOf("kernel-scientist-evaluator");
                ::kill(evaluator, SIGKILL);
                waitUntil([&] { return test::isGone(evaluator) && test::isGone(runner); });
            }
        });
        const Verdict verdict = client.evaluate(requestFor("bad/hangs_in_kernel.hip"), {}, {});
        killer.join();
        QVERIFY(runner != 0);
        QVERIFY(verdict.kind == VerdictKind::infrastructureFailed);
        QCOMPARE(verdict.reason, std::string("the evaluator was killed from outside (SIGKILL), in each of 3 attempts"));
        QVERIFY(waitUntil([&] { return test::isGone(runner); }));
        const Verdict next = client.evaluate(requestFor("affine/seeds/naive.hip"), {}, {});
        QVERIFY2(next.kind == VerdictKind::correct, next.reason.c_str());
        // Killed while idle: the next evaluation starts another one.
        const int idle = pidOf("kernel-scientist-evaluator");
        QVERIFY(idle != 0);
        ::kill(idle, SIGKILL);
        QVERIFY(waitUntil([&] { return test::isGone(idle); }));
        const Verdict again = client.evaluate(requestFor("affine/seeds/naive.hip"), {}, {});
        QVERIFY2(again.kind == VerdictKind::correct, again.reason.c_str());
    }

    void closedInputEndsEverything() {
        Command command;
        command.arguments = {siblingProgram("kernel-scientist-evaluator").string()};
        auto evaluator = ChildProcess::start(command);
        QVERIFY(evaluator.has_value());
        QVERIFY(evaluator->write(toJson(requestFor("bad/hangs_in_kernel.hip")).dump() + "\n").has_value());
        const int runner = waitForRunner();
        QVERIFY(runner != 0);
        evaluator->closeInput();
        const auto exit = evaluator->wait(20s);
        QVERIFY(exit.has_value() && exit->ok());
        QVERIFY(waitUntil([&] { return test::isGone(runner); }));
    }

    void hostileInput() {
        Command command;
        command.arguments = {siblingProgram("kernel-scientist-evaluator").string()};
        auto evaluator = ChildProcess::start(command);
        QVERIFY(evaluator.has_value());
        const std::string request = toJson(requestFor("affine/seeds/naive.hip")).dump() + "\n";
        // Nonsense first; each line is answered by a refusal.
        const std::vector<std::string> nonsense = {"{",
                                                   "[]",
                                                   "null",
                                                   "{\"request\": \"evaluate\"}",
                                                   "{\"request\": 5, \"id\": []}",
                                                   std::string(1 << 20, '['),
                                                   "\xff\xfe",
                                                   ""};
        for (const std::string& line : nonsense) {
            QVERIFY(evaluator->write(line + "\n").has_value());
        }
        // Then a request in pieces.
        for (std::size_t at = 0; at < request.size(); at += 7) {
            QVERIFY(evaluator->write(request.substr(at, 7)).has_value());
        }
        LineReader reader(evaluator->outputDescriptor());
        std::string line;
        std::size_t refusals = 0;
        for (;;) {
            QVERIFY(reader.next(line, 100s) == LineReader::Status::line);
            const auto json = parseJson(line, "event");
            QVERIFY2(json.has_value(), line.c_str());
            if ((*json)["event"] != "verdict") {
                continue;
            }
            if ((*json)["id"] == "life") {
                QCOMPARE((*json)["verdict"]["verdict"].get<std::string>(), std::string("correct"));
                break;
            }
            ++refusals;
            QCOMPARE((*json)["verdict"]["verdict"].get<std::string>(), std::string("infrastructure-failed"));
        }
        QCOMPARE(refusals, nonsense.size());
        QVERIFY(evaluator->write("{\"request\": \"quit\"}\n").has_value());
        QVERIFY(evaluator->wait(20s).has_value());
    }

    void aMissingEvaluatorIsSaid() {
        EvaluatorClient client({{"/nonexistent/evaluator"}});
        const Verdict verdict = client.evaluate(requestFor("affine/seeds/naive.hip"), {}, {});
        QVERIFY(verdict.kind == VerdictKind::infrastructureFailed);
        QVERIFY2(verdict.reason.find("/nonexistent/evaluator") != std::string::npos, verdict.reason.c_str());
    }

    void aSilentEvaluatorIsGivenUp() {
        EvaluatorClient client(
            {{"/bin/sh", "-c", "read line; echo '{\"id\": \"life\", \"event\": \"win\"}'; sleep 100"}});
        const Verdict verdict = client.evaluate(requestFor("affine/seeds/naive.hip"), {}, {});
        QVERIFY(verdict.kind == VerdictKind::infrastructureFailed);
        QVERIFY2(verdict.reason.find("is not an event") != std::string::npos, verdict.reason.c_str());
    }
};

QTEST_APPLESS_MAIN(JudgeLifecycle)
#include "judge_lifecycle.moc"
