// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/quantity.h"
#include "core/judge/verdict.h"

#include <optional>
#include <span>
#include <vector>

// What may be concluded from samples of running time. Nothing made of times assumes a normal distribution:
// they have a hard lower end and a long upper tail.
namespace gks {

// Of a normal distribution, 95 % lie within this many standard deviations of the mean.
inline constexpr double z95 = 1.959964;

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

// The part of a kernel's samples, between two quantiles, whose mean stands for the kernel in a round. What lies outside
// is the outliers.
struct Band {
    double low = 0;
    double high = 1;
};
// Device events see nothing but the device: outliers are few. A wide band, as only a mean of nearly all averages the
// ticks of the device's clock, which are up to a microsecond; a narrow one or a median would lean to the nearest tick.
inline constexpr Band deviceClockBand = {0.10, 0.90};
// On shared cores other programs only ever add to a time, now to this call and now to that.
inline constexpr Band sharedCoresBand = {0.05, 0.30};
inline constexpr Band bandOf(TargetKind target) {
    return target == TargetKind::cpu ? sharedCoresBand : deviceClockBand;
}
double bandMean(std::span<const double> samples, Band band); // 0 when empty

// What one round saw of both kernels on one shape, calls taking turns. [round][shape]. Within a round what differs from
// process to process or from placement to placement (addresses, page colours) is the same for all calls, so rounds are
// what is resampled.
struct PairedSamples {
    std::vector<double> candidateUs;
    std::vector<double> baselineUs;
};
using PairedRounds = std::vector<std::vector<PairedSamples>>;

struct RatioEstimate {
    double ratio = 1; // above 1: the candidate is faster
    Interval ci95 = {1, 1};
    Interval ci99 = {1, 1}; // the one that decides
};
// Geometric mean over the shapes of baseline / candidate. `errorShare` is how much of the 5 % and of the 1 % of wrong
// intervals may be spent on this estimate; see Look.
RatioEstimate estimateRatio(const PairedRounds& rounds, Band band, double errorShare = 1);

// faster or slower only when the whole 99 % interval lies beyond the margin, otherwise tie.
VerdictKind decide(const RatioEstimate& estimate, double tieMarginPercent);
// More rounds would not change the decision: the 99 % interval lies beyond the margin or altogether inside.
bool isSettled(const RatioEstimate& estimate, double tieMarginPercent);

// A number of rounds after which a comparison may end, and the share of the error that is spent by looking.
struct Look {
    std::size_t rounds = 0;
    double errorShare = 1;
};
inline constexpr std::size_t fewestRounds = 5;
std::vector<Look> planLooks(std::size_t rounds); // at least fewestRounds

// Level of the last third of a series relative to the first, when the two differ by more than chance, by more than the
// intervals of their medians and by more than two per cent.
std::optional<double> levelShift(std::span<const double> samples);

} // namespace gks
