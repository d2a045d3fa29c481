// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/verdicts.h"

#include "core/campaign/rules.h"
#include "core/scientist/probe_findings.h"

namespace gks {

std::optional<ExperimentState> Verdicts::itsExperiment(const Evaluation& evaluation) const {
    const Kernel* kernel = m_run.population().kernel(evaluation.kernel);
    const Experiment* experiment =
        kernel != nullptr && kernel->experiment ? m_run.population().experiment(*kernel->experiment) : nullptr;
    if (experiment == nullptr) {
        return std::nullopt;
    }
    Kernel judged = *kernel;
    judged.state = KernelState::evaluated;
    judged.verdict = evaluation.verdict.kind;
    return m_drafts.tally(*experiment, &judged).state();
}

void Verdicts::keep(const Evaluation& evaluation) {
    m_run.refresh(); // a kernel of this experiment may have been added since
    const auto kept = m_campaign.keep(evaluation, itsExperiment(evaluation));
    if (!kept) {
        m_run.halt(kept.error(), "campaign", evaluation.kernel);
        return;
    }
    m_run.refresh();
    if (evaluation.purpose == tunedPurpose) {
        m_tuning.keepDuel(evaluation);
    }
    learn(evaluation, *kept);
}

// A comparison tuned against tuned is about the experiment that led to the structure, and takes the place of what its
// first draft taught.
void Verdicts::learn(Evaluation evaluation, std::int64_t id) {
    const PopulationPtr held = m_campaign.population();
    const Kernel* kernel = held->kernel(evaluation.kernel);
    if (kernel != nullptr && kernel->probe) {
        evaluation.id = id;
        keepFinding(probeFinding(*held, *kernel, evaluation));
        return;
    }
    if (kernel != nullptr && evaluation.purpose == tunedPurpose) {
        kernel = m_run.structures().rootOf(*kernel);
    }
    const Experiment* experiment =
        kernel != nullptr && kernel->experiment ? held->experiment(*kernel->experiment) : nullptr;
    if (experiment == nullptr ||
        m_run.structures().isPoint(*experiment)) { // the points of a structure are judged by their best
        return;
    }
    evaluation.id = id;
    FindingContext context;
    const auto before = m_run.store().newestVerdict(evaluation.baseline.value_or(experiment->parent));
    if (before && *before) {
        context.parentReport = (*before)->staticReport;
    }
    if (evaluation.purpose == tunedPurpose) {
        const auto drafts = m_run.store().evaluations(kernel->id);
        for (const Evaluation& draft : drafts ? *drafts : std::vector<Evaluation>()) {
            if (draft.id != id) {
                context.superseded.push_back(draft.id);
            }
        }
    }
    keepFinding(updateFindings(*held, *experiment, *kernel, evaluation, context));
}

void Verdicts::keepFinding(const std::optional<FindingChange>& change) {
    if (!change) {
        return;
    }
    const bool done = change->isNew ? m_run.stored(m_run.store().addFinding(change->finding))
                                    : m_run.stored(m_run.store().updateFinding(change->finding));
    if (done) {
        m_run.refresh();
    }
}

void Verdicts::keepUnsaved() {
    m_run.stored(m_campaign.keepExchanges());
    for (const Evaluation& evaluation : m_campaign.takeUnsaved()) {
        keep(evaluation);
    }
}

} // namespace gks
