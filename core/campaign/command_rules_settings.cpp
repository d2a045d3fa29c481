// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/command_rules.h"

#include "core/base/foreign_text.h"
#include "core/base/text.h"
#include "core/campaign/limits.h"
#include "core/campaign/model_stages.h"
#include "core/campaign/prompt_template.h"
#include "core/campaign/rules.h"
#include "core/llm/chat.h"
#include "core/problem/shape_text.h"
#include "core/rating/shape_scales.h"

#include <algorithm>
#include <fmt/format.h>

namespace gks {
namespace {

Result<void> checkBudgets(const Budgets& budgets) {
    GKS_TRY(checkRange("budget of evaluations", static_cast<double>(budgets.evaluations), 0, limits::budget));
    GKS_TRY(checkRange("budget of minutes", budgets.minutes, 0, limits::budget));
    GKS_TRY(checkRange("budget of USD", budgets.usd, 0, limits::budget));
    GKS_TRY(checkRange("budget of tokens", static_cast<double>(budgets.tokens), 0, limits::tokenBudget));
    GKS_TRY(checkRange("budget of device seconds", budgets.gpuSeconds, 0, limits::deviceSecondsBudget));
    GKS_TRY(checkRange("goal of the best, us", budgets.goalUs, 0, limits::goalUs));
    return checkRange("experiments without a new best", static_cast<double>(budgets.fruitless), 0, limits::budget);
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
    GKS_TRY(checkRange("temperature", choice.temperature, 0, limits::temperature));
    GKS_TRY(checkRange("output tokens", choice.maxOutputTokens, limits::leastOutputTokens, limits::mostOutputTokens));
    for (const CallLimitFact& fact : callLimitFacts) {
        GKS_TRY(checkRange(fact.help, choice.limits.*fact.value, fact.leastSeconds, fact.mostSeconds));
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

} // namespace

Result<void> CommandRules::operator()(const command::RestoreLane& restore) const {
    return population.settings.lanesOut.contains(restore.lane)
               ? Result<void>()
               : usageError(fmt::format("device {} is not disabled", restore.lane));
}

Result<void> CommandRules::operator()(const command::SetBudgets& set) const {
    return checkBudgets(set.budgets);
}

Result<void> CommandRules::operator()(const command::SetScientist& set) const {
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

Result<void> CommandRules::operator()(const command::SetHint& set) const {
    if (!set.stage.empty()) {
        GKS_TRY_ASSIGN(const ModelStage stage, modelStageFromName(set.stage));
        if (!takesHint(stage)) {
            return usageError(fmt::format("no hint is shown to the {}", set.stage), {},
                              "Give it to the selector, designer, writer or repair");
        }
    }
    return checkLength("the hint", set.hint, limits::hintBytes);
}

Result<void> CommandRules::operator()(const command::SetShapeWeights& set) const {
    const auto* scales = population.shapeScales.get();
    for (const auto& [shape, weight] : set.weights) {
        const std::string label = abbreviated(namedShapeText(shape), 200);
        if (scales == nullptr || scales->of(shape) == nullptr) {
            return usageError(fmt::format("no paired run has compared the shape {}", label), {},
                              "See show --shapes for those that can be weighed");
        }
        GKS_TRY(checkRange("weight of " + label, weight, 0, limits::shapeWeight));
    }
    const bool isAny = set.weights.empty() || std::ranges::any_of(scales->shapes(), [&](const auto& one) {
                           return weightOf(set.weights, one.shape) > 0;
                       });
    return isAny ? Result<void>() : usageError("every shape has the weight 0", {}, "Give one of them more");
}

Result<void> CommandRules::operator()(const command::SetPolicies& set) const {
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

Result<void> CommandRules::operator()(const command::SetPrompt& set) const {
    if (set.text) {
        return checkPrompt(set.name, *set.text);
    }
    return population.settings.prompts.contains(set.name) ? Result<void>() : checkPromptName(set.name);
}

Result<void> checkSettings(const CampaignSettings& settings) {
    GKS_TRY(checkBudgets(settings.budgets));
    GKS_TRY(checkRange("measuring time of one kernel, s", settings.measureSeconds, 0, limits::measureSeconds));
    GKS_TRY(fewWriters(settings.models));
    GKS_TRY(checkRange("drafts of an experiment", settings.policies.drafts, 1, limits::drafts));
    for (const auto& [slot, choice] : settings.models) {
        GKS_TRY(checkModel(slot, choice));
    }
    return {};
}

} // namespace gks
