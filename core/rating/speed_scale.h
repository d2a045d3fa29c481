// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/rating/comparison_graph.h"
#include "core/rating/weighted_graph.h"

#include <optional>

namespace gks {

// Speed of one kernel / speed of another: above 1 the first is faster.
struct SpeedRatio {
    double ratio = 1;
    Interval ci95 = {1, 1};
    Interval ci99 = {1, 1}; // the one that decides
    bool operator==(const SpeedRatio&) const = default;
};
// The deciding interval lies on one side of 1.
bool isDecided(const SpeedRatio& speed);
// "1.31x [1.29, 1.33]"; where it is not decided "1.35x, not decided (99 %: 0.996 to 1.84)".
std::string speedText(const SpeedRatio& speed);

// How well comparisons agree that lead from one kernel to another by several ways.
struct Agreement {
    std::size_t redundant = 0;                     // comparisons beyond those that connect the kernels
    double spread = 0;                             // of the logarithm, between evaluations, beside their intervals
    double tension = 0;                            // 1: as far apart as their intervals say; 0: nothing to tell by
    std::optional<PairedComparison> farthest = {}; // the one that agrees least with the others
    double farthestScore = 0;                      // in its standard deviations
    bool operator==(const Agreement&) const = default;
};

// One scale of speed for all kernels that comparisons connect with the anchor, in whatever order and load they were
// measured. Immutable; the same comparisons make the same scale.
class SpeedScale {
public:
    SpeedScale(std::int64_t anchor, const SharedList<PairedComparison>& all); // see comparisonsAround()

    // It is the scale of these: comparisons are only ever added.
    bool isOf(std::int64_t anchor, const SharedList<PairedComparison>& all) const {
        return anchor == m_anchor && all.size() == m_given;
    }
    std::int64_t anchor() const { return m_anchor; }
    const std::vector<PairedComparison>& comparisons() const { return m_comparisons; } // that it is made of
    const std::vector<std::int64_t>& kernels() const { return m_kernels; }             // besides the anchor, ascending
    bool contains(std::int64_t kernel) const { return kernel == m_anchor || placeOf(kernel).has_value(); }

    // Nothing where a kernel is not on the scale: it was not compared.
    std::optional<SpeedRatio> speed(std::int64_t kernel) const; // relative to the anchor
    std::optional<SpeedRatio> ratio(std::int64_t kernel, std::int64_t other) const;
    const Agreement& agreement() const { return m_agreement; }
    // Variance of the logarithm of one more comparison like those so far.
    double varianceOfOneMore() const { return m_varianceOfOneMore; }
    std::size_t directComparisons(std::int64_t kernel, std::int64_t other) const;

private:
    struct Observation {
        GraphEdge edge;
        double logRatio = 0;
        double variance = 0; // of its interval
        double trust = 1;
        double residual = 0;
        double freeShare = 0; // 1 - leverage
    };
    void fit();
    std::vector<Observation> observe();
    double solve(std::vector<Observation>& observations, double tau2);
    void trust(std::vector<Observation>& observations, double tau2);
    void describe(const std::vector<Observation>& observations, double tau2);
    double logSpeedOf(int end) const;
    std::optional<int> placeOf(std::int64_t kernel) const;
    std::optional<int> endOf(std::int64_t kernel) const; // the same, GraphEdge::fixed for the anchor
    // `largerVariance`: with a somewhat larger spread between evaluations.
    SpeedRatio estimate(double logRatio, double variance, double largerVariance) const;

    std::int64_t m_anchor = 0;
    std::size_t m_given = 0; // comparisons that it was made from
    std::vector<PairedComparison> m_comparisons;
    std::vector<std::int64_t> m_kernels;
    WeightedGraph m_graph;
    WeightedGraph m_larger;
    std::vector<double> m_logSpeeds; // beside m_kernels
    std::vector<double> m_variances;
    std::vector<double> m_largerVariances;
    double m_degreesOfSpread = 0;
    double m_varianceOfOneMore = 0;
    Agreement m_agreement;
};

} // namespace gks
