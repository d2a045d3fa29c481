// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/command_desk.h"

#include "core/campaign/model_stages.h"
#include "core/campaign/own_code.h"
#include "core/campaign/rules.h"
#include "core/engine/scheduler.h"

#include <algorithm>
#include <fmt/format.h>

namespace gks {
namespace {

// What a command is about, for the warning that it was refused.
const auto kernelOf = [](const auto& command) -> std::optional<KernelId> {
    if constexpr (requires { command.kernel; }) {
        return command.kernel;
    } else if constexpr (requires { command.basis; }) {
        return command.basis;
    } else if constexpr (requires { command.parent; }) {
        return command.parent;
    } else {
        return std::nullopt;
    }
};
const auto experimentOf = [](const auto& command) -> std::optional<ExperimentId> {
    if constexpr (requires { command.experiment; }) {
        return command.experiment;
    } else {
        return std::nullopt;
    }
};

// The order of what is approved with a person's new experiment in it: behind those of theirs, before the others.
std::vector<ExperimentId> personsFirst(const Population& population, ExperimentId added) {
    std::vector<const Experiment*> approved;
    for (const Experiment& experiment : population.experiments) {
        if (experiment.state == ExperimentState::approved) {
            approved.push_back(&experiment);
        }
    }
    std::sort(approved.begin(), approved.end(),
              [](const Experiment* a, const Experiment* b) { return a->position < b->position; });
    std::vector<ExperimentId> order;
    std::size_t place = 0;
    for (const Experiment* experiment : approved) {
        order.push_back(experiment->id);
        place = experiment->author == Author::person ? order.size() : place;
    }
    order.insert(order.begin() + static_cast<std::ptrdiff_t>(place), added);
    return order;
}

} // namespace

bool CommandDesk::mayWrite() {
    if (m.run.store().readOnly()) {
        m.run.warn(Error{ErrorKind::infrastructure, "the campaign is read-only", m.run.store().file().string(),
                         "Copy it to a writable folder"},
                   "campaign");
    }
    return !m.run.store().readOnly();
}

void CommandDesk::carryOut(const SteeringCommand& command) {
    if (const auto allowed = checkCommand(command, m.run.population()); !allowed) {
        m.run.warn(allowed.error(), "steering", std::visit(kernelOf, command), std::visit(experimentOf, command));
        return;
    }
    std::visit([this](const auto& one) { handle(one); }, command);
}

Result<void> CommandDesk::tryOut(const SteeringCommand& command) {
    GKS_TRY(checkCommand(command, m.run.population()));
    m.run.takeWarning();
    std::visit([this](const auto& one) { handle(one); }, command);
    const auto warned = m.run.takeWarning();
    return warned ? Result<void>(tl::unexpected(*warned)) : Result<void>();
}

Steering CommandDesk::historyLine(const SteeringCommand& command, std::int64_t made) const {
    return gks::historyLine(command, m.run.population(), made);
}

void CommandDesk::handle(const command::Start& start) {
    begin(m.run.population().settings.mode == Mode::step, start);
}

void CommandDesk::handle(const command::Step& step) {
    begin(true, step);
}

void CommandDesk::begin(bool oneRound, const SteeringCommand& command) {
    const bool runs = m.run.isRunning() && !m.run.notes.standing; // lanes that work for a person alone are no run
    if (runs || m.run.state() == EngineState::stopping || !m.trust.isTrusted(true)) {
        return;
    }
    m.run.notes = {};
    m.run.notes.oneRound = oneRound;
    m.run.notes.roundDesigned = isAnyApproved(); // a round that was approved before is the one to be run
    m.run.structures().forgetRun();
    m.lanes.failures().forget();
    if (m.lanes.inService(m.run.population().settings).empty()) {
        for (const std::string& label : m.lanes.labels()) { // who goes on now has seen why it ended, and has no other
            handle(command::RestoreLane{label});
        }
    }
    if (m.run.stored(m.run.store().addSteering(historyLine(command)))) {
        m.run.enter(EngineState::running, "");
        m.verdicts.keepUnsaved();
    }
}

bool CommandDesk::isAnyApproved() const {
    return nextExperiment(m.run.population(), m.run.structures()) != nullptr;
}

void CommandDesk::cancelWork() {
    m.lanes.cancel();
    m.benches.cancel();
    m.scientists.cancel();
}

void CommandDesk::cancelPlanning() {
    m.proposals.dropSelection();
    m.scientists.cancelPlanning();
}

void CommandDesk::handle(const command::Pause& pause) {
    if (m.run.isRunning()) {
        m.run.stored(m.run.store().addSteering(historyLine(pause)));
        m.run.enter(EngineState::paused, "");
    }
    m.run.notes.waitsForApproval = false;
}

void CommandDesk::handle(const command::Stop& stop) {
    if (m.run.state() == EngineState::stopping) {
        return;
    }
    m.run.stored(m.run.store().addSteering(historyLine(stop)));
    m.run.notes.waitsForApproval = false;
    m.proposals.dropSelection();
    cancelWork();
    m.run.enter(EngineState::stopping, "");
}

void CommandDesk::handle(const command::CancelCurrent& cancel) {
    m.run.stored(m.run.store().addSteering(historyLine(cancel)));
    m.run.notes.waitsForApproval = false;
    cancelWork();
    if (m.run.isRunning()) {
        m.run.enter(EngineState::paused, "cancelled");
    }
}

void CommandDesk::changeSettings(const SteeringCommand& command, const std::function<void(CampaignSettings&)>& change) {
    CampaignSettings settings = m.run.population().settings;
    change(settings);
    if (m.run.stored(m.run.store().saveSettings(settings, historyLine(command)))) {
        m.run.notes.exhausted = false;
        m.run.notes.finishing.reset(); // a larger budget, another scientist: what ended the run may be gone
        m.run.refresh();
    }
}

void CommandDesk::handle(const command::EvaluateAgain& again) {
    if (m.run.stored(m.run.store().addSteering(historyLine(again)))) {
        if (m.run.stored(m.run.store().setKernelState(again.kernel, KernelState::waiting))) {
            m.run.ask(again.kernel);
        }
    }
}

void CommandDesk::handle(const command::MeasureSideBySide& asked) {
    changeSettings(asked, [&](CampaignSettings& settings) {
        settings.askedComparisons.push_back({asked.kernel, asked.other, asked.allShapes});
    });
    m.run.notes.askedNow = true;
}

void CommandDesk::handle(const command::UnaskComparison& taken) {
    changeSettings(taken, [&](CampaignSettings& settings) {
        std::erase(settings.askedComparisons, AskedComparison{taken.kernel, taken.other, taken.allShapes});
    });
}

void CommandDesk::handle(const command::RestoreLane& restore) {
    changeSettings(restore, [&](CampaignSettings& settings) { settings.lanesOut.erase(restore.lane); });
}

void CommandDesk::handle(const command::AddKernel& add) {
    const KernelId basis = add.basis;
    Kernel kernel;
    kernel.parents = {basis};
    kernel.title = add.title.empty() ? "edit of " + kernelLabel(basis) : add.title;
    kernel.author = Author::person;
    kernel.source = add.source;
    ExperimentState itsExperiment = ExperimentState::evaluating;
    if (const Experiment* carriedOut = experimentOfOwnCode(m.run.population(), basis, kernel.title)) {
        kernel.experiment = carriedOut->id;
        kernel.reference = carriedOut->reference;
        itsExperiment = m.drafts.tally(*carriedOut, &kernel).state();
    }
    const auto id = m.run.store().addKernel(std::move(kernel), itsExperiment);
    if (m.run.stored(id) && m.run.stored(m.run.store().addSteering(historyLine(add, *id)))) {
        m.run.ask(*id);
    }
}

void CommandDesk::handle(const command::ApproveExperiment& approve) {
    decide(approve.experiment, ExperimentState::approved, approve);
}

void CommandDesk::handle(const command::RejectExperiment& reject) {
    decide(reject.experiment, ExperimentState::rejected, reject);
}

void CommandDesk::decide(ExperimentId id, ExperimentState decision, const SteeringCommand& command) {
    Experiment experiment = *m.run.population().experiment(id);
    experiment.state = decision;
    experiment.failure.clear();
    if (!m.run.stored(m.run.store().updateExperiment(experiment, historyLine(command)))) {
        return;
    }
    goOnAfterApproval();
}

void CommandDesk::goOnAfterApproval() {
    if (m.run.notes.waitsForApproval && (m.run.state() == EngineState::paused || m.run.notes.standing)) {
        m.run.notes.waitsForApproval = false;
        m.run.notes.standing.reset();
        m.run.enter(EngineState::running, "");
    }
}

void CommandDesk::handle(const command::EditExperiment& edit) {
    Experiment experiment = *m.run.population().experiment(edit.experiment);
    experiment.description = edit.description.value_or(experiment.description);
    experiment.rubric = edit.rubric.value_or(experiment.rubric);
    experiment.predicted = edit.predicted ? edit.predicted : experiment.predicted;
    experiment.innovation = edit.innovation.value_or(experiment.innovation);
    experiment.writer = edit.writer.value_or(experiment.writer);
    experiment.editedByPerson = experiment.editedByPerson || edit.description || edit.rubric || edit.predicted ||
                                edit.innovation; // who writes it changes nothing of what was proposed
    m.run.stored(m.run.store().updateExperiment(experiment, historyLine(edit)));
}

void CommandDesk::handle(const command::RestoreExperiment& restore) {
    Experiment experiment = *m.run.population().experiment(restore.experiment);
    experiment.state = restore.state;
    experiment.failure.clear();
    experiment.description = restore.description;
    experiment.rubric = restore.rubric;
    experiment.predicted = restore.predicted;
    experiment.innovation = restore.innovation;
    experiment.writer = restore.writer;
    experiment.editedByPerson = restore.editedByPerson;
    m.run.stored(m.run.store().updateExperiment(experiment, historyLine(restore)));
}

void CommandDesk::handle(const command::AddExperiment& add) {
    Experiment experiment; // of round 0: of no Designer call
    experiment.parent = add.parent;
    experiment.reference = add.reference;
    experiment.kind = add.kind;
    experiment.description = add.description;
    experiment.rubric = add.rubric;
    experiment.predicted = add.predicted;
    experiment.innovation = add.innovation;
    experiment.tunables = add.tunables;
    experiment.writer = add.writer;
    experiment.author = Author::person;
    experiment.state = ExperimentState::approved;
    const auto ids = m.run.store().addExperiments({experiment});
    if (m.run.stored(ids)) {
        m.run.stored(m.run.store().reorderExperiments(personsFirst(m.run.population(), ids->front()),
                                                      historyLine(add, ids->front())));
    }
}

void CommandDesk::handle(const command::ReorderExperiments& reorder) {
    m.run.stored(m.run.store().reorderExperiments(reorder.order, historyLine(reorder)));
}

void CommandDesk::handle(const command::AskForAvenue& ask) {
    Avenue avenue = *m.run.population().avenue(ask.avenue);
    avenue.asked = ask.asked;
    if (m.run.stored(m.run.store().updateAvenue(avenue, historyLine(ask)))) {
        m.run.notes.exhausted = false;
        m.run.refresh();
    }
}

void CommandDesk::handle(const command::SetMode& set) {
    changeSettings(set, [&](CampaignSettings& settings) { settings.mode = set.mode; });
    m.run.notes.oneRound = set.mode == Mode::step;
    m.run.notes.roundDesigned = m.run.notes.oneRound && isAnyApproved();
    if (set.mode == Mode::approveExperiments) {
        return;
    }
    // Nobody is asked any more, so what was picked is to be run.
    for (Experiment experiment : m.run.population().experiments) {
        if (experiment.state == ExperimentState::proposed && !experiment.pick.empty()) {
            experiment.state = ExperimentState::approved;
            m.run.stored(m.run.store().updateExperiment(experiment));
        }
    }
}

void CommandDesk::handle(const command::SetBudgets& set) {
    changeSettings(set, [&](CampaignSettings& settings) { settings.budgets = set.budgets; });
    m.scientists.renew(); // a budget of money is refused where a price is not known
}

void CommandDesk::handle(const command::SetHint& set) {
    changeSettings(set, [&](CampaignSettings& settings) {
        if (set.stage.empty()) {
            settings.hint = set.hint;
        } else if (set.hint.empty()) {
            settings.hints.erase(set.stage);
        } else {
            settings.hints[set.stage] = set.hint;
        }
    });
}

void CommandDesk::handle(const command::SetShapeWeights& set) {
    changeSettings(set, [&](CampaignSettings& settings) {
        settings.shapeWeights = set.weights;
        std::erase_if(settings.shapeWeights, [](const auto& one) { return one.second == 1; });
    });
}

void CommandDesk::handle(const command::SetPolicies& set) {
    const PopulationPtr before = m.campaign.population();
    changeSettings(set, [&](CampaignSettings& settings) { settings.policies = set.policies; });
    m.scientists.renew();
    for (const Kernel* draft : draftsThatChange(*before, set.policies)) {
        const KernelState state = stateOfDraft(draft->author, set.policies);
        m.run.stored(m.run.store().setKernelState(draft->id, state));
        if (state == KernelState::waiting) {
            goOnAfterApproval();
        }
    }
}

void CommandDesk::handle(const command::SetScientist& set) {
    m.trust.answerFor(set.models);
    changeSettings(set, [&](CampaignSettings& settings) {
        settings.scientist = set.kind;
        settings.models = set.models;
    });
    // Whom nobody is left to be is no one's wish.
    const SharedList<Experiment> all = m.run.population().experiments;
    for (Experiment experiment : all) {
        const bool isNamed = !experiment.writer.empty() && experiment.writer != ownWriter;
        if (isNamed && mayBeEdited(experiment) && !hasWriter(set.models, experiment.writer)) {
            experiment.writer.clear();
            m.run.stored(m.run.store().updateExperiment(
                experiment,
                {0, Author::engine, "free writer", fmt::format("{}: whoever's turn it is", title(experiment)), 0}));
        }
    }
    m.scientists.renew(); // made anew for the next task; one that is at work finishes it
}

} // namespace gks
