// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/evaluation.h"
#include "app/cli/model_options.h"
#include "app/cli/output.h"
#include "core/base/terminal_text.h"
#include "core/base/text.h"
#include "core/campaign/model_stages.h"
#include "core/campaign/names.h"
#include "core/campaign/store.h"
#include "core/engine/trust.h"
#include "core/problem/problem.h"

#include <fmt/format.h>

namespace gks::cli {
namespace {

Result<CampaignSettings> settingsFrom(const Arguments& arguments) {
    CampaignSettings settings;
    GKS_TRY_ASSIGN(settings.problem, checkedProblem(arguments.value("--problem")));
    GKS_TRY_ASSIGN(settings.target, targetFromName(arguments.value("--target", "cpu")));
    GKS_TRY_ASSIGN(settings.device, arguments.wholeNumber("--device", 0, 0));
    GKS_TRY_ASSIGN(settings.shapes, shapeChoiceFromName(arguments.value("--shapes", "quick")));
    GKS_TRY_ASSIGN(settings.mode, modeFromName(arguments.value("--mode", "automatic")));
    settings.policies.checkCode = arguments.has("--check-code");
    settings.policies.probes = arguments.has("--probes");
    GKS_TRY_ASSIGN(settings.policies.drafts, arguments.wholeNumber("--drafts", settings.policies.drafts, 1));
    GKS_TRY_ASSIGN(settings.scientist,
                   scientistKindFromName(arguments.value("--scientist", namesModel(arguments) ? "model" : "tuner")));
    if (settings.scientist == ScientistKind::tuner && (arguments.has("--probes") || arguments.has("--drafts"))) {
        return usageError("the tuner writes no drafts and no probes",
                          arguments.has("--probes") ? "--probes" : "--drafts", "Leave it out, or name a model");
    }
    GKS_TRY_ASSIGN(settings.budgets.evaluations, arguments.wholeNumber("--evaluations", 0, 0));
    GKS_TRY_ASSIGN(settings.budgets.minutes, arguments.number("--minutes", 0, 0));
    GKS_TRY_ASSIGN(settings.budgets.usd, arguments.number("--spend", 0, 0));
    GKS_TRY_ASSIGN(settings.budgets.goalUs, arguments.number("--goal-us", 0, 0));
    GKS_TRY_ASSIGN(settings.budgets.fruitless, arguments.wholeNumber("--fruitless", 0, 0));
    GKS_TRY_ASSIGN(settings.measureSeconds, arguments.number("--measure-seconds", settings.measureSeconds, 0.01));
    if (settings.scientist == ScientistKind::model && !namesModel(arguments)) {
        return usageError("a model scientist needs the name of a model", "--model",
                          "Add --model NAME, and --base-url for a server of your own; or --command, or --folder");
    }
    if (settings.scientist == ScientistKind::tuner && namesModel(arguments)) {
        return usageError("the tuner asks no model", "--scientist", "Leave out who answers, or take --scientist model");
    }
    if (namesModel(arguments)) {
        GKS_TRY_ASSIGN(settings.models[std::string(defaultModel)], modelFrom(arguments));
    }
    return settings;
}

int runNew(const Arguments& arguments) {
    const auto settings = settingsFrom(arguments);
    if (!settings) {
        return failed(settings.error());
    }
    auto pack = loadProblemPack(settings->problem);
    if (!pack) {
        return failed(pack.error());
    }
    if (arguments.has("--seeds")) {
        if (const auto kept = keepSeeds(*pack, split(arguments.value("--seeds"), ',')); !kept) {
            return failed(kept.error());
        }
    }
    const auto store = CampaignStore::create(arguments.positional(), *settings, *pack);
    if (!store) {
        return failed(store.error());
    }
    if (const auto trusted = trustOwn(**store); !trusted) {
        return failed(trusted.error());
    }
    const auto population = (*store)->population();
    if (!population) {
        return failed(population.error());
    }
    say("{}: {} on {}, {} seeds, scientist: {}\n", (*store)->file().string(), terminalLine((*population)->problemTitle),
        name(settings->target), (*population)->kernels.size(), name(settings->scientist));
    return done;
}

} // namespace

const Command newCommand = {
    "new", "FILE.gks", "Starts a campaign in a new file",
    withModelOptions(
        {{"--problem", "NAME|DIR", "what is to be computed: a built-in problem or the folder of a pack", true},
         {"--seeds", "NAME,...", "the seeds to start from, by their file names (all of the problem)", false},
         {"--target", "cpu|amd|nvidia", "where kernels are built and run (cpu)", false},
         {"--device", "N", "which device of the target (0)", false},
         {"--shapes", "quick|test|benchmark|all", "which shapes are measured (quick)", false},
         {"--scientist", "tuner|model", "who proposes changes (tuner, which needs no model)", false},
         {"--mode", "automatic|approve-experiments|step", "how much is asked of you (automatic)", false},
         {"--check-code", "", "you approve the code of a model's draft before it runs", false},
         {"--probes", "", "the built-in probes are measured first, and open the findings of a model", false},
         {"--drafts", "N", "how often a model writes each experiment, side by side, at most 8 (1)", false},
         {"--evaluations", "N", "budget of evaluations (unlimited)", false},
         {"--minutes", "N", "budget of running time (unlimited)", false},
         {"--spend", "USD", "budget of money for models (unlimited)", false},
         {"--goal-us", "T", "end when the best kernel takes no more than this (no goal)", false},
         {"--fruitless", "N", "end after so many experiments in a row without a new best (unlimited)", false},
         {"--measure-seconds", "N", "measuring time of one kernel (3)", false}}),
    runNew};

} // namespace gks::cli
