// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/draft_tally.h"

#include "core/campaign/own_code.h"
#include "core/campaign/rules.h"

#include <algorithm>

namespace gks {
namespace {

void count(DraftTally& tally, int& attempts, const Kernel& kernel, bool isWrittenByPerson) {
    tally.begun += kernel.author != Author::person || isWrittenByPerson ? 1 : 0; // else it is an edit of one
    tally.open += mayStillBeJudged(kernel) ? 1 : 0;
    tally.accepted += passedJudge(kernel) ? 1 : 0;
    attempts += countsAsAttempt(kernel) ? 1 : 0;
}

} // namespace

int draftsWanted(const Population& population, const Experiment& experiment) {
    const bool isWords = population.settings.scientist == ScientistKind::model && experiment.author != Author::tuner &&
                         experiment.tunables.empty() && experiment.kind != ExperimentKind::probe;
    return isWords ? std::max(1, population.settings.policies.drafts) : 1;
}

DraftTally draftTally(const Population& population, const Experiment& experiment, const DraftsUnderWay& underWay,
                      const Kernel* changed) {
    DraftTally tally;
    int attempts = 0;
    bool isRepaired = false;
    const bool isOwn = isWrittenByPerson(experiment, population.settings);
    for (const Kernel* known : draftsOf(population, experiment.id)) {
        const Kernel& kernel = changed != nullptr && changed->id == known->id ? *changed : *known;
        count(tally, attempts, kernel, isOwn);
        if (kernel.verdict && isRepairable(*kernel.verdict)) {
            tally.failed = &kernel;
        }
        if (experiment.kernel == kernel.id && kernel.state == KernelState::declined) {
            tally.sentBack = &kernel;
        }
    }
    if (changed != nullptr && changed->id == 0) {
        count(tally, attempts, *changed, isOwn);
    }
    for (const ScientistCall& call : underWay.calls) {
        if (call.experiment == experiment.id) {
            ++tally.calls;
            tally.begun += call.task == CallTask::write ? 1 : 0;
            isRepaired = isRepaired || call.task == CallTask::repair;
        }
    }
    tally.begun += underWay.barrenOf(experiment.id);
    const int wanted = draftsWanted(population, experiment);
    const bool isPoint =
        experiment.author == Author::tuner && population.settings.scientist == ScientistKind::model; // never repaired
    tally.isApproved = experiment.state == ExperimentState::approved;
    const bool isBeingWritten = tally.isApproved || (experiment.state == ExperimentState::writing && tally.calls > 0);
    tally.left = isBeingWritten ? std::max(0, wanted - tally.begun) : 0;
    const bool isAttemptLeft = isOwn || attempts < wanted + population.settings.repairAttempts; // a person may go on
    tally.mayBeRepaired = !isPoint && isAttemptLeft;
    if (!isBeingWritten || isRepaired) {
        tally.sentBack = nullptr;
    }
    return tally;
}

std::optional<CallTask> DraftTally::next() const {
    if (sentBack != nullptr) {
        return CallTask::repair;
    }
    if (left > 0) {
        return CallTask::write;
    }
    if (!isApproved || calls > 0 || open > 0 || accepted > 0) {
        return std::nullopt;
    }
    return failed != nullptr ? CallTask::repair : CallTask::write;
}

int DraftTally::callsLeft() const {
    const int known = left + (sentBack != nullptr ? 1 : 0);
    return known > 0 ? known : next() ? 1 : 0;
}

ExperimentState DraftTally::state() const {
    if (calls > 0) {
        return ExperimentState::writing;
    }
    if (!isOver()) {
        return sentBack != nullptr || left > 0 ? ExperimentState::approved : ExperimentState::evaluating;
    }
    if (accepted > 0) {
        return ExperimentState::done;
    }
    return failed != nullptr && mayBeRepaired ? ExperimentState::approved : ExperimentState::failed;
}

int repairAttempt(const Population& population, const Kernel& failed) {
    const Experiment* experiment = failed.experiment ? population.experiment(*failed.experiment) : nullptr;
    const auto drafts =
        std::ranges::count_if(draftsOf(population, failed.experiment.value_or(0)),
                              [&](const Kernel* draft) { return !failed.verdict || countsAsAttempt(*draft); });
    const int wanted = experiment != nullptr ? draftsWanted(population, *experiment) : 1;
    return std::max(1, static_cast<int>(drafts) - wanted + 1);
}

int turnOfDraft(const Population& population, const DraftsUnderWay& underWay, const ScientistCall& call) {
    const auto written =
        std::ranges::count_if(draftsOf(population, call.experiment.value_or(0)), [&](const Kernel* draft) {
            return draft->author != Author::person && draft->writer == call.writer;
        });
    const auto atWork = std::ranges::count_if(underWay.calls, [&](const ScientistCall& other) {
        return other.task == CallTask::write && other.experiment == call.experiment && other.writer == call.writer;
    });
    return static_cast<int>(written + atWork);
}

} // namespace gks
