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

Steering byPerson(std::string action, std::string detail = {}) {
    return {0, Author::person, std::move(action), std::move(detail), 0};
}

Error noSuchKernel(KernelId id) {
    return {ErrorKind::usage, fmt::format("there is no kernel {}", kernelLabel(id))};
}

} // namespace

std::string title(const Experiment& experiment) {
    return fmt::format("{}: {}", experiment.id, abbreviated(experiment.description, 80));
}

bool Loop::mayWrite() {
    if (m_store->readOnly()) {
        warn(Error{ErrorKind::infrastructure, "the campaign was opened for reading only", m_store->file().string(),
                   "Copy it to a folder that you may write to"},
             "campaign");
    }
    return !m_store->readOnly();
}

void Loop::start(bool oneRound) {
    if (m_state == EngineState::running || m_state == EngineState::stopping) {
        return;
    }
    m_oneRound = oneRound || m_population->settings.mode == Mode::step;
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
            restoreLane(lane->spec.label());
        }
    }
    if (stored(m_store->addSteering(byPerson(oneRound ? "step" : "start")))) {
        enter(EngineState::running, "");
        keepUnsaved();
    }
}

void Loop::pause() {
    if (m_state == EngineState::running) {
        stored(m_store->addSteering(byPerson("pause")));
        enter(EngineState::paused, "");
    }
    m_waitsForApproval = false;
}

void Loop::stop() {
    if (m_state == EngineState::stopping) {
        return;
    }
    stored(m_store->addSteering(byPerson("stop")));
    m_waitsForApproval = false;
    m_selection.reset();
    for (const auto& lane : m_lanes) {
        lane->worker->cancel();
    }
    m_scientistWorker->cancel();
    enter(EngineState::stopping, "");
}

void Loop::cancelCurrent() {
    stored(m_store->addSteering(byPerson("cancel current")));
    m_waitsForApproval = false;
    for (const auto& lane : m_lanes) {
        lane->worker->cancel();
    }
    m_scientistWorker->cancel();
    if (m_state == EngineState::running) {
        enter(EngineState::paused, "cancelled");
    }
}

void Loop::changeSettings(const std::string& action, const std::string& detail,
                          const std::function<void(CampaignSettings&)>& change) {
    CampaignSettings settings = m_population->settings;
    change(settings);
    if (stored(m_store->saveSettings(settings, byPerson(action, detail)))) {
        m_exhausted = false;
        m_finishing.reset(); // a larger budget, another scientist: what ended the run may be gone
        refresh();
    }
}

void Loop::pinParent(std::optional<KernelId> parent, std::optional<KernelId> reference) {
    for (const auto& id : {parent, reference}) {
        if (id && m_population->kernel(*id) == nullptr) {
            warn(noSuchKernel(*id), "steering", id);
            return;
        }
    }
    const std::string detail = (parent ? kernelLabel(*parent) : std::string("chosen by the scientist")) +
                               (reference ? " with reference " + kernelLabel(*reference) : std::string());
    changeSettings("pin parent", detail, [&](CampaignSettings& settings) {
        settings.pinnedParent = parent;
        settings.pinnedReference = reference;
    });
    cancelPlanning();
    m_outlet.emit(NextParentChanged{parent, reference, parent ? "chosen by you" : "", parent.has_value()});
}

void Loop::setBanned(KernelId kernel, bool banned) {
    const auto done = m_store->setBanned(kernel, banned, byPerson(banned ? "ban" : "unban", kernelLabel(kernel)));
    if (!done) {
        warn(done.error(), "steering", kernel);
        return;
    }
    m_exhausted = false;
    if (!banned) {
        return;
    }
    cancelPlanning();
    for (Experiment experiment : m_population->experiments) {
        const bool open =
            experiment.state == ExperimentState::proposed || experiment.state == ExperimentState::approved;
        if (open && experiment.parent == kernel) {
            experiment.state = ExperimentState::rejected;
            experiment.failure = fmt::format("its parent {} was banned", kernelLabel(kernel));
            stored(m_store->updateExperiment(experiment));
        }
    }
}

void Loop::evaluateAgain(KernelId id) {
    const Kernel* kernel = m_population->kernel(id);
    if (kernel == nullptr) {
        warn(noSuchKernel(id), "steering", id);
    } else if (kernel->state != KernelState::evaluated) {
        warn(Error{ErrorKind::usage, fmt::format("kernel {} is {} already", kernelLabel(id), name(kernel->state))},
             "steering", id);
    } else if (stored(m_store->addSteering(byPerson("evaluate again", kernelLabel(id))))) {
        stored(m_store->setKernelState(id, KernelState::waiting));
    }
}

void Loop::restoreLane(const std::string& label) {
    if (!m_population->settings.lanesOut.contains(label)) {
        warn(Error{ErrorKind::usage, fmt::format("lane {} is not out of service", label)}, "steering");
        return;
    }
    changeSettings("put lane back in service", label,
                   [&](CampaignSettings& settings) { settings.lanesOut.erase(label); });
}

void Loop::addKernel(KernelId basis, std::string kernelTitle, std::string source) {
    if (m_population->kernel(basis) == nullptr) {
        warn(noSuchKernel(basis), "edit", basis);
        return;
    }
    if (trimmed(source).empty() || source.size() > sourceLimitBytes) {
        warn(Error{ErrorKind::usage,
                   fmt::format("a source of {} cannot be evaluated", formatBytes(source.size())),
                   {},
                   "Between 1 B and 1 MiB"},
             "edit", basis);
        return;
    }
    const auto duplicate = m_store->findDuplicate(sha256Hex(normalizedSource(source)));
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
    kernel.title = kernelTitle.empty() ? "edit of " + kernelLabel(basis) : std::move(kernelTitle);
    kernel.author = Author::person;
    kernel.source = std::move(source);
    const auto id = m_store->addKernel(std::move(kernel));
    if (stored(id)) {
        stored(m_store->addSteering(
            byPerson("add kernel", fmt::format("{} from {}", kernelLabel(*id), kernelLabel(basis)))));
    }
}

void Loop::decideExperiment(ExperimentId id, bool approve) {
    using enum ExperimentState;
    const Experiment* known = m_population->experiment(id);
    const bool possible = known != nullptr && (known->state == proposed || known->state == notPicked ||
                                               known->state == (approve ? rejected : approved));
    if (!possible) {
        const std::string what = known == nullptr ? "does not exist" : fmt::format("is {} already", name(known->state));
        warn(Error{ErrorKind::usage, fmt::format("experiment {} {}", id, what)}, "steering", {}, id);
        return;
    }
    Experiment experiment = *known;
    experiment.state = approve ? approved : rejected;
    experiment.failure.clear();
    if (!stored(m_store->updateExperiment(
            experiment, byPerson(approve ? "approve experiment" : "reject experiment", title(experiment))))) {
        return;
    }
    if (m_waitsForApproval && m_state == EngineState::paused) { // what the loop paused for has come
        m_waitsForApproval = false;
        enter(EngineState::running, "");
    }
}

void Loop::editExperiment(const Experiment& edited) {
    using enum ExperimentState;
    const Experiment* known = m_population->experiment(edited.id);
    const bool open =
        known != nullptr && (known->state == proposed || known->state == notPicked || known->state == approved);
    if (!open) {
        warn(Error{ErrorKind::usage, fmt::format("experiment {} can no longer be edited", edited.id)}, "steering", {},
             edited.id);
        return;
    }
    Experiment experiment = *known;
    experiment.description = edited.description;
    experiment.rubric = edited.rubric;
    experiment.predictedLowPercent = edited.predictedLowPercent;
    experiment.predictedHighPercent = edited.predictedHighPercent;
    experiment.innovation = edited.innovation;
    experiment.editedByPerson = true;
    stored(m_store->updateExperiment(experiment, byPerson("edit experiment", title(experiment))));
}

void Loop::addExperiment(Experiment experiment) {
    if (m_population->kernel(experiment.parent) == nullptr) {
        warn(noSuchKernel(experiment.parent), "steering", experiment.parent);
        return;
    }
    experiment.round = 0; // of no Designer call
    experiment.author = Author::person;
    experiment.state = ExperimentState::approved;
    const auto ids = m_store->addExperiments({experiment});
    if (stored(ids)) {
        experiment.id = ids->front();
        stored(m_store->addSteering(byPerson("add experiment", title(experiment))));
    }
}

void Loop::reorderExperiments(const std::vector<ExperimentId>& order) {
    std::vector<std::string> labels;
    for (const ExperimentId id : order) {
        labels.push_back(std::to_string(id));
    }
    const auto done = m_store->reorderExperiments(order, byPerson("reorder experiments", join(labels, ", ")));
    if (!done) {
        warn(done.error(), "steering");
    }
}

void Loop::setMode(Mode mode) {
    changeSettings("set mode", std::string(name(mode)), [&](CampaignSettings& settings) { settings.mode = mode; });
    m_oneRound = mode == Mode::step;
    m_roundDesigned = m_oneRound && nextExperiment() != nullptr;
    if (mode == Mode::approveExperiments) {
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

void Loop::setBudgets(const Budgets& budgets) {
    const std::string detail = fmt::format("evaluations {}, minutes {}, {}, tokens {}, device time {}",
                                           budgets.evaluations, formatSignificant(budgets.minutes),
                                           formatUsd(budgets.usd), budgets.tokens, formatSeconds(budgets.gpuSeconds));
    changeSettings("set budgets", detail, [&](CampaignSettings& settings) { settings.budgets = budgets; });
    m_scientist.reset(); // a budget of money is refused where a price is not known
}

void Loop::setHint(const std::string& hint) {
    if (hint.size() > hintLimitBytes) {
        warn(Error{ErrorKind::usage,
                   fmt::format("the hint has {}, at most {} are allowed", formatBytes(hint.size()),
                               formatBytes(hintLimitBytes)),
                   {},
                   "Every prompt carries it: shorten it"},
             "steering");
        return;
    }
    changeSettings("set hint", hint, [&](CampaignSettings& settings) { settings.hint = hint; });
}

void Loop::setPolicies(const Policies& policies) {
    const std::string detail = fmt::format("parent {}, pick {}, tuning {} evaluations, knowledge {} tokens, reports {}",
                                           name(policies.selector), name(policies.pick), policies.tuningEvaluations,
                                           policies.knowledgeTokens, policies.checkReports ? "checked" : "not checked");
    changeSettings("set policies", detail, [&](CampaignSettings& settings) { settings.policies = policies; });
    m_scientist.reset();
}

void Loop::setScientist(ScientistKind kind, const std::map<std::string, ModelChoice>& models) {
    std::vector<std::string> parts = {std::string(name(kind))};
    for (const auto& [stage, choice] : models) {
        parts.push_back(stage + " " + choice.model);
    }
    changeSettings("set scientist", join(parts, ", "), [&](CampaignSettings& settings) {
        settings.scientist = kind;
        settings.models = models;
    });
    m_scientist.reset(); // made anew for the next task; one that is at work finishes it
}

} // namespace gks
