// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rating/shape_weights.h"

#include <QTest>
#include <cmath>
#include <vector>

using namespace gks;

namespace {

bool isNear(double value, double wanted) {
    return std::abs(value / wanted - 1) < 1e-9;
}

Interval around(double value, double half) {
    return {value * std::exp(-half), value * std::exp(half)};
}

double halfOf(const Interval& interval) {
    return std::log(interval.high / interval.low) / 2;
}

} // namespace

class RatingShapeWeights : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void equalWeightsAreThePlainMean() {
        const MeanValue plain = {2, {1.7, 2.2}};
        for (const double weight : {1.0, 3.0}) {
            const std::vector<WeightedValue> values = {{1, {0.9, 1.1}, weight}, {4, {3, 5}, weight}};
            QVERIFY(weightedMean(values, plain) == plain);
        }
    }

    void aValueCountsAsOftenAsItsWeight() {
        const std::vector<WeightedValue> values = {{1, around(1, 0.01), 1}, {4, around(4, 0.01), 3}};
        QVERIFY(isNear(weightedMean(values, {2, around(2, 0.01)})->value, std::pow(4, 0.75)));
    }

    // Alone with a weight, a shape has its own interval, whatever the others have in common.
    void theOnlyOneKeepsItsInterval() {
        for (const double plainHalf : {0.005, 0.012, 0.0225}) {
            const std::vector<WeightedValue> values = {{1, around(1, 0.03), 0}, {4, around(4, 0.01), 1}};
            const double half = halfOf(weightedMean(values, {2, around(2, plainHalf)})->ci95);
            QVERIFY2(half > 0.00999 && half < 0.0145, qPrintable(QString::number(half)));
        }
    }

    void thePlainIntervalTellsWhatErrorsHaveInCommon() {
        const std::vector<WeightedValue> values = {{1, around(1, 0.02), 1}, {1, around(1, 0.02), 3}};
        const double alone = halfOf(weightedMean(values, {1, around(1, 0.02 / std::sqrt(2.0))})->ci95);
        const double together = halfOf(weightedMean(values, {1, around(1, 0.02)})->ci95);
        QVERIFY(isNear(alone, 0.02 * std::sqrt(0.25 * 0.25 + 0.75 * 0.75)));
        QVERIFY(isNear(together, 0.02));
        // Wider than any correlation explains: the other mean is as much wider.
        QVERIFY(isNear(halfOf(weightedMean(values, {1, around(1, 0.04)})->ci95), 0.04));
    }

    void whatIsNotKnownHasNoMean() {
        const MeanValue plain = {2, {1.7, 2.2}};
        QVERIFY(!weightedMean(std::vector<WeightedValue>{}, plain));
        QVERIFY(!weightedMean(std::vector<WeightedValue>{{1, {0.9, 1.1}, 0}, {4, {3, 5}, 0}}, plain));
        QVERIFY(!weightedMean(std::vector<WeightedValue>{{1, {0.9, 1.1}, 1}, {0, {}, 2}}, plain));
        QVERIFY(weightedMean(std::vector<WeightedValue>{{1, {0.9, 1.1}, 1}, {0, {}, 0}}, plain).has_value());
    }

    void unnamedShapesCountOnce() {
        const ShapeWeights weights = {{{{"m", 64}}, 0}};
        QCOMPARE(weightOf(weights, {{"m", 64}}), 0.0);
        QCOMPARE(weightOf(weights, {{"m", 65}}), 1.0);
    }
};

QTEST_APPLESS_MAIN(RatingShapeWeights)
#include "rating_shape_weights.moc"
