// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/drafts.h"

#include "core/base/text.h"
#include "core/campaign/limits.h"
#include "core/campaign/model_stages.h"
#include "core/campaign/rules.h"
#include "core/judge/probe.h"
#include "core/scientist/failure_text.h"
#include "core/scientist/novelty.h"

#include <algorithm>
#include <fmt/format.h>

namespace gks {
namespace {

constexpr int failedDraftLimit = 5; // in a row: then something is wrong that trying again does not cure

} // namespace

std::optional<Experiment> Drafts::begin(const Experiment& experiment) {
    Experiment writing = experiment;
    writing.state = ExperimentState::writing;
    return m_run.stored(m_run.store().updateExperiment(writing)) ? std::optional(writing) : std::nullopt;
}

void Drafts::drafted(ExperimentId id, const Result<Draft>& draft, const DraftOrigin& origin) {
    const Experiment experiment = *m_run.population().experiment(id); // a person may have moved it meanwhile
    if (!draft && draft.error().kind != ErrorKind::kernel) {
        Experiment back = experiment;
        back.state = ExperimentState::approved;
        if (m_run.stored(m_run.store().updateExperiment(back)) && draft.error().kind != ErrorKind::cancelled) {
            m_run.halt(draft.error(), std::string(name(ModelStage::writer)), {}, experiment.id);
        }
        return;
    }
    if (!draft) {
        fail(experiment, experiment.failure.empty() ? draft.error().message() : experiment.failure, origin.writer);
        return;
    }
    if (trimmed(draft->source).empty() || draft->source.size() > limits::kernelSourceBytes) {
        fail(experiment,
             fmt::format("the draft has {}, at most {} are allowed", formatBytes(draft->source.size()),
                         formatBytes(limits::kernelSourceBytes)),
             origin.writer);
        return;
    }
    const bool isProbe = experiment.kind == ExperimentKind::probe;
    if (const auto variants = probeVariants(draft->source); isProbe && !variants) {
        fail(experiment, variants.error().message(), origin.writer);
        return;
    }
    if (const Kernel* same = duplicateOf(draft->source, m_run.population(), isProbe)) {
        fail(experiment, "duplicate of " + kernelLabel(same->id), origin.writer);
        return;
    }
    m_run.notes.failedDrafts = 0;
    Kernel kernel;
    kernel.probe = isProbe;
    if (!isProbe) { // which comes from no kernel
        kernel.parents = {experiment.parent};
        kernel.reference = experiment.reference;
    }
    if (hasTwoParents(experiment.kind) && experiment.reference) {
        kernel.parents.push_back(*experiment.reference);
    }
    kernel.experiment = experiment.id;
    kernel.title = abbreviated(trimmed(draft->title.empty() ? experiment.description : draft->title),
                               limits::kernelTitleCharacters);
    kernel.author = experiment.author == Author::person ? origin.author : experiment.author;
    kernel.source = draft->source;
    kernel.report = draft->report;
    kernel.rubric = draft->rubric;
    kernel.model = draft->model;
    kernel.writer = origin.writer;
    kernel.draftUsd = origin.cost.usd;
    kernel.draftSeconds = origin.cost.seconds;
    kernel.state = stateOfDraft(kernel.author, m_run.population().settings.policies);
    const Author author = kernel.author;
    const auto added = m_run.store().addKernel(std::move(kernel));
    if (m_run.stored(added) && author == Author::model && !isProbe) {
        noteLikeness(*added, experiment, draft->source);
    }
}

// A kernel that is nearly another one is evaluated all the same; the history says so.
void Drafts::noteLikeness(KernelId kernel, const Experiment& experiment, const std::string& source) {
    std::vector<KernelId> related = {experiment.parent};
    for (const Kernel& other : m_run.population().kernels) {
        if (other.experiment == experiment.id) {
            related.push_back(other.id);
        }
    }
    const auto found = nearDuplicates(source, m_run.population(), related);
    if (!found.empty()) {
        m_run.stored(m_run.store().addSteering(
            {0, Author::engine, "novelty", kernelLabel(kernel) + " is " + noveltyText(found.front()), 0}));
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
        m_run.halt(
            Error{ErrorKind::infrastructure,
                  fmt::format("{} drafts in a row came to nothing, the last: {}", failedDraftLimit, failed.failure),
                  "scientist", "Look at the conversation, or try another model"},
            std::string(name(ModelStage::writer)), {}, experiment.id);
    }
}

RepairOrder repairOrder(const Population& population, const Kernel& failed, const std::optional<Verdict>& verdict) {
    std::ptrdiff_t attempt = 0;
    if (failed.experiment) {
        attempt = std::ranges::count_if(draftsOf(population, *failed.experiment), [&](const Kernel* draft) {
            return !failed.verdict || countsAsAttempt(*draft);
        });
    }
    return {{failed.source, failed.title, failed.report, failed.rubric, failed.model},
            {failed.verdict, failed.reason, verdict ? failureText(*verdict) : std::string()},
            static_cast<int>(attempt)};
}

} // namespace gks
