// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/foreign_text.h"
#include "core/base/text.h"
#include "core/campaign/asked_comparison.h"
#include "core/campaign/gain.h"
#include "core/campaign/limits.h"
#include "core/campaign/model_stages.h"
#include "core/campaign/prompt_template.h"
#include "core/campaign/rules.h"
#include "core/campaign/source_check.h"
#include "core/judge/probe.h"
#include "core/llm/chat.h"
#include "core/problem/shape_text.h"
#include "core/rating/shape_scales.h"

#include <algorithm>
#include <fmt/format.h>

// Which commands of a person are refused, and why.
namespace gks {
namespace {

Result<void> fits(std::string_view what, std::string_view text, std::size_t limitBytes) {
    if (text.size() <= limitBytes) {
        return {};
    }
    return usageError(
        fmt::format("{} is too long: {} (limit {})", what, formatBytes(text.size()), formatBytes(limitBytes)), {},
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
    GKS_TRY(isWithin("budget of device seconds", budgets.gpuSeconds, 0, limits::deviceSecondsBudget));
    GKS_TRY(isWithin("goal of the best, us", budgets.goalUs, 0, limits::goalUs));
    return isWithin("experiments without a new best", static_cast<double>(budgets.fruitless), 0, limits::budget);
}

Result<void> checkModel(const std::string& slot, const ModelChoice& choice) {
    GKS_TRY(checkModelSlot(slot));
    GKS_TRY(checkLocalAddress(choice));
    const bool isLocal = choice.provider == commandProviderName || choice.provider == folderProviderName ||
                         choice.provider == replayProviderName;
    if (!isLocal) {
        GKS_TRY(checkServerAddress(choice.baseUrl));
    }
    GKS_TRY(checkModelName(choice.model));
    GKS_TRY(checkKeyVariable(choice.keyVariable));
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

Result<void> fewWriters(const std::map<std::string, ModelChoice>& models) {
    const auto further = std::count_if(models.begin(), models.end(),
                                       [](const auto& slot) { return slot.first.starts_with(writerSlotPrefix); });
    return further <= static_cast<std::ptrdiff_t>(limits::writers)
               ? Result<void>()
               : usageError(fmt::format("{} further writers are too many", further), {},
                            fmt::format("A campaign has {} at most: drop-writer NAME", limits::writers));
}

// One overload for each command: a new command without its own does not compile.
struct Check {
    const Population& population;

    Result<const Kernel*> kernel(KernelId id) const {
        const Kernel* known = population.kernel(id);
        return known != nullptr ? Result<const Kernel*>(known)
                                : usageError(fmt::format("kernel {} not found", kernelLabel(id)));
    }
    // One of the problem's: what is asked of it makes no sense of a probe.
    Result<const Kernel*> problemKernel(KernelId id) const {
        GKS_TRY_ASSIGN(const Kernel* known, kernel(id));
        return !known->probe ? Result<const Kernel*>(known)
                             : usageError(fmt::format("{} is a probe: it measures the machine and is no kernel of the "
                                                      "problem",
                                                      kernelLabel(id)),
                                          {}, "Name a kernel; the figures of probes are among the findings");
    }
    Result<const Experiment*> experiment(ExperimentId id) const {
        const Experiment* known = population.experiment(id);
        return known != nullptr ? Result<const Experiment*>(known)
                                : usageError(fmt::format("experiment {} does not exist", id));
    }
    Result<const Document*> document(std::int64_t id) const {
        const Document* known = population.document(id);
        return known != nullptr ? Result<const Document*>(known) : usageError(fmt::format("document {} not found", id));
    }
    Result<void> parent(KernelId id) const {
        GKS_TRY_ASSIGN(const Kernel* known, problemKernel(id));
        GKS_TRY(notBanned(id, "as a parent"));
        return goodEnough(*known);
    }
    Result<void> goodEnough(Kernel known) const {
        known.banned = false; // that is asked by itself
        return mayBecomeParent(known)
                   ? Result<void>()
                   : usageError(fmt::format("kernel {} has not passed the judge ({})", kernelLabel(known.id),
                                            known.verdict ? name(*known.verdict) : name(known.state)),
                                {}, "Choose one that has");
    }

    // What is banned is not pinned; what is banned while it is pinned is pinned no more (CommandDesk).
    Result<void> notBanned(KernelId id, std::string_view as) const {
        const Kernel* known = population.kernel(id);
        return known == nullptr || !known->banned
                   ? Result<void>()
                   : usageError(fmt::format("kernel {} is banned {}", kernelLabel(id), as), {}, "Unban it first");
    }
    Result<void> reference(KernelId id, std::optional<KernelId> parent) const {
        GKS_TRY(problemKernel(id));
        GKS_TRY(notBanned(id, "as a reference"));
        return parent != id ? Result<void>()
                            : usageError(fmt::format("kernel {} is the parent already", kernelLabel(id)), {},
                                         "Choose another one as the reference");
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
        return pin.reference ? reference(*pin.reference, pin.parent) : Result<void>();
    }
    Result<void> operator()(const command::SetBanned& set) const {
        GKS_TRY_ASSIGN(const Kernel* known, problemKernel(set.kernel));
        if (known->banned == set.banned) {
            return usageError(
                fmt::format("kernel {} is {}", kernelLabel(set.kernel), set.banned ? "banned already" : "not banned"));
        }
        return set.pin ? pinnedAgain(*known, *set.pin) : Result<void>();
    }
    // The one of the two that is banned is banned no longer by then.
    Result<void> pinnedAgain(const Kernel& freed, const command::PinParent& pin) const {
        if (pin.parent) {
            GKS_TRY(*pin.parent == freed.id ? goodEnough(freed) : parent(*pin.parent));
        }
        return pin.reference && *pin.reference != freed.id ? reference(*pin.reference, pin.parent) : Result<void>();
    }
    Result<void> operator()(const command::EvaluateAgain& again) const {
        GKS_TRY_ASSIGN(const Kernel* known, kernel(again.kernel));
        // One that waits is evaluated now: the campaign may stand.
        return known->state == KernelState::evaluated || known->state == KernelState::waiting
                   ? Result<void>()
                   : usageError(fmt::format("kernel {} is already {}", kernelLabel(known->id), name(known->state)), {},
                                mayBeApproved(*known) ? "Approve its code" : "");
    }
    Result<void> operator()(const command::MeasureSideBySide& asked) const {
        GKS_TRY_ASSIGN(const Kernel* one, problemKernel(asked.kernel));
        GKS_TRY_ASSIGN(const Kernel* other, problemKernel(asked.other));
        if (one == other) {
            return usageError("a kernel is not measured beside itself", {}, "Name two kernels");
        }
        for (const Kernel* known : {one, other}) {
            if (!isAccepted(*known)) {
                return usageError(fmt::format("kernel {} has not passed the judge", kernelLabel(known->id)), {},
                                  "Only kernels that have are measured side by side");
            }
        }
        if (isWaiting(population.settings, {asked.kernel, asked.other, asked.allShapes})) {
            return usageError("these two wait to be measured side by side already");
        }
        const std::size_t waiting = population.settings.askedComparisons.size();
        return waiting < limits::askedComparisons
                   ? Result<void>()
                   : usageError(fmt::format("{} comparisons wait already", waiting), {}, "Run the campaign");
    }
    Result<void> operator()(const command::UnaskComparison& taken) const {
        const AskedComparison asked = {taken.kernel, taken.other, taken.allShapes};
        return isWaiting(population.settings, asked)
                   ? Result<void>()
                   : usageError(fmt::format("{} do not wait to be measured side by side", askedText(asked)), {},
                                "show lists what waits");
    }
    Result<void> operator()(const command::RestoreLane& restore) const {
        return population.settings.lanesOut.contains(restore.lane)
                   ? Result<void>()
                   : usageError(fmt::format("device {} is not disabled", restore.lane));
    }
    Result<void> operator()(const command::AddKernel& add) const {
        GKS_TRY(problemKernel(add.basis));
        GKS_TRY(fits("the title", add.title, 4 * limits::kernelTitleCharacters));
        return newSource(add.source);
    }
    Result<void> newSource(const std::string& source, bool isOfProbe = false) const {
        GKS_TRY(checkKernelSource(source));
        if (isOfProbe) {
            GKS_TRY(probeVariants(source));
        }
        const Kernel* same = duplicateOf(source, population, isOfProbe);
        return same == nullptr
                   ? Result<void>()
                   : usageError(
                         fmt::format("same as kernel {} except for comments, formatting and local names",
                                     kernelLabel(same->id)),
                         {}, mayBeApproved(*same) ? "Approve that one instead" : "Evaluate that kernel again instead");
    }

    Result<void> operator()(const command::ApproveCode& approve) const {
        GKS_TRY_ASSIGN(const Kernel* known, kernel(approve.kernel));
        return mayBeApproved(*known) ? Result<void>() : notAsked(*known);
    }
    Result<void> operator()(const command::RejectCode& reject) const {
        GKS_TRY(declinable(reject.kernel));
        return fits("the remark", reject.remark, limits::remarkBytes);
    }
    Result<void> operator()(const command::SendBackCode& send) const {
        GKS_TRY(declinable(send.kernel));
        GKS_TRY(noOtherGoesBack(*population.kernel(send.kernel)));
        return isText("the remark", send.remark, limits::remarkBytes);
    }
    Result<void> operator()(const command::ReopenCode& reopen) const {
        GKS_TRY_ASSIGN(const Kernel* known, kernel(reopen.kernel));
        const bool mayWait =
            known->state == KernelState::declined || (known->state == KernelState::waiting && mayBeDeclined(*known));
        return mayWait ? Result<void>()
                       : usageError(fmt::format("the code of kernel {} is {} already", kernelLabel(known->id),
                                                name(known->state)));
    }
    Result<void> operator()(const command::EditCode& edit) const {
        GKS_TRY(declinable(edit.kernel));
        return newSource(edit.source, population.kernel(edit.kernel)->probe);
    }
    // Of the drafts of one experiment one at a time: the file remembers one.
    Result<void> noOtherGoesBack(const Kernel& draft) const {
        using enum ExperimentState;
        const Experiment* one = draft.experiment ? population.experiment(*draft.experiment) : nullptr;
        const Kernel* other = one != nullptr && one->kernel ? population.kernel(*one->kernel) : nullptr;
        return other != nullptr && other->id != draft.id && other->state == KernelState::declined &&
                       (one->state == approved || one->state == writing)
                   ? usageError(fmt::format("kernel {} of the same experiment is on its way back to its writer",
                                            kernelLabel(other->id)),
                                {}, "Send this one back when that one is written anew")
                   : Result<void>();
    }
    Result<void> declinable(KernelId id) const {
        GKS_TRY_ASSIGN(const Kernel* known, kernel(id));
        return mayBeDeclined(*known) ? Result<void>() : notAsked(*known);
    }
    Result<void> notAsked(const Kernel& known) const {
        return mayBeDeclined(known) ? usageError(fmt::format("the code of kernel {} is in line to be evaluated already",
                                                             kernelLabel(known.id)),
                                                 {}, "Reject it, or send it back, to take it out of the line")
                                    : usageError(fmt::format("the code of kernel {} does not wait for you: it is {}",
                                                             kernelLabel(known.id), name(known.state)));
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
        const Kernel* draft = known.kernel ? population.kernel(*known.kernel) : nullptr;
        return usageError(fmt::format("experiment {} is {} already", known.id, name(known.state)), {},
                          draft != nullptr && mayBeDeclined(*draft)
                              ? fmt::format("Decide on the code of its kernel {} instead", kernelLabel(draft->id))
                              : std::string());
    }
    Result<void> prediction(const std::optional<Interval>& gain, int innovation) const {
        const Interval& range = limits::predictedGain;
        if (gain && !(gain->low <= gain->high)) {
            return usageError(fmt::format("the gain is predicted from {}", gainRangeText(*gain)), {},
                              "The lowest comes first");
        }
        if (gain && (gain->low < range.low || gain->high > range.high)) {
            return usageError(fmt::format("a gain of {} is predicted", gainRangeText(*gain)), {},
                              fmt::format("It is from {}", gainRangeText(range)));
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
                              "Say what: description, rubric, prediction, innovation or writer");
        }
        if (edit.description) {
            GKS_TRY(isText("the description", *edit.description, limits::experimentDescriptionBytes));
        }
        GKS_TRY(fits("the rubric", edit.rubric.value_or(""), limits::experimentRubricBytes));
        GKS_TRY(writer(edit.writer.value_or("")));
        GKS_TRY(noGainOfProbe(known->kind, edit.predicted));
        return prediction(edit.predicted, edit.innovation.value_or(0));
    }
    Result<void> operator()(const command::RestoreExperiment& restore) const {
        GKS_TRY_ASSIGN(const Experiment* known, experiment(restore.experiment));
        if (!isPersonsToDecide(known->state) || !isPersonsToDecide(restore.state)) {
            return decided(*known);
        }
        if (restore.state != ExperimentState::rejected) {
            GKS_TRY(notBanned(known->parent, "as a parent"));
        }
        GKS_TRY(isText("the description", restore.description, limits::experimentDescriptionBytes));
        GKS_TRY(fits("the rubric", restore.rubric, limits::experimentRubricBytes));
        GKS_TRY(writer(restore.writer));
        GKS_TRY(noGainOfProbe(known->kind, restore.predicted));
        return prediction(restore.predicted, restore.innovation);
    }
    Result<void> writer(const std::string& named) const {
        return named == ownWriter || hasWriter(population.settings.models, named)
                   ? Result<void>()
                   : usageError(fmt::format("there is no writer {}", quotation(named)), {},
                                "Name own or one of the further writers, or add it: model writer/NAME");
    }
    Result<void> noGainOfProbe(ExperimentKind kind, const std::optional<Interval>& gain) const {
        return kind != ExperimentKind::probe || !gain
                   ? Result<void>()
                   : usageError("a probe brings figures, and no gain can be predicted of it", {}, "Leave the gain out");
    }
    Result<void> operator()(const command::AddExperiment& add) const {
        GKS_TRY(parent(add.parent));
        GKS_TRY(writer(add.writer));
        if (add.reference) {
            GKS_TRY(reference(*add.reference, add.parent));
        }
        if (hasTwoParents(add.kind)) {
            if (!add.reference) {
                return usageError(fmt::format("a {} is made from two kernels, and one is named", name(add.kind)), {},
                                  "Name a reference kernel");
            }
            GKS_TRY(parent(*add.reference));
        }
        if (add.kind == ExperimentKind::probe && population.settings.judgedByHarness) {
            return usageError("a campaign on a command pack has no probes: our own judge measures them", {},
                              "Measure it with kernel-scientist-cli probe");
        }
        if (add.kind == ExperimentKind::probe && population.settings.scientist != ScientistKind::model) {
            return usageError("the tuner writes no probes", {},
                              "Measure it with kernel-scientist-cli probe, or let a model write: steer FILE.gks "
                              "scientist model");
        }
        GKS_TRY(noGainOfProbe(add.kind, add.predicted));
        GKS_TRY(isText("the description", add.description, limits::experimentDescriptionBytes));
        GKS_TRY(fits("the rubric", add.rubric, limits::experimentRubricBytes));
        return prediction(add.predicted, add.innovation);
    }
    Result<void> operator()(const command::ReorderExperiments& reorder) const {
        for (const ExperimentId id : reorder.order) {
            GKS_TRY(experiment(id));
        }
        return {};
    }

    Result<void> operator()(const command::AskForAvenue& ask) const {
        const Avenue* known = population.avenue(ask.avenue);
        if (known == nullptr) {
            return usageError(fmt::format("there is no avenue {}", ask.avenue));
        }
        if (known->asked == ask.asked) {
            return usageError(
                fmt::format("avenue {} is {}", known->id, ask.asked ? "asked for already" : "not asked for"));
        }
        if (const Experiment* taken = ask.asked ? population.takenUpBy(known->id) : nullptr) {
            return usageError(fmt::format("experiment {} has taken up avenue {}", taken->id, known->id), {},
                              "Approve that experiment instead");
        }
        const std::size_t asked = askedAvenues(population).size();
        return !ask.asked || asked < limits::askedAvenues
                   ? Result<void>()
                   : usageError(fmt::format("{} avenues are asked for already", asked), {}, "Drop one of them first");
    }

    Result<void> operator()(const command::SetMode&) const { return {}; } // every mode, from every other
    Result<void> operator()(const command::SetBudgets& set) const { return checkBudgets(set.budgets); }
    Result<void> operator()(const command::SetScientist& set) const {
        if (set.kind == ScientistKind::model && set.models.empty()) {
            return usageError("no model is configured", {}, "Set one: steer FILE.gks model default --model NAME");
        }
        GKS_TRY(fewWriters(set.models));
        for (const auto& [slot, choice] : set.models) {
            const auto known = population.settings.models.find(slot);
            if (known == population.settings.models.end() || known->second != choice) { // what stands there stays
                GKS_TRY(checkModel(slot, choice));
            }
        }
        return {};
    }
    Result<void> operator()(const command::SetHint& set) const {
        if (!set.stage.empty()) {
            GKS_TRY_ASSIGN(const ModelStage stage, modelStageFromName(set.stage));
            if (!takesHint(stage)) {
                return usageError(fmt::format("no hint is shown to the {}", set.stage), {},
                                  "Give it to the selector, designer, writer or repair");
            }
        }
        return fits("the hint", set.hint, limits::hintBytes);
    }
    // A shape is known once kernels were compared on it: then nobody weighs one that a typing error made.
    Result<void> operator()(const command::SetShapeWeights& set) const {
        const auto* scales = population.shapeScales.get();
        for (const auto& [shape, weight] : set.weights) {
            const std::string label = abbreviated(namedShapeText(shape), 200);
            if (scales == nullptr || scales->of(shape) == nullptr) {
                return usageError(fmt::format("no paired run has compared the shape {}", label), {},
                                  "See show --shapes for those that can be weighed");
            }
            GKS_TRY(isWithin("weight of " + label, weight, 0, limits::shapeWeight));
        }
        const bool isAny = set.weights.empty() || std::ranges::any_of(scales->shapes(), [&](const auto& one) {
                               return weightOf(set.weights, one.shape) > 0;
                           });
        return isAny ? Result<void>() : usageError("every shape has the weight 0", {}, "Give one of them more");
    }
    Result<void> operator()(const command::SetPolicies& set) const {
        const auto within = [](std::string_view what, int value, int most, int least = 0) {
            return value >= least && value <= most ? Result<void>()
                                                   : usageError(fmt::format("{} {} are out of range", value, what), {},
                                                                fmt::format("It is {} to {}", least, most));
        };
        GKS_TRY(within("calls at the same time", set.policies.modelCalls, limits::modelCalls, 1));
        GKS_TRY(within("drafts of an experiment", set.policies.drafts, limits::drafts, 1));
        GKS_TRY(within("experiments without a new best", set.policies.stagnation, limits::stagnation));
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
            return usageError(fmt::format("finding {} not found", edit.finding));
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
        GKS_TRY(isText("the title", add.document.title, limits::documentTitleBytes));
        return add.document.sizeBytes >= 0 && add.document.passages >= 0
                   ? Result<void>()
                   : usageError("a document has no fewer than 0 bytes and passages");
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
    GKS_TRY(isWithin("measuring time of one kernel, s", settings.measureSeconds, 0, limits::measureSeconds));
    GKS_TRY(fewWriters(settings.models));
    GKS_TRY(isWithin("drafts of an experiment", settings.policies.drafts, 1, limits::drafts));
    for (const auto& [slot, choice] : settings.models) {
        GKS_TRY(checkModel(slot, choice));
    }
    return {};
}

} // namespace gks
