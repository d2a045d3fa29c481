// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/recomputation.h"

#include "core/judge/statistics.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

// The statistics are deterministic, so agreement is expected to the last digits; the tolerance only covers another
// mathematical library. Sizes are bounded because the numbers may come from anybody.
namespace gks {
namespace {

constexpr double tolerance = 1e-9;
constexpr std::size_t samplesLimit = 20000; // of one shape; the judge takes 2000
constexpr std::size_t shapesLimit = 256;

bool same(double a, double b) {
    return std::abs(a - b) <= tolerance * std::max({1e-12, std::abs(a), std::abs(b)});
}
bool same(const Interval& a, const Interval& b) {
    return same(a.low, b.low) && same(a.high, b.high);
}

class Checker {
public:
    explicit Checker(const Verdict& verdict) : m_verdict(verdict) {}

    Recomputation run() {
        checkKind();
        if (m_verdict.measurements.size() > shapesLimit) {
            differ("", fmt::format("{} shapes were measured, which no evaluation does", m_verdict.measurements.size()));
            return m_result;
        }
        bool complete = true;
        for (const MeasurementFact& fact : m_verdict.measurements) {
            complete = checkShape(fact) && complete;
        }
        if (complete && !m_verdict.measurements.empty()) {
            checkGeomean();
            checkComparison();
        }
        return m_result;
    }

private:
    void differ(const std::string& where, const std::string& what) {
        m_result.differences.push_back(where.empty() ? what : where + ": " + what);
    }
    void compare(const std::string& where, const char* what, double stored, double computed) {
        if (!same(stored, computed)) {
            differ(where, fmt::format("{}: {} is stored, the samples give {}", what, stored, computed));
        }
    }
    void compare(const std::string& where, const char* what, const Interval& stored, const Interval& computed) {
        if (!same(stored, computed)) {
            differ(where, fmt::format("{}: [{}, {}] is stored, the samples give [{}, {}]", what, stored.low,
                                      stored.high, computed.low, computed.high));
        }
    }

    static std::string label(const MeasurementFact& fact) {
        std::string text;
        for (const auto& [dim, extent] : fact.shape) {
            text += fmt::format("{}{}={}", text.empty() ? "" : " ", dim, extent);
        }
        return text;
    }

    // What the kind promises of the facts beside it.
    void checkKind() {
        const auto failed = std::find_if(m_verdict.verification.begin(), m_verdict.verification.end(),
                                         [](const VerificationFact& fact) { return !fact.passed; });
        if (!isAccepted(m_verdict.kind)) {
            if (!m_verdict.measurements.empty()) {
                differ("verdict", fmt::format("{} with times: a kernel that fails is not measured to the end",
                                              name(m_verdict.kind)));
            }
            return;
        }
        if (failed != m_verdict.verification.end()) {
            differ("verdict", fmt::format("{}, but a check failed ({})", name(m_verdict.kind), failed->phase));
        }
        if (m_verdict.verification.empty() || m_verdict.measurements.empty()) {
            differ("verdict", fmt::format("{} without checks or without times", name(m_verdict.kind)));
        }
        const bool compared = m_verdict.kind != VerdictKind::correct;
        if (compared != m_verdict.comparison.has_value()) {
            differ("verdict", fmt::format("{} {} a comparison", name(m_verdict.kind), compared ? "without" : "with"));
        }
    }

    // False when there is nothing to go on with.
    bool checkShape(const MeasurementFact& fact) {
        const std::string where = label(fact);
        if (fact.sampleUs.size() > samplesLimit || fact.baselineSampleUs.size() > samplesLimit) {
            differ(where, "more samples than any evaluation takes");
            return false;
        }
        if (fact.sampleUs.empty() || fact.samples != static_cast<int>(fact.sampleUs.size())) {
            differ(where, fmt::format("{} samples are claimed, {} are there", fact.samples, fact.sampleUs.size()));
            return false;
        }
        const MedianEstimate estimate = estimateMedian(fact.sampleUs);
        compare(where, "median", fact.medianUs, estimate.median);
        compare(where, "interval of the median", fact.ci95Us, estimate.ci95);
        if (estimate.median < fact.floorUs) {
            differ(where, "the median lies below what the device allows");
        }
        if (!m_verdict.comparison) {
            return true;
        }
        if (fact.baselineSampleUs.empty()) {
            m_result.unchecked.push_back(where + ": the baseline's samples were not kept, so the ratio is as stored");
            return true;
        }
        compare(where, "median of the baseline", fact.baselineMedianUs, median(fact.baselineSampleUs));
        return addBlocks(fact, where);
    }

    // Rebuilds the pairing from the order of the samples: every block has two of each kernel.
    bool addBlocks(const MeasurementFact& fact, const std::string& where) {
        std::size_t blocks = 0;
        for (const int count : fact.roundBlocks) {
            blocks += static_cast<std::size_t>(std::max(count, 0));
        }
        if (blocks * 2 != fact.sampleUs.size() || blocks * 2 != fact.baselineSampleUs.size()) {
            differ(where, fmt::format("{} blocks do not fit {} and {} samples", blocks, fact.sampleUs.size(),
                                      fact.baselineSampleUs.size()));
            return false;
        }
        PairedRounds own;
        std::size_t at = 0;
        for (std::size_t round = 0; round < fact.roundBlocks.size(); ++round) {
            const auto count = 2 * static_cast<std::size_t>(std::max(fact.roundBlocks[round], 0));
            const auto part = [&](const std::vector<double>& of) {
                const auto first = of.begin() + static_cast<std::ptrdiff_t>(at);
                return std::vector<double>(first, first + static_cast<std::ptrdiff_t>(count));
            };
            PairedSamples samples = {part(fact.sampleUs), part(fact.baselineSampleUs)};
            at += count;
            own.push_back({samples});
            m_rounds.resize(std::max(m_rounds.size(), round + 1));
            m_rounds[round].push_back(std::move(samples));
        }
        ++m_paired;
        const RatioEstimate estimate = paired(own);
        compare(where, "ratio", fact.ratio.value_or(0), estimate.ratio);
        compare(where, "interval of the ratio", fact.ratioCi95.value_or(Interval{}), estimate.ci95);
        return true;
    }

    RatioEstimate paired(const PairedRounds& rounds) const {
        const bool onCpu = m_verdict.target == name(TargetKind::cpu);
        return estimateRatio(rounds, bandOf(onCpu ? TargetKind::cpu : TargetKind::amd),
                             m_verdict.comparison->errorShare);
    }

    void checkGeomean() {
        std::vector<std::vector<double>> samples;
        for (const MeasurementFact& fact : m_verdict.measurements) {
            samples.push_back(fact.sampleUs);
        }
        const MedianEstimate estimate = estimateGeometricMean(samples);
        compare("", "geometric mean", m_verdict.geomeanUs, estimate.median);
        compare("", "interval of the geometric mean", m_verdict.geomeanCi95Us, estimate.ci95);
    }

    void checkComparison() {
        if (!m_verdict.comparison) {
            return;
        }
        const ComparisonFact& stored = *m_verdict.comparison;
        RatioEstimate estimate = {stored.ratio, stored.ci95, stored.ci99};
        if (!(stored.errorShare > 0 && stored.errorShare <= 1)) {
            differ("", fmt::format("{} is no share of the error", stored.errorShare));
            return;
        }
        if (m_paired == m_verdict.measurements.size()) {
            estimate = paired(m_rounds);
            compare("", "ratio", stored.ratio, estimate.ratio);
            compare("", "interval of the ratio", stored.ci95, estimate.ci95);
            compare("", "interval that decides", stored.ci99, estimate.ci99);
        }
        const VerdictKind kind = decide(estimate, stored.tieMarginPercent);
        if (kind != m_verdict.kind || kind != stored.verdict) {
            differ("verdict", fmt::format("{} is stored, the samples say {}", name(m_verdict.kind), name(kind)));
        }
    }

    const Verdict& m_verdict;
    Recomputation m_result;
    PairedRounds m_rounds;
    std::size_t m_paired = 0; // shapes whose blocks are known
};

} // namespace

Recomputation recompute(const Verdict& verdict) {
    return Checker(verdict).run();
}

} // namespace gks
