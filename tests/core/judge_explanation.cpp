// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/judge/evaluator/statistics/conclusion.h"
#include "core/judge/explanation.h"

#include <QTest>
#include <cmath>

using namespace gks;

namespace {

// Measured for 3 s, ratio and interval as given.
Verdict compared(double ratio, double low, double high, int rules = currentRules) {
    Verdict verdict;
    verdict.rules = rules;
    verdict.measureSeconds = 3;
    verdict.conditions = {"quick", 3, 120, {}};
    verdict.geomeanUs = 100;
    verdict.geomeanCi95Us = {99, 101};
    verdict.verification = {
        {{{"n", 64}}, "test", "as declared", "00", true, 64, 0, 0, {}, 1, {{"y", 64, 64}}},
        {{{"n", 64}}, "test", "wide range", "01", true, 64, 0, 0, {}, 1, {{"y", 64, 64}}},
        {{{"n", 9000}}, "largest", "as declared", "02", true, 4100, 0, 0, {}, 1, {{"y", 4100, 9000}}},
        {{{"n", 64}}, "timed call", "as declared", "", true, 128, 0, 0, {}, 2, {{"y", 64, 64}}},
        {{{"n", 64}}, "timed call", "as declared", "", true, 192, 0, 0, {}, 3, {{"y", 64, 64}}},
        {{{"n", 64}}, "every timed call", "as declared", "", true, 19200, 0, 0, {}, 400, {{"y", 48, 64}}}};
    MeasurementFact fact;
    fact.shape = {{"n", 64}};
    fact.samples = 400;
    fact.clock = "host";
    verdict.measurements = {fact};
    EvaluationRequest request;
    request.baseline = "int baseline;";
    conclude(verdict, request, RatioEstimate{ratio, {low, high}, {low, high}}, 0.5);
    return verdict;
}

} // namespace

class JudgeExplanation : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void processesAndProbesAreNamed() {
        Verdict verdict = compared(1.2, 1.1, 1.3);
        verdict.transcript = {{0, "stage", "building"},
                              {0.1, "process", "oracle (bubblewrap): the reference"},
                              {0.2, "races", "n=64: 128 accesses looked at"}};
        const Explanation text = explain(verdict);
        QCOMPARE(text.processes, std::vector<std::string>{"oracle (bubblewrap): the reference"});
        QCOMPARE(text.races, std::vector<std::string>{"n=64: 128 accesses looked at"});
        QVERIFY(join(text.decided, "\n")
                    .find("Of 400 timed calls 400 were probed, and the outputs of 5 compared further") !=
                std::string::npos);
    }

    void onHowManyShapesRacesWereLookedForIsSaid() {
        const auto lookedAt = [](std::int64_t n, std::string_view phase) {
            VerificationFact fact;
            fact.shape = {{"n", n}};
            fact.phase = phase;
            return fact;
        };
        Verdict verdict = compared(1.2, 1.1, 1.3);
        QVERIFY(join(explain(verdict).decided, "\n").find("Races") == std::string::npos);
        verdict.verification.push_back(lookedAt(64, phase::reversed));
        verdict.verification.push_back(lookedAt(65, phase::heldOut));
        verdict.verification.push_back(lookedAt(66, phase::reversed));
        has(join(explain(verdict).decided, "\n"), "Races were looked for on 2 of 4 shapes");
    }

    void undecidedSaysWhatItWouldTake() {
        const Verdict verdict = compared(1.02, 1.02 * std::exp(-0.03), 1.02 * std::exp(0.03));
        QVERIFY(verdict.kind == VerdictKind::undecided && verdict.comparison->verdict == VerdictKind::undecided);
        // The margin's end is log(1.02 / 1.005) away.
        const double times = std::pow(0.03 / std::log(1.02 / 1.005), 2);
        QVERIFY(std::abs(secondsToDecide(verdict).value() - 3 * (times - 1)) < 1e-9);
        has(verdict.reason, "the 99 % interval [0.9899, 1.051] spans the margin of 0.500 %");
        has(verdict.reason, "more at this noise would decide");
        has(verdict.next, "Measure for 13 s");
        QCOMPARE(comparisonText(*verdict.comparison), std::string("undecided 1.02x [0.9899, 1.051] at 99 %"));
        const Explanation text = explain(verdict);
        has(join(text.decided, "\n"), "spans an end of the margin");
        has(join(text.otherwise, "\n"), "s more at this noise would have decided");
        has(join(text.otherwise, "\n"), "A margin of 5.11 % or more would have made it a tie");
    }

    void whereNothingCanBeToldNoTimeIsPromised() {
        const Verdict verdict = compared(50, 0.5, 5000);
        QVERIFY(verdict.kind == VerdictKind::undecided);
        QVERIFY(!isSensible(compared(1.005, 0.98, 1.03)));
        has(compared(1.005, 0.98, 1.03).reason, "no sensible time would decide");
        has(compared(1.005, 0.98, 1.03).next, "quieter machine");
    }

    void whatDecidedIsSaid_data() {
        QTest::addColumn<double>("ratio");
        QTest::addColumn<double>("half");
        QTest::addColumn<int>("kind");
        QTest::addColumn<QString>("decided");
        QTest::addColumn<QString>("otherwise");
        const auto row = [](double ratio, double half, VerdictKind kind, const char* decided, const char* otherwise) {
            QTest::newRow(std::string(name(kind)).c_str())
                << ratio << half << static_cast<int>(kind) << decided << otherwise;
        };
        row(1.1, 0.01, VerdictKind::faster, "The whole interval lies above the margin",
            "A margin of 9.00 % or more would have made it undecided, one of 11.0 % a tie");
        row(0.8, 0.01, VerdictKind::slower, "The whole interval lies below the margin",
            "A margin of 23.5 % or more would have made it undecided, one of 26.6 % a tie");
        row(1, 0.002, VerdictKind::tie, "The whole interval lies inside the margin",
            "A margin below 0.200 % would have made it undecided");
    }
    void whatDecidedIsSaid() {
        QFETCH(double, ratio);
        QFETCH(double, half);
        QFETCH(int, kind);
        QFETCH(QString, decided);
        QFETCH(QString, otherwise);
        const Verdict verdict = compared(ratio, ratio - half, ratio + half);
        QCOMPARE(static_cast<int>(verdict.kind), kind);
        QVERIFY(verdict.next.empty() && !secondsToDecide(verdict));
        const Explanation text = explain(verdict);
        has(join(text.decided, "\n"), decided.toStdString());
        has(join(text.otherwise, "\n"), otherwise.toStdString());
    }

    void checksSayHowMuchWasCompared() {
        const Explanation text = explain(compared(1.1, 1.09, 1.11));
        QCOMPARE(text.checks.size(), std::size_t{4});
        QCOMPARE(text.checks[0].inputs, std::string("as declared, wide range"));
        QCOMPARE(text.checks[0].compared, std::string("y: all 64"));
        QCOMPARE(text.checks[0].calls, 2);
        QCOMPARE(text.checks[1].compared, std::string("y: 4100 of 9000"));
        QCOMPARE(text.checks[2].calls, 5);
        QCOMPARE(text.checks[2].timedCalls, 400);
        QCOMPARE(text.checks[3].compared, std::string("y: 48 of 64"));
    }

    void aRefusalNamesItsReason() {
        Verdict verdict;
        verdict.kind = VerdictKind::timedOut;
        verdict.reason = "it did not end";
        verdict.conditions.timeoutSeconds = 7;
        const Explanation text = explain(verdict);
        QCOMPARE(text.decided, std::vector<std::string>{"it did not end"});
        has(text.otherwise.front(), "7.00 s for a single call");
    }

    // A verdict of an earlier version keeps its word; its sentence says what the interval is.
    void theFirstRulesCalledThisATie() {
        const Verdict verdict = compared(1.02, 0.98, 1.06, firstRules);
        QVERIFY(verdict.kind == VerdictKind::tie && verdict.next.empty());
        has(join(explain(verdict).decided, "\n"), "An earlier version decided");
    }

private:
    static bool isSensible(const Verdict& verdict) { return secondsToDecide(verdict).has_value(); }
    static void has(const std::string& text, const std::string& part) {
        QVERIFY2(text.find(part) != std::string::npos, text.c_str());
    }
};

QTEST_APPLESS_MAIN(JudgeExplanation)
#include "judge_explanation.moc"
