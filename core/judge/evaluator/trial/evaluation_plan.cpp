// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator/trial/evaluation_plan.h"

#include "core/base/quantity.h"
#include "core/judge/evaluator/trial/call_inputs.h"
#include "core/judge/evaluator/trial/shape_cuts.h"
#include "core/judge/measured_shapes.h"
#include "core/judge/plan/strict_fields.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <functional>
#include <limits>
#include <utility>

namespace gks {
namespace {

// On a CPU a larger shape takes too long to be run as it is.
constexpr double cheapOnCpuFlops = 3e8;
constexpr double cheapHeldOutFlops = 1e8;
constexpr double cheapCutFlops = 3e7;
constexpr double dearestCutFlops = 6e8;
constexpr double drawnOnGpuFlops = 1e10; // what is expected is computed on the host
// All that is looked at for races beside the cpu shapes: an access costs there, and a wait a multiple of it.
constexpr double racesFlops = 2e6;
constexpr int drawnShapes = 3;
constexpr std::size_t samplesOfLarge = 1024;      // what differs there alone is no single element
constexpr int probedCardsRules = raceShapesRules; // the first that came with probes of timed calls on cards
constexpr double noLimit = std::numeric_limits<double>::infinity();
constexpr std::array otherDistributions = {Distribution::wideRange, Distribution::structuredZeros,
                                           Distribution::extremeScales};

class Planner {
public:
    explicit Planner(const ProblemPack& pack) : m_pack(pack) {}

    // The first shape sees all distributions, the others the declared one and one more in turn.
    Result<void> verify(ShapeSet set, std::string_view phase, double flopsLimit, bool everything) {
        for (const Shape& shape : m_pack.shapesOf(set)) {
            GKS_TRY_ASSIGN(const double flops, m_pack.flops(shape));
            if (flops > flopsLimit) {
                continue;
            }
            std::vector<Distribution> distributions = {Distribution::asDeclared};
            if (m_plan.cases.empty()) {
                distributions.insert(distributions.end(), otherDistributions.begin(), otherDistributions.end());
            } else {
                distributions.push_back(otherDistributions[m_plan.cases.size() % otherDistributions.size()]);
            }
            GKS_TRY(add(shape, phase, everything, std::move(distributions), firstRules));
        }
        return {};
    }

    // The held-out shapes that are dearer than this.
    Result<void> cutHeldOut(double flopsLimit) {
        for (const Shape& shape : m_pack.shapesOf(ShapeSet::heldOut)) {
            GKS_TRY_ASSIGN(const double flops, m_pack.flops(shape));
            if (flops > flopsLimit) {
                GKS_TRY(addLarge(shape, {flopsLimit, dearestCutFlops}, phase::heldOut, phase::heldOutCut));
            }
        }
        return {};
    }

    // Of the benchmark shapes the largest, several may be.
    Result<void> verifyLargest() {
        const double most = mostBenchmarkFlops();
        for (const Shape& shape : m_pack.shapesOf(ShapeSet::benchmark)) {
            if (m_pack.flops(shape).value_or(0) >= most) {
                GKS_TRY(addOnce(shape, phase::largest));
            }
        }
        return {};
    }

    // Every benchmark shape, the largest as it is where it costs no more than this and the others where they are cheap,
    // else in cuts; and every largest extent.
    Result<void> verifyBenchmark(double largestFlops) {
        const double most = mostBenchmarkFlops();
        for (const Shape& shape : m_pack.shapesOf(ShapeSet::benchmark)) {
            const double flops = m_pack.flops(shape).value_or(0);
            if (flops >= most) {
                GKS_TRY(addLarge(shape, {largestFlops, dearestCutFlops}, phase::largest, phase::benchmarkCut));
            } else {
                const double cutFlops = m_pack.dims.size() > 1 ? dearestCutFlops : cheapCutFlops; // else its own cut
                GKS_TRY(addLarge(shape, {cheapCutFlops, cutFlops}, phase::benchmark, phase::benchmarkCut));
            }
            nameIfNotRun(shape, flops);
        }
        return addLarge(largestExtents(m_pack), {0, dearestCutFlops}, phase::largest, phase::largestCut);
    }

    // Shapes of this evaluation alone.
    Result<void> drawShapes(double flopsLimit, const Seed& seed) {
        SeededStream random(seed, 0);
        for (std::size_t i = 0; i < drawnShapes; ++i) {
            const auto shape = drawnShape(m_pack, flopsLimit, random);
            if (shape && !isKnown(*shape)) {
                GKS_TRY(add(*shape, phase::heldOutDrawn, false,
                            {Distribution::asDeclared, otherDistributions[i % otherDistributions.size()]},
                            drawnShapesRules));
                m_plan.cases.back().samples = samplesOfLarge;
            }
        }
        return {};
    }

    // Every cpu shape, and of the others that are verified, the dearest first, those for which there is room.
    Result<void> reverse(double roomFlops) {
        for (const Shape& shape : m_pack.shapesOf(ShapeSet::cpu)) {
            GKS_TRY(addReversed(shape, nullptr));
        }
        std::vector<std::pair<double, const VerificationCase*>> others;
        for (const VerificationCase& one : m_plan.cases) {
            if (!isIn(m_plan.reversed, one.layout.shape)) {
                others.emplace_back(m_pack.flops(one.layout.shape).value_or(noLimit), &one);
            }
        }
        std::ranges::stable_sort(others, std::greater(), [](const auto& one) { return one.first; });
        for (const auto& [flops, one] : others) {
            if (flops <= roomFlops && !isIn(m_plan.reversed, one->layout.shape)) {
                roomFlops -= flops;
                GKS_TRY(addReversed(one->layout.shape, one));
            }
        }
        return {};
    }

    Result<void> measure(const std::vector<Shape>& shapes) {
        for (const Shape& shape : shapes) {
            GKS_TRY_ASSIGN(CaseLayout layout, layoutOf(m_pack, shape, InputSource::timesDrawn));
            m_plan.measured.push_back(std::move(layout));
        }
        return {};
    }

    EvaluationPlan finish() {
        const std::vector<Shape>& benchmark = m_pack.shapesOf(ShapeSet::benchmark);
        const auto left =
            std::count_if(benchmark.begin(), benchmark.end(), [this](const Shape& shape) { return !isKnown(shape); });
        if (left > 0 && !m_plan.notRun.empty()) {
            m_plan.notRun.insert(m_plan.notRun.begin(),
                                 fmt::format("{} of {} benchmark shapes as they are", left, benchmark.size()));
        }
        const auto grow = [&](const CaseLayout& layout) {
            m_plan.segmentBytes = std::max(m_plan.segmentBytes, layout.totalBytes);
            m_plan.inputBytes = std::max(m_plan.inputBytes, layout.inputBytes);
        };
        for (const auto* cases : {&m_plan.cases, &m_plan.reversed}) {
            for (const VerificationCase& one : *cases) {
                grow(one.layout);
            }
        }
        std::for_each(m_plan.measured.begin(), m_plan.measured.end(), grow);
        return std::move(m_plan);
    }

private:
    double mostBenchmarkFlops() const {
        double most = 0;
        for (const Shape& shape : m_pack.shapesOf(ShapeSet::benchmark)) {
            most = std::max(most, m_pack.flops(shape).value_or(0));
        }
        return most;
    }

    Result<void> add(const Shape& shape, std::string_view phase, bool everything,
                     std::vector<Distribution> distributions, int since) {
        GKS_TRY_ASSIGN(CaseLayout layout, layoutOf(m_pack, shape));
        m_plan.cases.push_back({std::move(layout), std::string(phase), everything, std::move(distributions), since});
        return {};
    }

    // Looked at as the case is that has the shape; without one, a cpu shape.
    Result<void> addReversed(const Shape& shape, const VerificationCase* like) {
        GKS_TRY_ASSIGN(CaseLayout layout, layoutOf(m_pack, shape));
        for (runner::Place& place : layout.places) { // a read that goes too far leaves the buffer and is named
            place.bandBehindBytes = 0;
        }
        VerificationCase one = {std::move(layout), std::string(phase::reversed), true, {Distribution::asDeclared}};
        if (like != nullptr) {
            one.everything = like->everything;
            one.samples = like->samples;
            one.since = raceShapesRules;
        }
        m_plan.reversed.push_back(std::move(one));
        return {};
    }

    void nameIfNotRun(const Shape& shape, double flops) {
        const std::string begin = m_pack.shapeLabel(shape) + ": ";
        const bool isNamed = std::any_of(m_plan.notRun.begin(), m_plan.notRun.end(),
                                         [&](const std::string& one) { return one.starts_with(begin); });
        if (!isKnown(shape) && !isNamed) {
            m_plan.notRun.push_back(begin + formatFlop(flops) + ", cuts of it alone");
        }
    }

    struct Limits {
        double wholeFlops = 0; // of the shape itself
        double cutFlops = 0;   // of a cut that alone has an extent
    };
    // The shape itself where it costs no more than that, else its cuts. What is among the cases already is not
    // run twice.
    Result<void> addLarge(const Shape& shape, const Limits& limits, std::string_view whole, std::string_view part) {
        if (m_pack.flops(shape).value_or(noLimit) <= limits.wholeFlops) {
            return addOnce(shape, whole);
        }
        ShapeCuts cuts = cutsOf(m_pack, shape, {cheapCutFlops, limits.cutFlops});
        for (const Shape& one : cuts.shapes) {
            GKS_TRY(addOnce(one, one == shape ? whole : part));
        }
        for (std::string& left : cuts.notRun) {
            if (std::find(m_plan.notRun.begin(), m_plan.notRun.end(), left) == m_plan.notRun.end()) {
                m_plan.notRun.push_back(std::move(left));
            }
        }
        return {};
    }

    Result<void> addOnce(const Shape& shape, std::string_view phase) {
        if (isKnown(shape)) {
            return {};
        }
        const bool isNew = phase == phase::benchmark || phase == phase::benchmarkCut;
        GKS_TRY(add(shape, phase, false, {Distribution::asDeclared}, isNew ? benchmarkShapesRules : largeShapesRules));
        m_plan.cases.back().samples = samplesOfLarge;
        return {};
    }

    static bool isIn(const std::vector<VerificationCase>& cases, const Shape& shape) {
        return std::any_of(cases.begin(), cases.end(),
                           [&](const VerificationCase& known) { return known.layout.shape == shape; });
    }
    bool isKnown(const Shape& shape) const { return isIn(m_plan.cases, shape); }

    const ProblemPack& m_pack;
    EvaluationPlan m_plan;
};

Result<void> verifyOnCpu(Planner& planner, ShapeChoice choice) {
    const bool thorough = choice == ShapeChoice::benchmark || choice == ShapeChoice::all;
    const double heldOutFlops = thorough ? cheapOnCpuFlops : cheapHeldOutFlops;
    GKS_TRY(planner.verify(ShapeSet::cpu, phase::test, noLimit, true));
    if (choice == ShapeChoice::test || choice == ShapeChoice::all) {
        GKS_TRY(planner.verify(ShapeSet::test, phase::test, cheapOnCpuFlops, true));
    }
    GKS_TRY(planner.verify(ShapeSet::heldOut, phase::heldOut, heldOutFlops, true));
    GKS_TRY(planner.cutHeldOut(heldOutFlops));
    return planner.verifyBenchmark(cheapOnCpuFlops);
}

Result<void> verifyOnGpu(Planner& planner, ShapeChoice choice) {
    GKS_TRY(planner.verify(ShapeSet::test, phase::test, noLimit, true));
    GKS_TRY(planner.verify(ShapeSet::heldOut, phase::heldOut, noLimit, true));
    const ShapeSet measured = choice == ShapeChoice::quick  ? ShapeSet::quick
                              : choice == ShapeChoice::test ? ShapeSet::test
                                                            : ShapeSet::benchmark;
    if (measured != ShapeSet::test) {
        GKS_TRY(planner.verify(measured, phase::beforeMeasuring, noLimit, false));
    }
    return planner.verifyLargest();
}

} // namespace

Result<EvaluationPlan> planEvaluation(const ProblemPack& pack, TargetKind target, ShapeChoice choice,
                                      const std::optional<Seed>& seed) {
    const std::vector<Shape> measured = measuredShapes(pack, target, choice);
    if (measured.empty()) {
        return usageError("the problem has no shapes to measure on this target", pack.name);
    }
    Planner planner(pack);
    GKS_TRY(target == TargetKind::cpu ? verifyOnCpu(planner, choice) : verifyOnGpu(planner, choice));
    if (seed) {
        GKS_TRY(planner.drawShapes(target == TargetKind::cpu ? cheapCutFlops : drawnOnGpuFlops, *seed));
    }
    if (target == TargetKind::cpu) {
        GKS_TRY(planner.reverse(racesFlops));
    }
    GKS_TRY(planner.measure(measured));
    EvaluationPlan plan = planner.finish();
    plan.hasFreshInputs = target == TargetKind::cpu;
    return plan;
}

Result<std::optional<Seed>> shapeSeedFromText(const std::string& text) {
    PlanBytes bytes;
    Seed seed{};
    if (text.empty()) {
        return std::optional<Seed>();
    }
    if (text.size() != 2 * seed.size() || !bytesFromHex(text, bytes)) {
        return usageError("what shapes are drawn from is no seed of 32 bytes in hex", "shape_seed");
    }
    std::copy(bytes.begin(), bytes.end(), seed.begin());
    return std::optional(seed);
}

std::vector<DueCheck> dueChecks(const EvaluationPlan& plan) {
    std::vector<DueCheck> due;
    for (const auto* cases : {&plan.cases, &plan.reversed}) {
        for (const VerificationCase& one : *cases) {
            for (const Distribution distribution : one.distributions) {
                due.push_back({&one.layout, one.phase, distribution, one.since});
            }
        }
    }
    for (const CaseLayout& layout : plan.measured) {
        due.push_back({&layout, phase::timedCall, Distribution::asDeclared});
        due.push_back({&layout, phase::everyTimedCall, Distribution::asDeclared,
                       plan.hasFreshInputs ? shapeSeedRules : probedCardsRules, plan.hasFreshInputs});
        if (plan.hasFreshInputs) {
            due.push_back({&layout, phase::betweenTimedCalls, std::nullopt, shapeSeedRules});
        }
    }
    return due;
}

} // namespace gks
