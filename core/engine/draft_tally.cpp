// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/draft_tally.h"

#include "core/campaign/model_stages.h"
#include "core/campaign/rules.h"

#include <algorithm>

namespace gks {
namespace {

void count(DraftTally& tally, int& attempts, const Kernel& kernel) {
    tally.begun += kernel.author != Author::person ? 1 : 0; // that is an edit of one
    tally.open += mayStillBeJudged(kernel) ? 1 : 0;
    tally.accepted += isAccepted(kernel) ? 1 : 0;
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
    for (const Kernel& known : population.kernels) {
        const Kernel& kernel = changed != nullptr && changed->id == known.id ? *changed : known;
        if (kernel.experiment != experiment.id) {
            continue;
        }
        count(tally, attempts, kernel);
        if (kernel.verdict && isRepairable(*kernel.verdict)) {
            tally.failed = &kernel;
        }
        if (experiment.kernel == kernel.id && kernel.state == KernelState::declined) {
            tally.sentBack = &kernel;
        }
    }
    if (changed != nullptr && changed->id == 0) {
        count(tally, attempts, *changed);
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
    tally.mayBeRepaired = !isPoint && attempts < wanted + population.settings.repairAttempts;
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
    const auto drafts = std::count_if(population.kernels.begin(), population.kernels.end(), [&](const Kernel& kernel) {
        return kernel.experiment == failed.experiment && (!failed.verdict || countsAsAttempt(kernel));
    });
    const int wanted = experiment != nullptr ? draftsWanted(population, *experiment) : 1;
    return std::max(1, static_cast<int>(drafts) - wanted + 1);
}

std::string writerOfDraft(const CampaignSettings& settings, const Experiment& experiment, int draft) {
    std::vector<std::string> writers = writersOf(settings.models);
    writers.insert(writers.begin(), std::string());
    return experiment.writer.empty() ? writers[static_cast<std::size_t>(draft) % writers.size()] : experiment.writer;
}

int turnOfDraft(const CampaignSettings& settings, const Experiment& experiment, int draft) {
    const std::string writer = writerOfDraft(settings, experiment, draft);
    int turn = 0;
    for (int earlier = 0; earlier < draft; ++earlier) {
        turn += writerOfDraft(settings, experiment, earlier) == writer ? 1 : 0;
    }
    return turn;
}

} // namespace gks
