// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator/trial/measurement_side.h"

#include "core/base/elapsed.h"
#include "core/judge/evaluator/statistics/looks.h"
#include "core/judge/evaluator/statistics/throttling.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fmt/format.h>

// A block is two calls of a kernel alone, or A B B A: both kernels see the same drift and the same inputs. With a
// baseline the blocks are spread over rounds. On the cpu target a round is a pair of fresh processes, as one process
// may be a percent faster than the next for good (addresses, page colours). On a GPU a process costs tenths of a second
// to start and to end; there a round has freshly allocated buffers, and only where the budget is large a fresh process.
// After some of the rounds the comparison may end; statistics.cpp says why looking does no harm.
//
// The time of a call: on a GPU device events, which only the device can shift, cross-checked against the judge's own
// clock. On the cpu target it lasts from before the kernel's process goes on until all of it stands still again, on the
// keeper's clock, less what a call takes that does nothing (one figure for both kernels). No host code of a kernel runs
// meanwhile, and what its device code does after it has said that it is done is in the time as well. There every timed
// call gets inputs that no call has seen, its outputs are poisoned in whole (poison at secret places alone could be
// looked for, and no more be computed than that), and it is probed at places that are drawn with the inputs.
namespace gks {
namespace {

using Clock = std::chrono::steady_clock;
constexpr double secondsForFreshProcesses = 10; // on a GPU
constexpr int attemptsAlone = 2;
constexpr double gpuWarmUpSeconds = 0.03; // until the device's clock is up
constexpr std::size_t minSamplesAlone = 20;
constexpr std::size_t minSamplesOfSlow = 6; // on a GPU, of a kernel that would take more than its share of the budget
constexpr std::size_t minBlocksPerRound = 2;
constexpr std::size_t maxSamples = 2000; // of one shape, in as many rounds as planned
constexpr double precision = 0.005;      // relative half-width of the median's interval
constexpr std::size_t sourcesLimitBytes = std::size_t{1} << 30;
constexpr std::size_t keptAlone = 4;   // checked calls of one shape, the fastest one of them
constexpr std::size_t keptOfRound = 2; // of a comparison, which has five rounds at least

} // namespace

Measurement::Measurement(const ProblemPack& pack, const OutputCheck& check, Plan plan, Trials trials,
                         const EvaluationSink& sink)
    : m_pack(pack)
    , m_check(check)
    , m_plan(std::move(plan))
    , m_trials(std::move(trials))
    , m_sink(sink)
    , m_candidate(m_plan.shapes.size())
    , m_baseline(m_plan.shapes.size())
    , m_sources(m_plan.shapes.size())
    , m_roundBlocks(m_plan.shapes.size())
    , m_standing(m_plan.shapes.size()) {
    for (std::size_t shape = 0; shape < m_plan.shapes.size(); ++shape) {
        m_probeFacts.push_back(timedFact(shape, phase::everyTimedCall));
        m_probeFacts.back().calls = 0;
    }
    if (m_plan.hasBaseline) {
        m_looks = looksOf(m_plan.device.target, m_plan.seconds);
    }
}

Measurement::~Measurement() = default;

Judged<void> Measurement::run(std::unique_ptr<KernelTrial> verified) {
    GKS_TRY(m_plan.hasBaseline ? comparePaired(std::move(verified)) : measureAlone(std::move(verified)));
    for (std::size_t shape = 0; shape < m_plan.shapes.size(); ++shape) {
        GKS_TRY(judgeSeries(shape));
    }
    return {};
}

// Alone nothing cancels what the machine does meanwhile, so a measurement that it has bent is taken once more.
Judged<void> Measurement::measureAlone(std::unique_ptr<KernelTrial> verified) {
    std::optional<std::string> disturbed;
    for (int attempt = 0; attempt < attemptsAlone; ++attempt) {
        Side candidate{std::move(verified), m_candidate, false, keptAlone};
        GKS_TRY(start(candidate));
        GKS_TRY(candidate.trial->load());
        const auto measured = runRound(candidate, nullptr);
        end(candidate);
        GKS_TRY(measured);
        disturbed = disturbance();
        if (!disturbed) {
            return {};
        }
        if (m_sink) {
            m_sink(LogEvent{"judge", *disturbed});
        }
        if (attempt + 1 < attemptsAlone) {
            forget();
        }
    }
    return refuse(VerdictKind::infrastructureFailed, fmt::format("unstable timings: {}", *disturbed), starvedNext);
}

// Nothing of a measurement but what was checked.
void Measurement::forget() {
    m_candidate.assign(m_plan.shapes.size(), {});
    m_rounds.clear();
    m_load = LoadWatch();
    m_doneShares = 0;
}

// What a kernel cannot have caused explains why its times at the end are not those at the beginning. Where nothing
// explains it the kernel itself has changed and its samples stand as they are.
std::optional<std::string> Measurement::disturbance() const {
    const Cause cause = [this](bool slower) {
        return isCpu() ? m_load.explains(slower) : deviceThrottling(m_plan.device);
    };
    for (std::size_t shape = 0; shape < m_plan.shapes.size(); ++shape) {
        if (const auto bent = gks::disturbance(m_candidate[shape].us, cause)) {
            return fmt::format("{}: {}", label(shape), *bent);
        }
    }
    return std::nullopt;
}

Judged<void> Measurement::comparePaired(std::unique_ptr<KernelTrial> verified) {
    const bool freshProcesses = isCpu() || m_plan.seconds >= secondsForFreshProcesses;
    Side candidate{std::move(verified), m_candidate, false, keptOfRound};
    Side baseline{nullptr, m_baseline, true, keptOfRound};
    const auto begin = Clock::now();
    std::size_t fewest = fewestRounds;
    bool isConfirmed = freshProcesses;
    const auto isOver = [&] { // starting processes is paid from the same budget
        return m_rounds.size() >= fewest && secondsSince(begin) > m_plan.seconds;
    };
    auto look = m_looks.begin();
    while (look != m_looks.end()) {
        if (freshProcesses && !m_rounds.empty()) {
            end(candidate);
            end(baseline);
        }
        GKS_TRY(start(candidate)); // both, before either is waited for
        GKS_TRY(start(baseline));
        GKS_TRY(blamed(candidate, candidate.trial->load()));
        GKS_TRY(blamed(baseline, baseline.trial->load()));
        GKS_TRY(runRound(candidate, &baseline));
        baseline.keepLimit = 0; // once is enough: it has passed its own evaluation
        // The last look comes when the budget is spent: the time decides when that is and not what was seen.
        const bool isLast = std::next(look) == m_looks.end();
        if (isOver()) {
            look = std::prev(m_looks.end());
        } else if (m_rounds.size() < std::max(isLast ? mostRounds() : look->rounds, fewest)) {
            continue;
        }
        m_errorShare = look->errorShare;
        ++look;
        const VerdictKind kind = decide(*ratio(), m_plan.tieMarginPercent);
        if (kind == VerdictKind::undecided) {
            continue;
        }
        if (isConfirmed || kind == VerdictKind::tie) {
            break;
        }
        // One process may be a little faster than the next for good: nothing is decided on one pair of them.
        isConfirmed = true;
        fewest = m_rounds.size() + fewestRounds;
        look = look == m_looks.end() ? std::prev(look) : look;
        end(candidate);
        end(baseline);
    }
    end(candidate);
    end(baseline);
    return {};
}

Judged<void> Measurement::start(Side& side) {
    if (!side.trial) {
        GKS_TRY_ASSIGN(side.trial, m_trials.start(side.ofBaseline));
    }
    return {};
}

void Measurement::end(Side& side) {
    m_trials.end(std::exchange(side.trial, nullptr));
    side.isWarm = false;
}

Judged<void> Measurement::runRound(Side& candidate, Side* baseline) {
    m_rounds.emplace_back(m_plan.shapes.size());
    m_emptyCallUs = candidate.trial->emptyCallUs();
    m_emptyWayUs = candidate.trial->emptyWayUs();
    if (baseline != nullptr) {
        m_emptyCallUs = std::min(m_emptyCallUs, baseline->trial->emptyCallUs());
    }
    for (std::size_t shape = 0; shape < m_plan.shapes.size(); ++shape) {
        GKS_TRY(runShape(candidate, baseline, shape));
        m_doneShares += 1.0 / static_cast<double>(m_plan.shapes.size() * plannedRounds());
        report(shape, true);
    }
    return {};
}

InputSource& Measurement::source(std::size_t shape) {
    if (!m_sources[shape]) {
        auto drawn = m_trials.draw(shape);
        m_sources[shape].emplace(std::move(drawn.source));
        m_standing[shape] = std::move(drawn.standing);
    }
    return *m_sources[shape];
}

Judged<void> Measurement::runShape(Side& candidate, Side* baseline, std::size_t shape) {
    m_reportedCandidate = m_candidate[shape].us.size();
    m_reportedBaseline = m_baseline[shape].us.size();
    const auto begin = Clock::now(); // drawing inputs and warming up is paid from the same budget
    const InputSource& inputs = source(shape);
    // A call right after one of the same process finds a scheduler in another mood than one after a pause: with the
    // outer kernel warmed up last, each side of every block has one call of either sort.
    const bool baselineOuter = baseline != nullptr && (m_rounds.size() + shape) % 2 == 1;
    for (Side* side : {baselineOuter ? &candidate : baseline, baselineOuter ? baseline : &candidate}) {
        if (side == nullptr) {
            continue;
        }
        GKS_TRY(blamed(*side, side->trial->setShape(*m_plan.shapes[shape])));
        GKS_TRY(blamed(*side, side->trial->supply(inputs)));
        GKS_TRY(warmUp(*side, shape));
        side->beginShape();
    }
    if (!isCpu()) {
        m_queue.emplace(m_check, *m_plan.shapes[shape], inputs, m_standing[shape]);
    }
    std::size_t blocks = 0;
    do {
        GKS_TRY(runBlock(candidate, baseline, shape, baselineOuter));
        ++blocks;
        m_load.tick();
        report(shape, false);
    } while (!enough(shape, blocks, secondsSince(begin)));
    if (hasUnannounced() && candidate.unannounced == 0) {
        GKS_TRY(callUnannounced(candidate, shape));
    }
    GKS_TRY(finishProbes(candidate, baseline, shape));
    GKS_TRY(checkKept(candidate, shape));
    if (baseline != nullptr) {
        m_roundBlocks[shape].push_back(static_cast<int>(blocks));
        GKS_TRY(checkKept(*baseline, shape));
    }
    if (inputs.sizeBytes() * m_plan.shapes.size() > sourcesLimitBytes) {
        m_sources[shape].reset();
        m_standing[shape].reset();
    }
    return {};
}

Judged<void> Measurement::warmUp(Side& side, std::size_t shape) {
    const double seconds = isCpu() || side.isWarm ? 0 : gpuWarmUpSeconds;
    const auto begin = Clock::now();
    InputSource& inputs = source(shape);
    do {
        GKS_TRY(blamed(side, side.trial->call(inputs, inputs.choose())));
    } while (secondsSince(begin) < seconds);
    side.isWarm = true;
    return {};
}

// A B B A or B A A B, with the same inputs for both kernels.
Judged<void> Measurement::runBlock(Side& candidate, Side* baseline, std::size_t shape, bool baselineOuter) {
    if (baseline == nullptr) {
        for (int call = 0; call < 2; ++call) {
            GKS_TRY_ASSIGN(const InputChoice inputs, freshInputs(shape));
            GKS_TRY(timedCall(candidate, shape, inputs));
        }
        return {};
    }
    Side& outer = baselineOuter ? *baseline : candidate;
    Side& inner = baselineOuter ? candidate : *baseline;
    GKS_TRY_ASSIGN(const InputChoice first, freshInputs(shape));
    GKS_TRY_ASSIGN(const double outer1, timedCall(outer, shape, first));
    GKS_TRY_ASSIGN(const double inner1, timedCall(inner, shape, first));
    GKS_TRY_ASSIGN(const InputChoice second, freshInputs(shape));
    GKS_TRY_ASSIGN(const double inner2, timedCall(inner, shape, second));
    GKS_TRY_ASSIGN(const double outer2, timedCall(outer, shape, second));
    PairedSamples& samples = m_rounds.back()[shape];
    auto& ofOuter = baselineOuter ? samples.baselineUs : samples.candidateUs;
    auto& ofInner = baselineOuter ? samples.candidateUs : samples.baselineUs;
    ofOuter.insert(ofOuter.end(), {outer1, outer2});
    ofInner.insert(ofInner.end(), {inner1, inner2});
    return {};
}

bool Measurement::enough(std::size_t shape, std::size_t blocks, double secondsSpent) const {
    const Series& series = m_candidate[shape];
    const double share = m_plan.seconds / static_cast<double>(m_plan.shapes.size() * plannedRounds());
    const bool fewest = m_plan.hasBaseline ? blocks >= minBlocksPerRound : series.us.size() >= minSamplesAlone;
    if (!fewest) {
        const bool few = isCpu() || m_plan.hasBaseline || series.us.size() < minSamplesOfSlow;
        return blocks > 0 && secondsSpent > (few ? 4 : 1) * share; // a very slow kernel: what there is must do
    }
    if (secondsSpent > share || series.us.size() * plannedRounds() >= maxSamples * m_rounds.size()) {
        return true;
    }
    return !m_plan.hasBaseline && series.us.size() % 8 == 0 &&
           estimateMedian(series.us).relativeHalfWidth() < precision;
}

} // namespace gks
