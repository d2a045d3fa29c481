// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/quantity.h"
#include "core/judge/evaluator/trial/measurement.h"

#include "core/judge/evaluator/session/runner_policy.h"
#include "core/judge/evaluator/statistics/clock_agreement.h"
#include "core/judge/evaluator/statistics/conclusion.h"
#include "core/judge/least_call.h"
#include "core/problem/probe_pack.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

// What is concluded from the samples, and what they betray.
namespace gks {
namespace {

constexpr std::size_t reportEverySamples = 64;
constexpr double quietCores = 0.2; // used by others: nothing waits for a processor

} // namespace

// A ratio of what takes no longer than an empty call is one of the clock's noise. Of a probe nobody makes one, and its
// figures say so themselves.
Judged<void> Measurement::checkResolution(std::size_t shape) const {
    for (const auto* side : {&m_candidate, &m_baseline}) {
        const std::vector<double>& us = (*side)[shape].us;
        if (isCpu() && m_pack.name != probePackName && !us.empty() && median(us) <= leastCallUs) {
            Refusal refusal = {VerdictKind::infrastructureFailed,
                               fmt::format("{}: most calls of {} took no longer than an empty call, which tells "
                                           "nothing of their time",
                                           label(shape), side == &m_candidate ? "the kernel" : "the baseline"),
                               "Evaluate again on a quieter machine, or give the problem a larger shape"};
            refusal.isStarved = true; // it may have time the next time
            return tl::unexpected(std::move(refusal));
        }
    }
    return {};
}

Judged<void> Measurement::judgeSeries(std::size_t shape) const {
    const Series& series = m_candidate[shape];
    const double us = median(series.us);
    const double floor = floorUs(m_pack, m_plan.shapes[shape]->shape, m_plan.device.peaks);
    // What was taken off for an empty call may be too much on a busy machine, where that call was slow.
    if (us + (isCpu() ? m_emptyCallUs : 0) < floor) {
        return refuse(VerdictKind::cheatingSuspected,
                      fmt::format("{}: {} is below the {} that memory and arithmetic of the device allow", label(shape),
                                  formatMicroseconds(us), formatMicroseconds(floor)));
    }
    GKS_TRY(checkResolution(shape));
    return checkClocks(shape);
}

Judged<void> Measurement::checkClocks(std::size_t shape) const {
    const std::vector<double>& own = m_candidate[shape].gapUs;
    const std::vector<double>& others = m_baseline[shape].gapUs;
    std::optional<double> honestUs;
    if (m_plan.hasBaseline) {
        honestUs = longWayUs(others);
    } else if (m_load.othersCores() < quietCores) {
        honestUs = m_emptyWayUs;
    }
    auto disagreement = clockDisagreement(own, honestUs);
    if (!disagreement && m_plan.hasBaseline) {
        disagreement = clockDisagreement(others, longWayUs(own));
    }
    return disagreement ? refuse(VerdictKind::infrastructureFailed, fmt::format("{}: {}", label(shape), *disagreement),
                                 starvedNext)
                        : Judged<void>();
}

std::vector<VerificationFact> Measurement::timedChecks() const {
    std::vector<VerificationFact> checks = m_timedChecks;
    std::copy_if(m_probeFacts.begin(), m_probeFacts.end(), std::back_inserter(checks),
                 [](const VerificationFact& fact) { return fact.calls > 0; });
    return checks;
}

std::optional<CallCost> Measurement::callCost() const {
    if (m_timedCalls == 0) {
        return std::nullopt;
    }
    CallCost mean = m_cost;
    for (double* part : {&mean.inputsUs, &mean.poisonUs, &mean.cachesUs, &mean.stopUs, &mean.probesUs}) {
        *part /= static_cast<double>(m_timedCalls);
    }
    return mean;
}

void Measurement::report(std::size_t shape, bool final) {
    if (!m_sink) {
        return;
    }
    const auto send = [&](const Series& series, std::size_t& reported, bool ofBaseline) {
        const std::size_t fresh = series.us.size() - std::min(reported, series.us.size());
        if (fresh > 0 && (final || fresh >= reportEverySamples)) {
            m_sink(SamplesEvent{m_pack.namedShape(m_plan.shapes[shape]->shape),
                                {series.us.end() - static_cast<std::ptrdiff_t>(fresh), series.us.end()},
                                ofBaseline});
            reported = series.us.size();
            return true;
        }
        return false;
    };
    const bool told = send(m_candidate[shape], m_reportedCandidate, false);
    send(m_baseline[shape], m_reportedBaseline, true);
    if (told) {
        m_sink(ProgressEvent{std::min(m_doneShares, 1.0),
                             fmt::format("{}, {} samples", label(shape), m_candidate[shape].us.size())});
    }
}

std::vector<MeasurementFact> Measurement::facts() const {
    std::vector<MeasurementFact> facts;
    for (std::size_t shape = 0; shape < m_plan.shapes.size(); ++shape) {
        const MedianEstimate estimate = estimateMedian(m_candidate[shape].us);
        MeasurementFact fact;
        fact.shape = m_pack.namedShape(m_plan.shapes[shape]->shape);
        fact.medianUs = estimate.median;
        fact.ci95Us = estimate.ci95;
        fact.samples = static_cast<int>(m_candidate[shape].us.size());
        fact.floorUs = floorUs(m_pack, m_plan.shapes[shape]->shape, m_plan.device.peaks);
        fact.clock = clockName(m_plan.device.target, timedThreadsOnCpu());
        fact.sampleUs = m_candidate[shape].us;
        fact.baselineMedianUs = median(m_baseline[shape].us);
        fact.baselineSampleUs = m_baseline[shape].us;
        fact.roundBlocks = m_roundBlocks[shape];
        if (m_plan.hasBaseline) {
            PairedRounds own;
            for (const auto& round : m_rounds) {
                own.push_back({round[shape]});
            }
            const RatioEstimate ratio = estimateRatio(own, band(), m_errorShare);
            fact.ratio = ratio.ratio;
            fact.ratioCi95 = ratio.ci95;
        }
        facts.push_back(std::move(fact));
    }
    return facts;
}

MedianEstimate Measurement::geometricMean() const {
    std::vector<std::vector<double>> samples;
    for (const Series& series : m_candidate) {
        samples.push_back(series.us);
    }
    return estimateGeometricMean(samples);
}

std::optional<RatioEstimate> Measurement::ratio() const {
    return m_plan.hasBaseline ? std::optional(estimateRatio(m_rounds, band(), m_errorShare)) : std::nullopt;
}

} // namespace gks
