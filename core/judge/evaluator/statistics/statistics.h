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
// is the outliers: a few calls that were lucky, or did not do their work, are not in it.
struct Band {
    double low = 0;
    double high = 1;
    std::size_t leastCut = 0; // so many are left out at either end at least, of four samples or more
};
// Device events see nothing but the device: outliers are few. A wide band, as only a mean of most averages the ticks of
// the device's clock, which are up to a microsecond; a narrow one or a median would lean to the nearest tick.
inline constexpr Band deviceClockBand = {0.20, 0.80, 1};
// On shared cores other programs only ever add to a time, now to this call and now to that, and on a busy machine to
// nearly half of the calls.
inline constexpr Band sharedCoresBand = {0.25, 0.45, 1};
// What verdicts of the first rules rested on: on shared cores a twentieth of lucky calls was enough.
inline constexpr Band firstDeviceClockBand = {0.10, 0.90};
inline constexpr Band firstSharedCoresBand = {0.05, 0.30};
inline constexpr Band bandOf(TargetKind target, int rules) {
    if (target == TargetKind::cpu) {
        return rules == firstRules ? firstSharedCoresBand : sharedCoresBand;
    }
    return rules == firstRules ? firstDeviceClockBand : deviceClockBand;
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

// faster or slower: the whole 99 % interval lies beyond the margin; tie: it lies inside; otherwise undecided, which by
// the first rules was a tie.
VerdictKind decide(const RatioEstimate& estimate, double tieMarginPercent, int rules = currentRules);
// What an undecided comparison would take at this noise, as a multiple of the rounds that it has had. Nothing where the
// ratio lies so near an end of the margin that no sensible amount decides.
std::optional<double> roundsToDecide(const RatioEstimate& estimate, double tieMarginPercent);

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
