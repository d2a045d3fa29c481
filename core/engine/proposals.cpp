// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/proposals.h"

#include "core/base/hash.h"
#include "core/campaign/model_stages.h"
#include "core/campaign/normalized_source.h"
#include "core/campaign/rules.h"
#include "core/engine/scheduler.h"
#include "core/scientist/lessons.h"
#include "core/scientist/tunables.h"

#include <algorithm>
#include <fmt/format.h>

namespace gks {
namespace {

// The source that an experiment of the tuner leads to: the same point of the same structure, whatever the parent is.
std::string tunedSource(const Population& population, const Experiment& experiment) {
    const Kernel* parent = population.kernel(experiment.parent);
    return parent == nullptr
               ? std::string()
               : normalizedSource(
                     withTunables(parent->source.orNothing(), experiment.tunables).value_or(std::string()));
}

// Who selects and designs.
Author planner(const Population& population) {
    return population.settings.scientist == ScientistKind::tuner ? Author::tuner : Author::model;
}

} // namespace

void Proposals::selected(const Result<Selection>& selection) {
    if (!selection) {
        if (selection.error().kind == ErrorKind::kernel) {
            m_run.notes.finishing = selection.error().message(); // there is no kernel to go on from
        } else if (selection.error().kind != ErrorKind::cancelled) {
            m_run.halt(selection.error(), std::string(name(ModelStage::selector)));
        }
        return;
    }
    const Kernel* basis = m_run.population().kernel(selection->basis);
    if (basis == nullptr || basis->probe ||
        (selection->reference && m_run.population().kernel(*selection->reference) == nullptr)) {
        m_run.halt(Error{ErrorKind::infrastructure,
                         fmt::format("the Selector chose kernel {}, which does not exist", selection->basis)},
                   std::string(name(ModelStage::selector)));
        return;
    }
    const auto& pinned = m_run.population().settings.pinnedParent;
    m_outlet.emit(
        NextParentChanged{selection->basis, selection->reference, selection->rationale, pinned == selection->basis});
    std::string detail = kernelLabel(selection->basis);
    if (selection->reference) {
        detail += " with reference " + kernelLabel(*selection->reference);
    }
    if (m_run.stored(m_run.store().addSteering(
            {0, planner(m_run.population()), "select parent", detail + ": " + selection->rationale, 0}))) {
        m_selection = *selection;
    }
}

void Proposals::designed(const Result<Design>& design) {
    if (!design) {
        if (design.error().kind == ErrorKind::kernel) {
            m_run.notes.exhausted = true;
            m_run.warn(design.error(), std::string(name(ModelStage::designer)));
        } else if (design.error().kind != ErrorKind::cancelled) {
            m_run.halt(design.error(), std::string(name(ModelStage::designer)));
        }
        return;
    }
    if (design->experiments.empty()) {
        m_run.notes.exhausted = true;
        return;
    }
    if (design->round && !m_run.stored(m_run.store().addRound(*design->round, design->avenues))) {
        return;
    }
    if (!keepLessons(design->lessons)) {
        return;
    }
    const std::int64_t number = design->round ? design->round->id : m_run.population().newestRound() + 1;
    std::int64_t position = 0;
    for (const Experiment& experiment : m_run.population().experiments) {
        position = std::max(position, experiment.position);
    }
    const bool approveAll = m_run.population().settings.mode != Mode::approveExperiments;
    std::vector<Experiment> fresh;
    bool any = false;
    for (Experiment experiment : design->experiments) {
        experiment.round = number;
        experiment.state =
            approveAll && !experiment.pick.empty() ? ExperimentState::approved : ExperimentState::proposed;
        const Experiment* earlier = sameProposal(experiment);
        if (earlier != nullptr && isUnderWay(*earlier)) {
            continue;
        }
        any = any || !experiment.pick.empty();
        if (earlier == nullptr) {
            fresh.push_back(std::move(experiment));
        } else if (!takeUpAgain(*earlier, std::move(experiment), ++position)) {
            return;
        }
    }
    if (!any) { // a round of which nothing is to be run would be designed again and again
        m_run.notes.exhausted = true;
    }
    m_run.notes.roundDesigned = true;
    m_run.stored(m_run.store().addExperiments(std::move(fresh)));
}

// One after the other: two of one subject are one finding.
bool Proposals::keepLessons(const std::vector<Lesson>& lessons) {
    if (lessons.empty()) {
        return true;
    }
    const auto owners = m_run.store().evaluationOwners();
    if (!m_run.stored(owners)) {
        return false;
    }
    for (const Lesson& lesson : lessons) {
        const auto change = lessonFinding(m_run.population(), lesson, *owners);
        if (!change) {
            continue;
        }
        if (change->isNew ? !m_run.stored(m_run.store().addFinding(change->finding))
                          : !m_run.stored(m_run.store().updateFinding(change->finding))) {
            return false;
        }
        m_run.refresh();
    }
    return true;
}

const Experiment* Proposals::sameProposal(const Experiment& fresh) const {
    const auto same = [&](const Experiment& earlier) {
        if (earlier.tunables != fresh.tunables) {
            return false;
        }
        if (fresh.tunables.empty()) { // words mean the same change only as long as nothing came of them
            return isUndecided(earlier) && earlier.description == fresh.description && earlier.rubric == fresh.rubric;
        }
        return (isUndecided(earlier) || isUnderWay(earlier)) &&
               (earlier.parent == fresh.parent ||
                tunedSource(m_run.population(), earlier) == tunedSource(m_run.population(), fresh));
    };
    const auto& all = m_run.population().experiments;
    const auto found = std::find_if(all.rbegin(), all.rend(), same);
    return found == all.rend() ? nullptr : &*found;
}

bool Proposals::takeUpAgain(const Experiment& earlier, Experiment fresh, std::int64_t position) {
    fresh.id = earlier.id;
    fresh.position = position;
    fresh.createdAt = earlier.createdAt;
    if (earlier.editedByPerson) { // what a person wrote is kept
        fresh.description = earlier.description;
        fresh.rubric = earlier.rubric;
        fresh.editedByPerson = true;
    }
    return m_run.stored(
        m_run.store().updateExperiment(fresh, {0, planner(m_run.population()), "propose again", title(fresh), 0}));
}

void Proposals::setLeftOnesAside() {
    const std::vector<const Experiment*> left = leftProposals(m_run.population());
    for (const Experiment* experiment : left) { // nothing is read meanwhile
        Experiment retired = *experiment;
        retired.state = ExperimentState::notPicked;
        if (!m_run.stored(m_run.store().updateExperiment(
                retired, {0, planner(m_run.population()), "retire experiment", title(retired), 0}))) {
            return;
        }
    }
    if (!left.empty()) {
        m_run.refresh();
    }
}

} // namespace gks
