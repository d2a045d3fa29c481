// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/summary.h"

#include "core/campaign/rules.h"
#include "core/campaign/store.h"

namespace gks {

bool isOwnVerdict(const Evaluation& evaluation) {
    if (evaluation.verdict.kind == VerdictKind::infrastructureFailed) {
        return false;
    }
    return !standsBeside(evaluation.purpose) || !isAccepted(evaluation.verdict.kind);
}

std::optional<ComparisonFact> stepFromParent(const Evaluation& evaluation, std::optional<KernelId> parent) {
    return evaluation.baseline && evaluation.baseline == parent ? evaluation.verdict.comparison : std::nullopt;
}

std::optional<double> measuredGainPercent(const ComparisonFact& fact) {
    return fact.verdict == VerdictKind::undecided || fact.ratio <= 0 ? std::nullopt
                                                                     : std::optional((1 - 1 / fact.ratio) * 100);
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
    const Kernel* baseline = population.baseline ? population.kernel(*population.baseline) : nullptr;
    const double baselineUs = baseline != nullptr && isMeasured(*baseline) ? baseline->geomeanUs : 0;
    double bestUs = 0;
    for (Kernel& kernel : population.kernels) {
        const bool accepted = isMeasured(kernel);
        kernel.speedup = accepted && baselineUs > 0 ? baselineUs / kernel.geomeanUs : 0;
        if (accepted && (!population.best || kernel.geomeanUs < bestUs)) {
            population.best = kernel.id;
            bestUs = kernel.geomeanUs;
        }
    }
}

} // namespace gks
