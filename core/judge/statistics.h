// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/quantity.h"
#include "core/judge/verdict.h"

#include <array>
#include <span>
#include <vector>

// What may be concluded from samples of running time. Nothing here assumes a normal distribution: times have a hard
// lower end and a long upper tail.
namespace gks {

double median(std::span<const double> samples); // 0 when empty

struct MedianEstimate {
    double median = 0;
    Interval ci95;
    double relativeHalfWidth() const { return median > 0 ? (ci95.high - ci95.low) / 2 / median : 0; }
};
// Interval between two order statistics, from the binomial distribution; the whole range below 6 samples, where none
// reaches 95 %.
MedianEstimate estimateMedian(std::span<const double> samples);

// Geometric mean of the shapes' medians, interval by bootstrap. samplesOfShapes[shape][sample].
MedianEstimate estimateGeometricMean(const std::vector<std::vector<double>>& samplesOfShapes);

// log(baseline / candidate) of one A B B A block, from the two times of each kernel.
double pairedLogRatio(const std::array<double, 2>& candidateUs, const std::array<double, 2>& baselineUs);

// Of every block, [round][shape][block]. A round is one pair of fresh processes: what differs from process to process
// (addresses, page colours) is the same within a round, so rounds are what is resampled first.
using PairedLogRatios = std::vector<std::vector<std::vector<double>>>;

struct RatioEstimate {
    double ratio = 1; // above 1: the candidate is faster
    Interval ci95 = {1, 1};
};
// Geometric mean over the shapes of the median ratio.
RatioEstimate estimateRatio(const PairedLogRatios& logRatios);

// faster or slower only when the whole interval lies beyond the margin, otherwise tie.
VerdictKind decide(const RatioEstimate& estimate, double tieMarginPercent);

} // namespace gks
