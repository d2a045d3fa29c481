// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluation_plan.h"

#include "core/judge/call_inputs.h"
#include "core/judge/measured_shapes.h"

#include <algorithm>
#include <array>
#include <limits>

namespace gks {
namespace {

// On a CPU a larger shape takes too long to be worth it; held-out shapes belong to every evaluation, the others do not.
constexpr double cheapOnCpuFlops = 3e8;
constexpr double cheapHeldOutFlops = 1e8;
constexpr double noLimit = std::numeric_limits<double>::infinity();
constexpr std::array otherDistributions = {Distribution::wideRange, Distribution::structuredZeros,
                                           Distribution::extremeScales};

class Planner {
public:
    explicit Planner(const ProblemPack& pack) : m_pack(pack) {}

    // The first shape sees all distributions, the others the declared one and one more in turn.
    Result<void> verify(ShapeSet set, const std::string& phase, double flopsLimit, bool everything) {
        for (const Shape& shape : m_pack.shapesOf(set)) {
            GKS_TRY_ASSIGN(const double flops, m_pack.flops(shape));
            if (flops > flopsLimit) {
                continue;
            }
            GKS_TRY_ASSIGN(CaseLayout layout, layoutOf(m_pack, shape));
            VerificationCase one{std::move(layout), phase, everything, {Distribution::asDeclared}};
            if (m_plan.cases.empty()) {
                one.distributions.insert(one.distributions.end(), otherDistributions.begin(), otherDistributions.end());
            } else {
                one.distributions.push_back(otherDistributions[m_plan.cases.size() % otherDistributions.size()]);
            }
            m_plan.cases.push_back(std::move(one));
        }
        return {};
    }

    Result<void> reverse(ShapeSet set) {
        for (const Shape& shape : m_pack.shapesOf(set)) {
            GKS_TRY_ASSIGN(CaseLayout layout, layoutOf(m_pack, shape));
            for (runner::Place& place : layout.places) { // a read that goes too far leaves the buffer and is named
                place.bandBehindBytes = 0;
            }
            m_plan.reversed.push_back({std::move(layout), "reversed thread order", true, {Distribution::asDeclared}});
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
    const ProblemPack& m_pack;
    EvaluationPlan m_plan;
};

Result<void> verifyOnCpu(Planner& planner, ShapeChoice choice) {
    const bool thorough = choice == ShapeChoice::benchmark || choice == ShapeChoice::all;
    GKS_TRY(planner.verify(ShapeSet::cpu, "test", noLimit, true));
    if (choice == ShapeChoice::test || choice == ShapeChoice::all) {
        GKS_TRY(planner.verify(ShapeSet::test, "test", cheapOnCpuFlops, true));
    }
    GKS_TRY(planner.verify(ShapeSet::heldOut, "held-out", thorough ? cheapOnCpuFlops : cheapHeldOutFlops, true));
    return planner.reverse(ShapeSet::cpu);
}

Result<void> verifyOnGpu(Planner& planner, ShapeChoice choice) {
    GKS_TRY(planner.verify(ShapeSet::test, "test", noLimit, true));
    GKS_TRY(planner.verify(ShapeSet::heldOut, "held-out", noLimit, true));
    const ShapeSet measured = choice == ShapeChoice::quick  ? ShapeSet::quick
                              : choice == ShapeChoice::test ? ShapeSet::test
                                                            : ShapeSet::benchmark;
    return measured == ShapeSet::test ? Result<void>() : planner.verify(measured, "before measuring", noLimit, false);
}

} // namespace

Result<EvaluationPlan> planEvaluation(const ProblemPack& pack, TargetKind target, ShapeChoice choice) {
    const std::vector<Shape> measured = measuredShapes(pack, target, choice);
    if (measured.empty()) {
        return usageError("the problem has no shapes to measure on this target", pack.name);
    }
    Planner planner(pack);
    GKS_TRY(target == TargetKind::cpu ? verifyOnCpu(planner, choice) : verifyOnGpu(planner, choice));
    GKS_TRY(planner.measure(measured));
    return planner.finish();
}

} // namespace gks
