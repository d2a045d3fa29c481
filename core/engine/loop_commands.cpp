// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/hash.h"
#include "core/base/quantity.h"
#include "core/base/text.h"
#include "core/campaign/normalized_source.h"
#include "core/engine/loop.h"

#include <algorithm>
#include <fmt/format.h>

// What a person asks for. Every command leaves a line in the campaign's steering history.
namespace gks {
namespace {

constexpr std::size_t sourceLimitBytes = std::size_t{1} << 20;
constexpr std::size_t hintLimitBytes = std::size_t{8} << 10;

Error noSuchKernel(KernelId id) {
    return {ErrorKind::usage, fmt::format("there is no kernel {}", kernelLabel(id))};
}

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
    for (const auto& id : {pin.parent, pin.reference}) {
        if (id && m_population->kernel(*id) == nullptr) {
            warn(noSuchKernel(*id), "steering", id);
            return;
        }
    }
    changeSettings(pin, [&](CampaignSettings& settings) {
        settings.pinnedParent = pin.parent;
        settings.pinnedReference = pin.reference;
    });
    cancelPlanning();
    m_outlet.emit(
        NextParentChanged{pin.parent, pin.reference, pin.parent ? "chosen by you" : "", pin.parent.has_value()});
}

void Loop::handle(const command::SetBanned& set) {
    const auto done = m_store->setBanned(set.kernel, set.banned, historyLine(set));
    if (!done) {
        warn(done.error(), "steering", set.kernel);
        return;
    }
    m_exhausted = false;
    if (!set.banned) {
        return;
    }
    cancelPlanning();
    for (Experiment experiment : m_population->experiments) {
        const bool open =
            experiment.state == ExperimentState::proposed || experiment.state == ExperimentState::approved;
        if (open && experiment.parent == set.kernel) {
            experiment.state = ExperimentState::rejected;
            experiment.failure = fmt::format("its parent {} was banned", kernelLabel(set.kernel));
            stored(m_store->updateExperiment(experiment));
        }
    }
}

void Loop::handle(const command::EvaluateAgain& again) {
    const KernelId id = again.kernel;
    const Kernel* kernel = m_population->kernel(id);
    if (kernel == nullptr) {
        warn(noSuchKernel(id), "steering", id);
    } else if (kernel->state != KernelState::evaluated) {
        warn(Error{ErrorKind::usage, fmt::format("kernel {} is {} already", kernelLabel(id), name(kernel->state))},
             "steering", id);
    } else if (stored(m_store->addSteering(historyLine(again)))) {
        stored(m_store->setKernelState(id, KernelState::waiting));
    }
}

void Loop::handle(const command::RestoreLane& restore) {
    if (!m_population->settings.lanesOut.contains(restore.lane)) {
        warn(Error{ErrorKind::usage, fmt::format("lane {} is not out of service", restore.lane)}, "steering");
        return;
    }
    changeSettings(restore, [&](CampaignSettings& settings) { settings.lanesOut.erase(restore.lane); });
}

void Loop::handle(const command::AddKernel& add) {
    const KernelId basis = add.basis;
    if (m_population->kernel(basis) == nullptr) {
        warn(noSuchKernel(basis), "edit", basis);
        return;
    }
    if (trimmed(add.source).empty() || add.source.size() > sourceLimitBytes) {
        warn(Error{ErrorKind::usage,
                   fmt::format("a source of {} cannot be evaluated", formatBytes(add.source.size())),
                   {},
                   "Between 1 B and 1 MiB"},
             "edit", basis);
        return;
    }
    const auto duplicate = m_store->findDuplicate(sha256Hex(normalizedSource(add.source)));
    if (!stored(duplicate)) {
        return;
    }
    if (*duplicate) {
        warn(Error{ErrorKind::usage,
                   fmt::format("duplicate of {}: only comments or formatting differ", kernelLabel(**duplicate)),
                   {},
                   "Evaluate that one again instead"},
             "edit", **duplicate);
        return;
    }
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
    using enum ExperimentState;
    const Experiment* known = m_population->experiment(id);
    const bool possible = known != nullptr && (known->state == proposed || known->state == notPicked ||
                                               known->state == (decision == approved ? rejected : approved));
    if (!possible) {
        const std::string what = known == nullptr ? "does not exist" : fmt::format("is {} already", name(known->state));
        warn(Error{ErrorKind::usage, fmt::format("experiment {} {}", id, what)}, "steering", {}, id);
        return;
    }
    Experiment experiment = *known;
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
    using enum ExperimentState;
    const Experiment* known = m_population->experiment(edit.experiment);
    const bool open =
        known != nullptr && (known->state == proposed || known->state == notPicked || known->state == approved);
    if (!open) {
        warn(Error{ErrorKind::usage, fmt::format("experiment {} can no longer be edited", edit.experiment)}, "steering",
             {}, edit.experiment);
        return;
    }
    Experiment experiment = *known;
    experiment.description = edit.description.value_or(known->description);
    experiment.rubric = edit.rubric.value_or(known->rubric);
    if (edit.predictedPercent) {
        experiment.predictedLowPercent = edit.predictedPercent->low;
        experiment.predictedHighPercent = edit.predictedPercent->high;
    }
    experiment.innovation = edit.innovation.value_or(known->innovation);
    experiment.editedByPerson = true;
    stored(m_store->updateExperiment(experiment, historyLine(edit)));
}

void Loop::handle(const command::AddExperiment& add) {
    if (m_population->kernel(add.parent) == nullptr) {
        warn(noSuchKernel(add.parent), "steering", add.parent);
        return;
    }
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
    const auto done = m_store->reorderExperiments(reorder.order, historyLine(reorder));
    if (!done) {
        warn(done.error(), "steering");
    }
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
    if (set.hint.size() > hintLimitBytes) {
        warn(Error{ErrorKind::usage,
                   fmt::format("the hint has {}, at most {} are allowed", formatBytes(set.hint.size()),
                               formatBytes(hintLimitBytes)),
                   {},
                   "Every prompt carries it: shorten it"},
             "steering");
        return;
    }
    changeSettings(set, [&](CampaignSettings& settings) { settings.hint = set.hint; });
}

void Loop::handle(const command::SetPolicies& set) {
    changeSettings(set, [&](CampaignSettings& settings) { settings.policies = set.policies; });
    m_scientist.reset();
}

void Loop::handle(const command::SetScientist& set) {
    changeSettings(set, [&](CampaignSettings& settings) {
        settings.scientist = set.kind;
        settings.models = set.models;
    });
    m_scientist.reset(); // made anew for the next task; one that is at work finishes it
}

} // namespace gks
