// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/decisions.h"
#include "app/cli/model_options.h"
#include "app/cli/output.h"
#include "app/cli/population_text.h"
#include "app/cli/steer_actions.h"
#include "core/base/terminal_text.h"
#include "core/campaign/names.h"
#include "core/campaign/own_code.h"
#include "core/campaign/rules.h"
#include "core/campaign/store.h"
#include "core/campaign/undo.h"
#include "core/engine/run_end.h"
#include "core/engine/waiting.h"

#include <algorithm>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

// Everything that a person decides, without a window: on a machine that has none, or from a script. Each action goes
// through the engine, which refuses nonsense and writes down what was done.
namespace gks::cli {
namespace {

void printActions() {
    Table table;
    for (const SteerAction& action : steerActions()) {
        table.add({fmt::format("  {} {}", action.name, action.arguments), std::string(action.help)});
    }
    say("{}", table.text());
}

// The actions are there without a campaign too.
void sayWhatWaits(const std::string& file) {
    const auto store = CampaignStore::open(file, CampaignStore::Access::read);
    if (const auto population = store ? (*store)->population() : tl::unexpected(store.error())) {
        say("{}", reviewText(**population, file));
    }
}

// Of kernels that were evaluated meanwhile, and of those that still wait for it. Whether one of them failed.
bool sayWhatCame(const Population& before, const Population& after) {
    bool hasFailed = false;
    const auto row = [&](const Kernel& kernel) {
        const Kernel* known = before.kernel(kernel.id);
        if (known == nullptr || known->evaluations != kernel.evaluations) {
            hasFailed = hasFailed || (kernel.verdict && !passedJudge(kernel));
            const std::string waits = waitText(kernel, after);
            say("{}: {}{}{}\n", kernelLabel(kernel.id), kernel.verdict ? name(*kernel.verdict) : waits,
                kernel.verdict ? ", " + timeText(kernel, after.settings.target) : "",
                kernel.parents.empty() || !kernel.verdict
                    ? ""
                    : fmt::format(", {} of {}", versusParentText(kernel), kernelLabel(kernel.parents.front())));
        }
    };
    std::ranges::for_each(after.kernels, row);
    std::ranges::for_each(after.probes, row);
    return hasFailed;
}

// Of experiments that were just added and that nobody writes but the person.
void sayWhoWrites(const Population& before, const Population& after, const std::string& file) {
    for (const Experiment& experiment : after.experiments) {
        if (before.experiment(experiment.id) == nullptr && needsOwnCode(experiment, after.settings)) {
            say("Experiment {} {}: steer {} kernel {} FILE.hip '{}'\n", experiment.id, waitText(experiment, after),
                file, kernelLabel(experiment.parent), terminalLine(ownCodeTitle(experiment)));
        }
    }
}

// Who asks by hand is not held up by a budget, but hears of it.
void sayWhatIsSpent(const Population& population) {
    if (const auto spent = spentBudget(population, {.wallSeconds = population.spend.wallSeconds})) {
        note("The budget is spent: {}. What you ask for is evaluated all the same\n", *spent);
    }
}

Result<int> steer(const SteerAction& action, const Arguments& arguments, Words words) {
    const bool now = arguments.has("--now");
    GKS_TRY_ASSIGN(const auto decisions, Decisions::open(arguments.positional(), now));
    const PopulationPtr population = decisions->engine().population();
    GKS_TRY_ASSIGN(const std::vector<Steering> history, decisions->engine().steering());
    GKS_TRY_ASSIGN(const SteerCommands commands, action.read({*population, arguments, std::move(words), history}));
    if (now) {
        sayWhatIsSpent(*population);
    }
    GKS_TRY_ASSIGN(const Decisions::Outcome outcome, decisions->carryOut(commands));
    for (const Steering& line : outcome.written) {
        say("{}: {}\n", terminalLine(line.action), terminalLine(line.detail));
    }
    sayWhoWrites(*population, *decisions->engine().population(), arguments.positional());
    const bool hasFailed = now && sayWhatCame(*population, *decisions->engine().population());
    GKS_TRY(outcome.refused);
    return hasFailed ? kernelFailed : done;
}

// Read beside a run: nothing is decided.
Result<void> printHistory(const Arguments& arguments) {
    GKS_TRY_ASSIGN(const auto store, CampaignStore::open(arguments.positional(), CampaignStore::Access::read));
    GKS_TRY_ASSIGN(const PopulationPtr population, store->population());
    GKS_TRY_ASSIGN(const std::vector<Steering> history, store->steering());
    const UndoChoices choices = undoChoices(history, *population);
    OrderedJson json = OrderedJson::array();
    Table table;
    table.add({"N", "When (UTC)", "Who", "Decision", "Undo", "About"});
    for (auto line = history.rbegin(); line != history.rend(); ++line) {
        const auto found = choices.find(line->id);
        const UndoChoice choice = found != choices.end() ? found->second : UndoChoice{};
        json.push_back({{"id", line->id},
                        {"at", line->at},
                        {"who", name(line->who)},
                        {"action", line->action},
                        {"detail", line->detail},
                        {"undo", name(choice.state)},
                        {"why", choice.why}});
        table.add({std::to_string(line->id), fmt::format("{:%Y-%m-%d %H:%M}", fmt::gmtime(line->at / 1000)),
                   std::string(name(line->who)), terminalLine(line->action), terminalLine(undoText(choice)),
                   oneLine(terminalLine(line->detail))});
    }
    if (arguments.has("--json")) {
        printJson(json);
    } else {
        say("{}", history.empty() ? "Nothing was decided yet.\n" : table.text());
    }
    return {};
}

int runSteer(const Arguments& arguments) {
    Words words = arguments.rest();
    if (words.empty()) {
        printActions();
        sayWhatWaits(arguments.positional());
        return done;
    }
    const std::string wanted = words.front();
    words.erase(words.begin());
    const auto action = std::find_if(steerActions().begin(), steerActions().end(),
                                     [&](const SteerAction& one) { return one.name == wanted; });
    if (action == steerActions().end()) {
        return failed(Error{ErrorKind::usage, fmt::format("unknown action '{}'", wanted), "steer",
                            "Run steer FILE.gks to list the actions"});
    }
    if (words.size() < action->least || words.size() > action->most) {
        return failed(Error{
            ErrorKind::usage,
            fmt::format("{} takes {}", action->name, action->arguments.empty() ? "no arguments" : action->arguments),
            "steer"});
    }
    if (!action->read) {
        const auto printed = printHistory(arguments);
        return printed ? done : failed(printed.error());
    }
    const auto steered = steer(*action, arguments, std::move(words));
    return steered ? *steered : failed(steered.error());
}

} // namespace

const Command steerCommand = {
    "steer",
    "FILE.gks",
    "Steer a campaign: pin a parent, approve experiments, add kernels, edit findings. Without ACTION: list the actions",
    withModelOptions(
        {{"--description", "TEXT", "description of the experiment", false},
         {"--rubric", "TEXT", "rubric of the experiment", false},
         {"--low", "GAIN", "lowest gain you expect, as a ratio such as 1.05x (a plain number: time saved in percent)",
          false},
         {"--high", "GAIN", "highest gain you expect, as a ratio such as 1.20x", false},
         {"--kind", "change|rewrite|merge|dispatch|probe", "of your own experiment (change)", false},
         {"--reference", "KERNEL", "of your own experiment; the second parent of a merge or a dispatch", false},
         {"--innovation", "N", "innovation, 0 to 100", false},
         {"--quick", "", "side by side on the shapes that the campaign measures", false},
         {"--writer", "NAME", "who writes it: own (the stage's own model) or a further writer", false},
         {"--any-writer", "", "whoever's turn it is writes it", false},
         {"--now", "", "what is asked for is evaluated at once, and nothing else is started", false},
         {"--stage", "NAME", "of a hint: selector, designer, writer or repair", false},
         {"--subject", "TEXT", "subject of the finding", false},
         {"--json", "", "of the history", false}}),
    runSteer,
    "[ACTION ...]"};

} // namespace gks::cli
