// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/scheduler.h"

#include "core/campaign/own_code.h"
#include "core/campaign/rules.h"
#include "core/llm/chat.h"
#include "core/scientist/portfolio.h"

#include <algorithm>
#include <limits>
#include <set>

namespace gks {
namespace {

constexpr double planningMargin = 1.25; // calls do not all take the same time

bool isDraft(const Kernel& kernel) {
    return kernel.state == KernelState::waiting || kernel.state == KernelState::screening;
}

std::int64_t draftsThatWait(const Population& population) {
    return std::ranges::count_if(population.kernels, isDraft) + std::ranges::count_if(population.probes, isDraft);
}

bool isSeedLeft(const SharedList<Kernel>& kernels) {
    return std::ranges::any_of(
        kernels, [](const Kernel& kernel) { return kernel.author == Author::seed && mayStillBeJudged(kernel); });
}

constexpr int modelsRank = 3;

int laneRank(const Population& population, const Kernel& kernel) {
    if (kernel.author == Author::person || kernel.verdict) {
        return 0;
    }
    if (kernel.author == Author::seed) {
        return 1;
    }
    const Experiment* experiment = kernel.experiment ? population.experiment(*kernel.experiment) : nullptr;
    return experiment != nullptr && experiment->author == Author::person ? 2 : modelsRank;
}

} // namespace

const Kernel* nextKernel(const Population& population, const std::set<KernelId>& unscreened) {
    const Kernel* best = nullptr;
    int bestRank = 0;
    for (const Kernel& probe : population.probes) {
        if (!isDraft(probe)) {
            continue;
        }
        if (probe.author == Author::seed && !probe.verdict) {
            return &probe; // opens the notebook
        }
        const int rank = laneRank(population, probe);
        if (best == nullptr || rank < bestRank) {
            best = &probe;
            bestRank = rank;
        }
    }
    for (const Kernel& kernel : population.kernels) {
        const bool first = kernel.id == population.baseline;
        if (first && mayStillBeJudged(kernel)) {
            return kernel.state == KernelState::waiting ? &kernel : nullptr;
        }
        if (kernel.state != KernelState::waiting || unscreened.contains(kernel.id)) {
            continue;
        }
        const Kernel* parent = kernel.parents.empty() ? nullptr : population.kernel(kernel.parents.front());
        if (parent != nullptr && mayStillBeJudged(*parent)) {
            continue; // its turn comes when there is something to compare it with
        }
        const int rank = laneRank(population, kernel);
        if (best == nullptr || rank < bestRank || (rank == bestRank && kernel.id < best->id)) {
            best = &kernel;
            bestRank = rank;
        }
    }
    return best;
}

namespace {

// The kernel or what must be judged before it; null: nothing of these can be taken now. Parents are older, so it ends.
const Kernel* firstToJudge(const Population& population, const Kernel& kernel) {
    const Kernel* at = &kernel;
    while (!at->probe) {
        const std::optional<KernelId> before = at->parents.empty() ? population.baseline : at->parents.front();
        const Kernel* compared = before && *before < at->id ? population.kernel(*before) : nullptr;
        if (compared == nullptr || !mayStillBeJudged(*compared)) {
            break;
        }
        at = compared;
    }
    return at->state == KernelState::waiting ? at : nullptr;
}

} // namespace

const Kernel* nextAskedKernel(const Population& population, const std::set<KernelId>& asked) {
    for (const KernelId id : asked) {
        const Kernel* kernel = population.kernel(id);
        const bool waits = kernel != nullptr && kernel->state == KernelState::waiting;
        if (const Kernel* first = waits ? firstToJudge(population, *kernel) : nullptr) {
            return first;
        }
    }
    return nullptr;
}

bool goesBeforeComparisons(const Population& population, const Kernel& kernel) {
    return laneRank(population, kernel) < modelsRank;
}

const Kernel* nextToScreen(const Population& population, const std::set<KernelId>& unscreened) {
    const Kernel* best = nullptr;
    for (const Kernel& kernel : population.kernels) { // probes go to the lanes as they are
        if (kernel.state == KernelState::waiting && unscreened.contains(kernel.id) &&
            (best == nullptr || laneRank(population, kernel) < laneRank(population, *best))) {
            best = &kernel;
        }
    }
    return best;
}

const Kernel* baselineOf(const Population& population, const Kernel& kernel) {
    if (kernel.probe) {
        return nullptr;
    }
    const std::optional<KernelId> id =
        kernel.parents.empty() ? population.baseline : std::optional(kernel.parents.front());
    const Kernel* baseline = id && *id != kernel.id ? population.kernel(*id) : nullptr;
    return baseline != nullptr && isAccepted(*baseline) ? baseline : nullptr;
}

std::int64_t evaluationsLeft(const Population& population, std::size_t evaluating) {
    const std::int64_t budget = population.settings.budgets.evaluations;
    return budget == 0 ? std::numeric_limits<std::int32_t>::max()
                       : budget - population.spend.evaluations - static_cast<std::int64_t>(evaluating);
}

bool lanesAreFed(const Population& population, std::size_t lanes, std::size_t evaluating) {
    const std::int64_t waiting = draftsThatWait(population);
    return waiting >= static_cast<std::int64_t>(lanes) || waiting >= evaluationsLeft(population, evaluating);
}

namespace {

// Drafts of it are still to be begun, or may be.
bool mayBeDrafted(const Population& population, const Experiment& experiment, const Structures& structures) {
    return (experiment.state == ExperimentState::approved || experiment.state == ExperimentState::writing) &&
           !structures.isPoint(experiment) && !needsOwnCode(experiment, population.settings);
}

} // namespace

const Experiment* nextExperiment(const Population& population, const Structures& structures,
                                 const DraftsUnderWay& underWay) {
    const Experiment* next = nullptr;
    for (const Experiment& experiment : population.experiments) {
        if (mayBeDrafted(population, experiment, structures) &&
            (next == nullptr || experiment.position < next->position) &&
            draftTally(population, experiment, underWay).next()) {
            next = &experiment;
        }
    }
    return next;
}

const Kernel* failedDraft(const Population& population, const Experiment& experiment, const DraftsUnderWay& underWay) {
    const DraftTally tally = draftTally(population, experiment, underWay);
    return tally.next() != CallTask::repair ? nullptr : tally.sentBack != nullptr ? tally.sentBack : tally.failed;
}

namespace {

ScientistCall draftCall(const Situation& situation, const Experiment& experiment) {
    const Population& population = situation.population;
    if (const Kernel* failed = failedDraft(population, experiment, situation.underWay)) {
        return {CallTask::repair, experiment.id, repairWriter(population, experiment, *failed)};
    }
    std::vector<DraftAtWork> atWork;
    for (const ScientistCall& call : situation.underWay.calls) {
        if (!isPlanning(call.task)) {
            atWork.push_back({call.experiment.value_or(0), call.writer});
        }
    }
    return {CallTask::write, experiment.id, nextWriter(population, experiment, atWork)};
}

// A call whose answers come from one place in one order: a person, or a recording of calls that came one by one.
bool isAskedAlone(const CampaignSettings& settings, const ScientistCall& call) {
    const ModelStage stage = call.task == CallTask::select   ? ModelStage::selector
                             : call.task == CallTask::design ? ModelStage::designer
                             : call.task == CallTask::write  ? ModelStage::writer
                                                             : ModelStage::repair;
    const ModelChoice* choice =
        isPlanning(call.task) ? modelOf(settings.models, stage) : writerModelOf(settings.models, stage, call.writer);
    return choice != nullptr && (choice->provider == manualProviderName || choice->provider == replayProviderName);
}

bool mayBeStarted(const Situation& situation, const ScientistCall& call) {
    const CampaignSettings& settings = situation.population.settings;
    const std::vector<ScientistCall>& calls = situation.underWay.calls;
    return !isAskedAlone(settings, call) || std::none_of(calls.begin(), calls.end(), [&](const ScientistCall& other) {
        return isAskedAlone(settings, other);
    });
}

// As far as prices are known: before the first call has ended there is one at a time.
bool isAffordable(const Situation& situation) {
    const Budgets& budgets = situation.population.settings.budgets;
    const Spend& spend = situation.population.spend;
    if (situation.underWay.calls.empty() || (budgets.tokens == 0 && budgets.usd == 0)) {
        return true;
    }
    const CallPrice& dearest = situation.dearestCall;
    if (dearest == CallPrice()) {
        return false;
    }
    const auto calls = static_cast<std::int64_t>(situation.underWay.calls.size()) + 1;
    return (budgets.tokens == 0 || spend.tokens + calls * dearest.tokens <= budgets.tokens) &&
           (budgets.usd == 0 || spend.usd + static_cast<double>(calls) * dearest.usd <= budgets.usd);
}

// A selection or a design may begin: there is something to learn from, and nobody is to decide first.
bool mayPlan(const Situation& situation) {
    const Population& population = situation.population;
    const bool seedsLeft = isSeedLeft(population.kernels) || isSeedLeft(population.probes);
    const std::vector<ScientistCall>& calls = situation.underWay.calls;
    const bool isPlanned =
        std::any_of(calls.begin(), calls.end(), [](const ScientistCall& call) { return isPlanning(call.task); });
    if (seedsLeft || isPlanned || !situation.mayDesign || situation.structures.areOpen()) {
        return false;
    }
    if ((population.settings.mode == Mode::approveExperiments && undecided(population) > 0) ||
        !draftsToReview(population).empty()) {
        return false;
    }
    // The tuner proposes in no time: it is asked as late as possible, when it knows most. A model is asked ahead.
    return population.settings.scientist == ScientistKind::model ||
           (situation.freeLanes > 0 && nextKernel(population) == nullptr);
}

// What stands between the lanes and the next round, in numbers of drafts.
struct Ahead {
    std::int64_t drafts = 0;    // that wait or are being written
    std::int64_t undrafted = 0; // that approved experiments are still to bring
    bool beingWritten = false;
};

Ahead workAhead(const Situation& situation) {
    Ahead ahead;
    const std::vector<ScientistCall>& calls = situation.underWay.calls;
    const auto written =
        std::count_if(calls.begin(), calls.end(), [](const ScientistCall& call) { return !isPlanning(call.task); });
    ahead.drafts = draftsThatWait(situation.population) + written;
    for (const Experiment& experiment : situation.population.experiments) {
        if (mayBeDrafted(situation.population, experiment, situation.structures)) {
            ahead.undrafted += draftTally(situation.population, experiment, situation.underWay).callsLeft();
        }
    }
    ahead.beingWritten = written > 0;
    return ahead;
}

bool isKnown(const Pace& pace) {
    return pace.planning > 0 && pace.draft > 0 && pace.evaluation > 0;
}

// What is left of the budget of evaluations is more than this round may take: every draft of it may need a repair.
bool isRoomForARound(const Situation& situation, const Ahead& ahead) {
    const auto repairs = static_cast<std::int64_t>(situation.evaluating);
    return evaluationsLeft(situation.population, situation.evaluating) > repairs + 2 * (ahead.drafts + ahead.undrafted);
}

// A first round says more of the problem than a second one that is planned before any of it was judged.
bool isAnythingLearnt(const Population& population) {
    return std::any_of(population.kernels.begin(), population.kernels.end(),
                       [](const Kernel& kernel) { return kernel.author != Author::seed && kernel.verdict; });
}

// The next round is to be planned although this one is not drafted yet.
bool isTimeToPlan(const Situation& situation, const Ahead& ahead) {
    if (situation.structures.areTuned() && (ahead.undrafted > 0 || ahead.beingWritten)) {
        return false; // a draft may be a new structure, which is tuned before the next round
    }
    if (ahead.undrafted >= static_cast<std::int64_t>(situation.callLimit)) {
        return false;
    }
    const Pace& pace = situation.pace;
    const double rounds = static_cast<double>(ahead.drafts + ahead.undrafted) / static_cast<double>(situation.lanes);
    const bool isUnderWay = ahead.drafts + ahead.undrafted > 0 || situation.evaluating > 0;
    if (isUnderWay && !isAnythingLearnt(situation.population)) {
        return false;
    }
    return rounds < 1 || !isKnown(pace) || rounds * pace.evaluation <= planningMargin * (pace.planning + pace.draft);
}

} // namespace

std::optional<ScientistCall> nextCall(const Situation& situation) {
    const Population& population = situation.population;
    const auto lanes = static_cast<std::int64_t>(situation.lanes);
    const Ahead ahead = workAhead(situation);
    const bool isFull = ahead.drafts >= lanes + static_cast<std::int64_t>(situation.callLimit) - 1;
    const auto reviewed = static_cast<std::int64_t>(draftsToReview(population).size());
    if (situation.underWay.calls.size() >= situation.callLimit || lanes == 0 || !isAffordable(situation) ||
        (isFull && situation.callLimit == 1) ||
        ahead.drafts + reviewed >= evaluationsLeft(population, situation.evaluating)) {
        return std::nullopt;
    }
    std::vector<ScientistCall> wanted; // the first that may be started is
    const Experiment* experiment = nextExperiment(population, situation.structures, situation.underWay);
    if (experiment != nullptr && !isFull) {
        wanted.push_back(draftCall(situation, *experiment));
    }
    if (mayPlan(situation) && isRoomForARound(situation, ahead) && isTimeToPlan(situation, ahead)) {
        const ScientistCall plan = {situation.selected ? CallTask::design : CallTask::select, std::nullopt};
        const bool comesFirst =
            !wanted.empty() && experiment->author != Author::person && ahead.drafts >= lanes && isKnown(situation.pace);
        wanted.insert(comesFirst ? wanted.begin() : wanted.end(), plan);
    }
    const auto call = std::find_if(wanted.begin(), wanted.end(),
                                   [&](const ScientistCall& one) { return mayBeStarted(situation, one); });
    return call == wanted.end() ? std::nullopt : std::optional(*call);
}

std::size_t undecided(const Population& population) {
    std::int64_t newest = 0;
    for (const Experiment& experiment : population.experiments) {
        newest = std::max(newest, experiment.round);
    }
    return static_cast<std::size_t>(
        std::count_if(population.experiments.begin(), population.experiments.end(), [&](const Experiment& e) {
            return e.round == newest && e.state == ExperimentState::proposed && !e.pick.empty();
        }));
}

std::vector<const Experiment*> leftProposals(const Population& population) {
    std::set<std::int64_t> going;
    std::vector<const Experiment*> left;
    for (const Experiment& experiment : population.experiments) {
        const bool proposed = experiment.state == ExperimentState::proposed;
        if (isUnderWay(experiment) || (proposed && !experiment.pick.empty())) {
            going.insert(experiment.round);
        } else if (proposed) {
            left.push_back(&experiment);
        }
    }
    std::erase_if(left, [&](const Experiment* experiment) { return going.contains(experiment->round); });
    return left;
}

} // namespace gks
