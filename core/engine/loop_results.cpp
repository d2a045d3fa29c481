// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/rules.h"
#include "core/engine/loop.h"
#include "core/scientist/findings.h"

#include <algorithm>
#include <fmt/format.h>

// What lanes bring back.
namespace gks {
namespace {

constexpr int laneFailureLimit = 2;           // in a row, on one lane: the lane is at fault
constexpr std::size_t kernelFailureLimit = 2; // lanes that failed one kernel: the person is asked

Activity activityOf(Stage stage) {
    switch (stage) {
    case Stage::queued:
    case Stage::building:
        return Activity::building;
    case Stage::verifying:
        return Activity::verifying;
    case Stage::measuring:
        return Activity::measuring;
    }
    return Activity::building;
}

} // namespace

void Loop::forward(const Lane& lane, KernelId kernel, const EvaluationEvent& event, Activity& activity) const {
    if (const auto* stage = std::get_if<StageEvent>(&event)) {
        activity = activityOf(stage->stage);
        m_outlet.emit(ActivityChanged{lane.spec.label(), activity, kernel, {}, -1, {}, now()});
    } else if (const auto* progress = std::get_if<ProgressEvent>(&event)) {
        m_outlet.emit(
            ActivityChanged{lane.spec.label(), activity, kernel, {}, progress->fraction, progress->detail, now()});
    } else if (const auto* log = std::get_if<LogEvent>(&event)) {
        m_outlet.emit(TextArrived{log->stream, log->text, kernel, {}});
    } else if (const auto* samples = std::get_if<SamplesEvent>(&event)) {
        m_outlet.emit(SamplesArrived{kernel, samples->shape, samples->us, samples->ofBaseline});
    }
}

void Loop::evaluated(Lane& lane, Evaluation evaluation, bool cancelled) {
    lane.kernel.reset();
    if (cancelled) {
        if (!lane.besides) {
            stored(m_store->setKernelState(evaluation.kernel, KernelState::waiting));
        }
        return;
    }
    m_exhausted = false; // there is something new to learn from
    keep(evaluation);
    if (evaluation.verdict.kind == VerdictKind::infrastructureFailed) {
        infrastructureFailed(lane, evaluation);
    } else {
        lane.failuresInRow = 0;
        m_failedOn.erase(evaluation.kernel);
    }
}

// The kernel waits again, uncharged. A device that hangs or is gone fails every kernel, so its lane ends at once; other
// failures are tried once more. One kernel that fails on several lanes is more likely at fault than they are.
void Loop::infrastructureFailed(Lane& lane, const Evaluation& evaluation) {
    const Verdict& verdict = evaluation.verdict;
    if (++lane.failuresInRow >= laneFailureLimit || verdict.deviceTrouble != DeviceTrouble::none) {
        m_failedOn.erase(evaluation.kernel);
        takeOutOfService(lane, verdict);
        return;
    }
    const Error error = {ErrorKind::infrastructure, verdict.reason, evaluation.lane, verdict.next};
    std::set<std::string>& failedOn = m_failedOn[evaluation.kernel];
    failedOn.insert(evaluation.lane);
    if (failedOn.size() >= kernelFailureLimit) {
        m_failedOn.erase(evaluation.kernel);
        halt(error, "evaluator", evaluation.kernel);
    } else {
        warn(error, "evaluator", evaluation.kernel);
    }
}

void Loop::takeOutOfService(Lane& lane, const Verdict& verdict) {
    const std::string label = lane.spec.label();
    lane.failuresInRow = 0;
    refresh();
    CampaignSettings settings = m_population->settings;
    settings.lanesOut[label] = {verdict.reason, verdict.next, now()};
    if (!stored(m_store->saveSettings(settings,
                                      {0, Author::engine, "lane out of service", label + ": " + verdict.reason, 0}))) {
        return;
    }
    refresh();
    const bool last = lanesInService() == 0;
    const Error error = {ErrorKind::infrastructure, fmt::format("lane {} is out of service: {}", label, verdict.reason),
                         label,
                         fmt::format("{}{}", verdict.next.empty() ? "" : verdict.next + ". ",
                                     last ? "Then start again" : "Then put the lane back in service")};
    last ? halt(error, "evaluator") : warn(error, "evaluator");
}

ExperimentState Loop::afterFailure(const Evaluation& evaluation) const {
    const Kernel* kernel = m_population->kernel(evaluation.kernel);
    const Experiment* experiment =
        kernel != nullptr && kernel->experiment ? m_population->experiment(*kernel->experiment) : nullptr;
    if (experiment == nullptr || !isRepairable(evaluation.verdict.kind) || m_structures.isPoint(*experiment)) {
        return ExperimentState::failed;
    }
    const auto drafts = std::count_if(m_population->kernels.begin(), m_population->kernels.end(),
                                      [&](const Kernel& other) { return other.experiment == kernel->experiment; });
    return drafts <= m_population->settings.repairAttempts ? ExperimentState::approved : ExperimentState::failed;
}

void Loop::keep(const Evaluation& evaluation) {
    refresh(); // a kernel of this experiment may have been added since
    const auto kept = m_store->addEvaluation(evaluation, afterFailure(evaluation));
    if (!kept) {
        m_unsaved.push_back(evaluation);
        halt(kept.error(), "campaign", evaluation.kernel);
        return;
    }
    refresh();
    if (evaluation.purpose == tunedPurpose) {
        keepDuel(evaluation);
    }
    learn(evaluation, *kept);
}

// A comparison tuned against tuned is about the experiment that led to the structure, and takes the place of what its
// first draft taught.
void Loop::learn(Evaluation evaluation, std::int64_t id) {
    const PopulationPtr held = m_population;
    const Kernel* kernel = held->kernel(evaluation.kernel);
    if (kernel != nullptr && evaluation.purpose == tunedPurpose) {
        kernel = m_structures.rootOf(*kernel);
    }
    const Experiment* experiment =
        kernel != nullptr && kernel->experiment ? held->experiment(*kernel->experiment) : nullptr;
    if (experiment == nullptr ||
        m_structures.isPoint(*experiment)) { // the points of a structure are judged by their best
        return;
    }
    evaluation.id = id;
    FindingContext context;
    const auto before = m_store->newestVerdict(evaluation.baseline.value_or(experiment->parent));
    if (before && *before) {
        context.parentReport = (*before)->staticReport;
    }
    if (evaluation.purpose == tunedPurpose) {
        const auto drafts = m_store->evaluations(kernel->id);
        for (const Evaluation& draft : drafts ? *drafts : std::vector<Evaluation>()) {
            if (draft.id != id) {
                context.superseded.push_back(draft.id);
            }
        }
    }
    const auto change = updateFindings(*held, *experiment, *kernel, evaluation, context);
    if (!change) {
        return;
    }
    const bool done =
        change->isNew ? stored(m_store->addFinding(change->finding)) : stored(m_store->updateFinding(change->finding));
    if (done) {
        refresh();
    }
}

void Loop::keepUnsaved() {
    for (const Evaluation& evaluation : std::exchange(m_unsaved, {})) {
        keep(evaluation);
    }
}

} // namespace gks
