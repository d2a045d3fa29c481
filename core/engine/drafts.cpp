// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/drafts.h"

#include "core/base/text.h"
#include "core/campaign/limits.h"
#include "core/campaign/model_stages.h"
#include "core/campaign/rules.h"
#include "core/judge/probe.h"
#include "core/scientist/failure_text.h"
#include "core/scientist/novelty.h"

#include <fmt/format.h>

namespace gks {
namespace {

constexpr int failedDraftLimit = 5; // in a row: then something is wrong that trying again does not cure

} // namespace

std::optional<Experiment> Drafts::begin(const Experiment& experiment) {
    Experiment writing = experiment;
    writing.state = ExperimentState::writing;
    return writing == experiment || m_run.stored(m_run.store().updateExperiment(writing)) ? std::optional(writing)
                                                                                          : std::nullopt;
}

// The call that brought a draft has ended: nobody else need be writing.
DraftTally Drafts::tally(const Experiment& experiment, const Kernel* changed) const {
    Experiment now = experiment;
    if (now.state == ExperimentState::writing) {
        now.state = ExperimentState::approved;
    }
    return draftTally(m_run.population(), now, underWay(), changed);
}

void Drafts::drafted(const ScientistCall& call, const Result<Draft>& draft, Author author, const DraftCost& cost) {
    const Experiment experiment =
        *m_run.population().experiment(*call.experiment); // a person may have moved it meanwhile
    if (!draft && draft.error().kind != ErrorKind::kernel) {
        Experiment back = experiment;
        const ExperimentState state = tally(experiment).state();
        back.state = state == ExperimentState::failed ? ExperimentState::approved : state;
        if (m_run.stored(m_run.store().updateExperiment(back)) && draft.error().kind != ErrorKind::cancelled) {
            m_run.halt(draft.error(), std::string(name(ModelStage::writer)), {}, experiment.id);
        }
        return;
    }
    if (!draft) {
        comeToNothing(experiment, call, experiment.failure.empty() ? draft.error().message() : experiment.failure);
        return;
    }
    if (trimmed(draft->source).empty() || draft->source.size() > limits::kernelSourceBytes) {
        comeToNothing(experiment, call,
                      fmt::format("the draft is too long: {} (limit {})", formatBytes(draft->source.size()),
                                  formatBytes(limits::kernelSourceBytes)));
        return;
    }
    const bool isProbe = experiment.kind == ExperimentKind::probe;
    if (const auto variants = probeVariants(draft->source); isProbe && !variants) {
        comeToNothing(experiment, call, variants.error().message());
        return;
    }
    if (const Kernel* same = duplicateOf(draft->source, m_run.population(), isProbe)) {
        comeToNothing(experiment, call, "duplicate of " + kernelLabel(same->id));
        return;
    }
    m_run.notes.failedDrafts = 0;
    const auto added = add(experiment, call, *draft, author, cost);
    const Author wrote = experiment.author == Author::person ? author : experiment.author;
    if (m_run.stored(added) && wrote == Author::model && !isProbe) {
        noteLikeness(*added, experiment, draft->source);
    }
}

Result<KernelId> Drafts::add(const Experiment& experiment, const ScientistCall& call, const Draft& draft, Author author,
                             const DraftCost& cost) {
    Kernel kernel;
    kernel.probe = experiment.kind == ExperimentKind::probe;
    if (!kernel.probe) { // which comes from no kernel
        kernel.parents = {experiment.parent};
        kernel.reference = experiment.reference;
    }
    if (hasTwoParents(experiment.kind) && experiment.reference) {
        kernel.parents.push_back(*experiment.reference);
    }
    kernel.experiment = experiment.id;
    kernel.title =
        abbreviated(trimmed(draft.title.empty() ? experiment.description : draft.title), limits::kernelTitleCharacters);
    kernel.author = experiment.author == Author::person ? author : experiment.author;
    kernel.source = draft.source;
    kernel.report = draft.report;
    kernel.rubric = draft.rubric;
    kernel.model = draft.model;
    kernel.writer = call.writer;
    kernel.draftUsd = cost.usd;
    kernel.draftSeconds = cost.seconds;
    kernel.state = stateOfDraft(kernel.author, m_run.population().settings.policies);
    const DraftTally after = tally(experiment, &kernel);
    const bool isRewritten = call.task == CallTask::repair || after.sentBack == nullptr;
    return m_run.store().addKernel(std::move(kernel), after.state(), isRewritten);
}

// A kernel that is nearly another one is evaluated all the same; the history says so.
void Drafts::noteLikeness(KernelId kernel, const Experiment& experiment, const std::string& source) {
    std::vector<KernelId> related = {experiment.parent};
    for (const Kernel& other : m_run.population().kernels) {
        if (other.experiment == experiment.id) {
            related.push_back(other.id);
        }
    }
    const auto found = Novelty().nearDuplicates(source, m_run.population(), related);
    if (!found.empty()) {
        m_run.stored(m_run.store().addSteering(
            {0, Author::engine, "near-duplicate", kernelLabel(kernel) + " is " + noveltyText(found.front()), 0}));
    }
}

// One of several drafts leaves a line; when nothing else of the experiment is left, it has failed.
void Drafts::comeToNothing(const Experiment& experiment, const ScientistCall& call, std::string failure) {
    Experiment rest = experiment;
    if (call.task == CallTask::write) {
        ++m_run.notes.barrenDrafts[experiment.id];
    } else if (const DraftTally before = tally(experiment); before.sentBack != nullptr) {
        rest.kernel.reset();
    }
    const DraftTally after = tally(rest);
    const bool isRepairLeft = call.task == CallTask::write && after.state() == ExperimentState::approved;
    if (after.isOver() && after.accepted == 0 && !isRepairLeft) {
        fail(experiment, std::move(failure), call.writer);
        return;
    }
    rest.state = after.state();
    m_run.stored(m_run.store().updateExperiment(
        rest, {0, Author::engine, "drop draft", fmt::format("of experiment {}: {}", experiment.id, failure), 0}));
}

ExperimentState Drafts::afterDecision(const Kernel& draft, CampaignStore::DraftDecision decision) const {
    using enum CampaignStore::DraftDecision;
    const Experiment* known = draft.experiment ? m_run.population().experiment(*draft.experiment) : nullptr;
    if (known == nullptr) {
        return ExperimentState::evaluating;
    }
    Kernel decided = draft;
    const bool isOffered = decision == approve || decision == reopen;
    decided.state = CampaignStore::stateAfter(decision);
    Experiment experiment = *known;
    if (isOffered && experiment.state == ExperimentState::rejected) {
        experiment.state = ExperimentState::evaluating;
    } else if (decision == sendBack) {
        experiment.kernel = draft.id;
        experiment.state = ExperimentState::approved;
    } else if (decision == reject && experiment.kernel == draft.id) {
        experiment.kernel.reset();
    }
    const DraftTally after = tally(experiment, &decided);
    return decision == reject && after.isOver() && after.accepted == 0 ? ExperimentState::rejected : after.state();
}

void Drafts::settle() {
    const SharedList<Experiment> all = m_run.population().experiments;
    for (Experiment experiment : all) {
        if (experiment.state != ExperimentState::approved || !experiment.kernel || tally(experiment).next()) {
            continue;
        }
        experiment.state = tally(experiment).state();
        if (!m_run.stored(m_run.store().updateExperiment(experiment))) {
            return;
        }
        m_run.refresh();
    }
}

void Drafts::fail(const Experiment& experiment, std::string failure, const std::string& writer) {
    Experiment failed = experiment;
    if (!experiment.kernel) { // no kernel says whose failure it is, and the portfolio counts it
        failed.writer = writer;
    }
    failed.state = ExperimentState::failed;
    failed.failure = std::move(failure);
    if (!m_run.stored(m_run.store().updateExperiment(failed))) {
        return;
    }
    m_run.warn(Error{ErrorKind::kernel, failed.failure}, std::string(name(ModelStage::writer)), {}, experiment.id);
    if (++m_run.notes.failedDrafts >= failedDraftLimit) {
        m_run.notes.failedDrafts = 0;
        m_run.halt(Error{ErrorKind::infrastructure,
                         fmt::format("{} experiments in a row failed; the last: {}", failedDraftLimit, failed.failure),
                         "scientist", "Open the conversation, or choose another model"},
                   std::string(name(ModelStage::writer)), {}, experiment.id);
    }
}

Result<RepairOrder> repairOrder(const Population& population, const Kernel& failed,
                                const std::optional<Verdict>& verdict) {
    GKS_TRY_ASSIGN(std::string source, failed.source.read());
    return RepairOrder{
        {std::move(source), failed.title, failed.report.orNothing(), failed.rubric.orNothing(), failed.model},
        {failed.verdict, failed.reason, verdict ? failureText(*verdict) : std::string()},
        repairAttempt(population, failed)};
}

} // namespace gks
