// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rating/speed_scale.h"

#include <QTest>
#include <cmath>
#include <limits>
#include <random>
#include <set>

using namespace gks;

namespace {

// `kernel` is `ratio` times as fast as `other`; the interval lies `share` to either side.
PairedComparison pairOf(std::int64_t kernel, std::int64_t other, double ratio, double share = 0.01) {
    static std::int64_t evaluation = 0;
    return {++evaluation, kernel, other, ratio, {ratio * std::exp(-share), ratio * std::exp(share)}};
}

bool isNear(double value, double wanted, double share = 1e-6) {
    return std::abs(value / wanted - 1) <= share;
}

// Kernels 1 to `kernels`, each compared with an earlier one, and `more` pairs by lot; what they say is off by the noise
// of their intervals and by `spread` from one evaluation to the next.
struct Simulation {
    std::vector<double> logSpeeds = {0}; // of kernel 1, the anchor, and the others
    std::vector<PairedComparison> comparisons;

    Simulation(std::mt19937_64& random, int kernels, int more, double spread) {
        std::normal_distribution<double> normal;
        std::uniform_real_distribution<double> width(0.005, 0.03);
        const auto compare = [&](int kernel, int other) {
            const double deviation = width(random);
            const double truth =
                logSpeeds[static_cast<std::size_t>(kernel) - 1] - logSpeeds[static_cast<std::size_t>(other) - 1];
            const double said = truth + deviation * normal(random) + spread * normal(random);
            comparisons.push_back(pairOf(kernel, other, std::exp(said), 1.96 * deviation));
        };
        for (int kernel = 2; kernel <= kernels; ++kernel) {
            logSpeeds.push_back(0.3 * normal(random));
            compare(kernel, 1 + static_cast<int>(random() % static_cast<std::uint64_t>(kernel - 1)));
        }
        for (int i = 0; i < more; ++i) {
            const int a = 1 + static_cast<int>(random() % static_cast<std::uint64_t>(kernels));
            const int b = 1 + static_cast<int>(random() % static_cast<std::uint64_t>(kernels));
            if (a != b) {
                compare(a, b);
            }
        }
    }
};

} // namespace

class RatingSpeedScaleTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aChainMultiplies();
    void aCycleSharesItsMisclosure();
    void repetitionNarrows();
    void whatIsNotConnectedIsNotCompared();
    void onePlaceOnly();
    void aBadPairDoesNotBendTheScale();
    void agreementNamesTheFarthest();
    void intervalsCover_data();
    void intervalsCover();
    void neitherOrderNorRunMatters();
    void ratiosOfAnyTwo();
    void hostileNumbersAreLeftOut();
    void idsMayLieFarApart();
    void undecidedIsSaidWithItsInterval();
    void largeCampaigns_data();
    void largeCampaigns();
};

void RatingSpeedScaleTest::aChainMultiplies() {
    const std::vector comparisons{pairOf(2, 1, 2.0), pairOf(3, 2, 1.5), pairOf(4, 3, 0.5)};
    const SpeedScale scale(1, comparisons);
    QCOMPARE(scale.speed(1), std::optional(SpeedRatio()));
    QVERIFY(isNear(scale.speed(2)->ratio, 2));
    QVERIFY(isNear(scale.speed(3)->ratio, 3));
    QVERIFY(isNear(scale.speed(4)->ratio, 1.5));
    // Variances add up along the chain.
    const auto width = [&](std::int64_t kernel) {
        const Interval ci = scale.speed(kernel)->ci95;
        return std::log(ci.high / ci.low);
    };
    QVERIFY(isNear(width(3) / width(2), std::sqrt(2.0)));
    QVERIFY(isNear(width(4) / width(2), std::sqrt(3.0)));
    QVERIFY(width(2) > 2 * 0.01); // the interval of the evaluation, and what evaluations differ by
    QCOMPARE(scale.agreement().redundant, std::size_t{0});
    QCOMPARE(scale.agreement().tension, 0.0);
}

void RatingSpeedScaleTest::aCycleSharesItsMisclosure() {
    // 1 to 2 to 3 and back is off by 3 %: equal weights take a third each.
    const double off = 0.03;
    const std::vector comparisons{pairOf(2, 1, 2.0), pairOf(3, 2, 1.5), pairOf(1, 3, std::exp(off) / 3)};
    const SpeedScale scale(1, comparisons);
    QVERIFY(isNear(std::log(scale.speed(2)->ratio), std::log(2.0) - off / 3));
    QVERIFY(isNear(std::log(scale.speed(3)->ratio), std::log(3.0) - 2 * off / 3));
    QCOMPARE(scale.agreement().redundant, std::size_t{1});
    QVERIFY(scale.agreement().tension > 2); // three intervals of +-1 % do not explain 3 %
    QVERIFY(scale.agreement().spread > 0.0025);
}

void RatingSpeedScaleTest::repetitionNarrows() {
    std::vector comparisons{pairOf(2, 1, 1.2)};
    const double once = SpeedScale(1, comparisons).speed(2)->ci99.high;
    for (int i = 0; i < 3; ++i) {
        comparisons.push_back(pairOf(2, 1, 1.2));
    }
    const double often = SpeedScale(1, comparisons).speed(2)->ci99.high;
    QVERIFY2(std::log(often / 1.2) < 0.55 * std::log(once / 1.2), "four do not narrow to about a half");
}

void RatingSpeedScaleTest::whatIsNotConnectedIsNotCompared() {
    const std::vector comparisons{pairOf(2, 1, 2.0), pairOf(4, 3, 9.0)};
    const SpeedScale scale(1, comparisons);
    QVERIFY(scale.contains(1) && scale.contains(2) && !scale.contains(3) && !scale.contains(4));
    QVERIFY(!scale.speed(4) && !scale.ratio(4, 3) && !scale.ratio(2, 4));
    QVERIFY(!scale.speed(77));
    const SpeedScale empty(1, {});
    QVERIFY(empty.contains(1) && !empty.contains(2));
    QCOMPARE(empty.speed(1), std::optional(SpeedRatio()));
}

void RatingSpeedScaleTest::onePlaceOnly() {
    std::vector comparisons{pairOf(2, 1, 2.0), pairOf(3, 2, 2.0), pairOf(4, 1, 3.0)};
    comparisons[2].where = "another device";
    const SpeedScale scale(1, comparisons);
    QVERIFY(scale.contains(2) && scale.contains(3) && !scale.contains(4));
}

void RatingSpeedScaleTest::aBadPairDoesNotBendTheScale() {
    std::vector comparisons{pairOf(2, 1, 2.0), pairOf(2, 1, 2.01), pairOf(2, 1, 1.99), pairOf(2, 1, 2.0),
                            pairOf(3, 2, 1.1), pairOf(3, 1, 2.2),  pairOf(3, 2, 1.1)};
    const double before = SpeedScale(1, comparisons).speed(3)->ratio;
    comparisons.push_back(pairOf(2, 1, 6.0)); // the other one was stopped by something
    const SpeedScale scale(1, comparisons);
    QVERIFY2(isNear(scale.speed(2)->ratio, 2.0, 0.02), qPrintable(QString::number(scale.speed(2)->ratio)));
    QVERIFY2(isNear(scale.speed(3)->ratio, before, 0.02), qPrintable(QString::number(scale.speed(3)->ratio)));
}

void RatingSpeedScaleTest::agreementNamesTheFarthest() {
    const std::vector comparisons{pairOf(2, 1, 2.0), pairOf(2, 1, 2.01), pairOf(2, 1, 1.99),
                                  pairOf(2, 1, 6.0), pairOf(2, 1, 2.0),  pairOf(2, 1, 2.02)};
    const SpeedScale scale(1, comparisons);
    QVERIFY(scale.agreement().farthest == comparisons[3]);
    QVERIFY2(scale.agreement().farthestScore > 2, qPrintable(QString::number(scale.agreement().farthestScore)));
}

void RatingSpeedScaleTest::intervalsCover_data() {
    QTest::addColumn<int>("more");
    QTest::addColumn<double>("spread");
    QTest::newRow("no cycles, no spread") << 0 << 0.0;
    QTest::newRow("few cycles") << 10 << 0.0025;
    QTest::newRow("evaluations differ by 2 %") << 20 << 0.02;
    QTest::newRow("evaluations differ by 5 %") << 40 << 0.05;
}

void RatingSpeedScaleTest::intervalsCover() {
    QFETCH(int, more);
    QFETCH(double, spread);
    std::mt19937_64 random(11);
    int kernels = 0;
    int inside95 = 0;
    int inside99 = 0;
    const auto holds = [](const Interval& ci, double truth) { return ci.low <= truth && truth <= ci.high; };
    for (int campaign = 0; campaign < 300; ++campaign) {
        const Simulation simulation(random, 15, more, spread);
        const SpeedScale scale(1, simulation.comparisons);
        for (std::int64_t kernel = 2; kernel <= 15; ++kernel) {
            const SpeedRatio speed = *scale.speed(kernel);
            const double truth = std::exp(simulation.logSpeeds[static_cast<std::size_t>(kernel) - 1]);
            ++kernels;
            inside95 += holds(speed.ci95, truth) ? 1 : 0;
            inside99 += holds(speed.ci99, truth) ? 1 : 0;
        }
    }
    const double share95 = static_cast<double>(inside95) / kernels;
    const double share99 = static_cast<double>(inside99) / kernels;
    qInfo("%.3f in the 95 %% intervals, %.3f in the 99 %% ones", share95, share99);
    // A spread that is known from twenty comparisons alone costs two of a hundred.
    QVERIFY2(share95 > 0.92 && share95 < 0.985, "the 95 % interval does not hold 95 %");
    QVERIFY2(share99 > 0.97 && share99 < 0.9995, "the 99 % interval does not hold 99 %");
}

void RatingSpeedScaleTest::neitherOrderNorRunMatters() {
    std::mt19937_64 random(5);
    Simulation simulation(random, 40, 60, 0.01);
    const SpeedScale scale(1, simulation.comparisons);
    const SpeedScale again(1, simulation.comparisons);
    std::shuffle(simulation.comparisons.begin(), simulation.comparisons.end(), random);
    const SpeedScale shuffled(1, simulation.comparisons);
    for (std::int64_t kernel = 2; kernel <= 40; ++kernel) {
        QVERIFY(scale.speed(kernel) == again.speed(kernel)); // to the last bit
        QVERIFY(isNear(shuffled.speed(kernel)->ratio, scale.speed(kernel)->ratio, 1e-6));
        QVERIFY(isNear(shuffled.speed(kernel)->ci99.low, scale.speed(kernel)->ci99.low, 1e-6));
    }
}

void RatingSpeedScaleTest::ratiosOfAnyTwo() {
    // 2 and 3 hang on 1 by one poor comparison, and are compared with each other by a good one.
    const std::vector comparisons{pairOf(2, 1, 2.0, 0.2), pairOf(3, 2, 1.1, 0.005)};
    const SpeedScale scale(1, comparisons);
    QVERIFY(!isDecided(*scale.ratio(1, 1)));
    QVERIFY(isNear(scale.ratio(3, 2)->ratio, 1.1));
    QVERIFY(isDecided(*scale.ratio(3, 2))); // although both intervals to the anchor overlap
    QVERIFY(scale.speed(3)->ci99.low < scale.speed(2)->ci99.high);
    QVERIFY(isNear(scale.ratio(2, 3)->ratio, 1 / 1.1));
    QVERIFY(isNear(scale.ratio(2, 3)->ci99.low, 1 / scale.ratio(3, 2)->ci99.high));
    QVERIFY(isNear(scale.ratio(3, 1)->ci95.high, scale.speed(3)->ci95.high));
    QCOMPARE(scale.directComparisons(1, 2), std::size_t{1});
    QCOMPARE(scale.directComparisons(1, 3), std::size_t{0});
}

void RatingSpeedScaleTest::hostileNumbersAreLeftOut() {
    const double nan = std::nan("");
    std::vector comparisons{pairOf(2, 1, 2.0), pairOf(2, 1, nan), pairOf(2, 1, 0),
                            pairOf(2, 1, -3),  pairOf(2, 2, 7),   pairOf(2, 1, HUGE_VAL)};
    comparisons.push_back({9, 2, 1, 2.0, {3, 1}});
    comparisons.push_back({10, 2, 1, 2.0, {0, 4}});
    const SpeedScale scale(1, comparisons);
    QCOMPARE(scale.comparisons().size(), std::size_t{1});
    QVERIFY(isNear(scale.speed(2)->ratio, 2));
    // An interval without a width says no more than the best clock could.
    const SpeedScale exact(1, std::vector{pairOf(2, 1, 2.0, 0)});
    QVERIFY(exact.speed(2)->ci99.low < 2 && exact.speed(2)->ci99.high > 2);
}

// A campaign counts its kernels; a file of a stranger has any ids.
void RatingSpeedScaleTest::idsMayLieFarApart() {
    constexpr std::int64_t highest = std::numeric_limits<std::int64_t>::max();
    constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
    const std::vector close{pairOf(2, 1, 2.0, 0.02), pairOf(3, 2, 1.1), pairOf(3, 1, 2.3), pairOf(5, 4, 3.0)};
    std::vector apart = close;
    for (PairedComparison& one : apart) {
        for (std::int64_t* kernel : {&one.kernel, &one.other}) {
            *kernel = *kernel == 2 ? highest : *kernel == 3 ? lowest : *kernel;
        }
    }
    const SpeedScale scale(1, close);
    const SpeedScale same(1, apart);
    QCOMPARE(same.kernels(), (std::vector<std::int64_t>{lowest, highest}));
    QVERIFY(isNear(same.speed(highest)->ratio, scale.speed(2)->ratio));
    QVERIFY(isNear(same.speed(lowest)->ci99.high, scale.speed(3)->ci99.high));
    QVERIFY(SpeedScale(6, apart).kernels().empty() && SpeedScale(6, close).kernels().empty());
}

void RatingSpeedScaleTest::undecidedIsSaidWithItsInterval() {
    QCOMPARE(speedText(SpeedRatio()), std::string("1.00x"));
    QCOMPARE(speedText({1.35, {1.10, 1.66}, {0.996, 1.84}}), std::string("1.35x, not decided (99 %: 0.996 to 1.84)"));
    QCOMPARE(speedText({1.02, {1, 1.03}, {0.9712, 1.0712}}), std::string("1.02x, not decided (99 %: 0.971 to 1.071)"));
    QCOMPARE(speedText({1.31, {1.29, 1.33}, {1.28, 1.34}}), std::string("1.31x [1.29, 1.33]"));
    QCOMPARE(speedText({0.5, {0.45, 0.55}, {0.44, 0.56}}), std::string("0.500x [0.450, 0.550]"));
}

void RatingSpeedScaleTest::largeCampaigns_data() {
    QTest::addColumn<int>("kernels");
    QTest::addColumn<int>("more");
    QTest::newRow("2000 kernels of a campaign") << 2000 << 500;
    QTest::newRow("2000 kernels, 20000 pairs by lot") << 2000 << 20'000;
    QTest::newRow("10000 kernels in a tree") << 10'000 << 0;
}

void RatingSpeedScaleTest::largeCampaigns() {
    QFETCH(int, kernels);
    QFETCH(int, more);
    std::mt19937_64 random(3);
    const Simulation simulation(random, kernels, more, 0.005);
    const SpeedScale scale(1, simulation.comparisons);
    QCOMPARE(scale.kernels().size(), static_cast<std::size_t>(kernels) - 1); // the bound on pairs lost nobody
    std::set<std::pair<std::int64_t, std::int64_t>> pairs;
    for (const PairedComparison& one : scale.comparisons()) {
        pairs.insert(std::minmax(one.kernel, one.other));
    }
    QVERIFY(pairs.size() < static_cast<std::size_t>(kernels) + mostCrossingPairs);
    double worst = 0;
    for (std::int64_t kernel = 2; kernel <= kernels; ++kernel) {
        const SpeedRatio speed = *scale.speed(kernel);
        const double off = std::log(speed.ratio) - simulation.logSpeeds[static_cast<std::size_t>(kernel) - 1];
        worst = std::max(worst, std::abs(off) / (std::log(speed.ci95.high / speed.ci95.low) / 4));
    }
    QVERIFY2(worst < 7, qPrintable(QString::number(worst))); // standard deviations
}

QTEST_APPLESS_MAIN(RatingSpeedScaleTest)
#include "rating_speed_scale.moc"
