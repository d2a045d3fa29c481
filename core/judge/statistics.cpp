// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/statistics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

// Three estimates, all free of assumptions about the shape of the distribution:
//
// Median: the number of samples below the true median is binomial(n, 1/2), so the l-th smallest and l-th largest sample
// enclose it with a probability that is known exactly (David and Nagaraja, Order Statistics, 3rd edition, section 7.1).
// Cost: one sort.
//
// Geometric mean over shapes, and paired ratio: percentile bootstrap (Efron and Tibshirani, An Introduction to the
// Bootstrap, chapter 13). Pairing the two kernels in A B B A blocks cancels linear drift within a block; the logarithm
// makes faster and slower symmetric. With several rounds of fresh processes whole rounds are resampled: a process has a
// random effect of its own (Kalibera and Jones, Rigorous Benchmarking in Reasonable Time, 2013), and resampling the
// blocks as well would count their spread twice (Davison and Hinkley, Bootstrap Methods and their Application,
// section 3.8). With few units plain percentiles are too narrow; they are widened to alpha' = Phi(-sqrt(n / (n - 1))
// t(n - 1)), the expanded percentile interval of Hesterberg, What Teachers Should Know About the Bootstrap, 2015. The
// means of a handful of rounds have so few resamples that even this covers only 90 %, so the interval of rounds is
// never narrower than Student's. Cost: resamples times samples. The generator's seed is fixed: the same samples, the
// same verdict.
namespace gks {
namespace {

constexpr int resamples = 2000;
constexpr std::uint64_t bootstrapSeed = 0x6b'65'72'6e'65'6c; // arbitrary, fixed
constexpr double tail = 0.025;
constexpr double normalQuantile = 1.959963984540054;

double normalCumulative(double x) {
    return 0.5 * std::erfc(-x / std::sqrt(2.0));
}

// 97.5 % quantile of Student's t.
double studentQuantile(std::size_t degrees) {
    constexpr std::array<double, 20> table = {12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646,
                                              2.3060,  2.2622, 2.2281, 2.2010, 2.1788, 2.1604, 2.1448,
                                              2.1314,  2.1199, 2.1098, 2.1009, 2.0930, 2.0860};
    if (degrees == 0 || degrees > table.size()) {
        return degrees == 0 ? table[0]
                            : normalQuantile + 2.37 / static_cast<double>(degrees); // within 0.1 % from 21 on
    }
    return table[degrees - 1];
}

double expandedTail(std::size_t units) {
    if (units < 2) {
        return tail;
    }
    const double n = static_cast<double>(units);
    return normalCumulative(-std::sqrt(n / (n - 1)) * studentQuantile(units - 1));
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

// Mean over the shapes of one round of their median log ratios.
template<class MedianOf>
double roundMean(const std::vector<std::vector<double>>& shapes, MedianOf medianOf) {
    double sum = 0;
    std::size_t count = 0;
    for (const std::vector<double>& blocks : shapes) {
        if (!blocks.empty()) {
            sum += medianOf(blocks);
            ++count;
        }
    }
    return count == 0 ? 0 : sum / static_cast<double>(count);
}

Interval studentInterval(const std::vector<double>& values) {
    const double n = static_cast<double>(values.size());
    double mean = 0;
    for (const double value : values) {
        mean += value / n;
    }
    double squares = 0;
    for (const double value : values) {
        squares += (value - mean) * (value - mean);
    }
    const double half = studentQuantile(values.size() - 1) * std::sqrt(squares / (n - 1) / n);
    return {mean - half, mean + half};
}

std::size_t fewestBlocks(const std::vector<std::vector<double>>& shapes) {
    std::size_t fewest = std::size_t{1} << 20;
    for (const auto& blocks : shapes) {
        fewest = std::min(fewest, std::max<std::size_t>(blocks.size(), 1));
    }
    return fewest;
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
    double cumulative = 0;
    while (cut < sorted.size() / 2) {
        const double k = static_cast<double>(cut);
        cumulative += std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) - n * std::log(2.0));
        if (cumulative > tail) {
            break;
        }
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
    estimate.ci95 = percentiles(std::move(means), expandedTail(fewest));
    return estimate;
}

double pairedLogRatio(const std::array<double, 2>& candidateUs, const std::array<double, 2>& baselineUs) {
    return (std::log(baselineUs[0]) + std::log(baselineUs[1]) - std::log(candidateUs[0]) - std::log(candidateUs[1])) /
           2;
}

RatioEstimate estimateRatio(const PairedLogRatios& logRatios) {
    if (logRatios.empty()) {
        return {};
    }
    RatioEstimate estimate;
    const double rounds = static_cast<double>(logRatios.size());
    std::vector<double> means;
    double sum = 0;
    for (const auto& round : logRatios) {
        means.push_back(roundMean(round, [](std::span<const double> blocks) { return median(blocks); }));
        sum += means.back();
    }
    estimate.ratio = std::exp(sum / rounds);
    Resampler resampler;
    std::vector<double> ratios(resamples);
    if (means.size() == 1) {
        for (double& ratio : ratios) {
            ratio = std::exp(
                roundMean(logRatios.front(), [&](std::span<const double> blocks) { return resampler.median(blocks); }));
        }
        estimate.ci95 = percentiles(std::move(ratios), expandedTail(fewestBlocks(logRatios.front())));
        return estimate;
    }
    for (double& ratio : ratios) {
        double drawn = 0;
        for (std::size_t i = 0; i < means.size(); ++i) {
            drawn += means[resampler.below(means.size())];
        }
        ratio = std::exp(drawn / rounds);
    }
    const Interval student = studentInterval(means);
    estimate.ci95 = percentiles(std::move(ratios), expandedTail(means.size()));
    estimate.ci95 = {std::min(estimate.ci95.low, std::exp(student.low)),
                     std::max(estimate.ci95.high, std::exp(student.high))};
    return estimate;
}

VerdictKind decide(const RatioEstimate& estimate, double tieMarginPercent) {
    const double margin = 1 + tieMarginPercent / 100;
    if (estimate.ci95.low > margin) {
        return VerdictKind::faster;
    }
    return estimate.ci95.high < 1 / margin ? VerdictKind::slower : VerdictKind::tie;
}

} // namespace gks
