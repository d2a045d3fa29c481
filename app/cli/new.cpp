// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/evaluation.h"
#include "app/cli/model_options.h"
#include "app/cli/output.h"
#include "core/base/counted.h"
#include "core/base/terminal_text.h"
#include "core/base/text.h"
#include "core/campaign/model_stages.h"
#include "core/campaign/names.h"
#include "core/campaign/templates.h"
#include "core/engine/new_campaign.h"

#include <algorithm>
#include <fmt/format.h>

namespace gks::cli {
namespace {

// What an option says goes before the template.
template<class T, class Read>
Result<void> readOver(const Arguments& arguments, std::string_view option, T& value, Read read) {
    if (arguments.has(option)) {
        GKS_TRY_ASSIGN(value, read(arguments.value(option)));
    }
    return {};
}

Result<void> readBudgets(const Arguments& arguments, Budgets& budgets) {
    GKS_TRY_ASSIGN(budgets.evaluations,
                   arguments.wholeNumber("--evaluations", static_cast<int>(budgets.evaluations), 0));
    GKS_TRY_ASSIGN(budgets.minutes, arguments.number("--minutes", budgets.minutes, 0));
    GKS_TRY_ASSIGN(budgets.usd, arguments.number("--spend", budgets.usd, 0));
    GKS_TRY_ASSIGN(budgets.goalUs, arguments.number("--goal-us", budgets.goalUs, 0));
    GKS_TRY_ASSIGN(budgets.fruitless, arguments.wholeNumber("--fruitless", static_cast<int>(budgets.fruitless), 0));
    return {};
}

Result<void> readScientist(const Arguments& arguments, CampaignSettings& settings) {
    settings.scientist = namesModel(arguments) ? ScientistKind::model : settings.scientist;
    GKS_TRY(readOver(arguments, "--scientist", settings.scientist, scientistKindFromName));
    if (settings.scientist == ScientistKind::tuner && (arguments.has("--probes") || arguments.has("--drafts"))) {
        return usageError("the tuner writes no drafts and no probes",
                          arguments.has("--probes") ? "--probes" : "--drafts", "Leave it out, or name a model");
    }
    if (settings.scientist == ScientistKind::model && !namesModel(arguments)) {
        return usageError("--scientist model needs a model name", "--model",
                          "Add --model NAME (and --base-url URL for your own server); or --command, or --folder");
    }
    if (settings.scientist == ScientistKind::tuner && namesModel(arguments)) {
        return usageError("the tuner asks no model", "--scientist", "Leave out who answers, or take --scientist model");
    }
    settings.policies.probes = settings.policies.probes && settings.scientist == ScientistKind::model; // of a template
    if (namesModel(arguments)) {
        GKS_TRY_ASSIGN(settings.models[std::string(defaultModel)], modelFrom(arguments));
    }
    return {};
}

Result<CampaignSettings> settingsFrom(const Arguments& arguments) {
    CampaignSettings settings;
    if (arguments.has("--template")) {
        GKS_TRY_ASSIGN(const CampaignTemplate from, campaignTemplate(arguments.value("--template")));
        settings = from.settings;
    }
    if (!arguments.has("--problem") && settings.problem.empty()) {
        return usageError("no problem is named", "--problem", "Name a built-in problem or the folder of a pack");
    }
    GKS_TRY_ASSIGN(settings.problem, campaignProblem(arguments.value("--problem", settings.problem)));
    GKS_TRY(readOver(arguments, "--target", settings.target, targetFromName));
    GKS_TRY_ASSIGN(settings.device, arguments.wholeNumber("--device", settings.device, 0));
    GKS_TRY(readOver(arguments, "--shapes", settings.shapes, shapeChoiceFromName));
    GKS_TRY(readOver(arguments, "--mode", settings.mode, modeFromName));
    settings.policies.checkCode = settings.policies.checkCode || arguments.has("--check-code");
    settings.policies.probes = settings.policies.probes || arguments.has("--probes");
    if (arguments.has("--probes") && isHarness(settings.problem)) {
        return usageError("a campaign on a command pack has no probes: our own judge measures them", "--probes",
                          "Leave it out");
    }
    GKS_TRY_ASSIGN(settings.policies.drafts, arguments.wholeNumber("--drafts", settings.policies.drafts, 1));
    GKS_TRY(readScientist(arguments, settings));
    GKS_TRY(readBudgets(arguments, settings.budgets));
    GKS_TRY_ASSIGN(settings.measureSeconds, arguments.number("--measure-seconds", settings.measureSeconds, 0.01));
    return settings;
}

// "a,b": none of them may be empty.
Result<std::vector<std::string>> namesOf(const Arguments& arguments, std::string_view option, std::string_view of) {
    std::vector<std::string> names = split(arguments.value(option), ',');
    if (names.empty() || std::ranges::any_of(names, [](const std::string& one) { return trimmed(one).empty(); })) {
        return usageError(fmt::format("\"{}\" holds an empty name", arguments.value(option)), std::string(option),
                          fmt::format("Name {}, with commas between them", of));
    }
    return names;
}

Result<NewCampaign> wantedFrom(const Arguments& arguments) {
    NewCampaign wanted;
    wanted.file = arguments.positional();
    GKS_TRY_ASSIGN(wanted.settings, settingsFrom(arguments));
    wanted.packSeeds = arguments.value("--seeds") != "none";
    if (wanted.packSeeds && arguments.has("--seeds")) {
        GKS_TRY_ASSIGN(wanted.seeds, namesOf(arguments, "--seeds", "seeds of the problem"));
    }
    if (arguments.has("--kernels")) {
        GKS_TRY_ASSIGN(const auto files, namesOf(arguments, "--kernels", "files of kernels"));
        wanted.kernels.assign(files.begin(), files.end());
    }
    wanted.baseline = arguments.value("--baseline");
    return wanted;
}

int runNew(const Arguments& arguments) {
    const auto store = wantedFrom(arguments).and_then(makeCampaign);
    if (!store) {
        return failed(store.error());
    }
    const auto population = (*store)->population();
    if (!population) {
        return failed(population.error());
    }
    const CampaignSettings& settings = (*population)->settings;
    say("{}: {} on {}, {}, scientist: {}{}\n", (*store)->file().string(), terminalLine((*population)->problemTitle),
        name(settings.target), counted((*population)->kernels.size(), "seed"), name(settings.scientist),
        settings.judgedByHarness ? ", " + judgedByHarness() : "");
    return done;
}

} // namespace

const Command newCommand = {
    "new", "FILE.gks", "Create a campaign file",
    withModelOptions(
        {{"--problem", "NAME|DIR", "name of a built-in problem, or folder of a problem pack or a command pack", false},
         {"--template", "NAME",
          "settings that go together: tuner, llm-loop, steer, own-kernels, or demo, which needs no --problem; other "
          "options go before it",
          false},
         {"--seeds", "NAME,...", "the seeds to start from, by their file names (all of the problem); none: none",
          false},
         {"--kernels", "FILE.hip,...", "kernels of your own to start from, behind the seeds", false},
         {"--baseline", "NAME|FILE.hip", "the kernel that speedups refer to (default: the first)", false},
         {"--target", "cpu|amd|nvidia", "target to build for and run on (default: cpu)", false},
         {"--device", "N", "device index (default: 0)", false},
         {"--shapes", "quick|test|benchmark|all", "shapes to measure (default: quick)", false},
         {"--scientist", "tuner|model", "what proposes experiments (default: tuner, needs no model)", false},
         {"--mode", "automatic|approve-experiments|step", "when to wait for you (default: automatic)", false},
         {"--check-code", "", "you approve the code of a model's draft before it runs", false},
         {"--probes", "", "the built-in probes are measured first, and open the findings of a model", false},
         {"--drafts", "N", "how often a model writes each experiment, side by side, at most 8 (1)", false},
         {"--evaluations", "N", "evaluation budget (default: unlimited)", false},
         {"--minutes", "N", "wall-time budget in minutes (default: unlimited)", false},
         {"--spend", "USD", "cost budget for model calls (default: unlimited)", false},
         {"--goal-us", "T", "end when the best kernel takes no more than this (no goal)", false},
         {"--fruitless", "N", "end after so many experiments in a row without a new best (unlimited)", false},
         {"--measure-seconds", "N", "measuring time per kernel in seconds (default: 3)", false}}),
    runNew};

} // namespace gks::cli
