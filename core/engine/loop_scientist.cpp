// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/campaign/limits.h"
#include "core/campaign/model_stages.h"
#include "core/campaign/rules.h"
#include "core/engine/loop.h"
#include "core/scientist/failure_text.h"
#include "core/scientist/machine.h"
#include "core/scientist/novelty.h"

#include <algorithm>
#include <fmt/format.h>

// What the scientist is asked for, and what becomes of its answers.
namespace gks {
namespace {

constexpr int failedDraftLimit = 5; // in a row: then something is wrong that trying again does not cure

} // namespace

const Experiment* Loop::nextExperiment() const {
    const Experiment* next = nullptr;
    for (const Experiment& experiment : m_population->experiments) {
        if (experiment.state == ExperimentState::approved && !m_structures.isPoint(experiment) &&
            (next == nullptr || experiment.position < next->position)) {
            next = &experiment;
        }
    }
    return next;
}

bool Loop::shouldDesign() const {
    const auto& kernels = m_population->kernels;
    const bool seedsLeft = std::any_of(kernels.begin(), kernels.end(), [](const Kernel& kernel) {
        return kernel.author == Author::seed && !kernel.verdict && !kernel.heldBack;
    });
    if (seedsLeft || m_exhausted || m_structures.areOpen() || (m_oneRound && m_roundDesigned)) {
        return false;
    }
    if (m_population->settings.mode == Mode::approveExperiments && undecided() > 0) {
        return false;
    }
    // The tuner proposes in no time: it is asked as late as possible, when it knows most. A model is asked ahead.
    const bool laneFree = std::any_of(m_lanes.begin(), m_lanes.end(),
                                      [this](const auto& lane) { return !lane->kernel && isInService(*lane); });
    return m_population->settings.scientist == ScientistKind::model || (laneFree && nextKernel() == nullptr);
}

bool Loop::hasEnoughDrafts() const {
    const auto waiting =
        std::count_if(m_population->kernels.begin(), m_population->kernels.end(),
                      [](const Kernel& kernel) { return kernel.state == KernelState::waiting && !kernel.heldBack; });
    return waiting >= static_cast<std::ptrdiff_t>(lanesInService()) || waiting >= evaluationsLeft();
}

void Loop::startScientist() {
    if (m_task || m_state != EngineState::running) {
        return;
    }
    if (hasEnoughDrafts() || !makeScientist()) {
        return;
    }
    if (const Experiment* experiment = nextExperiment()) {
        const Kernel* failed = experiment->kernel ? m_population->kernel(*experiment->kernel) : nullptr;
        if (failed != nullptr && failed->verdict && !isAccepted(*failed)) {
            startRepair(*experiment, *failed);
        } else {
            startWriting(*experiment);
        }
    } else if (m_selection && shouldDesign()) {
        startDesign(*std::exchange(m_selection, std::nullopt));
    } else if (shouldDesign()) {
        startSelection();
    }
}

bool Loop::makeScientist() {
    if (m_scientist) {
        return true;
    }
    if (!m_problem) {
        auto problem = m_seams.problem(m_population->settings.problem);
        if (!problem) {
            halt(problem.error(), "problem");
            return false;
        }
        m_problem = std::make_shared<const ProblemPack>(std::move(*problem));
    }
    ScientistSinks sinks;
    sinks.text = [this, work = m_work](const std::string& stage, std::string_view piece) {
        m_outlet.emit(TextArrived{stage, std::string(piece), {}, work->experiment});
    };
    // What a call waits for is seen while it waits, and since when.
    sinks.progress = [this, work = m_work](const std::string& stage, const ChatProgress& progress) {
        const auto since = now() - static_cast<Timestamp>(progress.elapsedSeconds * 1000);
        work->waitsForServer = progress.phase == ChatPhase::retrying;
        if (work->waitsForServer) {
            post([](Loop&) {}); // a pause or a spent budget ends the wait
        }
        m_outlet.emit(ActivityChanged{
            "scientist", work->activity, {}, work->experiment, -1, stage + ": " + progressText(progress), since});
    };
    sinks.exchange = [this, work = m_work](Exchange exchange) {
        if (!exchange.experiment) {
            exchange.experiment = work->experiment;
        }
        post([exchange = std::move(exchange)](Loop& loop) { loop.stored(loop.m_store->addExchange(exchange)); });
    };
    sinks.askPerson = m_options.askPerson;
    sinks.findKey = m_options.findKey;
    sinks.mayAsk = trustedServers(m_identity, m_store->file().string());
    auto scientist = m_seams.scientist(m_population->settings, std::move(sinks));
    if (!scientist) {
        halt(scientist.error(), "scientist");
        return false;
    }
    m_scientist = std::move(*scientist);
    return true;
}

Briefing Loop::briefing() const {
    const auto verdictOf = [history = &m_history](KernelId kernel) {
        return history->ask([&](const CampaignStore& store) { return store.newestVerdict(kernel); })
            .value_or(std::optional<Verdict>());
    };
    const auto report = [verdictOf](KernelId kernel) {
        const std::optional<Verdict> verdict = verdictOf(kernel);
        return verdict ? verdict->staticReport : std::nullopt;
    };
    const auto search = [history = &m_history](const std::string& words, int limit) {
        return history->ask([&](const CampaignStore& store) { return store.searchPassages(words, limit); })
            .value_or(std::vector<Passage>());
    };
    return {m_population, m_problem, report, search, deviceFinder(m_population, verdictOf)};
}

void Loop::startTask(Task task, Activity activity, std::optional<ExperimentId> experiment,
                     std::function<Message(Scientist&, const std::stop_token&)> work) {
    m_task = task;
    m_taskExperiment = experiment;
    m_scientistWorker->run(
        [this, scientist = m_scientist, doing = m_work, activity, experiment, work](const std::stop_token& stop) {
            doing->activity = activity;
            doing->experiment = experiment;
            doing->waitsForServer = false;
            m_outlet.emit(ActivityChanged{"scientist", activity, {}, experiment, -1, {}, now()});
            Message result = work(*scientist, stop);
            m_outlet.emit(ActivityChanged{"scientist", Activity::idle, {}, {}, -1, {}, now()});
            post([result = std::move(result)](Loop& loop) {
                loop.m_task.reset();
                loop.m_taskExperiment.reset();
                result(loop);
            });
        });
}

void Loop::startSelection() {
    startTask(Task::select, Activity::selecting, {},
              [briefing = briefing()](Scientist& scientist, const std::stop_token& stop) -> Message {
                  auto selection = scientist.select(briefing, stop);
                  return [selection = std::move(selection)](Loop& loop) { loop.selected(selection); };
              });
}

void Loop::selected(const Result<Selection>& selection) {
    if (!selection) {
        if (selection.error().kind == ErrorKind::kernel) {
            m_finishing = selection.error().message(); // there is no kernel to go on from
        } else if (selection.error().kind != ErrorKind::cancelled) {
            halt(selection.error(), std::string(name(ModelStage::selector)));
        }
        return;
    }
    const Kernel* basis = m_population->kernel(selection->basis);
    if (basis == nullptr || (selection->reference && m_population->kernel(*selection->reference) == nullptr)) {
        halt(Error{ErrorKind::infrastructure,
                   fmt::format("the selector chose a kernel that does not exist ({})", selection->basis)},
             std::string(name(ModelStage::selector)));
        return;
    }
    const auto& pinned = m_population->settings.pinnedParent;
    m_outlet.emit(
        NextParentChanged{selection->basis, selection->reference, selection->rationale, pinned == selection->basis});
    std::string detail = kernelLabel(selection->basis);
    if (selection->reference) {
        detail += " with reference " + kernelLabel(*selection->reference);
    }
    if (stored(m_store->addSteering({0, planner(), "select parent", detail + ": " + selection->rationale, 0}))) {
        m_selection = *selection;
    }
}

void Loop::startDesign(const Selection& selection) {
    startTask(Task::design, Activity::designing, {},
              [briefing = briefing(), selection](Scientist& scientist, const std::stop_token& stop) -> Message {
                  auto experiments = scientist.design(briefing, selection, stop);
                  return [experiments = std::move(experiments)](Loop& loop) { loop.designed(experiments); };
              });
}

void Loop::startWriting(const Experiment& experiment) {
    Experiment writing = experiment;
    writing.state = ExperimentState::writing;
    if (!stored(m_store->updateExperiment(writing))) {
        return;
    }
    startTask(Task::write, Activity::writing, experiment.id,
              [briefing = briefing(), writing](Scientist& scientist, const std::stop_token& stop) -> Message {
                  auto draft = scientist.write(briefing, writing, stop);
                  return [writing, draft = std::move(draft)](Loop& loop) { loop.drafted(writing, draft); };
              });
}

void Loop::startRepair(const Experiment& experiment, const Kernel& failed) {
    const auto verdict = m_store->newestVerdict(failed.id);
    Experiment writing = experiment;
    writing.state = ExperimentState::writing;
    if (!stored(verdict) || !stored(m_store->updateExperiment(writing))) {
        return;
    }
    const Failure failure = {*failed.verdict, failed.reason, *verdict ? failureText(**verdict) : std::string()};
    const Draft draft = {failed.source, failed.title, failed.report, failed.rubric, failed.model};
    const auto attempt = std::count_if(m_population->kernels.begin(), m_population->kernels.end(),
                                       [&](const Kernel& kernel) { return kernel.experiment == experiment.id; });
    startTask(Task::repair, Activity::repairing, experiment.id,
              [briefing = briefing(), writing, draft, failure, attempt](Scientist& scientist,
                                                                        const std::stop_token& stop) -> Message {
                  auto repaired = scientist.repair(briefing, writing, draft, failure, static_cast<int>(attempt), stop);
                  return [writing, repaired = std::move(repaired)](Loop& loop) { loop.drafted(writing, repaired); };
              });
}

void Loop::drafted(const Experiment& experiment, const Result<Draft>& draft) {
    if (!draft && draft.error().kind != ErrorKind::kernel) {
        Experiment back = experiment;
        back.state = ExperimentState::approved;
        if (stored(m_store->updateExperiment(back)) && draft.error().kind != ErrorKind::cancelled) {
            halt(draft.error(), std::string(name(ModelStage::writer)), {}, experiment.id);
        }
        return;
    }
    if (!draft) {
        failExperiment(experiment, experiment.failure.empty() ? draft.error().message() : experiment.failure);
        return;
    }
    if (trimmed(draft->source).empty() || draft->source.size() > limits::kernelSourceBytes) {
        failExperiment(experiment,
                       fmt::format("the draft has {}, at most {} are allowed", formatBytes(draft->source.size()),
                                   formatBytes(limits::kernelSourceBytes)));
        return;
    }
    if (const Kernel* same = duplicateOf(draft->source, *m_population)) {
        failExperiment(experiment, "duplicate of " + kernelLabel(same->id));
        return;
    }
    m_failedDrafts = 0;
    Kernel kernel;
    kernel.parents = {experiment.parent};
    kernel.reference = experiment.reference;
    kernel.experiment = experiment.id;
    kernel.title = abbreviated(trimmed(draft->title.empty() ? experiment.description : draft->title),
                               limits::kernelTitleCharacters);
    kernel.author = experiment.author == Author::person && m_scientist ? m_scientist->author() : experiment.author;
    kernel.source = draft->source;
    kernel.report = draft->report;
    kernel.rubric = draft->rubric;
    kernel.model = draft->model;
    const Author author = kernel.author;
    const auto added = m_store->addKernel(std::move(kernel));
    if (stored(added) && author == Author::model) {
        noteLikeness(*added, experiment, draft->source);
    }
}

// A kernel that is nearly another one is evaluated all the same; the history says so.
void Loop::noteLikeness(KernelId kernel, const Experiment& experiment, const std::string& source) {
    std::vector<KernelId> related = {experiment.parent};
    for (const Kernel& other : m_population->kernels) {
        if (other.experiment == experiment.id) {
            related.push_back(other.id);
        }
    }
    const auto found = nearDuplicates(source, *m_population, related);
    if (!found.empty()) {
        stored(m_store->addSteering(
            {0, Author::engine, "novelty", kernelLabel(kernel) + " is " + noveltyText(found.front()), 0}));
    }
}

void Loop::failExperiment(const Experiment& experiment, std::string failure) {
    Experiment failed = experiment;
    failed.state = ExperimentState::failed;
    failed.failure = std::move(failure);
    if (!stored(m_store->updateExperiment(failed))) {
        return;
    }
    warn(Error{ErrorKind::kernel, failed.failure}, std::string(name(ModelStage::writer)), {}, experiment.id);
    if (++m_failedDrafts >= failedDraftLimit) {
        m_failedDrafts = 0;
        halt(Error{ErrorKind::infrastructure,
                   fmt::format("{} drafts in a row came to nothing, the last: {}", failedDraftLimit, failed.failure),
                   "scientist", "Look at the conversation, or try another model"},
             std::string(name(ModelStage::writer)), {}, experiment.id);
    }
}

void Loop::cancelPlanning() {
    m_selection.reset();
    if (m_task == Task::select || m_task == Task::design) {
        m_scientistWorker->cancel();
    }
}

} // namespace gks
