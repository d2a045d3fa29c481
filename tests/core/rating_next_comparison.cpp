// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rating/next_comparison.h"

#include <QTest>
#include <cmath>

using namespace gks;

namespace {

PairedComparison pairOf(std::int64_t kernel, std::int64_t other, double ratio, double share = 0.01) {
    static std::int64_t evaluation = 0;
    return {++evaluation, kernel, other, ratio, {ratio * std::exp(-share), ratio * std::exp(share)}};
}

using Wish = std::optional<ComparisonWish>;

} // namespace

class RatingNextComparisonTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theFastestIsTheFastestByPairs();
    void whoIsNotComparedComesFirst();
    void theFirstThreeAreMeasuredSideBySide();
    void theClosestOfTheOpenOnesDecidesMost();
    void theSearchEnds();
};

void RatingNextComparisonTest::theFastestIsTheFastestByPairs() {
    const SpeedScale scale(1, std::vector{pairOf(2, 1, 2.0), pairOf(3, 2, 1.1), pairOf(4, 1, 2.1)});
    QCOMPARE(fastestOf(scale, std::vector<std::int64_t>{1, 2, 3, 4}), std::optional<std::int64_t>(3));
    QCOMPARE(fastestOf(scale, std::vector<std::int64_t>{4, 2}), std::optional<std::int64_t>(4));
    QCOMPARE(fastestOf(scale, std::vector<std::int64_t>{9}), std::optional<std::int64_t>());
}

void RatingNextComparisonTest::whoIsNotComparedComesFirst() {
    const SpeedScale scale(1, std::vector{pairOf(2, 1, 2.0)});
    QVERIFY(nextComparison(scale, {{1, 2, 9}}) == Wish({9, 2, ComparisonReason::notCompared}));
    QVERIFY(nextComparison(scale, {{9}}) == Wish({9, 1, ComparisonReason::notCompared}));
}

void RatingNextComparisonTest::theFirstThreeAreMeasuredSideBySide() {
    // Far apart, and decided: 4 is the first, 3 the second, 2 the third; 5 need not be asked.
    std::vector comparisons{pairOf(2, 1, 2.0), pairOf(3, 1, 3.0), pairOf(4, 1, 4.0), pairOf(5, 1, 1.1)};
    const Contest contest{{2, 3, 4, 5}};
    QVERIFY(nextComparison(SpeedScale(1, comparisons), contest) == Wish({3, 4, ComparisonReason::sideBySide}));
    comparisons.push_back(pairOf(3, 4, 0.75));
    QVERIFY(nextComparison(SpeedScale(1, comparisons), contest) == Wish({2, 4, ComparisonReason::sideBySide}));
    comparisons.push_back(pairOf(4, 2, 2.0));
    QVERIFY(!nextComparison(SpeedScale(1, comparisons), contest));
}

void RatingNextComparisonTest::theClosestOfTheOpenOnesDecidesMost() {
    const std::vector comparisons{pairOf(4, 1, 4.0, 0.05), pairOf(3, 4, 0.99, 0.05), pairOf(2, 4, 0.97, 0.05)};
    Contest contest{{2, 3, 4}};
    QVERIFY(nextComparison(SpeedScale(1, comparisons), contest) == Wish({3, 4, ComparisonReason::open}));
    contest.candidates = {2, 4};
    QVERIFY(nextComparison(SpeedScale(1, comparisons), contest) == Wish({2, 4, ComparisonReason::open}));
}

void RatingNextComparisonTest::theSearchEnds() {
    // Two equal kernels: nothing ever decides, and the search ends all the same.
    std::vector comparisons{pairOf(2, 1, 2.0, 0.02)};
    const Contest contest{{2, 3}};
    int asked = 0;
    while (const auto wish = nextComparison(SpeedScale(1, comparisons), contest)) {
        QVERIFY2(++asked <= 10, "no end");
        comparisons.push_back(pairOf(wish->kernel, wish->other, 1.0, 0.02));
    }
    QVERIFY2(asked >= 2 && asked <= 4, qPrintable(QString::number(asked)));
    // Decided as soon as the interval says so.
    comparisons = {pairOf(2, 1, 2.0, 0.02), pairOf(3, 2, 0.9, 0.02)};
    QVERIFY(!nextComparison(SpeedScale(1, comparisons), contest));
    // Precise and equal: what is left to win is not worth a measurement.
    comparisons = {pairOf(2, 1, 2.0, 0.001), pairOf(3, 2, 1.0, 0.0001), pairOf(3, 2, 1.0, 0.0001),
                   pairOf(3, 2, 1.0, 0.0001)};
    QVERIFY(!nextComparison(SpeedScale(1, comparisons), contest));
}

QTEST_APPLESS_MAIN(RatingNextComparisonTest)
#include "rating_next_comparison.moc"
