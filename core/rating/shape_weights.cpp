// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rating/shape_weights.h"

#include <algorithm>
#include <cmath>

// The interval of another mean of the same shapes. Times of one run share its load, so the errors of shapes go
// together, and nobody has said how much; but the interval of the plain mean, which the judge made from whole rounds,
// tells it. With s_i half the interval of the logarithm of a shape, and one correlation r between any two,
//     variance of a mean with weights w = (1 - r) sum (w_i s_i)^2 + r (sum w_i s_i)^2,
// the plain mean (w_i = 1/n) is solved for r, from 0 to 1, and r is used for the other weights. Where the plain
// interval is wider than any r allows, the other one is made wider by as much.
namespace gks {
namespace {

struct Spread {
    double squares = 0; // sum (w s)^2
    double sum = 0;     // sum w s

    void add(double term) {
        squares += term * term;
        sum += term;
    }
    double variance(double correlation) const { return (1 - correlation) * squares + correlation * sum * sum; }
};

double halfWidth(const Interval& interval) {
    return interval.low > 0 && interval.high >= interval.low ? std::log(interval.high / interval.low) / 2 : 0;
}

} // namespace

double weightOf(const ShapeWeights& weights, const ShapeExtents& shape) {
    const auto found = weights.find(shape);
    return found == weights.end() ? 1 : found->second;
}

std::optional<MeanValue> weightedMean(std::span<const WeightedValue> values, const MeanValue& plain) {
    double total = 0;
    for (const WeightedValue& one : values) {
        total += one.weight;
        if (one.weight > 0 && !(one.value > 0)) {
            return std::nullopt;
        }
    }
    if (!(total > 0)) {
        return std::nullopt;
    }
    if (std::ranges::all_of(values, [&](const WeightedValue& one) { return one.weight == values.front().weight; })) {
        return plain;
    }
    double logarithm = 0;
    Spread wanted;
    Spread known;
    for (const WeightedValue& one : values) {
        const double half = halfWidth(one.ci95);
        known.add(half / static_cast<double>(values.size()));
        if (one.weight > 0) {
            logarithm += one.weight / total * std::log(one.value);
            wanted.add(one.weight / total * half);
        }
    }
    const double plainVariance = halfWidth(plain.ci95) * halfWidth(plain.ci95);
    const double crossed = known.variance(1) - known.variance(0);
    const double correlation = crossed > 0 ? std::clamp((plainVariance - known.variance(0)) / crossed, 0.0, 1.0) : 1.0;
    const double expected = known.variance(correlation);
    const double wider = expected > 0 ? std::max(1.0, plainVariance / expected) : 1.0;
    const double half = std::sqrt(wider * wanted.variance(correlation));
    return MeanValue{std::exp(logarithm), {std::exp(logarithm - half), std::exp(logarithm + half)}};
}

} // namespace gks
