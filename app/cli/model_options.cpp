// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/model_options.h"

#include "core/campaign/limits.h"
#include "core/campaign/model_stages.h"
#include "core/llm/chat.h"

#include <filesystem>
#include <fmt/format.h>

namespace gks::cli {
namespace {

// The options of the limits, from their table; the texts live as long as the program.
const std::vector<std::string>& limitHelp() {
    static const std::vector<std::string> texts = [] {
        std::vector<std::string> made;
        const CallLimits usual;
        for (const CallLimitFact& fact : callLimitFacts) {
            made.push_back(fmt::format("{} (default: {:g})", fact.help, usual.*fact.value / fact.unitSeconds));
        }
        return made;
    }();
    return texts;
}

constexpr std::string_view commandOption = "--command";
constexpr std::string_view folderOption = "--folder";

std::string providerNames(std::string_view between) {
    std::vector<std::string_view> names;
    for (const ProviderFacts& provider : knownProviders()) {
        names.push_back(provider.name);
    }
    return fmt::format("{}", fmt::join(names, between));
}
std::string effortNames(std::string_view between) {
    std::vector<std::string_view> names;
    for (const ReasoningEffort& effort : reasoningEfforts) {
        names.push_back(effort.name);
    }
    return fmt::format("{}", fmt::join(names, between));
}

Result<CallLimits> limitsFrom(const Arguments& arguments) {
    CallLimits limits;
    for (const CallLimitFact& fact : callLimitFacts) {
        double& value = limits.*fact.value;
        GKS_TRY_ASSIGN(const double given,
                       arguments.number(fact.option, value / fact.unitSeconds, fact.leastSeconds / fact.unitSeconds));
        value = given * fact.unitSeconds;
        if (value > fact.mostSeconds) {
            return usageError(fmt::format("too large (limit {:g} {})", fact.mostSeconds / fact.unitSeconds, fact.unit),
                              std::string(fact.option), "Use a smaller number");
        }
    }
    limits.resendAfterSilence = arguments.has(resendOption);
    return limits;
}

// The provider and where it is.
Result<void> readProvider(const Arguments& arguments, ModelChoice& choice) {
    choice.provider = arguments.value("--provider", choice.provider);
    for (const auto& [option, provider] :
         {std::pair(commandOption, commandProviderName), std::pair(folderOption, folderProviderName)}) {
        if (!arguments.has(option)) {
            continue;
        }
        if ((arguments.has("--provider") && choice.provider != provider) || arguments.has("--base-url") ||
            (arguments.has(commandOption) && arguments.has(folderOption))) {
            return usageError("several providers are named", std::string(option), "Name one");
        }
        choice.provider = provider;
    }
    const ProviderFacts* provider = providerFacts(choice.provider);
    if (provider == nullptr) {
        return usageError(fmt::format("unknown provider '{}'", choice.provider), "--provider",
                          "Choose one of " + providerNames(", "));
    }
    choice.baseUrl = arguments.value("--base-url", std::string(provider->baseUrl));
    choice.baseUrl = arguments.value(commandOption, choice.baseUrl);
    if (arguments.has(folderOption)) {
        std::error_code failure;
        const auto folder = std::filesystem::absolute(arguments.value(folderOption), failure);
        if (failure) {
            return usageError("no folder is named", std::string(folderOption), "Give a folder that exists");
        }
        choice.baseUrl = folder.lexically_normal().string();
    }
    choice.keyVariable = arguments.value("--key-variable", std::string(provider->keyVariable));
    return checkLocalAddress(choice);
}

} // namespace

bool namesModel(const Arguments& arguments) {
    return arguments.has("--model") || arguments.has(commandOption) || arguments.has(folderOption) ||
           (arguments.has("--provider") && !isOfKind(arguments.value("--provider"), ProviderKind::http));
}

std::vector<Option> withModelOptions(std::vector<Option> options) {
    static const std::string providers = providerNames("|");
    static const std::string efforts = effortNames("|");
    const std::vector<Option> ofModels = {
        {"--provider", providers,
         "provider: openai (and compatible servers), anthropic, gemini, command, folder, manual (you paste the "
         "replies) or replay (a recording)",
         false},
        {"--command", "LINE", "a command answers: prompt on its standard input, reply on its standard output", false},
        {"--folder", "DIR", "requests and replies are files in this folder", false},
        {"--model", "NAME", "model for all stages; for the record where no server answers", false},
        {"--base-url", "URL", "base URL of the server (default: the provider's)", false},
        {"--temperature", "T", "sampling temperature (default: 0.7)", false},
        {"--effort", efforts, "reasoning effort (default: provider default)", false},
        {"--max-output-tokens", "N", "maximum output tokens per reply, thinking not counted (default: 16384)", false},
        {"--key-variable", "VAR",
         "environment variable with the API key (default: the provider's usual one); the key is never stored", false}};
    options.insert(options.end(), ofModels.begin(), ofModels.end());
    for (std::size_t i = 0; i < callLimitFacts.size(); ++i) {
        options.push_back({callLimitFacts[i].option, "N", limitHelp()[i], false});
    }
    options.push_back({resendOption, "",
                       "send a request again that was accepted and got no whole reply; it may be "
                       "billed twice (default: off)"});
    return options;
}

Result<ModelChoice> modelFrom(const Arguments& arguments) {
    ModelChoice choice;
    GKS_TRY(readProvider(arguments, choice));
    choice.model = arguments.value("--model", choice.provider == manualProviderName ? "you" : "");
    GKS_TRY_ASSIGN(choice.temperature, arguments.number("--temperature", choice.temperature, 0));
    GKS_TRY_ASSIGN(choice.maxOutputTokens,
                   arguments.wholeNumber("--max-output-tokens", choice.maxOutputTokens, limits::leastOutputTokens));
    GKS_TRY_ASSIGN(choice.limits, limitsFrom(arguments));
    choice.reasoningEffort = arguments.value("--effort");
    return choice;
}

} // namespace gks::cli
