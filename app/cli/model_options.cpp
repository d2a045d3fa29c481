// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/model_options.h"

#include "core/campaign/limits.h"
#include "core/llm/chat.h"

#include <fmt/format.h>

namespace gks::cli {

std::vector<Option> withModelOptions(std::vector<Option> options) {
    const std::vector<Option> ofModels = {
        {"--provider", "openai|anthropic|gemini|manual|replay",
         "who answers: a server by its interface (openai, and all that speak it), you, or a recording", false},
        {"--model", "NAME", "model of every stage", false},
        {"--base-url", "URL", "the model's server (the provider's own)", false},
        {"--temperature", "T", "of the model (0.7)", false},
        {"--effort", "low|medium|high", "how long a reasoning model thinks (as it likes)", false},
        {"--max-output-tokens", "N", "of one reply (16384)", false},
        {"--key-variable", "VAR",
         "environment variable that holds the key (the provider's usual one); the key itself is never stored", false}};
    options.insert(options.end(), ofModels.begin(), ofModels.end());
    return options;
}

Result<ModelChoice> modelFrom(const Arguments& arguments) {
    ModelChoice choice;
    choice.provider = arguments.value("--provider", choice.provider);
    const ProviderFacts* provider = providerFacts(choice.provider);
    if (provider == nullptr) {
        return usageError(fmt::format("the provider '{}' is not known", choice.provider), "--provider",
                          "Choose openai, anthropic, gemini, manual or replay");
    }
    choice.model = arguments.value("--model", choice.provider == "manual" ? "you" : "");
    choice.baseUrl = arguments.value("--base-url", std::string(provider->baseUrl));
    choice.keyVariable = arguments.value("--key-variable", std::string(provider->keyVariable));
    GKS_TRY_ASSIGN(choice.temperature, arguments.number("--temperature", choice.temperature, 0));
    GKS_TRY_ASSIGN(choice.maxOutputTokens,
                   arguments.wholeNumber("--max-output-tokens", choice.maxOutputTokens, limits::leastOutputTokens));
    choice.reasoningEffort = arguments.value("--effort");
    if (!choice.reasoningEffort.empty() && choice.reasoningEffort != "low" && choice.reasoningEffort != "medium" &&
        choice.reasoningEffort != "high") {
        return usageError(fmt::format("'{}' is no effort", choice.reasoningEffort), "--effort",
                          "Choose low, medium or high");
    }
    return choice;
}

} // namespace gks::cli
