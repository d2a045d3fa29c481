// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/ask_at_terminal.h"
#include "app/cli/commands.h"
#include "app/cli/interrupts.h"
#include "app/cli/model_options.h"
#include "app/cli/output.h"
#include "core/base/command_line.h"
#include "core/base/foreign_text.h"
#include "core/base/quantity.h"
#include "core/base/text.h"
#include "core/campaign/model_stages.h"
#include "core/campaign/store.h"
#include "core/engine/trust.h"
#include "core/scientist/conversation.h"
#include "core/scientist/stage_provider.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

// Who can answer, and one tiny request to whoever is named: what the Test button of the window does.
namespace gks::cli {
namespace {

struct Trial {
    ModelChoice choice;
    std::vector<std::string> keyVariables = {};
    MayAsk mayAsk = {}; // for what a file names; what stands on the command line is the person's own answer
};

// Of a stage, or of a further writer.
Result<ModelChoice> slotModel(const CampaignSettings& settings, const std::string& slot) {
    const auto own = settings.models.find(slot);
    if (own != settings.models.end()) {
        return own->second;
    }
    GKS_TRY_ASSIGN(const ModelStage stage, modelStageFromName(slot));
    return modelFor(settings, stage);
}

Result<Trial> trialOf(const Arguments& arguments) {
    if (!arguments.has("--campaign")) {
        if (!namesModel(arguments)) {
            return usageError("nobody is named", "models try", "Add --command, --folder, --model or --campaign");
        }
        GKS_TRY_ASSIGN(const ModelChoice choice, modelFrom(arguments));
        return Trial{choice};
    }
    if (namesModel(arguments)) {
        return usageError("a campaign and somebody else are named", "models try",
                          "Name one: who of the campaign "
                          "answers is asked with --campaign and --stage");
    }
    const std::string file = arguments.value("--campaign");
    const std::string slot = arguments.value("--stage", "selector");
    GKS_TRY(checkModelSlot(slot));
    GKS_TRY_ASSIGN(const auto trusted, trustKindsFromText(arguments.value("--trust")));
    GKS_TRY_ASSIGN(const auto store, CampaignStore::open(file, CampaignStore::Access::read));
    GKS_TRY_ASSIGN(const CampaignSettings settings, store->settings());
    GKS_TRY_ASSIGN(const std::string identity, trustIdentity(*store));
    GKS_TRY(TrustAnswers().trust(identity, ofKinds(modelQuestions(settings.models), trusted)));
    GKS_TRY_ASSIGN(const ModelChoice choice, slotModel(settings, slot));
    return Trial{choice, keyVariablesOf(settings.models), trustedModels(identity, file)};
}

// Where the request goes, before it goes there.
Result<std::string> placeOf(const ModelChoice& choice) {
    if (!isOfKind(choice.provider, ProviderKind::command)) {
        return choice.baseUrl;
    }
    GKS_TRY_ASSIGN(const auto words, commandWords(choice.baseUrl));
    GKS_TRY_ASSIGN(const std::filesystem::path program, commandProgram(words));
    return fmt::format("{} (program {})", choice.baseUrl, program.string());
}

Result<void> tryIt(const Arguments& arguments) {
    GKS_TRY_ASSIGN(const Trial trial, trialOf(arguments));
    GKS_TRY_ASSIGN(const std::string place, placeOf(trial.choice));
    note("{}: {}\n", trial.choice.provider, place);
    const Interrupts interrupts;
    ScientistSinks sinks;
    sinks.askPerson = askAtTerminal;
    sinks.mayAsk = trial.mayAsk;
    sinks.keyVariables = trial.keyVariables;
    GKS_TRY_ASSIGN(const ChatReply reply, tryModel(trial.choice, sinks, interrupts.token()));
    if (arguments.has("--json")) {
        printJson({{"provider", trial.choice.provider},
                   {"model", trial.choice.model},
                   {"reply", reply.text},
                   {"seconds", reply.seconds},
                   {"tokens_in", reply.tokensIn},
                   {"tokens_out", reply.tokensOut},
                   {"tokens_estimated", reply.tokensEstimated}});
        return {};
    }
    say("Answered after {}: {}\n{}{} tokens in, {} out\n", formatSeconds(reply.seconds), quotation(trimmed(reply.text)),
        reply.tokensEstimated ? "About " : "", reply.tokensIn, reply.tokensOut);
    return {};
}

void list(bool asJson) {
    OrderedJson json = {{"providers", OrderedJson::array()}};
    Table table;
    table.add({"Provider", "Who answers", "Base URL", "Key variable"});
    for (const ProviderFacts& facts : knownProviders()) {
        json["providers"].push_back({{"name", facts.name},
                                     {"title", facts.title},
                                     {"base_url", facts.baseUrl},
                                     {"key_variable", facts.keyVariable}});
        table.add({std::string(facts.name), std::string(facts.title),
                   facts.baseUrl.empty() ? "-" : std::string(facts.baseUrl),
                   facts.keyVariable.empty() ? "-" : std::string(facts.keyVariable)});
    }
    if (asJson) {
        printJson(json);
    } else {
        say("{}", table.text());
    }
}

int runModels(const Arguments& arguments) {
    const std::string& action = arguments.positional();
    if (action == "try") {
        const auto tried = tryIt(arguments);
        return tried ? done : failed(tried.error());
    }
    if (!action.empty() && action != "list") {
        return failed(
            Error{ErrorKind::usage, fmt::format("unknown action {}", quotation(action)), "models", "Use list or try"});
    }
    list(arguments.has("--json"));
    return done;
}

} // namespace

const Command modelsCommand = {
    "models", "[list|try]", "List who can answer as a model, or send one tiny request to see whether it works",
    withModelOptions(
        {{"--campaign", "FILE.gks", "try the model that this campaign names", false},
         {"--stage", modelStageNames(), "of this stage of the campaign, or of writer/NAME (default: selector)", false},
         {"--trust", "KINDS", "what the file names may be used: server, command, folder", false},
         {"--json", "", "print JSON", false}}),
    runModels};

} // namespace gks::cli
