// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator/statistics/statistics.h"

#include <QTest>
#include <cmath>
#include <limits>
#include <random>

using namespace gks;

class JudgeStatistics : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void medianOfOddAndEven() {
        const std::vector<double> odd = {5, 1, 3};
        const std::vector<double> even = {4, 1, 3, 2};
        QCOMPARE(median(odd), 3.0);
        QCOMPARE(median(even), 2.5);
        QCOMPARE(median({}), 0.0);
    }

    // The ranks are in every table of the sign test: n = 20 gives the 6th and the 15th, n = 6 the whole range.
    void orderStatisticsOfTheMedian_data() {
        QTest::addColumn<int>("count");
        QTest::addColumn<double>("low");
        QTest::addColumn<double>("high");
        QTest::newRow("too few") << 5 << 1.0 << 5.0;
        QTest::newRow("6") << 6 << 1.0 << 6.0;
        QTest::newRow("10") << 10 << 2.0 << 9.0;
        QTest::newRow("20") << 20 << 6.0 << 15.0;
        QTest::newRow("50") << 50 << 18.0 << 33.0;
        QTest::newRow("100") << 100 << 40.0 << 61.0;
    }
    void orderStatisticsOfTheMedian() {
        QFETCH(int, count);
        QFETCH(double, low);
        QFETCH(double, high);
        std::vector<double> samples;
        for (int i = count; i > 0; --i) {
            samples.push_back(i);
        }
        const MedianEstimate estimate = estimateMedian(samples);
        QCOMPARE(estimate.ci95.low, low);
        QCOMPARE(estimate.ci95.high, high);
    }

    void manySamplesDoNotUnderflow() {
        std::vector<double> samples(5000);
        for (std::size_t i = 0; i < samples.size(); ++i) {
            samples[i] = static_cast<double>(i);
        }
        const MedianEstimate estimate = estimateMedian(samples);
        QVERIFY(estimate.ci95.low > 2400 && estimate.ci95.low < 2450);
        QVERIFY(estimate.ci95.high > 2550 && estimate.ci95.high < 2600);
    }

    // Skewed samples with a known median: the interval must cover it in about 95 of 100 experiments.
    void intervalOfTheMedianCovers() {
        std::mt19937_64 engine(1);
        std::lognormal_distribution<double> skewed(std::log(100.0), 0.3);
        int covered = 0;
        for (int experiment = 0; experiment < 1000; ++experiment) {
            std::vector<double> samples(31);
            for (double& sample : samples) {
                sample = skewed(engine);
            }
            const Interval ci = estimateMedian(samples).ci95;
            covered += ci.low <= 100 && ci.high >= 100 ? 1 : 0;
        }
        QVERIFY2(covered >= 930 && covered <= 985, qPrintable(QString::number(covered)));
    }

    // Rounds with a random effect of their own, as processes have: the interval has to cover the truth.
    void intervalOfTheRatioCovers() {
        std::mt19937_64 engine(2);
        int covered95 = 0;
        int covered99 = 0;
        constexpr int experiments = 400;
        for (int experiment = 0; experiment < experiments; ++experiment) {
            const RatioEstimate estimate = estimateRatio(drawRounds(engine, 5, 2, 1.05), deviceClockBand);
            covered95 += contains(estimate.ci95, 1.05) ? 1 : 0;
            covered99 += contains(estimate.ci99, 1.05) ? 1 : 0;
        }
        QVERIFY2(covered95 >= experiments * 93 / 100, qPrintable(QString::number(covered95)));
        QVERIFY2(covered95 < experiments, "an interval that always covers is too wide to be one of 95 %");
        QVERIFY2(covered99 > covered95 && covered99 >= experiments * 98 / 100, qPrintable(QString::number(covered99)));
    }

    // Five rounds that spread much: Student's t of four degrees, 2.7764 and 4.6041 in every table.
    void intervalOfFewRoundsIsStudents() {
        PairedRounds rounds;
        for (const double value : {-0.02, -0.01, 0.0, 0.01, 0.02}) {
            rounds.push_back({{{100}, {100 * std::exp(value)}}});
        }
        const double error = std::sqrt(0.001 / 4 / 5);
        const RatioEstimate estimate = estimateRatio(rounds, deviceClockBand);
        QVERIFY(std::abs(estimate.ratio - 1) < 1e-12);
        QVERIFY(std::abs(std::log(estimate.ci95.high) - 2.7764 * error) < 1e-5);
        QVERIFY(std::abs(std::log(estimate.ci99.low) + 4.6041 * error) < 1e-5);
    }

    // Two rounds of sixteen were spoilt by something else on the machine.
    void spoiltRoundsDoNotHideADifference() {
        std::mt19937_64 engine(8);
        PairedRounds rounds = drawRounds(engine, 16, 1, 1.05);
        for (const std::size_t spoilt : {3U, 9U}) {
            for (double& us : rounds[spoilt][0].candidateUs) {
                us *= 2;
            }
        }
        const RatioEstimate estimate = estimateRatio(rounds, deviceClockBand);
        QVERIFY2(contains(estimate.ci95, 1.05), qPrintable(QString::number(estimate.ratio)));
        QVERIFY(decide(estimate, 0.5) == VerdictKind::faster);
    }

    void oneRoundDecidesNothing() {
        const RatioEstimate estimate = estimateRatio({{{{100, 100}, {200, 200}}}}, deviceClockBand);
        QCOMPARE(estimate.ratio, 2.0);
        QVERIFY(decide(estimate, 0.5) == VerdictKind::undecided);
        QVERIFY(!roundsToDecide(estimate, 0.5));
        QCOMPARE(estimateRatio({}, deviceClockBand).ratio, 1.0);
    }

    // Equal kernels, no margin at all, and a look after every few rounds that ends the comparison when it can: at most
    // one in a hundred may be called faster or slower.
    void lookingEarlyDecidesNoMoreEqualKernels() {
        std::mt19937_64 engine(3);
        constexpr int experiments = 250;
        int decided = 0;
        int decidedWithoutCare = 0;
        for (int experiment = 0; experiment < experiments; ++experiment) {
            const PairedRounds all = drawRounds(engine, 24, 1, 1);
            bool done = false;
            bool doneWithoutCare = false;
            for (const Look& look : planLooks(24)) {
                const PairedRounds seen(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(look.rounds));
                done = done || isDifference(decide(estimateRatio(seen, deviceClockBand, look.errorShare), 0));
                doneWithoutCare = doneWithoutCare || isDifference(decide(estimateRatio(seen, deviceClockBand), 0));
            }
            decided += done ? 1 : 0;
            decidedWithoutCare += doneWithoutCare ? 1 : 0;
        }
        QVERIFY2(decided <= 5, qPrintable(QString::number(decided)));
        QVERIFY2(decidedWithoutCare > decided, "the shares of the error make no difference");
    }

    void looksSpendTheWholeErrorAndNoMore() {
        for (const std::size_t rounds : {0U, 4U, 5U, 6U, 16U, 24U}) {
            double spent = 0;
            std::size_t before = 0;
            for (const Look& look : planLooks(rounds)) {
                QVERIFY(look.rounds >= fewestRounds && look.rounds > before && look.errorShare > 0);
                before = look.rounds;
                spent += look.errorShare;
            }
            QCOMPARE(before, std::max<std::size_t>(rounds, fewestRounds));
            QVERIFY(std::abs(spent - 1) < 1e-12);
        }
    }

    // At twice the distance from the margin a quarter of the rounds is enough; at its end no number is.
    void undecidedSaysWhatItWouldTake() {
        const auto rounds = [](double ratio, double low, double high) {
            return roundsToDecide({ratio, {low, high}, {low, high}}, 1);
        };
        // The interval reaches 4 % to either side, the margin's end lies 2 % away: four times the rounds.
        const double ratio = 1.01 * std::exp(0.02);
        const auto times = rounds(ratio, ratio * std::exp(-0.04), ratio * std::exp(0.04));
        QVERIFY(times && std::abs(*times - 4) < 1e-9);
        QVERIFY(!rounds(1.01, 0.97, 1.05));
        QVERIFY(!rounds(50, 0, std::numeric_limits<double>::max()));
        const auto inside = rounds(1, std::exp(-0.02), std::exp(0.02));
        QVERIFY(inside && std::abs(*inside - std::pow(0.02 / std::log(1.01), 2)) < 1e-9);
    }

    // Three calls in ten take five times as long, because something else ran.
    void outliersDoNotMoveTheBand() {
        std::mt19937_64 engine(4);
        std::normal_distribution<double> call(100, 1);
        std::uniform_real_distribution<double> chance(0, 1);
        std::vector<double> quiet;
        std::vector<double> busy;
        for (int i = 0; i < 400; ++i) {
            quiet.push_back(call(engine));
            busy.push_back(call(engine) * (chance(engine) < 0.3 ? 5 : 1));
        }
        QVERIFY(std::abs(bandMean(busy, sharedCoresBand) / bandMean(quiet, sharedCoresBand) - 1) < 0.006);
        // A glitch towards zero does not count either.
        std::fill_n(quiet.begin(), 10, 0.1);
        QVERIFY(std::abs(bandMean(quiet, deviceClockBand) - 100) < 0.3);
        QVERIFY(std::abs(bandMean(quiet, sharedCoresBand) - bandMean(busy, sharedCoresBand)) < 0.6);
    }

    // The gambler: now and then a call returns without work. By the first rules of shared cores that was a win.
    void luckyCallsDoNotMoveTheRatio_data() {
        QTest::addColumn<int>("callsOfRound");
        QTest::addColumn<int>("luckyOfRound");
        QTest::newRow("one of four") << 4 << 1;
        QTest::newRow("one of eight") << 8 << 1;
        QTest::newRow("one of thirty") << 30 << 1;
        QTest::newRow("three of thirty") << 30 << 3;
    }
    void luckyCallsDoNotMoveTheRatio() {
        QFETCH(int, callsOfRound);
        QFETCH(int, luckyOfRound);
        std::mt19937_64 engine(9);
        std::normal_distribution<double> call(0.0, 0.002);
        PairedRounds rounds(12, {PairedSamples{}});
        for (auto& round : rounds) {
            for (int i = 0; i < callsOfRound; ++i) {
                round[0].candidateUs.push_back(i < luckyOfRound ? 1 : 100 * std::exp(call(engine)));
                round[0].baselineUs.push_back(100 * std::exp(call(engine)));
            }
        }
        for (const TargetKind target : {TargetKind::cpu, TargetKind::amd, TargetKind::nvidia}) {
            const RatioEstimate estimate = estimateRatio(rounds, bandOf(target, currentRules));
            QVERIFY2(std::abs(estimate.ratio - 1) < 0.003, qPrintable(QString::number(estimate.ratio)));
            QVERIFY(decide(estimate, 0.5) != VerdictKind::faster);
        }
    }

    void bandOfFewSamples() {
        QCOMPARE(bandMean({}, deviceClockBand), 0.0);
        QCOMPARE(bandMean(std::vector<double>{7}, deviceClockBand), 7.0);
        QCOMPARE(bandMean(std::vector<double>{9, 7}, deviceClockBand), 8.0);
        QCOMPARE(bandMean(std::vector<double>{4, 1, 3, 2}, sharedCoresBand), 2.0);
        QCOMPARE(bandMean(std::vector<double>{4, 1, 3, 2}, deviceClockBand), 2.5);
    }

    // A device clock that ticks once in a microsecond: kernels 0.6 us apart in 64 are told apart, a median could not.
    void ticksOfTheClockAverageOut() {
        std::mt19937_64 engine(5);
        std::uniform_real_distribution<double> phase(0, 1);
        std::normal_distribution<double> noise(0, 0.3);
        PairedRounds rounds(8, {PairedSamples{}});
        for (auto& round : rounds) {
            for (int i = 0; i < 100; ++i) {
                round[0].candidateUs.push_back(std::floor(64.6 + noise(engine) + phase(engine)));
                round[0].baselineUs.push_back(std::floor(64.0 + noise(engine) + phase(engine)));
            }
        }
        const RatioEstimate estimate = estimateRatio(rounds, deviceClockBand);
        QVERIFY2(contains(estimate.ci99, 64.0 / 64.6) && estimate.ci99.high < 1,
                 qPrintable(QString::number(estimate.ratio)));
    }

    void shiftsAreFound_data() {
        QTest::addColumn<double>("drift");
        QTest::addColumn<double>("step");
        QTest::addColumn<double>("outliers");
        QTest::addColumn<bool>("found");
        QTest::newRow("steady") << 0.0 << 0.0 << 0.0 << false;
        QTest::newRow("outliers") << 0.0 << 0.0 << 0.2 << false;
        QTest::newRow("drift up") << 0.10 << 0.0 << 0.0 << true;
        QTest::newRow("drift down") << -0.10 << 0.0 << 0.0 << true;
        QTest::newRow("step") << 0.0 << 0.05 << 0.0 << true;
        QTest::newRow("step among outliers") << 0.0 << 0.2 << 0.2 << true;
        QTest::newRow("drift too small to matter") << 0.01 << 0.0 << 0.0 << false;
    }
    void shiftsAreFound() {
        QFETCH(double, drift);
        QFETCH(double, step);
        QFETCH(double, outliers);
        QFETCH(bool, found);
        std::mt19937_64 engine(6);
        std::normal_distribution<double> call(100, 1);
        std::uniform_real_distribution<double> chance(0, 1);
        std::vector<double> samples;
        for (int i = 0; i < 240; ++i) {
            const double level = 1 + drift * i / 240 + (i > 120 ? step : 0);
            samples.push_back(call(engine) * level * (chance(engine) < outliers ? 4 : 1));
        }
        const auto shift = levelShift(samples);
        QCOMPARE(shift.has_value(), found);
        QVERIFY(!shift || (*shift > 1) == (drift + step > 0));
        QVERIFY(!levelShift(std::span(samples).first(20)));
    }

    void sameSamplesSameInterval() {
        std::mt19937_64 engine(7);
        const PairedRounds rounds = drawRounds(engine, 6, 1, 1.1);
        QCOMPARE(estimateRatio(rounds, deviceClockBand).ci99, estimateRatio(rounds, deviceClockBand).ci99);
        QVERIFY(estimateRatio(rounds, deviceClockBand).ci95.low < estimateRatio(rounds, deviceClockBand).ratio);
    }

    void geometricMeanOfShapes() {
        const MedianEstimate estimate = estimateGeometricMean({{10, 10, 10}, {1000, 1000, 1000}});
        QVERIFY(std::abs(estimate.median - 100) < 1e-9);
        QVERIFY(std::abs(estimate.ci95.low - 100) < 1e-9);
        QCOMPARE(estimateGeometricMean({}).median, 0.0);
    }

    void decisions_data() {
        QTest::addColumn<double>("low");
        QTest::addColumn<double>("high");
        QTest::addColumn<int>("kind");
        const auto row = [](const char* name, double low, double high, VerdictKind kind) {
            QTest::newRow(name) << low << high << static_cast<int>(kind);
        };
        row("beyond the margin", 1.02, 1.04, VerdictKind::faster);
        row("interval touches the margin", 1.004, 1.04, VerdictKind::undecided);
        row("around one", 0.97, 1.03, VerdictKind::undecided);
        row("a ratio of 50 on a busy machine", 0.5, 5000, VerdictKind::undecided);
        row("certain but inside the margin", 1.001, 1.003, VerdictKind::tie);
        row("around one and inside the margin", 0.997, 1.003, VerdictKind::tie);
        row("slower", 0.9, 0.95, VerdictKind::slower);
        row("hardly slower", 0.99, 0.997, VerdictKind::undecided);
    }
    void decisions() {
        QFETCH(double, low);
        QFETCH(double, high);
        QFETCH(int, kind);
        const RatioEstimate estimate = {(low + high) / 2, {1, 1}, {low, high}};
        QCOMPARE(static_cast<int>(decide(estimate, 0.5)), kind);
        // What an earlier version recorded stays as it was recorded.
        const bool wasTie = kind == static_cast<int>(VerdictKind::undecided);
        QCOMPARE(static_cast<int>(decide(estimate, 0.5, firstRules)),
                 wasTie ? static_cast<int>(VerdictKind::tie) : kind);
    }

private:
    static bool isDifference(VerdictKind kind) { return kind == VerdictKind::faster || kind == VerdictKind::slower; }
    static bool contains(const Interval& interval, double value) {
        return interval.low <= value && value <= interval.high;
    }

    // Calls of about 100 us with a spread of 2 %, and another 1 % from round to round.
    static PairedRounds drawRounds(std::mt19937_64& engine, std::size_t rounds, std::size_t shapes, double ratio) {
        std::normal_distribution<double> round(0.0, 0.01);
        std::normal_distribution<double> call(0.0, 0.02);
        PairedRounds drawn(rounds, std::vector<PairedSamples>(shapes));
        for (auto& of : drawn) {
            for (PairedSamples& samples : of) {
                const double level = 100 * ratio * std::exp(round(engine));
                for (int i = 0; i < 30; ++i) {
                    samples.candidateUs.push_back(100 * std::exp(call(engine)));
                    samples.baselineUs.push_back(level * std::exp(call(engine)));
                }
            }
        }
        return drawn;
    }
};

QTEST_APPLESS_MAIN(JudgeStatistics)
#include "judge_statistics.moc"
