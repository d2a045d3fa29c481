// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator/statistics/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <random>

// Estimates free of assumptions about the shape of the distribution of a call's time:
//
// Median: the number of samples below the true median is binomial(n, 1/2), so the l-th smallest and l-th largest sample
// enclose it with a probability that is known exactly (David and Nagaraja, Order Statistics, 3rd edition, section 7.1).
// Cost: one sort.
//
// Geometric mean over shapes: percentile bootstrap (Efron and Tibshirani, An Introduction to the Bootstrap, chapter
// 13).
//
// Paired ratio: in each round both kernels take turns, A B B A, so both see the same drift; a round's value is the
// logarithm of the quotient of their band means, averaged over the shapes. The estimate is the mean of the rounds
// without the outer 15 % at either end, as on a busy machine a whole round may be spoilt, and its interval is that of
// Tukey and McLaughlin (Wilcox, Introduction to Robust Estimation and Hypothesis Testing, section 4.3): the 15 % drawn
// in to the last that is kept, then Student's t. Below seven rounds nothing is cut off. A process or a placement in
// memory has a random effect of its own (Kalibera and Jones, Rigorous Benchmarking in Reasonable Time, 2013), so whole
// rounds are resampled, and not calls as well, which would count their spread twice (Davison and Hinkley, Bootstrap
// Methods and their Application, section 3.8). With few rounds plain percentiles are too narrow; they are widened to
// alpha' = Phi(-sqrt(n / (n - 1)) t(n - 1)), the expanded percentile interval of Hesterberg, What Teachers Should Know
// About the Bootstrap, 2015. The means of a handful of rounds have so few resamples that even this does not cover, so
// the interval is never narrower than Student's. The generator's seed is fixed: the same samples, the same verdict.
//
// Looking before the end: a comparison may stop after some of its rounds. Each look spends a share of the permitted
// error, the shares add up to one, and the interval of a look has the level of its share: by Bonferroni's inequality
// all of them hold together with at least the nominal confidence, whenever one stops (repeated confidence intervals:
// Jennison and Turnbull, Journal of the Royal Statistical Society B 51, 1989). The looks are fixed before the first
// sample.
namespace gks {
namespace {

constexpr int resamples = 2000;
constexpr std::uint64_t bootstrapSeed = 0x6b'65'72'6e'65'6c; // arbitrary, fixed
constexpr double tail = 0.025;
constexpr double decisionTail = 0.005;
constexpr double trimmedShare = 0.15;
constexpr std::size_t fewestToTrim = 4;
constexpr double mostTimesTheRounds = 1000;
constexpr double shiftScore = 4; // standard errors; once in 16000 steady series
constexpr double leastShift = 0.02;
constexpr std::size_t shiftSamples = 30; // in all; fewer say nothing about thirds

double normalCumulative(double x) {
    return 0.5 * std::erfc(-x / std::sqrt(2.0));
}

// P(|T| < t) of Student's t with a whole number of degrees: Abramowitz and Stegun 26.7.3 and 26.7.4.
double studentInside(double t, std::size_t degrees) {
    const double theta = std::atan(t / std::sqrt(static_cast<double>(degrees)));
    const double square = std::cos(theta) * std::cos(theta);
    double term = degrees % 2 == 1 ? std::cos(theta) : 1.0;
    double sum = degrees == 1 ? 0.0 : term;
    for (std::size_t k = degrees % 2 == 1 ? 3 : 2; k + 1 < degrees; k += 2) {
        term *= square * static_cast<double>(k - 1) / static_cast<double>(k);
        sum += term;
    }
    return degrees % 2 == 1 ? 2 / std::numbers::pi * (theta + std::sin(theta) * sum) : std::sin(theta) * sum;
}

// What |T| exceeds with a probability of twice `upperTail`.
double studentQuantile(std::size_t degrees, double upperTail) {
    double low = 0;
    double high = 1e6;
    for (int i = 0; i < 80; ++i) {
        const double middle = (low + high) / 2;
        (studentInside(middle, std::max<std::size_t>(degrees, 1)) < 1 - 2 * upperTail ? low : high) = middle;
    }
    return high;
}

double expandedTail(std::size_t units, double upperTail) {
    if (units < 2) {
        return upperTail;
    }
    const double n = static_cast<double>(units);
    return normalCumulative(-std::sqrt(n / (n - 1)) * studentQuantile(units - 1, upperTail));
}

class Resampler {
public:
    // 32 random bits are enough: the bias is below count / 2^32.
    std::size_t below(std::size_t count) { return static_cast<std::size_t>(((m_engine() >> 32) * count) >> 32); }
    // Median of a resample of `samples`, of the same size.
    double median(std::span<const double> samples) {
        m_drawn.resize(samples.size());
        for (double& drawn : m_drawn) {
            drawn = samples[below(samples.size())];
        }
        const auto middle = m_drawn.begin() + static_cast<std::ptrdiff_t>(m_drawn.size() / 2);
        std::nth_element(m_drawn.begin(), middle, m_drawn.end());
        if (m_drawn.size() % 2 == 1) {
            return *middle;
        }
        return (*middle + *std::max_element(m_drawn.begin(), middle)) / 2;
    }

private:
    std::mt19937_64 m_engine{bootstrapSeed};
    std::vector<double> m_drawn;
};

Interval percentiles(std::vector<double> values, double lowerTail) {
    std::sort(values.begin(), values.end());
    const double last = static_cast<double>(values.size() - 1);
    const auto low = static_cast<std::size_t>(std::floor(lowerTail * last));
    return {values[low], values[values.size() - 1 - low]};
}

// log(baseline / candidate) of one round, the mean over its shapes; nothing when a shape has no samples.
std::optional<double> roundLogRatio(const std::vector<PairedSamples>& shapes, Band band) {
    double sum = 0;
    for (const PairedSamples& samples : shapes) {
        const double candidate = bandMean(samples.candidateUs, band);
        const double baseline = bandMean(samples.baselineUs, band);
        if (!(candidate > 0) || !(baseline > 0)) {
            return std::nullopt;
        }
        sum += std::log(baseline / candidate);
    }
    return shapes.empty() ? std::nullopt : std::optional(sum / static_cast<double>(shapes.size()));
}

// How many of the sorted values are cut off at either end.
std::size_t trimmedCount(std::size_t count) {
    return static_cast<std::size_t>(trimmedShare * static_cast<double>(count));
}

// The trimmed mean of some values and what its interval is made of: the same values with the outer ones drawn in to the
// last that is kept, whose deviations count `scale` times.
struct Trimmed {
    double middle = 0;
    std::vector<double> drawnIn;
    double drawnInMean = 0;
    double scale = 1;
    std::size_t kept = 0;

    explicit Trimmed(std::vector<double> values) : drawnIn(std::move(values)) {
        std::sort(drawnIn.begin(), drawnIn.end());
        const std::size_t cut = trimmedCount(drawnIn.size());
        kept = drawnIn.size() - 2 * cut;
        const auto first = drawnIn.begin() + static_cast<std::ptrdiff_t>(cut);
        middle = mean({first, first + static_cast<std::ptrdiff_t>(kept)});
        std::fill(drawnIn.begin(), first, *first);
        std::fill_n(drawnIn.rbegin(), cut, drawnIn[drawnIn.size() - 1 - cut]);
        drawnInMean = mean(drawnIn);
        scale = static_cast<double>(drawnIn.size()) / static_cast<double>(kept);
    }

    static double mean(std::span<const double> values) {
        return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
    }

    Interval student(double upperTail) const {
        double squares = 0;
        for (const double value : drawnIn) {
            squares += (value - drawnInMean) * (value - drawnInMean);
        }
        const double n = static_cast<double>(drawnIn.size());
        const double half = studentQuantile(kept - 1, upperTail) * std::sqrt(squares / (n - 1) / n) * scale;
        return {middle - half, middle + half};
    }

    std::vector<double> resampledMeans() const {
        Resampler resampler;
        std::vector<double> means(resamples);
        for (double& resampled : means) {
            double sum = 0;
            for (std::size_t i = 0; i < drawnIn.size(); ++i) {
                sum += drawnIn[resampler.below(drawnIn.size())];
            }
            resampled = middle + scale * (sum / static_cast<double>(drawnIn.size()) - drawnInMean);
        }
        return means;
    }
};

Interval ratioInterval(const Trimmed& rounds, const std::vector<double>& resampledMeans, double upperTail) {
    const Interval student = rounds.student(upperTail);
    const Interval bootstrap = percentiles(resampledMeans, expandedTail(rounds.kept, upperTail));
    return {std::exp(std::min(bootstrap.low, student.low)), std::exp(std::max(bootstrap.high, student.high))};
}

// Of the ranks of two groups (Mann and Whitney), in standard errors; above 0 when the second is larger.
double rankScore(std::span<const double> first, std::span<const double> second) {
    double larger = 0;
    for (const double b : second) {
        for (const double a : first) {
            larger += b > a ? 1 : b < a ? 0 : 0.5;
        }
    }
    const double n = static_cast<double>(first.size());
    const double m = static_cast<double>(second.size());
    return (larger - n * m / 2) / std::sqrt(n * m * (n + m + 1) / 12);
}

} // namespace

double median(std::span<const double> samples) {
    if (samples.empty()) {
        return 0;
    }
    std::vector<double> sorted(samples.begin(), samples.end());
    std::sort(sorted.begin(), sorted.end());
    const std::size_t half = sorted.size() / 2;
    return sorted.size() % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

MedianEstimate estimateMedian(std::span<const double> samples) {
    MedianEstimate estimate;
    if (samples.empty()) {
        return estimate;
    }
    std::vector<double> sorted(samples.begin(), samples.end());
    std::sort(sorted.begin(), sorted.end());
    estimate.median = median(sorted);
    const double n = static_cast<double>(sorted.size());
    // Grow the number of samples cut off at each end while the probability that the median lies beyond stays in the
    // tail.
    std::size_t cut = 0;
    double logTerm = -n * std::log(2.0); // of n over cut, by 2^n; from term to term, as lgamma is not for two threads
    double cumulative = std::exp(logTerm);
    while (cut < sorted.size() / 2 && cumulative <= tail) {
        const double k = static_cast<double>(cut);
        logTerm += std::log((n - k) / (k + 1));
        cumulative += std::exp(logTerm);
        ++cut;
    }
    const std::size_t low = cut == 0 ? 0 : cut - 1;
    estimate.ci95 = {sorted[low], sorted[sorted.size() - 1 - low]};
    return estimate;
}

MedianEstimate estimateGeometricMean(const std::vector<std::vector<double>>& samplesOfShapes) {
    MedianEstimate estimate;
    double logSum = 0;
    std::size_t fewest = std::size_t{1} << 20;
    for (const std::vector<double>& samples : samplesOfShapes) {
        const double middle = median(samples);
        if (!(middle > 0)) {
            return {};
        }
        logSum += std::log(middle);
        fewest = std::min(fewest, samples.size());
    }
    if (samplesOfShapes.empty()) {
        return {};
    }
    const double shapes = static_cast<double>(samplesOfShapes.size());
    estimate.median = std::exp(logSum / shapes);
    Resampler resampler;
    std::vector<double> means(resamples);
    for (double& mean : means) {
        double sum = 0;
        for (const std::vector<double>& samples : samplesOfShapes) {
            sum += std::log(resampler.median(samples));
        }
        mean = std::exp(sum / shapes);
    }
    estimate.ci95 = percentiles(std::move(means), expandedTail(fewest, tail));
    return estimate;
}

double bandMean(std::span<const double> samples, Band band) {
    if (samples.empty()) {
        return 0;
    }
    std::vector<double> sorted(samples.begin(), samples.end());
    std::sort(sorted.begin(), sorted.end());
    const double n = static_cast<double>(sorted.size());
    const std::size_t cut = sorted.size() < fewestToTrim ? 0 : band.leastCut;
    const auto first = std::max(static_cast<std::size_t>(band.low * n), cut);
    const auto last = std::clamp(static_cast<std::size_t>(std::ceil(band.high * n)), first + 1, sorted.size() - cut);
    double sum = 0;
    for (std::size_t i = first; i < last; ++i) {
        sum += sorted[i];
    }
    return sum / static_cast<double>(last - first);
}

RatioEstimate estimateRatio(const PairedRounds& rounds, Band band, double errorShare) {
    std::vector<double> values;
    for (const auto& round : rounds) {
        if (const auto value = roundLogRatio(round, band)) {
            values.push_back(*value);
        }
    }
    if (values.empty()) {
        return {};
    }
    const bool single = values.size() < 2;
    const Trimmed trimmed(std::move(values));
    RatioEstimate estimate;
    estimate.ratio = std::exp(trimmed.middle);
    if (single) { // says nothing of the spread between rounds
        estimate.ci95 = estimate.ci99 = {0, std::numeric_limits<double>::max()};
        return estimate;
    }
    const std::vector<double> means = trimmed.resampledMeans();
    estimate.ci95 = ratioInterval(trimmed, means, tail * errorShare);
    estimate.ci99 = ratioInterval(trimmed, means, decisionTail * errorShare);
    return estimate;
}

VerdictKind decide(const RatioEstimate& estimate, double tieMarginPercent, int rules) {
    const double margin = 1 + tieMarginPercent / 100;
    if (estimate.ci99.low > margin) {
        return VerdictKind::faster;
    }
    if (estimate.ci99.high < 1 / margin) {
        return VerdictKind::slower;
    }
    const bool isInside = estimate.ci99.low > 1 / margin && estimate.ci99.high < margin;
    return isInside || rules == firstRules ? VerdictKind::tie : VerdictKind::undecided;
}

std::optional<double> roundsToDecide(const RatioEstimate& estimate, double tieMarginPercent) {
    if (!(estimate.ratio > 0) || !(estimate.ci99.low > 0) || !std::isfinite(std::log(estimate.ci99.high))) {
        return std::nullopt;
    }
    const double ratio = std::log(estimate.ratio);
    const double margin = std::log(1 + tieMarginPercent / 100);
    // The interval reaches further from the ratio than one of the margin's ends lies away, and shrinks with the root of
    // the number of rounds.
    const double away = std::min(std::abs(ratio - margin), std::abs(ratio + margin));
    const double reach = std::max(std::log(estimate.ci99.high) - ratio, ratio - std::log(estimate.ci99.low));
    const double times = away > 0 ? reach * reach / (away * away) : mostTimesTheRounds + 1;
    return times <= mostTimesTheRounds ? std::optional(std::max(times, 1.0)) : std::nullopt;
}

// Half of the error is kept for the end, where most comparisons of like kernels are decided.
std::vector<Look> planLooks(std::size_t rounds) {
    std::vector<Look> looks;
    for (std::size_t round = fewestRounds; round < rounds; round += std::max<std::size_t>(2, round / 4)) {
        looks.push_back({round, 0});
    }
    for (Look& look : looks) {
        look.errorShare = 0.5 / static_cast<double>(looks.size());
    }
    looks.push_back({std::max(rounds, fewestRounds), looks.empty() ? 1 : 0.5});
    return looks;
}

std::optional<double> levelShift(std::span<const double> samples) {
    if (samples.size() < shiftSamples) {
        return std::nullopt;
    }
    const std::size_t third = samples.size() / 3;
    const auto first = samples.first(third);
    const auto last = samples.last(third);
    const double before = median(first);
    const double shift = before > 0 ? median(last) / before : 1;
    const double allowed =
        std::max(leastShift, estimateMedian(first).relativeHalfWidth() + estimateMedian(last).relativeHalfWidth());
    const bool isReal = std::abs(shift - 1) > allowed && std::abs(rankScore(first, last)) > shiftScore;
    return isReal ? std::optional(shift) : std::nullopt;
}

} // namespace gks
