// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/rules.h"
#include "core/engine/loop.h"

#include <algorithm>
#include <fmt/format.h>

// What a person asks for. What can be carried out (core/campaign/rules.h) leaves a line in the history.
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

} // namespace

bool Loop::mayWrite() {
    if (m_store->readOnly()) {
        warn(Error{ErrorKind::infrastructure, "the campaign was opened for reading only", m_store->file().string(),
                   "Copy it to a folder that you may write to"},
             "campaign");
    }
    return !m_store->readOnly();
}

void Loop::carryOut(const SteeringCommand& command) {
    if (const auto allowed = checkCommand(command, *m_population); !allowed) {
        warn(allowed.error(), "steering", std::visit(kernelOf, command), std::visit(experimentOf, command));
        return;
    }
    std::visit([this](const auto& one) { handle(one); }, command);
}

Steering Loop::historyLine(const SteeringCommand& command, std::int64_t made) const {
    return gks::historyLine(command, *m_population, made);
}

void Loop::handle(const command::Start& start) {
    begin(m_population->settings.mode == Mode::step, start);
}

void Loop::handle(const command::Step& step) {
    begin(true, step);
}

void Loop::begin(bool oneRound, const SteeringCommand& command) {
    if (m_state == EngineState::running || m_state == EngineState::stopping) {
        return;
    }
    if (!isTrusted(true)) {
        return;
    }
    m_oneRound = oneRound;
    m_roundDesigned = nextExperiment() != nullptr; // a round that was approved before is the one to be run
    m_waitsForApproval = false;
    m_exhausted = false;
    m_finishing.reset();
    m_confirmations = 0;
    m_failedDrafts = 0;
    m_failedOn.clear();
    m_structures.forgetRun();
    for (const auto& lane : m_lanes) {
        lane->failuresInRow = 0;
    }
    if (lanesInService() == 0) { // who goes on now has seen why it ended, and has no other lane to go on with
        for (const auto& lane : m_lanes) {
            handle(command::RestoreLane{lane->spec.label()});
        }
    }
    if (stored(m_store->addSteering(historyLine(command)))) {
        enter(EngineState::running, "");
        keepUnsaved();
    }
}

void Loop::handle(const command::Pause& pause) {
    if (m_state == EngineState::running) {
        stored(m_store->addSteering(historyLine(pause)));
        enter(EngineState::paused, "");
    }
    m_waitsForApproval = false;
}

void Loop::handle(const command::Stop& stop) {
    if (m_state == EngineState::stopping) {
        return;
    }
    stored(m_store->addSteering(historyLine(stop)));
    m_waitsForApproval = false;
    m_selection.reset();
    for (const auto& lane : m_lanes) {
        lane->worker->cancel();
    }
    m_scientistWorker->cancel();
    enter(EngineState::stopping, "");
}

void Loop::handle(const command::CancelCurrent& cancel) {
    stored(m_store->addSteering(historyLine(cancel)));
    m_waitsForApproval = false;
    for (const auto& lane : m_lanes) {
        lane->worker->cancel();
    }
    m_scientistWorker->cancel();
    if (m_state == EngineState::running) {
        enter(EngineState::paused, "cancelled");
    }
}

void Loop::changeSettings(const SteeringCommand& command, const std::function<void(CampaignSettings&)>& change) {
    CampaignSettings settings = m_population->settings;
    change(settings);
    if (stored(m_store->saveSettings(settings, historyLine(command)))) {
        m_exhausted = false;
        m_finishing.reset(); // a larger budget, another scientist: what ended the run may be gone
        refresh();
    }
}

void Loop::handle(const command::PinParent& pin) {
    changeSettings(pin, [&](CampaignSettings& settings) {
        settings.pinnedParent = pin.parent;
        settings.pinnedReference = pin.reference;
    });
    cancelPlanning();
    m_outlet.emit(
        NextParentChanged{pin.parent, pin.reference, pin.parent ? "chosen by you" : "", pin.parent.has_value()});
}

void Loop::handle(const command::SetBanned& set) {
    if (!stored(m_store->setBanned(set.kernel, set.banned, historyLine(set)))) {
        return;
    }
    m_exhausted = false;
    if (set.banned) {
        cancelPlanning();
        if (m_population->settings.pinnedParent == set.kernel) {
            handle(command::PinParent{});
        }
    }
    const std::string banned = bannedParentText(set.kernel);
    const PopulationPtr held = m_population;
    for (Experiment experiment : held->experiments) {
        if (experiment.parent != set.kernel) {
            continue;
        }
        if (set.banned && isOpen(experiment) && mayBeRejected(experiment)) {
            experiment.state = ExperimentState::rejected;
            experiment.failure = banned;
        } else if (!set.banned && experiment.state == ExperimentState::rejected && experiment.failure == banned) {
            experiment.state = ExperimentState::notPicked; // its round may be over; a person can still approve it
            experiment.failure.clear();
        } else {
            continue;
        }
        stored(m_store->updateExperiment(experiment));
    }
}

void Loop::handle(const command::EvaluateAgain& again) {
    if (stored(m_store->addSteering(historyLine(again)))) {
        stored(m_store->setKernelState(again.kernel, KernelState::waiting));
    }
}

void Loop::handle(const command::RestoreLane& restore) {
    changeSettings(restore, [&](CampaignSettings& settings) { settings.lanesOut.erase(restore.lane); });
}

void Loop::handle(const command::AddKernel& add) {
    const KernelId basis = add.basis;
    Kernel kernel;
    kernel.parents = {basis};
    kernel.title = add.title.empty() ? "edit of " + kernelLabel(basis) : add.title;
    kernel.author = Author::person;
    kernel.source = add.source;
    const auto id = m_store->addKernel(std::move(kernel));
    if (stored(id)) {
        stored(m_store->addSteering(historyLine(add, *id)));
    }
}

void Loop::handle(const command::ApproveExperiment& approve) {
    decide(approve.experiment, ExperimentState::approved, approve);
}

void Loop::handle(const command::RejectExperiment& reject) {
    decide(reject.experiment, ExperimentState::rejected, reject);
}

void Loop::decide(ExperimentId id, ExperimentState decision, const SteeringCommand& command) {
    Experiment experiment = *m_population->experiment(id);
    experiment.state = decision;
    experiment.failure.clear();
    if (!stored(m_store->updateExperiment(experiment, historyLine(command)))) {
        return;
    }
    if (m_waitsForApproval && m_state == EngineState::paused) { // what the loop paused for has come
        m_waitsForApproval = false;
        enter(EngineState::running, "");
    }
}

void Loop::handle(const command::EditExperiment& edit) {
    Experiment experiment = *m_population->experiment(edit.experiment);
    experiment.description = edit.description.value_or(experiment.description);
    experiment.rubric = edit.rubric.value_or(experiment.rubric);
    if (edit.predictedPercent) {
        experiment.predictedLowPercent = edit.predictedPercent->low;
        experiment.predictedHighPercent = edit.predictedPercent->high;
    }
    experiment.innovation = edit.innovation.value_or(experiment.innovation);
    experiment.editedByPerson = true;
    stored(m_store->updateExperiment(experiment, historyLine(edit)));
}

void Loop::handle(const command::AddExperiment& add) {
    Experiment experiment; // of round 0: of no Designer call
    experiment.parent = add.parent;
    experiment.description = add.description;
    experiment.rubric = add.rubric;
    experiment.predictedLowPercent = add.predictedPercent.low;
    experiment.predictedHighPercent = add.predictedPercent.high;
    experiment.innovation = add.innovation;
    experiment.tunables = add.tunables;
    experiment.author = Author::person;
    experiment.state = ExperimentState::approved;
    const auto ids = m_store->addExperiments({experiment});
    if (stored(ids)) {
        stored(m_store->addSteering(historyLine(add, ids->front())));
    }
}

void Loop::handle(const command::ReorderExperiments& reorder) {
    stored(m_store->reorderExperiments(reorder.order, historyLine(reorder)));
}

void Loop::handle(const command::SetMode& set) {
    changeSettings(set, [&](CampaignSettings& settings) { settings.mode = set.mode; });
    m_oneRound = set.mode == Mode::step;
    m_roundDesigned = m_oneRound && nextExperiment() != nullptr;
    if (set.mode == Mode::approveExperiments) {
        return;
    }
    // Nobody is asked any more, so what was picked is to be run.
    for (Experiment experiment : m_population->experiments) {
        if (experiment.state == ExperimentState::proposed && !experiment.pick.empty()) {
            experiment.state = ExperimentState::approved;
            stored(m_store->updateExperiment(experiment));
        }
    }
}

void Loop::handle(const command::SetBudgets& set) {
    changeSettings(set, [&](CampaignSettings& settings) { settings.budgets = set.budgets; });
    m_scientist.reset(); // a budget of money is refused where a price is not known
}

void Loop::handle(const command::SetHint& set) {
    changeSettings(set, [&](CampaignSettings& settings) { settings.hint = set.hint; });
}

void Loop::handle(const command::SetPolicies& set) {
    changeSettings(set, [&](CampaignSettings& settings) { settings.policies = set.policies; });
    m_scientist.reset();
}

void Loop::handle(const command::SetScientist& set) {
    // What the person names here is their answer; what stands in the file already is not.
    std::vector<TrustQuestion> named = serverQuestions(set.models);
    for (const TrustQuestion& known : serverQuestions(m_population->settings.models)) {
        std::erase_if(named, [&](const TrustQuestion& question) { return question.sameContent(known); });
    }
    if (const auto answered = TrustAnswers().trust(m_identity, named); !answered) {
        warn(answered.error(), "trust");
    }
    changeSettings(set, [&](CampaignSettings& settings) {
        settings.scientist = set.kind;
        settings.models = set.models;
    });
    m_scientist.reset(); // made anew for the next task; one that is at work finishes it
}

} // namespace gks
