// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/summary.h"

#include "core/campaign/ranking.h"
#include "core/campaign/rules.h"
#include "core/campaign/store.h"

#include <algorithm>

namespace gks {

bool isOwnVerdict(const Evaluation& evaluation) {
    if (evaluation.verdict.kind == VerdictKind::infrastructureFailed) {
        return false;
    }
    if (isAsked(evaluation.purpose) && evaluation.verdict.kind == VerdictKind::timedOut) {
        return false; // a kernel need not be quick on shapes that the campaign does not measure
    }
    return !standsBeside(evaluation.purpose) || !isAccepted(evaluation.verdict.kind);
}

const Evaluation* ownRun(const std::vector<Evaluation>& evaluations) {
    const auto own = std::find_if(evaluations.rbegin(), evaluations.rend(), isOwnVerdict);
    const auto any = std::find_if(evaluations.rbegin(), evaluations.rend(),
                                  [](const Evaluation& one) { return !one.verdict.measurements.empty(); });
    const auto shown = own != evaluations.rend() ? own : any;
    return shown == evaluations.rend() ? nullptr : &*shown;
}

std::optional<ComparisonFact> stepFromParent(const Evaluation& evaluation, std::optional<KernelId> parent) {
    return evaluation.baseline && evaluation.baseline == parent ? evaluation.verdict.comparison : std::nullopt;
}

std::optional<double> measuredGain(const ComparisonFact& fact) {
    return fact.verdict == VerdictKind::undecided || fact.ratio <= 0 ? std::nullopt : std::optional(fact.ratio);
}

void derive(Population& population) {
    population.baseline.reset();
    population.best.reset();
    for (const Kernel& kernel : population.kernels) {
        if (kernel.author == Author::seed) {
            population.baseline = kernel.id;
            break;
        }
    }
    if (!population.baseline) {
        population.scale.reset();
    } else if (!population.scale || !population.scale->isOf(*population.baseline, population.comparisons)) {
        population.scale = std::make_shared<const SpeedScale>(*population.baseline, population.comparisons);
    }
    const Kernel* best = nullptr;
    for (Kernel& kernel : population.kernels) {
        const auto speed =
            isMeasured(kernel) && population.scale ? population.scale->speed(kernel.id) : std::optional<SpeedRatio>();
        kernel.speedup = speed ? speed->ratio : 0;
        kernel.speedupCi95 = speed ? speed->ci95 : Interval();
        kernel.speedupCi99 = speed ? speed->ci99 : Interval();
        if (isMeasured(kernel) && (best == nullptr || isFaster(kernel, *best))) {
            best = &kernel;
        }
    }
    if (best != nullptr) {
        population.best = best->id;
    }
    for (Experiment& experiment : population.experiments) {
        experiment.state = stateByDrafts(experiment, population);
    }
}

} // namespace gks
