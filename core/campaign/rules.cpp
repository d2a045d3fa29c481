// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/rules.h"

#include "core/base/hash.h"
#include "core/campaign/normalized_source.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace gks {
namespace {

// Kernels and probes, by id.
template<class Wanted>
void collect(const Population& population, std::vector<const Kernel*>& found, const Wanted& isWanted) {
    for (const SharedList<Kernel>* all : {&population.kernels, &population.probes}) {
        for (const Kernel& kernel : *all) {
            if (isWanted(kernel)) {
                found.push_back(&kernel);
            }
        }
    }
    std::ranges::sort(found, {}, &Kernel::id);
}

} // namespace

bool mayBecome(KernelState from, KernelState to) {
    using enum KernelState;
    switch (from) {
    case proposed:
        return to == waiting || to == declined;
    case waiting:
        // The lane brings a verdict back, or none; or the person looks at its code after all.
        return to == waiting || to == screening || to == evaluating || to == evaluated || to == proposed ||
               to == declined;
    case screening:
        return to == waiting || to == evaluated;
    case evaluating:
        return to == waiting || to == evaluated;
    case evaluated:
        return to == waiting || to == evaluated; // once more
    case declined:
        return to == waiting || to == proposed; // the person approves it after all, or takes that back
    }
    return false;
}

bool isPersonsToDecide(ExperimentState state) {
    using enum ExperimentState;
    return state == proposed || state == notPicked || state == approved || state == rejected;
}

bool mayBecome(ExperimentState from, ExperimentState to) {
    using enum ExperimentState;
    if (from == to) {
        return true;
    }
    switch (from) {
    case proposed:
        return to == notPicked || to == approved || to == rejected;
    case notPicked:
        return to == proposed || to == approved || to == rejected; // proposed again in a later round
    case approved:
        // The tuner writes in no time; a kernel that waited for its repair may be accepted when evaluated once more.
        return to == writing || to == evaluating || to == done || to == failed ||
               isPersonsToDecide(to); // an approval is taken back
    case rejected:
        return isPersonsToDecide(to); // its parent is allowed again, or the decision is taken back
    case writing:
        // Of several drafts the others may be judged before the last one comes to nothing.
        return to == approved || to == evaluating || to == done || to == failed;
    case evaluating:
        return to == approved || to == done || to == failed || to == rejected; // a repair; its code is rejected
    case done:
    case failed:
        return to == approved || to == evaluating || to == done || to == failed; // its kernel is evaluated again
    }
    return false;
}

bool mayBecome(FindingState from, FindingState to) {
    using enum FindingState;
    return from == to || from != dismissed || to == standing; // nothing but its restoring ends a dismissal
}

bool passedJudge(const Kernel& kernel) {
    return kernel.verdict && isAccepted(*kernel.verdict);
}

bool isAccepted(const Kernel& kernel) {
    return passedJudge(kernel) && !kernel.probe;
}

bool isMeasured(const Kernel& kernel) {
    return isAccepted(kernel) && kernel.geomeanUs > 0;
}

bool mayBeParent(const Kernel& kernel) {
    return isAccepted(kernel) && !kernel.banned;
}

bool isMeasuredParent(const Kernel& kernel) {
    return mayBeParent(kernel) && isMeasured(kernel);
}

bool mayBecomeParent(const Kernel& kernel) {
    return !kernel.banned && !kernel.probe && (mayStillBeJudged(kernel) || isAccepted(kernel));
}

bool mayStillBeJudged(const Kernel& kernel) {
    return !kernel.verdict && kernel.state != KernelState::declined;
}

bool mayBecomeSeed(const Kernel& kernel) {
    return !kernel.probe && (isAccepted(kernel) || (mayStillBeJudged(kernel) && kernel.state != KernelState::proposed));
}

KernelState stateOfDraft(Author author, const Policies& policies) {
    return author == Author::model && policies.checkCode ? KernelState::proposed : KernelState::waiting;
}

bool mayBeApproved(const Kernel& kernel) {
    return kernel.state == KernelState::proposed || kernel.state == KernelState::declined;
}

bool mayBeDeclined(const Kernel& kernel) {
    return kernel.state == KernelState::proposed ||
           (kernel.state == KernelState::waiting && kernel.author == Author::model && !kernel.verdict);
}

std::vector<const Kernel*> draftsThatChange(const Population& population, const Policies& to) {
    std::vector<const Kernel*> drafts;
    collect(population, drafts, [&](const Kernel& kernel) {
        return to.checkCode != population.settings.policies.checkCode && mayBeDeclined(kernel) &&
               stateOfDraft(kernel.author, to) != kernel.state;
    });
    return drafts;
}

bool countsAsAttempt(const Kernel& draft) {
    return draft.state != KernelState::declined;
}

bool isScreened(const Kernel& kernel, const CampaignSettings& settings) {
    return settings.policies.screening && !settings.judgedByHarness && kernel.author == Author::model &&
           !kernel.verdict;
}

bool isCounted(const Kernel& kernel, const CampaignSettings& settings) {
    return settings.policies.counters && !settings.judgedByHarness && kernel.author != Author::tuner && !kernel.probe;
}

std::vector<const Kernel*> draftsToReview(const Population& population) {
    std::vector<const Kernel*> drafts;
    collect(population, drafts, [](const Kernel& kernel) { return kernel.state == KernelState::proposed; });
    return drafts;
}

std::vector<const Kernel*> draftsOf(const Population& population, ExperimentId experiment) {
    std::vector<const Kernel*> drafts;
    collect(population, drafts, [&](const Kernel& kernel) { return kernel.experiment == experiment; });
    return drafts;
}

bool isRepairable(VerdictKind verdict) {
    using enum VerdictKind;
    return verdict == buildFailed || verdict == wrong || verdict == crashed || verdict == timedOut;
}

bool isUndecided(const Experiment& experiment) {
    using enum ExperimentState;
    return experiment.state == proposed || experiment.state == notPicked;
}

bool isUnderWay(const Experiment& experiment) {
    using enum ExperimentState;
    return experiment.state == approved || experiment.state == writing || experiment.state == evaluating;
}

bool isOpen(const Experiment& experiment) {
    return experiment.state == ExperimentState::proposed || isUnderWay(experiment);
}

bool isOver(const Experiment& experiment) {
    using enum ExperimentState;
    return experiment.state == done || experiment.state == failed;
}

ExperimentState stateByDrafts(const Experiment& experiment, const Population& population) {
    using enum ExperimentState;
    if (experiment.state != evaluating && experiment.state != approved) {
        return experiment.state;
    }
    const auto drafts = draftsOf(population, experiment.id);
    const Kernel* its = experiment.kernel ? population.kernel(*experiment.kernel) : nullptr;
    const bool isSentBack = its != nullptr && its->state == KernelState::declined;
    const bool isOpen = std::ranges::any_of(drafts, [](const Kernel* draft) { return mayStillBeJudged(*draft); });
    if (drafts.empty() || isOpen || isSentBack) {
        return experiment.state;
    }
    const bool isAccepted = std::ranges::any_of(drafts, [](const Kernel* draft) { return passedJudge(*draft); });
    if (experiment.state == approved) { // another draft, or a repair, may be to come; a person's is an edit of one
        const auto written =
            std::ranges::count_if(drafts, [](const Kernel* draft) { return draft->author != Author::person; });
        return isAccepted && (written == 0 || written >= population.settings.policies.drafts) ? done : approved;
    }
    return isAccepted ? done : failed;
}

std::optional<KernelState> stateInLine(const Experiment& experiment, const Population& population) {
    if (experiment.state != ExperimentState::evaluating) {
        return std::nullopt;
    }
    std::optional<KernelState> first;
    for (const Kernel* draft : draftsOf(population, experiment.id)) {
        const bool isInLine = draft->state == KernelState::waiting || draft->state == KernelState::proposed;
        if (!isInLine && mayStillBeJudged(*draft)) {
            return std::nullopt;
        }
        first = isInLine && !first ? std::optional(draft->state) : first;
    }
    return first;
}

const Kernel* draftToRepair(const Experiment& experiment, const Population& population) {
    const Kernel* draft = experiment.kernel ? population.kernel(*experiment.kernel) : nullptr;
    const bool isFailed = draft != nullptr && draft->verdict && isRepairable(*draft->verdict);
    return experiment.state == ExperimentState::approved && isFailed ? draft : nullptr;
}

bool hasTwoParents(ExperimentKind kind) {
    return kind == ExperimentKind::merge || kind == ExperimentKind::dispatch;
}

bool mayBeEdited(const Experiment& experiment) {
    return isUndecided(experiment) || experiment.state == ExperimentState::approved;
}

bool mayBeApproved(const Experiment& experiment) {
    return isUndecided(experiment) || experiment.state == ExperimentState::rejected;
}

bool mayBeRejected(const Experiment& experiment) {
    return isUndecided(experiment) || experiment.state == ExperimentState::approved;
}

std::vector<const Avenue*> unusedAvenues(const Population& population) {
    std::set<AvenueId> used;
    for (const Experiment& experiment : population.experiments) {
        if (experiment.avenue) {
            used.insert(*experiment.avenue);
        }
    }
    std::vector<const Avenue*> unused;
    for (const Avenue& avenue : population.avenues) {
        if (!used.contains(avenue.id)) {
            unused.push_back(&avenue);
        }
    }
    return unused;
}

std::vector<const Avenue*> askedAvenues(const Population& population) {
    std::vector<const Avenue*> asked = unusedAvenues(population);
    std::erase_if(asked, [](const Avenue* avenue) { return !avenue->asked; });
    return asked;
}

const Kernel* duplicateOf(std::string_view source, const Population& population, bool isOfProbe) {
    const std::string identity = sha256Hex(normalizedSource(source));
    const SharedList<Kernel>& all = isOfProbe ? population.probes : population.kernels;
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const Kernel& kernel) { return kernel.normalizedSha256 == identity; });
    return found == all.end() ? nullptr : &*found;
}

std::string bannedParentText(KernelId parent) {
    return fmt::format("parent {} was banned", kernelLabel(parent));
}

} // namespace gks
