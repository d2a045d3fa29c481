// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/tuning.h"

#include "core/campaign/rules.h"
#include "core/campaign/summary.h"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>

namespace gks {

bool Tuning::draftPoint() {
    const Structures& structures = m_run.structures();
    const auto& experiments = m_run.population().experiments;
    const auto left = std::find_if(experiments.begin(), experiments.end(), [&](const Experiment& experiment) {
        return structures.isPoint(experiment) && experiment.state == ExperimentState::approved;
    });
    const Kernel* due = left == experiments.end() ? structures.dueRoot() : nullptr;
    if (left == experiments.end() && due == nullptr) {
        return false;
    }
    const auto briefing = m_briefings.of(m_campaign.population());
    if (!briefing) {
        m_run.halt(briefing.error(), "problem");
        return false;
    }
    if (due != nullptr) {
        return proposePoint(*due, *briefing);
    }
    m_drafts.drafted({CallTask::write, left->id}, tuner().write(*briefing, *left, {}), Author::tuner);
    m_run.refresh();
    return true;
}

// False when the campaign cannot be written.
bool Tuning::proposePoint(const Kernel& root, const Briefing& briefing) {
    const KernelId rootId = root.id;
    const Kernel* basis = m_run.structures().fastestLike(root);
    auto design = tuner().design(briefing, {basis->id, {}, {}}, {});
    if (!design || design->experiments.empty()) {
        m_run.structures().setSearched(rootId);
        if (!design) {
            m_run.warn(design.error(), "tuner", rootId);
        }
        return true;
    }
    Experiment experiment = std::move(design->experiments.front());
    const Experiment* origin = root.experiment ? m_run.population().experiment(*root.experiment) : nullptr;
    experiment.round = origin != nullptr ? origin->round : 0; // no round of its own: nobody is to decide on it
    experiment.pick.clear();
    experiment.state = ExperimentState::approved;
    const std::string detail = fmt::format("{}: up to {} evaluations before it is judged", kernelLabel(rootId),
                                           m_run.population().settings.policies.tuningEvaluations);
    if (m_run.structures().pointsOf(root) == 0 &&
        !m_run.stored(m_run.store().addSteering({0, Author::engine, "tune new kernel", detail, 0}))) {
        return false;
    }
    const bool added = m_run.stored(m_run.store().addExperiments({std::move(experiment)}));
    m_run.refresh();
    return added;
}

void Tuning::keepDuel(const Evaluation& evaluation) {
    const Kernel* kernel = m_run.population().kernel(evaluation.kernel);
    const Kernel* root = kernel == nullptr ? nullptr : m_run.structures().rootOf(*kernel);
    const Experiment* known =
        root != nullptr && root->experiment ? m_run.population().experiment(*root->experiment) : nullptr;
    if (evaluation.verdict.kind == VerdictKind::infrastructureFailed && root != nullptr) {
        m_run.structures().setDuelled(root->id, false);
    }
    if (known == nullptr || !evaluation.verdict.comparison || !isAccepted(evaluation.verdict.kind)) {
        return;
    }
    const ComparisonFact& fact = *evaluation.verdict.comparison;
    Experiment experiment = *known;
    experiment.tunedGain = measuredGain(fact);
    const std::string detail =
        fmt::format("best configuration of {}, {}, vs {}: {} ({})", kernelLabel(root->id), kernelLabel(kernel->id),
                    kernelLabel(evaluation.baseline.value_or(0)), ratioText(fact), name(fact.verdict));
    if (m_run.stored(
            m_run.store().updateExperiment(experiment, {0, Author::engine, "compare tuned kernels", detail, 0}))) {
        m_run.refresh();
    }
}

Scientist& Tuning::tuner() {
    if (!m_tuner) {
        m_tuner = makeTuner();
    }
    return *m_tuner;
}

} // namespace gks
