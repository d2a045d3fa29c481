// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/elapsed.h"
#include "core/base/text.h"
#include "core/judge/evaluator/trial/measurement_side.h"
#include "core/judge/least_call.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <numeric>
#include <utility>

// Timed calls and what is asked of each of them.
namespace gks {
namespace {

using Clock = std::chrono::steady_clock;
constexpr double usPerSecond = 1e6;
constexpr std::size_t checkedSamples = 1024;                 // of a checked call, where the outputs are many
constexpr std::int64_t checkedRun = 4;                       // of these, where only they are read
constexpr std::size_t cheapReadBytes = std::size_t{8} << 20; // up to here a card's outputs are read in whole
constexpr std::size_t callsForUnannounced = 12;              // one comes before so many timed calls, in the mean

std::size_t outputBytesOf(const CaseLayout& layout) {
    return std::accumulate(layout.places.begin(), layout.places.end(), std::size_t{0},
                           [](std::size_t bytes, const runner::Place& place) {
                               return bytes + (place.isOutput != 0 ? place.dataBytes : 0);
                           });
}

// Of no output everything.
bool isOfPieces(const CaseLayout& layout, const OutputCheck::Selection& selection) {
    return std::equal(layout.places.begin(), layout.places.end(), selection.begin(),
                      [](const runner::Place& place, const auto& indices) { return place.isOutput == 0 || indices; });
}

void addOutcome(const OutputCheck::Outcome& outcome, VerificationFact& fact) {
    fact.checked += outcome.comparison.checked;
    fact.maxAbsoluteError = std::max(fact.maxAbsoluteError, outcome.comparison.maxAbsoluteError);
    fact.maxRelativeError = std::max(fact.maxRelativeError, outcome.comparison.maxRelativeError);
    if (fact.detail.empty()) { // the first that differs is what the fact speaks of
        fact.detail = outcome.text;
        fact.passed = outcome.text.empty();
    }
}

} // namespace

Judged<InputChoice> Measurement::freshInputs(std::size_t shape) {
    InputSource& inputs = source(shape);
    if (!isCpu()) {
        submitProbes();
        m_asked = {inputs.choose(), m_check.probes(*m_plan.shapes[shape])};
        return m_asked.choice;
    }
    const auto begin = Clock::now();
    InputChoice choice = [&] {
        const WorkClock::Span preparing(*m_plan.clock, WorkClock::Worker::preparation);
        return inputs.choose();
    }();
    const auto drawn = Clock::now();
    const CaseLayout& layout = *m_plan.shapes[shape];
    auto expected = m_check.expect(layout, inputs.values(), m_check.probes(layout), m_standing[shape]);
    if (!expected) {
        return refuse(expected.error());
    }
    m_probes = std::move(*expected);
    m_cost.inputsUs += std::chrono::duration<double, std::micro>(drawn - begin).count();
    m_cost.probesUs += secondsSince(drawn) * usPerSecond;
    return choice;
}

Judged<double> Measurement::timedCall(Side& side, std::size_t shape, const InputChoice& choice) {
    GKS_TRY(drawUnannounced(side, shape));
    GKS_TRY_ASSIGN(const KernelTrial::Call call, blamed(side, side.trial->call(source(shape), choice)));
    Series& series = side.series[shape];
    const double us = isCpu() ? std::max(call.hostUs - m_emptyCallUs, leastCallUs) : call.eventUs;
    series.us.push_back(us);
    series.gapUs.push_back(isCpu() ? call.judgeUs - call.hostUs : call.hostUs - call.eventUs);
    Kept* const kept = side.choose(us);
    m_cost.inputsUs += call.cost.inputsUs;
    m_cost.poisonUs += call.cost.poisonUs;
    m_cost.cachesUs += call.cost.cachesUs;
    m_cost.stopUs += call.cost.stopUs;
    ++m_timedCalls;
    if (!isCpu()) {
        GKS_TRY(readProbes(side, shape, kept));
        return us;
    }
    GKS_TRY(probe(side, shape, choice));
    GKS_TRY(checkBands(side, shape, choice));
    if (kept != nullptr) {
        kept->choice = choice;
        kept->selection = m_check.select(*m_plan.shapes[shape], false, checkedSamples);
        kept->outputs = m_check.gather(kept->selection, side.trial->standingOutputs());
    }
    return us;
}

// While the kernel's process stands still.
Judged<void> Measurement::probe(Side& side, std::size_t shape, const InputChoice& choice) {
    const auto begin = Clock::now();
    const CaseLayout& layout = *m_plan.shapes[shape];
    const Tensors outputs = m_check.gather(m_probes.selection, side.trial->standingOutputs());
    const auto outcome = m_check.check(layout, m_probes, outputs);
    if (!outcome) {
        return refuse(outcome.error());
    }
    m_cost.probesUs += secondsSince(begin) * usPerSecond;
    VerificationFact ofBaseline;
    VerificationFact& fact = side.ofBaseline ? ofBaseline : m_probeFacts[shape];
    if (fact.calls == 0) {
        fact.outputs = m_check.coverage(layout, m_probes.selection);
    }
    fact.calls += 1;
    addOutcome(*outcome, fact);
    return judgeTimed(side, shape, choice, m_probes.selection, fact);
}

Judged<void> Measurement::checkBands(Side& side, std::size_t shape, const InputChoice& choice) {
    if (side.trial->bandsStand()) {
        return {};
    }
    VerificationFact fact = timedFact(shape, phase::everyTimedCall);
    GKS_TRY_ASSIGN(fact.detail, blamed(side, side.trial->inspectMemory(m_sources[shape]->values())));
    fact.passed = false;
    return judgeTimed(side, shape, choice, m_probes.selection, fact);
}

// None, one or several before any timed call, whatever came before: that one has come says nothing of the next. The
// baseline gets as many, for a call that follows one of its own process finds a scheduler in another mood.
Judged<void> Measurement::drawUnannounced(Side& side, std::size_t shape) {
    while (hasUnannounced() && randomBelow(callsForUnannounced + 1) == 0) {
        GKS_TRY(callUnannounced(side, shape));
    }
    return {};
}

// A call like all others, with any distribution of values: a kernel that leaves out what it can do without for those of
// timed calls, once it is timed, is found here.
Judged<void> Measurement::callUnannounced(Side& side, std::size_t shape) {
    auto drawn = m_trials.unannounced(shape);
    if (!drawn) {
        return refuse(drawn.error());
    }
    GKS_TRY(blamed(side, side.trial->call(drawn->inputs, drawn->inputs.choose())));
    ++side.unannounced;
    const CaseLayout& layout = *m_plan.shapes[shape];
    const auto outcome = m_check.check(layout, drawn->expected,
                                       m_check.gather(drawn->expected.selection, side.trial->standingOutputs()));
    if (!outcome) {
        return refuse(outcome.error());
    }
    VerificationFact ofBaseline;
    VerificationFact& fact = side.ofBaseline ? ofBaseline : unannouncedFact(shape, drawn->distribution);
    fact.calls += 1;
    fact.seed = hexText(drawn->seed);
    fact.outputs = m_check.coverage(layout, drawn->expected.selection);
    addOutcome(*outcome, fact);
    return judgeChecked(side, shape, fact);
}

// One for all such calls of a shape; its seed is that of the last.
VerificationFact& Measurement::unannouncedFact(std::size_t shape, Distribution distribution) {
    VerificationFact fact = timedFact(shape, phase::betweenTimedCalls);
    fact.distribution = name(distribution);
    fact.calls = 0;
    const auto known = std::find_if(m_timedChecks.begin(), m_timedChecks.end(), [&](const VerificationFact& one) {
        return one.shape == fact.shape && one.phase == fact.phase && one.distribution == fact.distribution;
    });
    return known != m_timedChecks.end() ? *known : m_timedChecks.emplace_back(std::move(fact));
}

Judged<void> Measurement::readProbes(Side& side, std::size_t shape, Kept* kept) {
    const auto begin = Clock::now();
    const CaseLayout& layout = *m_plan.shapes[shape];
    bool isWhole = false;
    std::vector<runner::Piece> pieces = m_check.pieces(m_asked.selection);
    if (kept != nullptr) {
        kept->choice = m_asked.choice;
        isWhole = outputBytesOf(layout) <= cheapReadBytes;
        kept->selection = m_check.select(layout, false, checkedSamples, isWhole ? 1 : checkedRun);
        isWhole = isWhole || !isOfPieces(layout, kept->selection);
        const std::vector<runner::Piece> more = m_check.pieces(kept->selection);
        pieces.insert(pieces.end(), more.begin(), more.end());
    }
    GKS_TRY_ASSIGN(const auto outputs, blamed(side, isWhole ? side.trial->download() : side.trial->probe(pieces)));
    m_asked.outputs.push_back({side.ofBaseline, m_check.gather(layout, m_asked.selection, outputs)});
    m_probeFacts[shape].outputs = m_check.coverage(layout, m_asked.selection);
    if (kept != nullptr) {
        kept->outputs = m_check.gather(layout, kept->selection, outputs);
    }
    m_cost.probesUs += secondsSince(begin) * usPerSecond;
    return {};
}

void Measurement::submitProbes() {
    if (!m_asked.outputs.empty()) {
        m_queue->add(std::exchange(m_asked, {}));
    }
}

Judged<void> Measurement::finishProbes(Side& candidate, Side* baseline, std::size_t shape) {
    if (!m_queue) {
        return {};
    }
    submitProbes();
    auto report = m_queue->finish();
    m_queue.reset();
    if (!report) {
        return refuse(report.error());
    }
    VerificationFact& fact = m_probeFacts[shape];
    fact.calls += report->calls;
    addOutcome({report->comparison, {}}, fact);
    if (!report->failure) {
        return {};
    }
    ProbeQueue::Failure& failure = *report->failure;
    VerificationFact wrong = fact;
    addOutcome({{}, failure.outcome.text}, wrong);
    if (!failure.ofBaseline) {
        fact = wrong;
    }
    if (isNoted(failure.ofBaseline ? *baseline : candidate, failure.outcome.comparison)) {
        return {};
    }
    return judgeTimed(failure.ofBaseline ? *baseline : candidate, shape, failure.calls.choice,
                      std::move(failure.calls.selection), wrong);
}

VerificationFact Measurement::timedFact(std::size_t shape, std::string_view phase) const {
    VerificationFact fact;
    fact.shape = m_pack.namedShape(m_plan.shapes[shape]->shape);
    fact.phase = phase;
    fact.distribution = name(Distribution::asDeclared);
    fact.passed = true;
    return fact;
}

Result<OutputCheck::Expected> Measurement::expectedOf(std::size_t shape, const Kept& kept) {
    const CaseLayout& layout = *m_plan.shapes[shape];
    if (!isCpu()) {
        return m_check.expect(layout, source(shape), kept.choice, kept.selection, m_standing[shape]);
    }
    source(shape).compose(kept.choice, m_composed);
    return m_check.expect(layout, m_composed, kept.selection);
}

Judged<void> Measurement::checkKept(Side& side, std::size_t shape) {
    if (side.fastest) {
        side.kept.push_back(std::move(*side.fastest));
    }
    VerificationFact fact = timedFact(shape, phase::timedCall);
    fact.calls = static_cast<int>(side.kept.size());
    const CaseLayout& layout = *m_plan.shapes[shape];
    for (const Kept& kept : side.kept) {
        fact.outputs = m_check.coverage(layout, kept.selection);
        const auto expected = expectedOf(shape, kept);
        if (!expected) {
            return refuse(expected.error());
        }
        const auto outcome = m_check.check(layout, *expected, kept.outputs);
        if (!outcome) {
            return refuse(outcome.error());
        }
        addOutcome(*outcome, fact);
        if (!outcome->text.empty() && !isNoted(side, outcome->comparison)) {
            if (!side.ofBaseline) {
                m_timedChecks.push_back(fact);
            }
            return judgeTimed(side, shape, kept.choice, kept.selection, fact);
        }
    }
    side.beginShape();
    if (!side.ofBaseline) {
        m_timedChecks.push_back(fact);
    }
    return {};
}

bool Measurement::isNoted(const Side& side, const Comparison& comparison) const {
    if (m_plan.misses == nullptr || side.ofBaseline) {
        return false;
    }
    m_plan.misses->add(comparison);
    return true;
}

Judged<void> Measurement::judgeTimed(const Side& side, std::size_t shape, const InputChoice& choice,
                                     OutputCheck::Selection selection, const VerificationFact& fact) {
    if (!fact.passed && !side.ofBaseline) {
        GKS_TRY_ASSIGN(const bool isRight, isRightInFreshProcess(shape, choice, std::move(selection)));
        if (isRight) {
            return refuse(VerdictKind::cheatingSuspected,
                          fmt::format("{}: wrong in a timed call, right with the same inputs in a fresh process: {}",
                                      label(shape), fact.detail));
        }
    }
    return judgeChecked(side, shape, fact);
}

Judged<bool> Measurement::isRightInFreshProcess(std::size_t shape, const InputChoice& choice,
                                                OutputCheck::Selection selection) {
    const CaseLayout& layout = *m_plan.shapes[shape];
    source(shape).compose(choice, m_composed);
    const auto expected = m_check.expect(layout, m_composed, std::move(selection));
    if (!expected) {
        return refuse(expected.error());
    }
    // On the cpu target a source holds the values of its last choice alone.
    InputSource exactly = InputSource::exactly(m_pack, m_composed);
    const InputSource& inputs = isCpu() ? exactly : source(shape);
    GKS_TRY_ASSIGN(auto trial, m_trials.start(false));
    const auto right = [&]() -> Judged<bool> {
        GKS_TRY(trial->load());
        GKS_TRY(trial->setShape(layout));
        GKS_TRY(trial->supply(inputs));
        GKS_TRY(trial->call(inputs, isCpu() ? exactly.choose() : choice));
        GKS_TRY_ASSIGN(const auto outputs, trial->download());
        const auto outcome = m_check.check(layout, *expected, m_check.gather(layout, expected->selection, outputs));
        if (!outcome) {
            return refuse(outcome.error());
        }
        GKS_TRY_ASSIGN(const std::string damage, trial->inspectMemory(m_composed));
        return outcome->text.empty() && damage.empty();
    }();
    m_trials.end(std::move(trial));
    return right;
}

Judged<void> Measurement::judgeChecked(const Side& side, std::size_t shape, const VerificationFact& fact) const {
    if (fact.passed) {
        return {};
    }
    if (side.ofBaseline) {
        return refuse(VerdictKind::infrastructureFailed,
                      fmt::format("the comparison kernel gave a wrong result: {}: {}", label(shape), fact.detail),
                      "Choose a kernel that passes evaluation");
    }
    return refuse(VerdictKind::wrong,
                  fmt::format("{}, {}, {}: {}", label(shape), fact.phase, fact.distribution, fact.detail));
}

} // namespace gks
