// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/settings_json.h"

#include "core/campaign/damage.h"
#include "core/campaign/limits.h"
#include "core/campaign/model_stages.h"
#include "core/campaign/names.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gks {
namespace {

constexpr double leastMeasureSeconds = 0.01; // as on the command line
constexpr double mostTiePercent = 100;       // as in the evaluator's protocol

OrderedJson toJson(const CallLimits& limits) {
    OrderedJson json = OrderedJson::object();
    for (const CallLimitFact& fact : callLimitFacts) {
        json[std::string(fact.key)] = limits.*fact.value;
    }
    json[std::string(resendKey)] = limits.resendAfterSilence;
    return json;
}

CallLimits limitsFromJson(const Json& json) {
    CallLimits limits;
    for (const CallLimitFact& fact : callLimitFacts) {
        limits.*fact.value = json.value(std::string(fact.key), limits.*fact.value);
    }
    limits.resendAfterSilence = json.value(std::string(resendKey), limits.resendAfterSilence);
    return limits;
}

} // namespace

OrderedJson toJson(const ModelChoice& choice) {
    return {{"provider", choice.provider},
            {"base_url", choice.baseUrl},
            {"model", choice.model},
            {"key_variable", choice.keyVariable},
            {"temperature", choice.temperature},
            {"max_output_tokens", choice.maxOutputTokens},
            {"reasoning_effort", choice.reasoningEffort},
            {"limits", toJson(choice.limits)}};
}

ModelChoice modelFromJson(const Json& json) {
    ModelChoice choice;
    choice.provider = json.value("provider", choice.provider);
    choice.baseUrl = json.value("base_url", choice.baseUrl);
    choice.model = json.value("model", choice.model);
    choice.keyVariable = json.value("key_variable", choice.keyVariable);
    choice.temperature = json.value("temperature", choice.temperature);
    choice.maxOutputTokens = json.value("max_output_tokens", choice.maxOutputTokens);
    choice.reasoningEffort = json.value("reasoning_effort", choice.reasoningEffort);
    choice.limits = limitsFromJson(json.value("limits", Json::object()));
    return choice;
}

namespace {

std::optional<KernelId> kernelFromJson(const Json& json, const char* key) {
    const auto found = json.find(key);
    return found != json.end() && found->is_number_integer() ? std::optional(found->get<KernelId>()) : std::nullopt;
}

std::map<std::string, LaneOutage> lanesFromJson(const Json& json) {
    std::map<std::string, LaneOutage> lanes;
    for (const auto& [label, outage] : json.items()) {
        lanes[label] = {outage.value("reason", ""), outage.value("next", ""), outage.value("since", Timestamp{0})};
    }
    return lanes;
}

} // namespace

OrderedJson toJson(const Budgets& budgets) {
    return {{"evaluations", budgets.evaluations},
            {"minutes", budgets.minutes},
            {"usd", budgets.usd},
            {"tokens", budgets.tokens},
            {"gpu_seconds", budgets.gpuSeconds},
            {"goal_us", budgets.goalUs},
            {"fruitless_experiments", budgets.fruitless}};
}

Budgets budgetsFromJson(const Json& json) {
    Budgets budgets;
    budgets.evaluations = json.value("evaluations", budgets.evaluations);
    budgets.minutes = json.value("minutes", budgets.minutes);
    budgets.usd = json.value("usd", budgets.usd);
    budgets.tokens = json.value("tokens", budgets.tokens);
    budgets.gpuSeconds = json.value("gpu_seconds", budgets.gpuSeconds);
    budgets.goalUs = json.value("goal_us", budgets.goalUs);
    budgets.fruitless = json.value("fruitless_experiments", budgets.fruitless);
    return budgets;
}

OrderedJson toJson(const Policies& policies) {
    return {{"selector", name(policies.selector)},
            {"pick", name(policies.pick)},
            {"tuning_evaluations", policies.tuningEvaluations},
            {"knowledge_tokens", policies.knowledgeTokens},
            {"check_reports", policies.checkReports},
            {"check_code", policies.checkCode},
            {"drafts", policies.drafts},
            {"screening", policies.screening},
            {"probes", policies.probes},
            {"counters", policies.counters},
            {"model_calls", policies.modelCalls},
            {"stagnation", policies.stagnation}};
}

Result<Policies> policiesFromJson(const Json& json) {
    Policies policies;
    GKS_TRY_ASSIGN(policies.selector,
                   selectorPolicyFromName(json.value("selector", std::string(name(policies.selector)))));
    GKS_TRY_ASSIGN(policies.pick, pickPolicyFromName(json.value("pick", std::string(name(policies.pick)))));
    policies.tuningEvaluations = json.value("tuning_evaluations", policies.tuningEvaluations);
    policies.knowledgeTokens = json.value("knowledge_tokens", policies.knowledgeTokens);
    policies.checkReports = json.value("check_reports", policies.checkReports);
    policies.checkCode = json.value("check_code", policies.checkCode);
    policies.drafts = json.value("drafts", policies.drafts);
    policies.screening = json.value("screening", policies.screening);
    policies.probes = json.value("probes", policies.probes);
    policies.counters = json.value("counters", policies.counters);
    policies.modelCalls = json.value("model_calls", policies.modelCalls);
    policies.stagnation = json.value("stagnation", policies.stagnation);
    return policies;
}

namespace {

// A file is a stranger's: what is out of range is brought into it.
void bringIntoRange(Policies& policies) {
    policies.drafts = std::clamp(policies.drafts, 1, limits::drafts);
    policies.modelCalls = std::clamp(policies.modelCalls, 1, limits::modelCalls);
    policies.stagnation = std::clamp(policies.stagnation, 0, limits::stagnation);
}
void bringIntoRange(CallLimits& limits) {
    for (const CallLimitFact& fact : callLimitFacts) {
        limits.*fact.value = std::clamp(limits.*fact.value, fact.leastSeconds, fact.mostSeconds);
    }
}

// Out of a stranger's file: what no command could have set is left out.
ShapeWeights weightsFromJson(const Json& json) {
    ShapeWeights weights;
    for (const Json& row : json) {
        const double weight = row.at("weight").get<double>();
        if (weight >= 0 && weight <= limits::shapeWeight && weights.size() < limits::weightedShapes) {
            weights[row.at("shape").get<ShapeExtents>()] = weight;
        }
    }
    return weights;
}

std::map<std::string, std::string> hintsFromJson(const Json& json) {
    std::map<std::string, std::string> hints;
    for (const ModelStage stage : modelStages) {
        const std::string key(name(stage));
        const std::string hint = takesHint(stage) ? json.value(key, std::string()) : std::string();
        if (!hint.empty() && hint.size() <= limits::hintBytes) {
            hints[key] = hint;
        }
    }
    return hints;
}

std::vector<AskedComparison> askedFromJson(const Json& json) {
    std::vector<AskedComparison> asked;
    for (const Json& row : json) {
        if (asked.size() < limits::askedComparisons) {
            asked.push_back(
                {row.at("kernel").get<KernelId>(), row.at("other").get<KernelId>(), row.at("all_shapes").get<bool>()});
        }
    }
    return asked;
}

Result<CampaignSettings> readSettings(const Json& json) {
    CampaignSettings settings;
    settings.problem = json.value("problem", settings.problem);
    settings.judgedByHarness = json.value("judged_by_harness", settings.judgedByHarness);
    GKS_TRY_ASSIGN(settings.target, targetFromName(json.value("target", "cpu")));
    settings.device = std::max(json.value("device", settings.device), 0);
    GKS_TRY_ASSIGN(settings.shapes, shapeChoiceFromName(json.value("shapes", "quick")));
    GKS_TRY_ASSIGN(settings.scientist, scientistKindFromName(json.value("scientist", "tuner")));
    GKS_TRY_ASSIGN(settings.mode, modeFromName(json.value("mode", "automatic")));
    settings.budgets = budgetsFromJson(json.value("budgets", Json::object()));
    const Json models = json.value("models", Json::object());
    for (const auto& [stage, model] : models.items()) {
        settings.models[stage] = modelFromJson(model);
        bringIntoRange(settings.models[stage].limits);
    }
    GKS_TRY_ASSIGN(settings.policies, policiesFromJson(json.value("policies", Json::object())));
    bringIntoRange(settings.policies);
    settings.prompts = json.value("prompts", settings.prompts);
    settings.measureSeconds =
        std::clamp(json.value("measure_seconds", settings.measureSeconds), leastMeasureSeconds, limits::measureSeconds);
    settings.tieMarginPercent =
        std::clamp(json.value("tie_margin_percent", settings.tieMarginPercent), 0.0, mostTiePercent);
    settings.repairAttempts = json.value("repair_attempts", settings.repairAttempts);
    settings.hint = json.value("hint", settings.hint);
    settings.hints = hintsFromJson(json.value("hints", Json::object()));
    settings.askedComparisons = askedFromJson(json.value("asked_comparisons", Json::array()));
    settings.pinnedParent = kernelFromJson(json, "pinned_parent");
    settings.pinnedReference = kernelFromJson(json, "pinned_reference");
    settings.shapeWeights = weightsFromJson(json.value("shape_weights", Json::array()));
    settings.lanesOut = lanesFromJson(json.value("lanes_out", Json::object()));
    return settings;
}

// The path of the first field of `whole` that `json` has not: "policies.drafts"; empty: it has all.
std::string firstLacking(const Json& json, const Json& whole) {
    for (const auto& [key, value] : whole.items()) {
        const auto found = json.find(key);
        if (found == json.end()) {
            return key;
        }
        if (const std::string inner = value.is_object() ? firstLacking(*found, value) : std::string(); !inner.empty()) {
            return key + "." + inner;
        }
    }
    return {};
}

} // namespace

OrderedJson toJson(const CampaignSettings& settings) {
    OrderedJson models = OrderedJson::object();
    for (const auto& [stage, choice] : settings.models) {
        models[stage] = toJson(choice);
    }
    OrderedJson json = {{"problem", settings.problem},
                        {"target", name(settings.target)},
                        {"device", settings.device},
                        {"shapes", name(settings.shapes)},
                        {"scientist", name(settings.scientist)},
                        {"mode", name(settings.mode)},
                        {"budgets", toJson(settings.budgets)},
                        {"models", std::move(models)},
                        {"policies", toJson(settings.policies)},
                        {"prompts", settings.prompts},
                        {"measure_seconds", settings.measureSeconds},
                        {"tie_margin_percent", settings.tieMarginPercent},
                        {"repair_attempts", settings.repairAttempts},
                        {"hint", settings.hint}};
    if (settings.judgedByHarness) {
        json["judged_by_harness"] = true;
    }
    if (settings.pinnedParent) {
        json["pinned_parent"] = *settings.pinnedParent;
    }
    if (settings.pinnedReference) {
        json["pinned_reference"] = *settings.pinnedReference;
    }
    if (!settings.hints.empty()) {
        json["hints"] = settings.hints;
    }
    for (const AskedComparison& asked : settings.askedComparisons) {
        json["asked_comparisons"].push_back(
            {{"kernel", asked.kernel}, {"other", asked.other}, {"all_shapes", asked.allShapes}});
    }
    for (const auto& [shape, weight] : settings.shapeWeights) {
        json["shape_weights"].push_back({{"shape", shape}, {"weight", weight}});
    }
    for (const auto& [label, outage] : settings.lanesOut) {
        json["lanes_out"][label] = {{"reason", outage.reason}, {"next", outage.next}, {"since", outage.since}};
    }
    return json;
}

Result<CampaignSettings> settingsFromJson(const Json& json) {
    try {
        return readSettings(json);
    } catch (const Json::exception& error) {
        return infrastructureError(std::string("the campaign's settings cannot be read (") + error.what() + ")", {},
                                   std::string(restoreCopy));
    }
}

Result<CampaignSettings> wholeSettingsFromJson(const Json& json) {
    GKS_TRY_ASSIGN(CampaignSettings settings, settingsFromJson(json));
    const std::string lacking = firstLacking(json, Json(toJson(settings)));
    if (!lacking.empty()) {
        return damaged(fmt::format("its settings lack {}", lacking), "campaign.settings");
    }
    return settings;
}

} // namespace gks
