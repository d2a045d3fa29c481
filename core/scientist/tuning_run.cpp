// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scientist/tuning_run.h"

#include "core/base/elapsed.h"
#include "core/base/hash.h"
#include "core/scientist/search_space.h"
#include "core/scientist/static_refusal.h"
#include "core/scientist/tuning_memory.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <fmt/format.h>

// Tuning in three steps. Explore: points one after the other, each where the model of point_search.cpp expects most,
// measured briefly. Halve: the fastest few are measured again for as long as the last comparison will take, because the
// fastest of many noisy times is the luckiest (successive halving, Karnin, Koren and Somekh, 2013; one halving is
// enough, as building and verifying cost more than a short measurement). Compare: the fastest that is left against the
// kernel as it was given, in alternation; only a verdict of faster replaces it.
namespace gks {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int infrastructureFailureLimit = 2; // in a row

class TuningRun {
public:
    TuningRun(const TuningPlan& plan, SearchSpace space, const EvaluatePoint& evaluate, const TuningProgress& progress,
              const std::stop_token& stop)
        : m_plan(plan), m_space(std::move(space)), m_evaluate(evaluate), m_progress(progress), m_stop(stop) {}

    Result<TuningOutcome> run();

private:
    Result<void> measureGiven();
    Result<void> explore();
    Result<void> halve();
    Result<void> compare();

    Result<Verdict> judged(const std::string& source, double seconds);
    Result<void> tryPoint(const TuningPoint& point, double seconds);
    void keep(TunedPoint point);
    void remember() const;
    std::vector<Observation> observations() const;
    // Measured points, the fastest first; the given one is index 0 of `points` and not among them.
    std::vector<std::size_t> ranking() const;
    Result<std::string> sourceAt(const std::map<std::string, std::string>& values) const {
        return withTunables(m_plan.request.source, values);
    }
    int survivors() const { return m_plan.evaluations >= 12 ? 3 : m_plan.evaluations >= 6 ? 1 : 0; }
    bool outOfTime() const { return m_plan.minutes > 0 && secondsSince(m_started) >= m_plan.minutes * 60; }

    const TuningPlan& m_plan;
    SearchSpace m_space;
    const EvaluatePoint& m_evaluate;
    const TuningProgress& m_progress;
    std::stop_token m_stop;
    Clock::time_point m_started = Clock::now();
    std::optional<TuningMemory> m_memory;
    TuningOutcome m_outcome;
    int m_failuresInRow = 0; // of the infrastructure
};

Result<TuningOutcome> TuningRun::run() {
    m_outcome.source = m_plan.request.source;
    m_outcome.best = m_space.valuesOf(m_space.current());
    m_outcome.allowedPoints = m_space.allowedSize().value_or(0);
    GKS_TRY(measureGiven());
    GKS_TRY(explore());
    GKS_TRY(halve());
    GKS_TRY(compare());
    return std::move(m_outcome);
}

// The verdict of one point; an infrastructure failure is tried once more before it ends the run.
Result<Verdict> TuningRun::judged(const std::string& source, double seconds) {
    EvaluationRequest request = m_plan.request;
    request.baseline.reset();
    request.source = source;
    request.measureSeconds = seconds;
    for (;;) {
        Verdict verdict = m_evaluate(request);
        if (m_stop.stop_requested()) {
            return cancelledError("tune");
        }
        if (verdict.kind != VerdictKind::infrastructureFailed) {
            m_failuresInRow = 0;
            return verdict;
        }
        if (++m_failuresInRow >= infrastructureFailureLimit || verdict.deviceTrouble != DeviceTrouble::none) {
            return infrastructureError(verdict.reason, "tune", verdict.next);
        }
    }
}

Result<void> TuningRun::measureGiven() {
    GKS_TRY_ASSIGN(m_outcome.given, judged(m_plan.request.source, m_plan.exploreSeconds));
    const Verdict& given = m_outcome.given;
    if (!isAccepted(given.kind) || given.geomeanUs <= 0) {
        return kernelError(fmt::format("the original kernel failed: {}: {}", name(given.kind), given.reason), "tune",
                           given.next.empty() ? "Fix it first" : given.next);
    }
    ++m_outcome.evaluations;
    keep({m_outcome.best, given.kind, given.reason, given.geomeanUs, given.geomeanCi95Us, m_plan.exploreSeconds});
    if (m_plan.remember) {
        m_memory.emplace(m_plan.request, given);
        for (TunedPoint& point : m_memory->load()) {
            const TuningPoint place = m_space.pointOf(point.values);
            const bool declared = std::count(place.begin(), place.end(), -1) == 0;
            if (declared && m_space.allows(place) && point.values != m_outcome.best) {
                m_outcome.points.push_back(std::move(point));
            }
        }
    }
    return {};
}

Result<void> TuningRun::explore() {
    const TuningPoint given = m_space.current();
    while (m_outcome.evaluations < m_plan.evaluations - survivors()) {
        if (outOfTime()) {
            m_outcome.ended = fmt::format("{} minutes", formatSignificant(m_plan.minutes));
            return {};
        }
        const std::vector<Observation> known = observations();
        std::uint64_t seed = 0;
        const std::string digest = sha256Hex(fmt::format("{}\n{}", m_plan.request.source, known.size()));
        std::from_chars(digest.data(), digest.data() + 16, seed, 16);
        const std::vector<Proposal> next = proposePoints(m_space, known, given, 1, seed);
        if (next.empty()) {
            m_outcome.ended = "all configurations were tried";
            return {};
        }
        GKS_TRY(tryPoint(next.front().point, m_plan.exploreSeconds));
    }
    m_outcome.ended = fmt::format("{} evaluations", m_plan.evaluations);
    return {};
}

Result<void> TuningRun::tryPoint(const TuningPoint& point, double seconds) {
    TunedPoint tried;
    tried.values = m_space.valuesOf(point);
    tried.measureSeconds = seconds;
    GKS_TRY_ASSIGN(const std::string source, sourceAt(tried.values));
    ++m_outcome.evaluations;
    // What its static report refuses is not run. The build is in the cache then, so this costs little more.
    if (m_plan.request.target != TargetKind::nvidia) {
        EvaluationRequest request = m_plan.request;
        request.source = source;
        request.baseline.reset();
        request.staticOnly = true;
        const Verdict built = m_evaluate(request);
        const auto refusal = built.staticReport ? staticRefusal(*built.staticReport, request.target) : std::nullopt;
        if (built.staticReport) {
            m_outcome.notLookedAt = notLookedAt(*built.staticReport, request.target);
        }
        if (refusal) {
            tried.verdict = VerdictKind::buildFailed;
            tried.reason = "not run: " + *refusal;
            keep(std::move(tried));
            return {};
        }
    }
    GKS_TRY_ASSIGN(const Verdict verdict, judged(source, seconds));
    tried.verdict = verdict.kind;
    tried.reason = verdict.reason;
    tried.us = isAccepted(verdict.kind) ? verdict.geomeanUs : 0;
    tried.ci95Us = verdict.geomeanCi95Us;
    keep(std::move(tried));
    return {};
}

// A point that is measured again takes the place of what was known of it.
void TuningRun::keep(TunedPoint point) {
    const auto known = std::find_if(m_outcome.points.begin(), m_outcome.points.end(),
                                    [&](const TunedPoint& one) { return one.values == point.values; });
    TunedPoint& kept = known == m_outcome.points.end() ? m_outcome.points.emplace_back() : *known;
    kept = std::move(point);
    remember();
    if (m_progress) {
        m_progress(kept, m_outcome.evaluations);
    }
}

void TuningRun::remember() const {
    if (m_memory) {
        static_cast<void>(m_memory->store(m_outcome.points)); // without it the next run starts from nothing
    }
}

std::vector<Observation> TuningRun::observations() const {
    std::vector<Observation> known;
    for (const TunedPoint& point : m_outcome.points) {
        known.push_back({m_space.pointOf(point.values), point.us, point.us <= 0});
    }
    return known;
}

std::vector<std::size_t> TuningRun::ranking() const {
    std::vector<std::size_t> order;
    for (std::size_t i = 1; i < m_outcome.points.size(); ++i) {
        if (m_outcome.points[i].us > 0) {
            order.push_back(i);
        }
    }
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return m_outcome.points[a].us < m_outcome.points[b].us; });
    return order;
}

Result<void> TuningRun::halve() {
    std::vector<std::size_t> fastest = ranking();
    fastest.resize(std::min(fastest.size(), static_cast<std::size_t>(survivors())));
    for (const std::size_t index : fastest) {
        if (!outOfTime()) {
            GKS_TRY(tryPoint(m_space.pointOf(m_outcome.points[index].values), m_plan.request.measureSeconds));
        }
    }
    return {};
}

Result<void> TuningRun::compare() {
    // Among those that were measured for longest: the others had their luck.
    std::vector<std::size_t> order = ranking();
    if (survivors() > 0) {
        std::stable_partition(order.begin(), order.end(), [&](std::size_t index) {
            return m_outcome.points[index].measureSeconds >= m_plan.request.measureSeconds;
        });
    }
    if (order.empty()) {
        return {};
    }
    const TunedPoint& fastest = m_outcome.points[order.front()];
    EvaluationRequest request = m_plan.request;
    request.baseline = m_plan.request.source;
    GKS_TRY_ASSIGN(request.source, sourceAt(fastest.values));
    const Verdict verdict = m_evaluate(request);
    if (m_stop.stop_requested()) {
        return cancelledError("tune");
    }
    if (verdict.kind == VerdictKind::infrastructureFailed) {
        return infrastructureError(verdict.reason, "final paired run", verdict.next);
    }
    m_outcome.candidate = fastest.values;
    m_outcome.comparison = verdict.comparison;
    if (isAccepted(verdict.kind) && verdict.comparison && verdict.comparison->verdict == VerdictKind::faster) {
        m_outcome.source = request.source;
        m_outcome.best = fastest.values;
    }
    return {};
}

} // namespace

Result<TuningOutcome> tune(const TuningPlan& plan, const EvaluatePoint& evaluate, const TuningProgress& progress,
                           const std::stop_token& stop) {
    GKS_TRY_ASSIGN(SearchSpace space, SearchSpace::of(plan.request.source));
    if (space.tunables().empty()) {
        return usageError("the kernel has no tunables", "tune",
                          "Add one, for example: `#define TILE 32 // @tune TILE 16 32 64`");
    }
    return TuningRun(plan, std::move(space), evaluate, progress, stop).run();
}

} // namespace gks
