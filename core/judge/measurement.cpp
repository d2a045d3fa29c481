// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/measurement.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fmt/format.h>

// A block is two calls of a kernel alone, or A B B A: both kernels see the same drift, and the same inputs pair by
// pair. With a baseline the blocks are spread over several rounds of fresh processes, as one process may be a percent
// faster than the next for good (addresses, page colours); see statistics.cpp.
//
// The time of a call: on a GPU device events, which only the device can shift, cross-checked against the judge's own
// clock. On the cpu target the events are kept by a library in the kernel's own process, so the judge's clock is what
// counts: from the command to the reply, less what an empty call took before the kernels were loaded (one figure for
// both), and never less than the events say. The pipe and the wake-up add a few microseconds of spread; in return
// nothing inside the runner can make a call look faster than it was.
namespace gks {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t roundsWithBaseline = 5;
constexpr int warmUpCalls = 1; // of each round; verification has warmed up what stays warm
constexpr std::size_t minSamplesAlone = 10;
constexpr std::size_t minBlocksPerRound = 1;
constexpr std::size_t maxSamples = 2000; // of one shape
constexpr double precision = 0.005;      // relative half-width of the median's interval
constexpr std::size_t poolsLimitBytes = std::size_t{1} << 30;
constexpr std::size_t reportEverySamples = 64;
constexpr std::size_t keptOfCandidate = 4; // checked calls of one shape and round
constexpr std::size_t keptOfBaseline = 1;
// Work hidden from the events, or left for the read-back: what a busy machine adds now and then is not in the lower
// quartile.
constexpr double hiddenWorkShare = 0.25;
constexpr double hiddenWorkUs = 200;
// Second reads are the measure of first ones. Without hidden work the smallest of 8 first reads exceeds the largest of
// 8 second ones once in 12870 times (the number of ways to choose 8 of 16), and that by chance alone also has to pass
// the limits above.
constexpr std::size_t fewestReads = 8;
constexpr std::size_t manyReads = 16;
constexpr std::size_t cheapReadBytes = std::size_t{16} << 20; // up to here every other call is read back twice

// With few values the smallest, so that a few delays in a row on a busy machine accuse nobody.
double lowerQuartile(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values.empty() ? 0 : values[values.size() < manyReads ? 0 : values.size() / 4];
}

std::size_t randomBelow(std::size_t limit) {
    const Seed seed = randomSeed();
    return (seed[0] + std::size_t{256} * seed[1] + std::size_t{65536} * seed[2]) % limit;
}

} // namespace

struct Measurement::Kept {
    Tensors inputs;
    std::vector<std::byte> outputs;
};

struct Measurement::Side {
    std::unique_ptr<KernelTrial> trial;
    std::vector<Series>& series;
    bool ofBaseline = false;
    std::size_t keepLimit = keptOfCandidate;
    std::vector<Kept> kept = {};
    std::size_t calls = 0; // of this shape

    // Reservoir sampling: at the end every call has been kept with the same probability, and none knows whether it will
    // be. Gives the place to keep this call in, or nothing.
    Kept* choose() {
        ++calls;
        if (kept.size() < keepLimit) {
            return &kept.emplace_back();
        }
        const std::size_t place = randomBelow(calls);
        return place < kept.size() ? &kept[place] : nullptr;
    }
};

// What goes wrong with the baseline is never charged to the kernel.
template<class T>
Judged<T> Measurement::blamed(const Side& side, Judged<T> result) {
    if (!result && side.ofBaseline && result.error().kind != VerdictKind::infrastructureFailed) {
        result.error().reason =
            fmt::format("the baseline failed ({}): {}", name(result.error().kind), result.error().reason);
        result.error().kind = VerdictKind::infrastructureFailed;
        result.error().next = "Compare with a kernel that passes its own evaluation";
    }
    return result;
}

Measurement::Measurement(const ProblemPack& pack, const OutputCheck& check, Plan plan, StartTrial startTrial,
                         const EvaluationSink& sink)
    : m_pack(pack)
    , m_check(check)
    , m_plan(std::move(plan))
    , m_startTrial(std::move(startTrial))
    , m_sink(sink)
    , m_rounds(m_plan.hasBaseline ? roundsWithBaseline : 1)
    , m_candidate(m_plan.shapes.size())
    , m_baseline(m_plan.shapes.size())
    , m_pools(m_plan.shapes.size())
    , m_roundBlocks(m_plan.shapes.size()) {}

Judged<void> Measurement::run(std::unique_ptr<KernelTrial> verified) {
    for (std::size_t round = 0; round < m_rounds; ++round) {
        Side candidate{std::move(verified), m_candidate};
        if (!candidate.trial) {
            GKS_TRY_ASSIGN(candidate.trial, m_startTrial(false));
        }
        if (!m_plan.hasBaseline) {
            GKS_TRY(runRound(candidate, nullptr));
            continue;
        }
        Side baseline{nullptr, m_baseline, true, round == 0 ? keptOfBaseline : 0};
        GKS_TRY_ASSIGN(baseline.trial, m_startTrial(true));
        GKS_TRY(runRound(candidate, &baseline));
    }
    for (std::size_t shape = 0; shape < m_plan.shapes.size(); ++shape) {
        GKS_TRY(judgeSeries(shape));
    }
    return {};
}

Judged<void> Measurement::runRound(Side& candidate, Side* baseline) {
    m_logRatios.emplace_back(m_plan.shapes.size());
    GKS_TRY(candidate.trial->load());
    m_emptyCallUs = candidate.trial->emptyCallUs();
    if (baseline != nullptr) {
        GKS_TRY(blamed(*baseline, baseline->trial->load()));
        m_emptyCallUs = std::min(m_emptyCallUs, baseline->trial->emptyCallUs());
    }
    for (std::size_t shape = 0; shape < m_plan.shapes.size(); ++shape) {
        GKS_TRY(runShape(candidate, baseline, shape));
        m_doneShares += 1.0 / static_cast<double>(m_plan.shapes.size() * m_rounds);
        report(shape, true);
    }
    return {};
}

Judged<InputPool*> Measurement::pool(std::size_t shape) {
    if (!m_pools[shape]) {
        auto drawn = InputPool::draw(m_pack, *m_plan.shapes[shape], m_plan.encoding);
        if (!drawn) {
            return refuse(drawn.error());
        }
        m_pools[shape].emplace(std::move(*drawn));
    }
    return &*m_pools[shape];
}

Judged<void> Measurement::runShape(Side& candidate, Side* baseline, std::size_t shape) {
    m_reportedCandidate = m_candidate[shape].us.size();
    m_reportedBaseline = m_baseline[shape].us.size();
    GKS_TRY_ASSIGN(InputPool* const inputs, pool(shape));
    Tensors tensors;
    const auto begin = Clock::now(); // warming up is paid from the same budget
    // A call right after one of the same process finds a scheduler in another mood than one after a pause: with the
    // outer kernel warmed up last, each side of every block has one call of either sort.
    const bool baselineOuter = baseline != nullptr && (m_logRatios.size() + shape) % 2 == 1;
    for (Side* side : {baselineOuter ? &candidate : baseline, baselineOuter ? baseline : &candidate}) {
        if (side == nullptr) {
            continue;
        }
        GKS_TRY(blamed(*side, side->trial->setShape(*m_plan.shapes[shape])));
        for (int i = 0; i < warmUpCalls; ++i) {
            inputs->next(tensors);
            GKS_TRY(blamed(*side, side->trial->call(tensors)));
        }
    }
    std::size_t blocks = 0;
    do {
        GKS_TRY(runBlock(candidate, baseline, shape, baselineOuter));
        ++blocks;
        report(shape, false);
    } while (!enough(shape, blocks, std::chrono::duration<double>(Clock::now() - begin).count()));
    GKS_TRY(checkKept(candidate, shape));
    if (baseline != nullptr) {
        m_roundBlocks[shape].push_back(static_cast<int>(blocks));
        GKS_TRY(checkKept(*baseline, shape));
    }
    if (m_plan.shapes[shape]->totalBytes * m_plan.shapes.size() > poolsLimitBytes) {
        m_pools[shape].reset();
    }
    return {};
}

// A B B A or B A A B, with the same inputs for both kernels.
Judged<void> Measurement::runBlock(Side& candidate, Side* baseline, std::size_t shape, bool baselineOuter) {
    Tensors first;
    Tensors second;
    m_pools[shape]->next(first);
    m_pools[shape]->next(second);
    if (baseline == nullptr) {
        GKS_TRY(timedCall(candidate, shape, first));
        GKS_TRY(timedCall(candidate, shape, second));
        return {};
    }
    Side& outer = baselineOuter ? *baseline : candidate;
    Side& inner = baselineOuter ? candidate : *baseline;
    GKS_TRY_ASSIGN(const double outer1, timedCall(outer, shape, first));
    GKS_TRY_ASSIGN(const double inner1, timedCall(inner, shape, first));
    GKS_TRY_ASSIGN(const double inner2, timedCall(inner, shape, second));
    GKS_TRY_ASSIGN(const double outer2, timedCall(outer, shape, second));
    if (outer1 > 0 && outer2 > 0 && inner1 > 0 && inner2 > 0) {
        m_logRatios.back()[shape].push_back(baselineOuter ? pairedLogRatio({inner1, inner2}, {outer1, outer2})
                                                          : pairedLogRatio({outer1, outer2}, {inner1, inner2}));
    }
    return {};
}

bool Measurement::enough(std::size_t shape, std::size_t blocks, double secondsSpent) const {
    const Series& series = m_candidate[shape];
    const double share = m_plan.seconds / static_cast<double>(m_plan.shapes.size() * m_rounds);
    const bool fewest = m_plan.hasBaseline ? blocks >= minBlocksPerRound : series.us.size() >= minSamplesAlone;
    if (!fewest) {
        return secondsSpent > 4 * share; // a very slow kernel: what there is must do
    }
    if (secondsSpent > share || series.us.size() >= maxSamples) {
        return true;
    }
    return !m_plan.hasBaseline && series.us.size() % 8 == 0 &&
           estimateMedian(series.us).relativeHalfWidth() < precision;
}

Judged<double> Measurement::timedCall(Side& side, std::size_t shape, const Tensors& inputs) {
    GKS_TRY_ASSIGN(const KernelTrial::Call call, blamed(side, side.trial->call(inputs)));
    Series& series = side.series[shape];
    const double hostUs = call.hostUs - m_emptyCallUs;
    const double us = m_plan.device.target == TargetKind::cpu ? std::max(hostUs, call.eventUs) : call.eventUs;
    series.us.push_back(us);
    series.gapUs.push_back(hostUs - call.eventUs);
    Kept* const kept = side.choose();
    const CaseLayout& layout = *m_plan.shapes[shape];
    if (kept == nullptr && (layout.totalBytes > cheapReadBytes || randomBelow(2) == 0)) {
        return us;
    }
    double firstUs = 0;
    double secondUs = 0;
    GKS_TRY_ASSIGN(const auto outputs, blamed(side, side.trial->download(&firstUs)));
    if (kept != nullptr) {
        kept->inputs = inputs;
        kept->outputs.assign(outputs.begin(), outputs.begin() + static_cast<std::ptrdiff_t>(layout.totalBytes));
    }
    GKS_TRY(blamed(side, side.trial->download(&secondUs)));
    series.firstReadUs.push_back(firstUs);
    series.secondReadUs.push_back(secondUs);
    return us;
}

Judged<void> Measurement::checkKept(Side& side, std::size_t shape) {
    VerificationFact fact;
    fact.shape = m_pack.namedShape(m_plan.shapes[shape]->shape);
    fact.phase = "timed call";
    fact.distribution = name(Distribution::asDeclared);
    fact.passed = true;
    for (const Kept& kept : side.kept) {
        auto outcome = m_check.check(*m_plan.shapes[shape], kept.inputs, kept.outputs, false);
        if (!outcome) {
            return refuse(outcome.error());
        }
        fact.checked += outcome->comparison.checked;
        fact.maxAbsoluteError = std::max(fact.maxAbsoluteError, outcome->comparison.maxAbsoluteError);
        fact.maxRelativeError = std::max(fact.maxRelativeError, outcome->comparison.maxRelativeError);
        fact.detail = outcome->text;
        fact.passed = outcome->text.empty();
        if (!fact.passed) {
            break;
        }
    }
    side.kept.clear();
    side.calls = 0;
    if (side.ofBaseline) {
        return fact.passed ? Judged<void>()
                           : refuse(VerdictKind::infrastructureFailed,
                                    fmt::format("the baseline is wrong: {}: {}", label(shape), fact.detail),
                                    "Compare with a kernel that passes its own evaluation");
    }
    m_timedChecks.push_back(fact);
    if (fact.passed) {
        return {};
    }
    // It passed verification: right when it is looked at and wrong when it is timed is no accident.
    return refuse(VerdictKind::cheatingSuspected,
                  fmt::format("{}: right in verification but wrong in a timed call: {}", label(shape), fact.detail));
}

Judged<void> Measurement::judgeSeries(std::size_t shape) const {
    const Series& series = m_candidate[shape];
    const double us = median(series.us);
    // On the cpu target the judge's clock is the measure: work hidden from the events gains nothing there, while a busy
    // machine makes such gaps for honest kernels.
    const bool eventsCount = m_plan.device.target != TargetKind::cpu;
    const double gap = lowerQuartile(series.gapUs);
    if (eventsCount && gap > hiddenWorkUs + hiddenWorkShare * us) {
        return refuse(VerdictKind::cheatingSuspected,
                      fmt::format("{}: a call takes {:.0f} us longer on the judge's clock than by device events",
                                  label(shape), gap));
    }
    const double claimed = -median(series.gapUs);
    if (claimed > hiddenWorkUs + hiddenWorkShare * us) {
        return refuse(VerdictKind::cheatingSuspected,
                      fmt::format("{}: device events claim {:.0f} us more than passed on the judge's clock",
                                  label(shape), claimed));
    }
    const double late = series.firstReadUs.size() < fewestReads
                            ? 0
                            : lowerQuartile(series.firstReadUs) -
                                  *std::max_element(series.secondReadUs.begin(), series.secondReadUs.end());
    if (late > hiddenWorkUs + hiddenWorkShare * us) {
        return refuse(VerdictKind::cheatingSuspected,
                      fmt::format("{}: reading the outputs for the first time takes {:.0f} us longer than the second "
                                  "time: work was left for later",
                                  label(shape), late));
    }
    const double floor = floorUs(m_pack, m_plan.shapes[shape]->shape, m_plan.device.peaks);
    if (us < floor) {
        return refuse(VerdictKind::cheatingSuspected,
                      fmt::format("{}: {:.2f} us is below the {:.2f} us that memory and arithmetic of the device allow",
                                  label(shape), us, floor));
    }
    return {};
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
        fact.clock = m_plan.device.target == TargetKind::cpu ? "host clock less an empty call" : "device events";
        fact.sampleUs = m_candidate[shape].us;
        fact.baselineMedianUs = median(m_baseline[shape].us);
        fact.baselineSampleUs = m_baseline[shape].us;
        fact.roundBlocks = m_roundBlocks[shape];
        if (m_plan.hasBaseline) {
            PairedLogRatios own;
            for (const auto& round : m_logRatios) {
                own.push_back({round[shape]});
            }
            const RatioEstimate ratio = estimateRatio(own);
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
    return m_plan.hasBaseline ? std::optional(estimateRatio(m_logRatios)) : std::nullopt;
}

} // namespace gks
