// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels that cheat, and honest ones of unusual style, through the real evaluator on the cpu target, each against an
// honest baseline. A cheat must be stopped by the check that is there for it, not by accident.
#include "core/base/files.h"
#include "core/base/text.h"
#include "core/judge/evaluator_client.h"
#include "core/problem/problem.h"
#include "tests/cheats/cheat_sample.h"

#include <QTest>
#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <set>
#include <thread>

using namespace gks;

namespace {

const std::string kernelFolder = std::string(GKS_SOURCE_DIR) + "/tests/data/kernels";
const std::string cheatFolder = std::string(GKS_SOURCE_DIR) + "/tests/cheats";
constexpr std::size_t lanes = 2;          // evaluators at work; verdicts do not depend on the load of the machine
constexpr double trickMarginPercent = 10; // a busy machine must not make a trick look like a gain

std::string problemOf(const CheatSample& sample) {
    const std::string own = kernelFolder + "/" + sample.problem;
    return std::filesystem::exists(own) ? own : sample.problem;
}

EvaluationRequest requestFor(const CheatSample& sample) {
    EvaluationRequest request;
    request.id = sample.name;
    request.problem = problemOf(sample);
    request.source = sample.source;
    request.measureSeconds = 0.2;
    request.timeoutSeconds = 100;
    if (sample.gainsNothing()) {
        request.measureSeconds = 1;
        request.tieMarginPercent = trickMarginPercent;
    }
    if (const auto pack = loadProblemPack(request.problem)) {
        request.baseline = pack->seeds.front().source;
    }
    return request;
}

struct Outcome {
    Verdict verdict;
    std::string log; // of compiler and kernel
};

bool isAmong(const std::string& verdicts, const Verdict& verdict) {
    const auto all = split(verdicts, '|');
    return std::find(all.begin(), all.end(), name(verdict.kind)) != all.end();
}

} // namespace

class CheatingKernels : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        qputenv("GKS_CACHE", GKS_BINARY_DIR "/test-cache");
        m_cheats = readSamples(cheatFolder + "/kernels");
        m_honest = readSamples(cheatFolder + "/honest");
        for (CheatSample& sample : readSamples(kernelFolder + "/honest")) {
            m_honest.push_back(std::move(sample));
        }
        evaluateAll();
    }

    void thereAreEnough() {
        QVERIFY(m_cheats.size() >= 40);
        QVERIFY(m_honest.size() >= 20);
        std::set<int> rows;
        for (const CheatSample& sample : m_cheats) {
            rows.insert(sample.rows.begin(), sample.rows.end());
        }
        // No verdict tells of these: products in a narrower type are a warning (judge_precision), and undecided is a
        // matter of the statistics (judge_statistics).
        rows.insert({38, 46});
        for (int row = 1; row <= 46; ++row) {
            QVERIFY2(rows.contains(row), fmt::format("row {} has no kernel", row).c_str());
        }
    }

    void cheatsAreStopped_data() { addRows(m_cheats); }
    void cheatsAreStopped() {
        const CheatSample& sample = current(m_cheats);
        if (!m_outcomes.contains(sample.name)) {
            QSKIP("left out by GKS_CHEATS");
        }
        const Verdict& verdict = m_outcomes.at(sample.name).verdict;
        const std::string said = fmt::format("{}: {}", name(verdict.kind), verdict.reason);
        if (sample.gainsNothing()) {
            QVERIFY2(isAccepted(verdict.kind) && verdict.kind != VerdictKind::faster, said.c_str());
            return;
        }
        QVERIFY2(!isAccepted(verdict.kind), said.c_str());
        QVERIFY2(isAmong(sample.verdicts, verdict), said.c_str());
        QVERIFY2(verdict.reason.find(sample.caughtBy) != std::string::npos, said.c_str());
    }

    void honestKernelsPass_data() { addRows(m_honest); }
    void honestKernelsPass() {
        const CheatSample& sample = current(m_honest);
        if (!m_outcomes.contains(sample.name)) {
            QSKIP("left out by GKS_CHEATS");
        }
        const Verdict& verdict = m_outcomes.at(sample.name).verdict;
        if (!sample.verdicts.empty()) { // its style is none that a launch plan can express: said by name
            QVERIFY2(isAmong(sample.verdicts, verdict) && verdict.reason.find(sample.caughtBy) != std::string::npos,
                     fmt::format("{}: {}", name(verdict.kind), verdict.reason).c_str());
            QVERIFY(!verdict.next.empty());
            return;
        }
        QVERIFY2(isAccepted(verdict.kind), fmt::format("{}: {}", name(verdict.kind), verdict.reason).c_str());
        QVERIFY(verdict.comparison.has_value());
    }

    void noSecretReachesALog() {
        for (const auto& [sample, outcome] : m_outcomes) {
            for (const std::string* text : {&outcome.log, &outcome.verdict.reason, &outcome.verdict.build.log}) {
                QVERIFY2(text->find("root:") == std::string::npos, (sample + ": " + *text).c_str());
            }
        }
    }

    void theManualHasTheTable() {
        const auto manual = readFile(std::string(GKS_SOURCE_DIR) + "/resources/docs/cheats.md");
        QVERIFY(manual.has_value());
        QVERIFY2(manual->find(tableOf(m_cheats)) != std::string::npos,
                 ("the table should read\n" + tableOf(m_cheats)).c_str());
    }

    void cleanupTestCase() {
        fmt::print("\n{:<26} {:>6}  {:<21} {}\n", "kernel", "row", "verdict", "reason");
        for (const auto* samples : {&m_cheats, &m_honest}) {
            for (const CheatSample& sample : *samples) {
                const auto found = m_outcomes.find(sample.name);
                if (found != m_outcomes.end()) {
                    const Verdict& verdict = found->second.verdict;
                    fmt::print("{:<26} {:>6}  {:<21} {}\n", sample.name,
                               sample.rows.empty() ? "-" : fmt::format("{}", fmt::join(sample.rows, ", ")),
                               name(verdict.kind), abbreviated(verdict.reason, 150));
                }
            }
        }
    }

private:
    static void addRows(const std::vector<CheatSample>& samples) {
        QTest::addColumn<int>("index");
        for (std::size_t i = 0; i < samples.size(); ++i) {
            QTest::newRow(samples[i].name.c_str()) << static_cast<int>(i);
        }
    }
    static const CheatSample& current(const std::vector<CheatSample>& samples) {
        QFETCH(int, index);
        return samples[static_cast<std::size_t>(index)];
    }

    // GKS_CHEATS narrows it down to names that contain it, for work on one of them.
    void evaluateAll() {
        const std::string wanted = qgetenv("GKS_CHEATS").toStdString();
        std::vector<const CheatSample*> all;
        for (auto* samples : {&m_cheats, &m_honest}) {
            for (const CheatSample& sample : *samples) {
                if (sample.name.find(wanted) != std::string::npos) {
                    all.push_back(&sample);
                }
            }
        }
        // Where a time matters nothing else may be measured beside it.
        const auto timed = std::stable_partition(all.begin(), all.end(),
                                                 [](const CheatSample* sample) { return !sample->gainsNothing(); });
        const auto together = static_cast<std::size_t>(timed - all.begin());
        std::vector<Outcome> outcomes(all.size());
        evaluateRange(all, outcomes, 0, together, lanes);
        evaluateRange(all, outcomes, together, all.size(), 1);
        for (std::size_t i = 0; i < all.size(); ++i) {
            m_outcomes.emplace(all[i]->name, std::move(outcomes[i]));
        }
    }

    static void evaluateRange(const std::vector<const CheatSample*>& samples, std::vector<Outcome>& outcomes,
                              std::size_t begin, std::size_t end, std::size_t laneCount) {
        std::atomic<std::size_t> next = begin;
        std::vector<std::jthread> workers;
        for (std::size_t lane = 0; lane < laneCount; ++lane) {
            workers.emplace_back([&] {
                EvaluatorClient client;
                for (std::size_t i = next++; i < end; i = next++) {
                    outcomes[i] = evaluated(client, *samples[i]);
                }
            });
        }
    }

    static Outcome evaluated(EvaluatorClient& client, const CheatSample& sample) {
        Outcome outcome;
        outcome.verdict = client.evaluate(requestFor(sample),
                                          [&](const EvaluationEvent& event) {
                                              if (const auto* log = std::get_if<LogEvent>(&event)) {
                                                  outcome.log += log->text;
                                              }
                                          },
                                          {});
        return outcome;
    }

    std::vector<CheatSample> m_cheats;
    std::vector<CheatSample> m_honest;
    std::map<std::string, Outcome> m_outcomes;
};

QTEST_APPLESS_MAIN(CheatingKernels)
#include "cheating_kernels.moc"
