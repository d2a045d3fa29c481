// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scientist/conversation.h"
#include "core/base/counted.h"
#include "core/base/terminal_text.h"

#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "app/cli/population_text.h"
#include "app/cli/stage_preview.h"
#include "core/base/quantity.h"
#include "core/base/text.h"
#include "core/campaign/model_stages.h"
#include "core/campaign/store.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gks::cli {
namespace {

std::string tokens(std::int64_t count) {
    return formatTokens(static_cast<std::uint64_t>(count));
}

OrderedJson toJson(const Exchange& exchange) {
    OrderedJson messages = OrderedJson::array();
    for (const ChatMessage& message : messagesOf(exchange.prompt)) {
        messages.push_back({{"role", message.role}, {"content", message.content}});
    }
    OrderedJson inclusions = OrderedJson::array();
    for (const Inclusion& inclusion : exchange.inclusions) {
        inclusions.push_back({{"kind", inclusion.kind}, {"name", inclusion.name}, {"tokens", inclusion.tokens}});
    }
    return {{"id", exchange.id},
            {"at", exchange.at},
            {"stage", exchange.stage},
            {"provider", exchange.provider},
            {"model", exchange.model},
            {"kernel", exchange.kernel ? OrderedJson(kernelLabel(*exchange.kernel)) : OrderedJson()},
            {"experiment", exchange.experiment ? OrderedJson(*exchange.experiment) : OrderedJson()},
            {"tokens_in", exchange.tokensIn},
            {"tokens_out", exchange.tokensOut},
            {"tokens_estimated", exchange.tokensEstimated},
            {"usd", exchange.usd ? OrderedJson(*exchange.usd) : OrderedJson()},
            {"first_token_seconds", exchange.firstTokenSeconds},
            {"seconds", exchange.seconds},
            {"attempts", exchange.attempts},
            {"error", exchange.error},
            {"inclusions", std::move(inclusions)},
            {"messages", std::move(messages)},
            {"reply", exchange.reply}};
}

// An estimate is called so.
std::string tokens(const Exchange& exchange, std::int64_t count) {
    return (exchange.tokensEstimated && count > 0 ? "~" : "") + tokens(count);
}

std::string costText(const Exchange& exchange) {
    return formatCost(exchange.usd.value_or(0), exchange.usd.has_value());
}

std::string aboutText(const Exchange& exchange) {
    return exchange.kernel       ? kernelLabel(*exchange.kernel)
           : exchange.experiment ? fmt::format("experiment {}", *exchange.experiment)
                                 : "-";
}

void printTable(const std::vector<Exchange>& exchanges) {
    if (exchanges.empty()) {
        say("No model calls.\n");
        return;
    }
    Table table;
    table.add({"ID", "Stage", "Model", "About", "In", "Out", "Cost", "First token", "Time", "Attempts", "Failed"});
    Spend sum;
    std::int64_t tokensIn = 0;
    for (const Exchange& one : exchanges) {
        table.add({std::to_string(one.id), one.stage, one.model.empty() ? one.provider : one.model, aboutText(one),
                   tokens(one, one.tokensIn), tokens(one, one.tokensOut), costText(one),
                   formatSeconds(one.firstTokenSeconds), formatSeconds(one.seconds), std::to_string(one.attempts),
                   one.error.empty() ? "-" : oneLine(one.error)});
        tokensIn += one.tokensIn;
        sum.tokens += one.tokensIn + one.tokensOut;
        sum.usd += one.usd.value_or(0);
        sum.unpricedTokens += one.usd ? 0 : one.tokensIn + one.tokensOut;
        sum.wallSeconds += one.seconds;
    }
    say("{}\n{}: {} tokens in, {} out, {}, {}\n", table.text(), counted(exchanges.size(), "call"), tokens(tokensIn),
        tokens(sum.tokens - tokensIn), formatCost(sum.usd, sum.unpricedTokens == 0), formatSeconds(sum.wallSeconds));
}

void printWhole(const Exchange& exchange) {
    printTable({exchange});
    for (const Inclusion& inclusion : exchange.inclusions) {
        say("Included: {} {}, {} tokens\n", terminalLine(inclusion.kind), terminalLine(inclusion.name),
            tokens(inclusion.tokens));
    }
    for (const ChatMessage& message : messagesOf(exchange.prompt)) {
        say("\n----- {}\n{}\n", terminalLine(message.role), message.content);
    }
    say("\n----- reply\n{}\n", exchange.reply);
    if (!exchange.error.empty()) {
        say("\n----- failed\n{}\n", exchange.error);
    }
}

bool contains(const Exchange& exchange, const std::string& wanted) {
    const auto has = [&](const std::string& text) { return lowered(text).find(wanted) != std::string::npos; };
    return has(exchange.prompt) || has(exchange.reply) || has(exchange.error);
}

Result<std::vector<Exchange>> wanted(const Arguments& arguments) {
    GKS_TRY_ASSIGN(const auto store, CampaignStore::open(arguments.positional(), CampaignStore::Access::read));
    GKS_TRY_ASSIGN(const PopulationPtr population, store->population());
    std::optional<KernelId> kernel;
    std::optional<ExperimentId> experiment;
    if (arguments.has("--kernel")) {
        GKS_TRY_ASSIGN(kernel, kernelFromText(arguments.value("--kernel"), *population, "--kernel"));
    }
    if (arguments.has("--experiment")) {
        GKS_TRY_ASSIGN(experiment, arguments.wholeNumber("--experiment", 0, 1));
    }
    GKS_TRY_ASSIGN(std::vector<Exchange> exchanges, store->exchanges(kernel, experiment));
    GKS_TRY_ASSIGN(const int number, arguments.wholeNumber("--exchange", 0, 1));
    const std::string stage = arguments.value("--stage");
    const std::string text = lowered(arguments.value("--search"));
    std::erase_if(exchanges, [&](const Exchange& one) {
        return (number != 0 && one.id != number) || (!stage.empty() && one.stage != stage) ||
               (!text.empty() && !contains(one, text));
    });
    if (number != 0 && exchanges.empty()) {
        return usageError(fmt::format("call {} not found among the selected calls", number), arguments.positional(),
                          "Run without --exchange to list them");
    }
    return exchanges;
}

int runConversation(const Arguments& arguments) {
    if (arguments.has("--preview")) {
        const auto shown = stagePreview(arguments.positional(), arguments.value("--preview"));
        if (!shown) {
            return failed(shown.error());
        }
        say("{}", *shown);
        return done;
    }
    const auto exchanges = wanted(arguments);
    if (!exchanges) {
        return failed(exchanges.error());
    }
    if (arguments.has("--json")) {
        OrderedJson json = {{"exchanges", OrderedJson::array()}};
        for (const Exchange& exchange : *exchanges) {
            json["exchanges"].push_back(toJson(exchange));
        }
        printJson(json);
    } else if (arguments.has("--exchange")) {
        printWhole(exchanges->front());
    } else {
        printTable(*exchanges);
    }
    return done;
}

} // namespace

const Command conversationCommand = {
    "conversation",
    "FILE.gks",
    "List the model calls of a campaign, with tokens, cost and time",
    {{"--kernel", "ID", "only calls that led to this kernel", false},
     {"--experiment", "N", "only calls about this experiment", false},
     {"--stage", modelStageNames(), "only calls of this stage", false},
     {"--search", "TEXT", "only calls containing TEXT (case-insensitive)", false},
     {"--exchange", "N", "print one call in full, prompt and reply", false},
     {"--preview", "STAGE", "the prompt that the stage would send now; asks nobody", false},
     {"--json", "", "print JSON with full prompts and replies", false}},
    runConversation,
    {},
    {{"--preview", "--exchange"},
     {"--preview", "--kernel"},
     {"--preview", "--experiment"},
     {"--preview", "--stage"},
     {"--preview", "--search"},
     {"--preview", "--json"}}};

} // namespace gks::cli
