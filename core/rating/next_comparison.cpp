// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rating/next_comparison.h"

#include <algorithm>
#include <cmath>
#include <numbers>

// What is a comparison worth? The speed by which the choice is better afterwards, in the mean: the knowledge gradient
// (Frazier, Powell and Dayanik, SIAM Journal on Control and Optimization 47, 2008). The logarithm of the ratio of a
// candidate to the fastest is known as m < 0 with variance V; one more comparison of the two has the variance v. It
// moves the estimate by something normal with the deviation d = V / sqrt(V + v), and the choice changes when it moves
// beyond 0:
//     worth = d (phi(u) - u (1 - Phi(u))),   u = |m| / d
// None is worth its time any more when all are worth less than a fiftieth of the margin of a tie, or when the 99 %
// interval says that the candidate is not faster by more than that margin. The first few are measured side by side in
// any case: a ratio that rests on a long chain deserves one direct look before it is called the best.
namespace gks {
namespace {

constexpr double leastWorth = 0.02; // of the margin

struct Rival {
    std::int64_t kernel = 0;
    SpeedRatio toFirst = {};
};

// The deviation from the width of the 95 % interval: near enough to compare rivals with each other.
double worthOf(const SpeedRatio& toFirst, double varianceOfOneMore) {
    const double variance = std::pow(std::log(toFirst.ci95.high / toFirst.ci95.low) / 4, 2);
    if (variance <= 0) {
        return 0;
    }
    const double deviation = variance / std::sqrt(variance + varianceOfOneMore);
    const double u = std::abs(std::log(toFirst.ratio)) / deviation;
    const double density = std::exp(-u * u / 2) / std::sqrt(2 * std::numbers::pi);
    return deviation * (density - u * 0.5 * std::erfc(u / std::numbers::sqrt2));
}

} // namespace

std::optional<std::int64_t> fastestOf(const SpeedScale& scale, std::span<const std::int64_t> candidates) {
    std::optional<std::int64_t> fastest;
    double ratio = 0;
    for (const std::int64_t kernel : candidates) {
        const auto speed = scale.speed(kernel);
        if (speed && (!fastest || speed->ratio > ratio || (speed->ratio == ratio && kernel < *fastest))) {
            fastest = kernel;
            ratio = speed->ratio;
        }
    }
    return fastest;
}

std::optional<ComparisonWish> nextComparison(const SpeedScale& scale, const Contest& contest) {
    const auto first = fastestOf(scale, contest.candidates);
    std::vector<Rival> rivals;
    for (const std::int64_t kernel : contest.candidates) {
        if (!scale.contains(kernel)) {
            return ComparisonWish{kernel, first.value_or(scale.anchor()), ComparisonReason::notCompared};
        }
        if (kernel != first) {
            rivals.push_back({kernel, *scale.ratio(kernel, *first)});
        }
    }
    std::stable_sort(rivals.begin(), rivals.end(),
                     [](const Rival& a, const Rival& b) { return a.toFirst.ratio > b.toFirst.ratio; });
    for (std::size_t at = 0; at < rivals.size() && at + 1 < contest.sideBySide; ++at) {
        if (scale.directComparisons(rivals[at].kernel, *first) == 0) {
            return ComparisonWish{rivals[at].kernel, *first, ComparisonReason::sideBySide};
        }
    }
    const double margin = contest.tieMarginPercent / 100;
    double most = leastWorth * margin;
    std::optional<ComparisonWish> wish;
    for (const Rival& rival : rivals) {
        const double worth = worthOf(rival.toFirst, scale.varianceOfOneMore());
        if (rival.toFirst.ci99.high > 1 + margin && worth > most &&
            scale.directComparisons(rival.kernel, *first) < contest.mostOfOnePair) {
            most = worth;
            wish = ComparisonWish{rival.kernel, *first, ComparisonReason::open};
        }
    }
    return wish;
}

} // namespace gks
