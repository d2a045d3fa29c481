// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/summary.h"
#include "core/engine/loop.h"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>

// New structures at their best (structures.h): points of the tuner, then tuned against tuned.
namespace gks {

// Drafts points until every lane has work. Experiments of the tuner that have no kernel yet come first, after a kill or
// when the campaign had another scientist before: no model is asked to set a number.
void Loop::startTuning() {
    while (m_state == EngineState::running && !hasEnoughDrafts()) {
        const auto& experiments = m_population->experiments;
        const auto left = std::find_if(experiments.begin(), experiments.end(), [this](const Experiment& experiment) {
            return m_structures.isPoint(experiment) && experiment.state == ExperimentState::approved;
        });
        if (left != experiments.end()) {
            const Experiment experiment = *left;
            drafted(experiment, tuner().write(briefing(), experiment, {}));
            refresh();
            continue;
        }
        const Kernel* due = m_structures.dueRoot();
        if (due == nullptr || !proposePoint(*due)) {
            return;
        }
    }
}

// False when the campaign cannot be written.
bool Loop::proposePoint(const Kernel& root) {
    const KernelId rootId = root.id;
    const Kernel* basis = m_structures.fastestLike(root);
    auto proposals = tuner().design(briefing(), {basis->id, {}, {}}, {});
    if (!proposals || proposals->empty()) {
        m_structures.setSearched(rootId);
        if (!proposals) {
            warn(proposals.error(), "tuner", rootId);
        }
        return true;
    }
    Experiment experiment = std::move(proposals->front());
    const Experiment* origin = root.experiment ? m_population->experiment(*root.experiment) : nullptr;
    experiment.round = origin != nullptr ? origin->round : 0; // no round of its own: nobody is to decide on it
    experiment.pick.clear();
    experiment.state = ExperimentState::approved;
    if (m_structures.pointsOf(root) == 0 &&
        !stored(m_store->addSteering({0, Author::engine, "tune structure",
                                      fmt::format("{}: up to {} evaluations before it is judged", kernelLabel(rootId),
                                                  m_population->settings.policies.tuningEvaluations),
                                      0}))) {
        return false;
    }
    const bool added = stored(m_store->addExperiments({std::move(experiment)}));
    refresh();
    return added;
}

// A structure whose points are all measured is compared, tuned against tuned. True when the lane has work.
bool Loop::startDuel(Lane& lane) {
    const auto duel = m_structures.dueDuel();
    if (!duel) {
        return false;
    }
    m_structures.setDuelled(duel->root->id, true);
    evaluate(lane, *duel->fastest, duel->rival, tunedPurpose);
    return true;
}

void Loop::keepDuel(const Evaluation& evaluation) {
    const Kernel* kernel = m_population->kernel(evaluation.kernel);
    const Kernel* root = kernel == nullptr ? nullptr : m_structures.rootOf(*kernel);
    const Experiment* known =
        root != nullptr && root->experiment ? m_population->experiment(*root->experiment) : nullptr;
    if (evaluation.verdict.kind == VerdictKind::infrastructureFailed && root != nullptr) {
        m_structures.setDuelled(root->id, false);
    }
    if (known == nullptr || !evaluation.verdict.comparison || !isAccepted(evaluation.verdict.kind)) {
        return;
    }
    const ComparisonFact& fact = *evaluation.verdict.comparison;
    Experiment experiment = *known;
    experiment.tunedGainPercent = measuredGainPercent(fact);
    const std::string detail =
        fmt::format("{} at its best, {}, against {}: {} ({})", kernelLabel(root->id), kernelLabel(kernel->id),
                    kernelLabel(evaluation.baseline.value_or(0)), ratioText(fact), name(fact.verdict));
    if (stored(m_store->updateExperiment(experiment, {0, Author::engine, "judge tuned structure", detail, 0}))) {
        refresh();
    }
}

Scientist& Loop::tuner() {
    if (!m_tuner) {
        m_tuner = makeTuner();
    }
    return *m_tuner;
}

} // namespace gks
