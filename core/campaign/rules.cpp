// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/rules.h"

#include "core/base/hash.h"
#include "core/base/text.h"
#include "core/campaign/limits.h"
#include "core/campaign/model_stages.h"
#include "core/campaign/normalized_source.h"
#include "core/campaign/prompt_template.h"

#include <algorithm>
#include <fmt/format.h>

namespace gks {

bool mayBecome(KernelState from, KernelState to) {
    using enum KernelState;
    switch (from) {
    case waiting:
        return true; // the lane brings a verdict back, or none
    case evaluating:
        return to == waiting || to == evaluated;
    case evaluated:
        return to == waiting || to == evaluated; // once more
    }
    return false;
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
        return to == rejected || to == writing || to == evaluating || to == done || to == failed;
    case rejected:
        return to == approved || to == notPicked; // its parent is allowed again
    case writing:
        return to == approved || to == evaluating || to == failed;
    case evaluating:
        return to == approved || to == done || to == failed; // a repair
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

bool isAccepted(const Kernel& kernel) {
    return kernel.verdict && isAccepted(*kernel.verdict);
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
    return !kernel.banned && (!kernel.verdict || isAccepted(kernel));
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

bool mayBeEdited(const Experiment& experiment) {
    return isUndecided(experiment) || experiment.state == ExperimentState::approved;
}

bool mayBeApproved(const Experiment& experiment) {
    return isUndecided(experiment) || experiment.state == ExperimentState::rejected;
}

bool mayBeRejected(const Experiment& experiment) {
    return isUndecided(experiment) || experiment.state == ExperimentState::approved;
}

const Kernel* duplicateOf(std::string_view source, const Population& population) {
    const std::string identity = sha256Hex(normalizedSource(source));
    const auto found = std::find_if(population.kernels.begin(), population.kernels.end(),
                                    [&](const Kernel& kernel) { return kernel.normalizedSha256 == identity; });
    return found == population.kernels.end() ? nullptr : &*found;
}

std::string bannedParentText(KernelId parent) {
    return fmt::format("its parent {} was banned", kernelLabel(parent));
}

namespace {

Result<void> fits(std::string_view what, std::string_view text, std::size_t limitBytes) {
    if (text.size() <= limitBytes) {
        return {};
    }
    return usageError(
        fmt::format("{} has {}, at most {} are allowed", what, formatBytes(text.size()), formatBytes(limitBytes)), {},
        "Shorten it");
}

Result<void> isText(std::string_view what, std::string_view text, std::size_t limitBytes) {
    return trimmed(text).empty() ? usageError(fmt::format("{} is empty", what)) : fits(what, text, limitBytes);
}

// What is no number is in no range.
Result<void> isWithin(std::string_view what, double value, double least, double most) {
    return value >= least && value <= most ? Result<void>()
                                           : usageError(fmt::format("{}: {} is out of range", what, value), {},
                                                        fmt::format("It is {} to {}", least, most));
}

Result<void> checkBudgets(const Budgets& budgets) {
    GKS_TRY(isWithin("budget of evaluations", static_cast<double>(budgets.evaluations), 0, limits::budget));
    GKS_TRY(isWithin("budget of minutes", budgets.minutes, 0, limits::budget));
    GKS_TRY(isWithin("budget of USD", budgets.usd, 0, limits::budget));
    GKS_TRY(isWithin("budget of tokens", static_cast<double>(budgets.tokens), 0, limits::tokenBudget));
    return isWithin("budget of device seconds", budgets.gpuSeconds, 0, limits::deviceSecondsBudget);
}

Result<void> checkModel(const std::string& slot, const ModelChoice& choice) {
    GKS_TRY(checkModelSlot(slot));
    if (!choice.reasoningEffort.empty() && reasoningEffort(choice.reasoningEffort) == nullptr) {
        return usageError(fmt::format("'{}' is no reasoning effort", abbreviated(choice.reasoningEffort, 40)), slot);
    }
    GKS_TRY(isWithin("temperature", choice.temperature, 0, limits::temperature));
    GKS_TRY(isWithin("output tokens", choice.maxOutputTokens, limits::leastOutputTokens, limits::mostOutputTokens));
    for (const CallLimitFact& fact : callLimitFacts) {
        GKS_TRY(isWithin(fact.help, choice.limits.*fact.value, fact.leastSeconds, fact.mostSeconds));
    }
    return {};
}

// One overload for each command: a new command without its own does not compile.
struct Check {
    const Population& population;

    Result<const Kernel*> kernel(KernelId id) const {
        const Kernel* known = population.kernel(id);
        return known != nullptr ? Result<const Kernel*>(known)
                                : usageError(fmt::format("there is no kernel {}", kernelLabel(id)));
    }
    Result<const Experiment*> experiment(ExperimentId id) const {
        const Experiment* known = population.experiment(id);
        return known != nullptr ? Result<const Experiment*>(known)
                                : usageError(fmt::format("experiment {} does not exist", id));
    }
    Result<const Document*> document(std::int64_t id) const {
        const Document* known = population.document(id);
        return known != nullptr ? Result<const Document*>(known)
                                : usageError(fmt::format("there is no document {}", id));
    }
    Result<void> parent(KernelId id) const {
        GKS_TRY_ASSIGN(const Kernel* known, kernel(id));
        if (known->banned) {
            return usageError(fmt::format("kernel {} is banned as a parent", kernelLabel(id)), {}, "Unban it first");
        }
        return mayBecomeParent(*known)
                   ? Result<void>()
                   : usageError(fmt::format("kernel {} has not passed the judge ({})", kernelLabel(id),
                                            name(known->verdict.value_or(VerdictKind::infrastructureFailed))),
                                {}, "Choose one that has");
    }

    // What stands in the way of these is the state of the loop, not the campaign's.
    Result<void> operator()(const command::Start&) const { return {}; }
    Result<void> operator()(const command::Pause&) const { return {}; }
    Result<void> operator()(const command::Step&) const { return {}; }
    Result<void> operator()(const command::Stop&) const { return {}; }
    Result<void> operator()(const command::CancelCurrent&) const { return {}; }

    Result<void> operator()(const command::PinParent& pin) const {
        if (pin.parent) {
            GKS_TRY(parent(*pin.parent));
        }
        if (pin.reference) {
            GKS_TRY(kernel(*pin.reference));
            if (pin.reference == pin.parent) {
                return usageError(fmt::format("kernel {} is the parent already", kernelLabel(*pin.reference)), {},
                                  "Choose another one as the reference");
            }
        }
        return {};
    }
    Result<void> operator()(const command::SetBanned& set) const {
        GKS_TRY_ASSIGN(const Kernel* known, kernel(set.kernel));
        return known->banned != set.banned ? Result<void>()
                                           : usageError(fmt::format("kernel {} is {}", kernelLabel(set.kernel),
                                                                    set.banned ? "banned already" : "not banned"));
    }
    Result<void> operator()(const command::EvaluateAgain& again) const {
        GKS_TRY_ASSIGN(const Kernel* known, kernel(again.kernel));
        return known->state == KernelState::evaluated
                   ? Result<void>()
                   : usageError(fmt::format("kernel {} is {} already", kernelLabel(known->id), name(known->state)));
    }
    Result<void> operator()(const command::RestoreLane& restore) const {
        return population.settings.lanesOut.contains(restore.lane)
                   ? Result<void>()
                   : usageError(fmt::format("lane {} is not out of service", restore.lane));
    }
    Result<void> operator()(const command::AddKernel& add) const {
        GKS_TRY(kernel(add.basis));
        GKS_TRY(fits("the title", add.title, 4 * limits::kernelTitleCharacters));
        GKS_TRY(isText("the source", add.source, limits::kernelSourceBytes));
        const Kernel* same = duplicateOf(add.source, population);
        return same == nullptr ? Result<void>()
                               : usageError(fmt::format("duplicate of {}: only comments, formatting or local names "
                                                        "differ",
                                                        kernelLabel(same->id)),
                                            {}, "Evaluate that one again instead");
    }

    Result<void> operator()(const command::ApproveExperiment& approve) const {
        GKS_TRY_ASSIGN(const Experiment* known, experiment(approve.experiment));
        if (!mayBeApproved(*known)) {
            return decided(*known);
        }
        const Kernel* basis = population.kernel(known->parent);
        return basis == nullptr || !basis->banned ? Result<void>()
                                                  : usageError(fmt::format("the parent {} of experiment {} is banned",
                                                                           kernelLabel(basis->id), known->id),
                                                               {}, "Unban it first");
    }
    Result<void> operator()(const command::RejectExperiment& reject) const {
        GKS_TRY_ASSIGN(const Experiment* known, experiment(reject.experiment));
        return mayBeRejected(*known) ? Result<void>() : decided(*known);
    }
    Result<void> decided(const Experiment& known) const {
        return usageError(fmt::format("experiment {} is {} already", known.id, name(known.state)));
    }
    Result<void> prediction(const Interval& percent, int innovation) const {
        const Interval& range = limits::predictedPercent;
        if (!(percent.low <= percent.high)) {
            return usageError(fmt::format("the gain is predicted from {} up to {}", formatPercent(percent.low),
                                          formatPercent(percent.high)),
                              {}, "The lowest comes first");
        }
        if (percent.low < range.low || percent.high > range.high) {
            return usageError(
                fmt::format("a gain of {} to {} is predicted", formatPercent(percent.low), formatPercent(percent.high)),
                {}, fmt::format("It is between {} and {}", formatPercent(range.low), formatPercent(range.high)));
        }
        return innovation >= 0 && innovation <= limits::innovation
                   ? Result<void>()
                   : usageError(fmt::format("an innovation of {} is none", innovation), {},
                                fmt::format("It is 0 to {}", limits::innovation));
    }
    Result<void> operator()(const command::EditExperiment& edit) const {
        const Experiment* known = population.experiment(edit.experiment);
        if (known == nullptr || !mayBeEdited(*known)) {
            return usageError(fmt::format("experiment {} can no longer be edited", edit.experiment));
        }
        if (edit == command::EditExperiment{.experiment = edit.experiment}) {
            return usageError(fmt::format("nothing of experiment {} is changed", edit.experiment), {},
                              "Say what: description, rubric, prediction or innovation");
        }
        if (edit.description) {
            GKS_TRY(isText("the description", *edit.description, limits::experimentDescriptionBytes));
        }
        GKS_TRY(fits("the rubric", edit.rubric.value_or(""), limits::experimentRubricBytes));
        return prediction(edit.predictedPercent.value_or(Interval{}), edit.innovation.value_or(0));
    }
    Result<void> operator()(const command::AddExperiment& add) const {
        GKS_TRY(parent(add.parent));
        GKS_TRY(isText("the description", add.description, limits::experimentDescriptionBytes));
        GKS_TRY(fits("the rubric", add.rubric, limits::experimentRubricBytes));
        return prediction(add.predictedPercent, add.innovation);
    }
    Result<void> operator()(const command::ReorderExperiments& reorder) const {
        for (const ExperimentId id : reorder.order) {
            GKS_TRY(experiment(id));
        }
        return {};
    }

    Result<void> operator()(const command::SetMode&) const { return {}; } // every mode, from every other
    Result<void> operator()(const command::SetBudgets& set) const { return checkBudgets(set.budgets); }
    Result<void> operator()(const command::SetScientist& set) const {
        if (set.kind == ScientistKind::model && set.models.empty()) {
            return usageError("no model is named yet", {}, "Name one: steer FILE.gks model default --model NAME");
        }
        for (const auto& [slot, choice] : set.models) {
            const auto known = population.settings.models.find(slot);
            if (known == population.settings.models.end() || known->second != choice) { // what stands there stays
                GKS_TRY(checkModel(slot, choice));
            }
        }
        return {};
    }
    Result<void> operator()(const command::SetHint& set) const { return fits("the hint", set.hint, limits::hintBytes); }
    Result<void> operator()(const command::SetPolicies& set) const {
        const auto within = [](std::string_view what, int value, int most) {
            return value >= 0 && value <= most ? Result<void>()
                                               : usageError(fmt::format("{} {} are out of range", value, what), {},
                                                            fmt::format("It is 0 to {}", most));
        };
        GKS_TRY(within("tuning evaluations", set.policies.tuningEvaluations, limits::tuningEvaluations));
        return within("knowledge tokens", set.policies.knowledgeTokens, limits::knowledgeTokens);
    }
    Result<void> operator()(const command::SetPrompt& set) const {
        if (set.text) {
            return checkPrompt(set.name, *set.text);
        }
        return population.settings.prompts.contains(set.name) ? Result<void>() : checkPromptName(set.name);
    }

    Result<void> operator()(const command::AddFinding& add) const {
        GKS_TRY(fits("the subject", add.subject, 4 * limits::findingSubjectCharacters));
        return isText("the finding", add.text, limits::findingBytes);
    }
    Result<void> operator()(const command::EditFinding& edit) const {
        const Finding* known = population.finding(edit.finding);
        if (known == nullptr) {
            return usageError(fmt::format("there is no finding {}", edit.finding));
        }
        GKS_TRY(fits("the subject", edit.subject.value_or(""), 4 * limits::findingSubjectCharacters));
        GKS_TRY(isText("the finding", edit.text.value_or(known->text), limits::findingBytes));
        if (edit.subject || edit.text || !edit.state) {
            return {};
        }
        const bool isDismissed = known->state == FindingState::dismissed;
        return isDismissed != (*edit.state == FindingState::dismissed)
                   ? Result<void>()
                   : usageError(fmt::format("finding {} is {}", known->id,
                                            isDismissed ? "dismissed already" : "not dismissed"));
    }
    Result<void> operator()(const command::AddDocument& add) const {
        return fits("the title", add.document.title, limits::documentTitleBytes);
    }
    Result<void> operator()(const command::EditDocument& edit) const {
        GKS_TRY_ASSIGN(const Document* known, document(edit.document));
        GKS_TRY(isText("the title", edit.title.value_or(known->title), limits::documentTitleBytes));
        GKS_TRY(fits("the digest", edit.digest.value_or(""), limits::digestBytes));
        return edit.title || edit.digest || edit.enabled != known->enabled
                   ? Result<void>()
                   : usageError(
                         fmt::format("document {} is {} already", known->id, known->enabled ? "enabled" : "disabled"));
    }
    Result<void> operator()(const command::RemoveDocument& remove) const {
        GKS_TRY(document(remove.document));
        return {};
    }
};

} // namespace

Result<void> checkCommand(const SteeringCommand& command, const Population& population) {
    return std::visit(Check{population}, command);
}

Result<void> checkSettings(const CampaignSettings& settings) {
    GKS_TRY(checkBudgets(settings.budgets));
    for (const auto& [slot, choice] : settings.models) {
        GKS_TRY(checkModel(slot, choice));
    }
    return {};
}

} // namespace gks
