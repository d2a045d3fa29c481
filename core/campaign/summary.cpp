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
    population.speeds = {};
    const Kernel* best = nullptr;
    std::optional<SpeedRatio> bestSpeed;
    for (const Kernel& kernel : population.kernels) {
        if (!isMeasured(kernel)) {
            continue;
        }
        const auto speed = population.scale ? population.scale->speed(kernel.id) : std::optional<SpeedRatio>();
        if (speed) {
            population.speeds.set(kernel.id, *speed);
        }
        if (best == nullptr || isFaster(kernel, speed ? &*speed : nullptr, *best, bestSpeed ? &*bestSpeed : nullptr)) {
            best = &kernel;
            bestSpeed = speed;
        }
    }
    if (best != nullptr) {
        population.best = best->id;
    }
    for (std::size_t place = 0; place < population.experiments.size(); ++place) {
        const Experiment& experiment = population.experiments[place];
        if (const ExperimentState state = stateByDrafts(experiment, population); state != experiment.state) {
            population.experiments.edit(place).state = state;
        }
    }
}

} // namespace gks
