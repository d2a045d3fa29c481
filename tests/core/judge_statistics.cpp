// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/statistics.h"

#include <QTest>
#include <cmath>
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

    // Rounds with a random effect of their own, as processes have: decisions on equal kernels must stay near 5 in 100.
    void intervalOfTheRatioCovers() {
        std::mt19937_64 engine(2);
        std::normal_distribution<double> round(0.0, 0.01);
        std::normal_distribution<double> block(0.0, 0.02);
        int covered = 0;
        constexpr int experiments = 400;
        for (int experiment = 0; experiment < experiments; ++experiment) {
            PairedLogRatios ratios(5, std::vector<std::vector<double>>(2));
            for (auto& shapes : ratios) {
                for (auto& blocks : shapes) {
                    const double effect = std::log(1.05) + round(engine);
                    for (int i = 0; i < 15; ++i) {
                        blocks.push_back(effect + block(engine));
                    }
                }
            }
            const Interval ci = estimateRatio(ratios).ci95;
            covered += ci.low <= 1.05 && ci.high >= 1.05 ? 1 : 0;
        }
        QVERIFY2(covered >= experiments * 93 / 100, qPrintable(QString::number(covered)));
        QVERIFY2(covered < experiments, "an interval that always covers is too wide to be one of 95 %");
    }

    void sameSamplesSameInterval() {
        const PairedLogRatios ratios = {{{0.1, 0.2, 0.15, 0.12, 0.11, 0.16, 0.14, 0.13}}};
        QCOMPARE(estimateRatio(ratios).ci95, estimateRatio(ratios).ci95);
        QVERIFY(estimateRatio(ratios).ci95.low < estimateRatio(ratios).ratio);
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
        QTest::newRow("beyond the margin") << 1.02 << 1.04 << static_cast<int>(VerdictKind::faster);
        QTest::newRow("interval touches the margin") << 1.004 << 1.04 << static_cast<int>(VerdictKind::tie);
        QTest::newRow("around one") << 0.97 << 1.03 << static_cast<int>(VerdictKind::tie);
        QTest::newRow("certain but inside the margin") << 1.001 << 1.003 << static_cast<int>(VerdictKind::tie);
        QTest::newRow("slower") << 0.9 << 0.95 << static_cast<int>(VerdictKind::slower);
        QTest::newRow("hardly slower") << 0.99 << 0.997 << static_cast<int>(VerdictKind::tie);
    }
    void decisions() {
        QFETCH(double, low);
        QFETCH(double, high);
        QFETCH(int, kind);
        QCOMPARE(static_cast<int>(decide({(low + high) / 2, {low, high}}, 0.5)), kind);
    }
};

QTEST_APPLESS_MAIN(JudgeStatistics)
#include "judge_statistics.moc"
