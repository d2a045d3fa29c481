// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scientist/stage_provider.h"

#include "core/base/text.h"
#include "core/campaign/model_stages.h"
#include "core/llm/http_stream.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <set>

namespace gks {
namespace {

constexpr int trialTokens = 256;            // room for a few words and what some services think first
constexpr double trialSilenceSeconds = 120; // a server on this machine may have to load the model first

// The value of the variable that the settings name, else the key that the person keeps under this name. A server on
// this machine needs none.
Result<std::string> keyFor(const ProviderFacts& facts, const ModelChoice& choice, const std::string& stage,
                           const FindKey& findKey) {
    const char* const key = choice.keyVariable.empty() ? nullptr : std::getenv(choice.keyVariable.c_str());
    if (key != nullptr && *key != '\0') {
        return std::string(trimmed(key));
    }
    if (choice.keyVariable.empty() || isLoopbackUrl(choice.baseUrl)) {
        return std::string();
    }
    if (const auto kept = findKey ? findKey(choice) : std::nullopt) {
        return std::string(trimmed(*kept));
    }
    return usageError(fmt::format("the environment variable {} is not set", choice.keyVariable), stage,
                      fmt::format("Set it to the API key for {}, or choose another variable in the model settings",
                                  facts.kind == ProviderKind::http ? publicUrl(choice.baseUrl) : "the command"));
}

Result<void> checkAddress(const ProviderFacts& facts, const ModelChoice& choice, const std::string& stage) {
    switch (facts.kind) {
    case ProviderKind::command:
        return choice.baseUrl.empty()
                   ? usageError("missing command", stage, "Give one, for example --command \"claude -p\"")
                   : Result<void>();
    case ProviderKind::folder:
        return choice.baseUrl.empty() ? usageError("missing folder", stage, "Give one with --folder") : Result<void>();
    default:
        return choice.baseUrl.empty() || choice.model.empty()
                   ? usageError("missing base URL or model name", stage,
                                "Enter both, for example http://127.0.0.1:8080/v1 and a model name the server lists")
                   : Result<void>();
    }
}

std::string knownNames() {
    std::vector<std::string> names;
    for (const ProviderFacts& provider : knownProviders()) {
        names.emplace_back(provider.name);
    }
    return join(names, ", ");
}

} // namespace

std::vector<std::string> keyVariablesOf(const std::map<std::string, ModelChoice>& models) {
    std::set<std::string> variables;
    for (const auto& [stage, choice] : models) {
        if (!choice.keyVariable.empty()) {
            variables.insert(choice.keyVariable);
        }
    }
    return {variables.begin(), variables.end()};
}

Result<std::unique_ptr<ChatProvider>> makeStageProvider(const ModelChoice& choice, const std::string& stage,
                                                        const ScientistSinks& sinks) {
    const AskPerson& askPerson = sinks.askPerson;
    if (choice.provider == replayProviderName) {
        return makeReplayProvider(choice.baseUrl);
    }
    if (choice.provider == manualProviderName) {
        if (!askPerson) {
            return usageError("no one to reply: the manual provider needs the workbench or a terminal", stage,
                              "Open the campaign in the workbench, or run it in a terminal");
        }
        return makeManualProvider([askPerson, stage](const ChatRequest& request, const std::stop_token& stop) {
            return askPerson(stage, request, stop);
        });
    }
    const ProviderFacts* facts = providerFacts(choice.provider);
    if (facts == nullptr) {
        return usageError(fmt::format("unknown provider '{}'", choice.provider), stage, "Use one of " + knownNames());
    }
    GKS_TRY(checkAddress(*facts, choice, stage));
    GKS_TRY(checkLocalAddress(choice));
    if (sinks.mayAsk) {
        GKS_TRY(sinks.mayAsk(choice));
    }
    if (facts->kind == ProviderKind::folder) {
        return makeFolderProvider({.folder = choice.baseUrl});
    }
    GKS_TRY_ASSIGN(std::string key, keyFor(*facts, choice, stage, sinks.findKey));
    if (facts->kind == ProviderKind::command) {
        return makeCommandProvider(
            {choice.baseUrl, choice.keyVariable, std::move(key), choice.limits.totalSeconds, sinks.keyVariables});
    }
    ProviderOptions options;
    options.baseUrl = choice.baseUrl;
    options.key = std::move(key);
    options.limits = choice.limits;
    return makeHttpProvider(choice.provider, std::move(options));
}

Result<ChatReply> tryModel(const ModelChoice& choice, const ScientistSinks& sinks, const std::stop_token& stop) {
    ModelChoice once = choice;
    once.limits.retrySeconds = 0;
    once.limits.resendAfterSilence = false;
    once.limits.silenceSeconds = std::min(choice.limits.silenceSeconds, trialSilenceSeconds);
    GKS_TRY_ASSIGN(const auto provider, makeStageProvider(once, "trial", sinks));
    ChatRequest request;
    request.model = choice.model;
    request.messages = {{"user", "Answer with the one word: ready"}};
    request.temperature = choice.temperature;
    request.reasoningEffort = choice.reasoningEffort;
    request.maxOutputTokens = std::min(choice.maxOutputTokens, trialTokens);
    GKS_TRY_ASSIGN(ChatReply reply, provider->complete(request, {}, stop));
    return reply;
}

} // namespace gks
