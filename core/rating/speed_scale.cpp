// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rating/speed_scale.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>
#include <utility>

// Times of different evaluations do not compare: another load, another clock, another placement in memory. The ratio of
// a paired run does. So every kernel has a logarithm of speed s, the anchor's is 0, and comparison e of kernel i with j
// says
//     y_e = ln(ratio_e) = s_i - s_j + u_e + noise_e,   u_e ~ (0, tau^2),   noise_e ~ (0, v_e)
// where v_e follows from the width of its 95 % interval and tau is what one evaluation differs from the next beyond
// that. This is least squares over a graph, as in a network meta-analysis (Lu and Ades, Statistics in Medicine 23,
// 2004) or in the levelling of heights: s minimises sum w_e (y_e - s_i + s_j)^2, w_e = 1 / (v_e + tau^2). A kernel's
// interval and that of any two come from the inverse of the equations.
//
// tau^2: generalised estimate of Paule and Mandel (DerSimonian and Kacker, Contemporary Clinical Trials 28, 2007): the
// value at which residuals are as large as they should be. Where no cycle closes nothing can be told of it, and few
// cycles easily show none. So anything below a quarter of a per cent (twice that is what the judge calls a tie by
// default) is drawn towards it as if four comparisons had shown it: tau^2 = (4 tau0^2 + d tauPM^2) / (4 + d), with d
// comparisons beyond those that connect. More than that is taken as it is.
//
// A comparison that went wrong must not bend the scale: Huber's weights (Huber and Ronchetti, Robust Statistics,
// chapter 7), w_e times min(1, k / |z_e|), by iteration, with residuals z_e that are standardised by their leverage: a
// residual of variance (v_e + tau^2)(1 - h_e). The equation of Paule and Mandel takes the same bounded residuals.
// Kernels that a single comparison connects have no residual: nothing else speaks of them, and their interval says what
// is known.
//
// Intervals are Student's with Satterthwaite's degrees of freedom (Biometrics Bulletin 2, 1946). v_e counts as known.
// With f the share of tau^2 in the variance of a comparison, tau^2 is known as from 4 + d f^2 of them; with g its share
// in the variance of an estimate, the estimate has (4 + d f^2) / g^2 degrees. g is the slope of the variance over
// tau^2, on logarithmic scales, taken from the same equations with a tau^2 that is a tenth larger.
//
// Cost: see weighted_graph.h, at most a few dozen times.
namespace gks {
namespace {

constexpr double largerSpread = 1.1; // of tau^2, for its share in a variance
constexpr double z95 = 1.959964;
constexpr double z99 = 2.575829;
constexpr double leastDeviation = 5e-4; // of a logarithm: no clock and no machine is as steady as to be better
constexpr double mostDeviation = 10;
constexpr double expectedSpread = 0.0025;
constexpr double expectedFrom = 4;
constexpr double bend = 1.5;            // of Huber's weights, in standard deviations
constexpr double leastFreeShare = 1e-9; // below, a comparison alone connects what it connects
constexpr int mostRounds = 40;
constexpr double steadyChange = 1e-7;

double squared(double x) {
    return x * x;
}

// E min(|Z|, bend)^2 of a standard normal Z.
double expectedBounded() {
    const double density = std::exp(-bend * bend / 2) / std::sqrt(2 * std::numbers::pi);
    const double beyond = std::erfc(bend / std::numbers::sqrt2); // on both sides
    return 1 - beyond - 2 * bend * density + bend * bend * beyond;
}

// Of Student's t, from that of the normal distribution: Abramowitz and Stegun 26.7.5. Good to 0.3 % from four degrees.
double studentQuantile(double z, double degrees) {
    const double z3 = z * z * z;
    const double z5 = z3 * z * z;
    const double z7 = z5 * z * z;
    const double z9 = z7 * z * z;
    return z + (z3 + z) / (4 * degrees) + (5 * z5 + 16 * z3 + 3 * z) / (96 * squared(degrees)) +
           (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * degrees * squared(degrees)) +
           (79 * z9 + 776 * z7 + 1482 * z5 - 1920 * z3 - 945 * z) / (92160 * squared(squared(degrees)));
}

// The tau^2 at which the bounded residuals are as large as they should be, 0 when they are no larger without any.
template<class Observations>
double pauleMandel(const Observations& observations, double degrees) {
    const double wanted = degrees * expectedBounded();
    const auto excess = [&](double tau2) {
        double sum = 0;
        for (const auto& one : observations) {
            if (one.freeShare > leastFreeShare) {
                const double square = squared(one.residual) / ((one.variance + tau2) * one.freeShare);
                sum += one.freeShare * std::min(square, bend * bend);
            }
        }
        return sum - wanted;
    };
    double low = 0;
    double high = squared(mostDeviation);
    if (excess(low) <= 0) {
        return 0;
    }
    for (int i = 0; i < 80; ++i) {
        const double middle = (low + high) / 2;
        (excess(middle) > 0 ? low : high) = middle;
    }
    return high;
}

double spreadFrom(double shown, double degrees) {
    const double expected = squared(expectedSpread);
    return shown > expected ? shown : (expectedFrom * expected + degrees * shown) / (expectedFrom + degrees);
}

} // namespace

bool isDecided(const SpeedRatio& speed) {
    return speed.ci99.low > 1 || speed.ci99.high < 1;
}

std::string speedText(const SpeedRatio& speed) {
    if (speed == SpeedRatio()) { // a kernel beside itself
        return formatRatio(1);
    }
    return isDecided(speed) ? formatRatio(speed.ratio, speed.ci95)
                            : fmt::format("{}, {}", formatRatio(speed.ratio), formatUndecided(speed.ci99));
}

SpeedScale::SpeedScale(std::int64_t anchor, const SharedList<PairedComparison>& all)
    : m_anchor(anchor), m_given(all.size()), m_comparisons(comparisonsAround(anchor, all)) {
    for (const PairedComparison& one : m_comparisons) {
        for (const std::int64_t kernel : {one.kernel, one.other}) {
            if (kernel != m_anchor) {
                m_kernels.push_back(kernel);
            }
        }
    }
    std::sort(m_kernels.begin(), m_kernels.end());
    m_kernels.erase(std::unique(m_kernels.begin(), m_kernels.end()), m_kernels.end());
    fit();
}

std::vector<SpeedScale::Observation> SpeedScale::observe() {
    std::vector<GraphEdge> edges;
    std::vector<Observation> observations;
    for (const PairedComparison& one : m_comparisons) {
        const GraphEdge edge{*endOf(one.kernel), *endOf(one.other)};
        const double deviation =
            std::clamp(std::log(one.ci95.high / one.ci95.low) / (2 * z95), leastDeviation, mostDeviation);
        edges.push_back(edge);
        observations.push_back({edge, std::log(one.ratio), squared(deviation)});
    }
    m_graph = WeightedGraph(static_cast<int>(m_kernels.size()), std::move(edges));
    m_logSpeeds.assign(m_kernels.size(), 0);
    return observations;
}

// Speeds, residuals and leverages for one tau^2. How far the speeds moved.
double SpeedScale::solve(std::vector<Observation>& observations, double tau2) {
    std::vector<double> weights;
    std::vector<double> right(m_kernels.size());
    for (const Observation& one : observations) {
        weights.push_back(one.trust / (one.variance + tau2));
        if (one.edge.a != GraphEdge::fixed) {
            right[static_cast<std::size_t>(one.edge.a)] += weights.back() * one.logRatio;
        }
        if (one.edge.b != GraphEdge::fixed) {
            right[static_cast<std::size_t>(one.edge.b)] -= weights.back() * one.logRatio;
        }
    }
    m_graph.factorize(weights);
    const std::vector<double> before = std::exchange(m_logSpeeds, m_graph.solve(right));
    WeightedGraph::Variances variances = m_graph.variances();
    for (std::size_t at = 0; at < observations.size(); ++at) {
        Observation& one = observations[at];
        one.residual = one.logRatio - logSpeedOf(one.edge.a) + logSpeedOf(one.edge.b);
        one.freeShare = std::max(0.0, 1 - weights[at] * variances.edges[at]);
    }
    m_variances = std::move(variances.unknowns);
    double moved = 0;
    for (std::size_t at = 0; at < before.size(); ++at) {
        moved = std::max(moved, std::abs(m_logSpeeds[at] - before[at]));
    }
    return moved;
}

// Huber's weights, and which comparison agrees least.
void SpeedScale::trust(std::vector<Observation>& observations, double tau2) {
    m_agreement.farthestScore = 0;
    for (std::size_t at = 0; at < observations.size(); ++at) {
        Observation& one = observations[at];
        const double score = one.freeShare > leastFreeShare
                                 ? std::abs(one.residual) / std::sqrt((one.variance + tau2) * one.freeShare)
                                 : 0;
        one.trust = score > bend ? bend / score : 1;
        if (score > m_agreement.farthestScore) {
            m_agreement.farthestScore = score;
            m_agreement.farthest = m_comparisons[at];
        }
    }
}

void SpeedScale::fit() {
    std::vector<Observation> observations = observe();
    m_agreement.redundant = m_comparisons.size() - m_kernels.size();
    const auto degrees = static_cast<double>(m_agreement.redundant);
    double tau2 = squared(expectedSpread);
    for (int round = 0; round < mostRounds; ++round) {
        const double moved = solve(observations, tau2);
        const double next = spreadFrom(degrees > 0 ? pauleMandel(observations, degrees) : 0, degrees);
        const double change = std::max(moved, std::abs(std::sqrt(next) - std::sqrt(tau2)));
        tau2 = next;
        trust(observations, tau2);
        if (round > 0 && change < steadyChange) {
            break;
        }
    }
    m_agreement.spread = std::sqrt(tau2);
    describe(observations, tau2);
}

void SpeedScale::describe(const std::vector<Observation>& observations, double tau2) {
    double tension = 0;
    double share = 0; // of the variance, that tau^2 is
    std::vector<double> ofOne;
    std::vector<double> weights;
    for (const Observation& one : observations) {
        tension += squared(one.residual) / one.variance;
        share += tau2 / (one.variance + tau2) / static_cast<double>(observations.size());
        ofOne.push_back(one.variance + tau2);
        weights.push_back(one.trust / (one.variance + largerSpread * tau2));
    }
    m_larger = m_graph;
    m_larger.factorize(weights);
    m_largerVariances = m_larger.variances().unknowns;
    const auto degrees = static_cast<double>(m_agreement.redundant);
    m_agreement.tension = degrees > 0 ? std::sqrt(tension / degrees) : 0;
    m_degreesOfSpread = expectedFrom + degrees * squared(share);
    const auto middle = ofOne.begin() + static_cast<std::ptrdiff_t>(ofOne.size() / 2);
    std::nth_element(ofOne.begin(), middle, ofOne.end());
    m_varianceOfOneMore = ofOne.empty() ? tau2 : *middle;
}

double SpeedScale::logSpeedOf(int end) const {
    return end == GraphEdge::fixed ? 0.0 : m_logSpeeds[static_cast<std::size_t>(end)];
}

std::optional<int> SpeedScale::placeOf(std::int64_t kernel) const {
    const auto found = std::lower_bound(m_kernels.begin(), m_kernels.end(), kernel);
    return found != m_kernels.end() && *found == kernel ? std::optional(static_cast<int>(found - m_kernels.begin()))
                                                        : std::nullopt;
}

std::optional<int> SpeedScale::endOf(std::int64_t kernel) const {
    return kernel == m_anchor ? std::optional(GraphEdge::fixed) : placeOf(kernel);
}

SpeedRatio SpeedScale::estimate(double logRatio, double variance, double largerVariance) const {
    const double deviation = std::sqrt(std::max(0.0, variance));
    const double share = std::clamp(std::log(largerVariance / variance) / std::log(largerSpread), 1e-3, 1.0);
    const double degrees = m_degreesOfSpread / squared(share);
    const auto around = [&](double z) {
        const double half = studentQuantile(z, degrees) * deviation;
        return Interval{std::exp(logRatio - half), std::exp(logRatio + half)};
    };
    return {std::exp(logRatio), around(z95), around(z99)};
}

std::optional<SpeedRatio> SpeedScale::speed(std::int64_t kernel) const {
    if (kernel == m_anchor) {
        return SpeedRatio();
    }
    const auto place = placeOf(kernel);
    if (!place) {
        return std::nullopt;
    }
    const auto at = static_cast<std::size_t>(*place);
    return estimate(m_logSpeeds[at], m_variances[at], m_largerVariances[at]);
}

std::optional<SpeedRatio> SpeedScale::ratio(std::int64_t kernel, std::int64_t other) const {
    const auto a = endOf(kernel);
    const auto b = endOf(other);
    if (!a || !b) {
        return std::nullopt;
    }
    return *a == *b ? SpeedRatio()
                    : estimate(logSpeedOf(*a) - logSpeedOf(*b), m_graph.varianceOfDifference(*a, *b),
                               m_larger.varianceOfDifference(*a, *b));
}

std::size_t SpeedScale::directComparisons(std::int64_t kernel, std::int64_t other) const {
    return static_cast<std::size_t>(
        std::count_if(m_comparisons.begin(), m_comparisons.end(), [&](const PairedComparison& one) {
            return (one.kernel == kernel && one.other == other) || (one.kernel == other && one.other == kernel);
        }));
}

} // namespace gks
