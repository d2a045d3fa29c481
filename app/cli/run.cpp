// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/ask_at_terminal.h"
#include "app/cli/commands.h"
#include "app/cli/interrupts.h"
#include "app/cli/output.h"
#include "app/cli/population_json.h"
#include "app/cli/population_text.h"
#include "app/cli/run_events.h"
#include "app/cli/run_watch.h"
#include "app/cli/whole_file.h"
#include "core/base/terminal_text.h"
#include "core/campaign/limits.h"
#include "core/campaign/ranking.h"
#include "core/campaign/rules.h"
#include "core/engine/engine.h"
#include "core/engine/event_json.h"
#include "core/report/headline.h"

#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <fmt/format.h>
#include <mutex>
#include <nlohmann/json.hpp>

namespace gks::cli {
namespace {

constexpr double pollSeconds = 0.1;

// Budgets count from the beginning of the campaign; the command line says how much more.
Result<Budgets> budgetsFrom(const Arguments& arguments, const Population& population) {
    Budgets budgets = population.settings.budgets;
    const Spend& spend = population.spend;
    if (arguments.has("--evaluations")) {
        GKS_TRY_ASSIGN(const int more, arguments.wholeNumber("--evaluations", 0, 1));
        budgets.evaluations = spend.evaluations + more;
    }
    if (arguments.has("--minutes")) {
        GKS_TRY_ASSIGN(const double more, arguments.number("--minutes", 0, 0.01));
        budgets.minutes = spend.wallSeconds / 60 + more;
    }
    if (arguments.has("--spend")) {
        GKS_TRY_ASSIGN(const double more, arguments.number("--spend", 0, 0.001));
        budgets.usd = spend.usd + more;
    }
    GKS_TRY(checkCommand(command::SetBudgets{budgets}, population));
    return budgets;
}

void waitWhilePaused(const std::stop_token& stop) {
    std::mutex mutex;
    std::unique_lock lock(mutex);
    std::condition_variable_any ended;
    ended.wait_for(lock, stop, std::chrono::duration<double>(pollSeconds), [] { return false; });
}

// Or for an interruption: then there is nothing left to wait for but the engine's own end. Who has paused it from
// elsewhere and still looks may go on with it.
void waitForTheEnd(Engine& engine, Said& said, EventQueue* events, Progress& progress, const Interrupts& interrupts) {
    for (bool quiet = false; !quiet && !interrupts.came();) {
        quiet = engine.waitUntilQuiet(pollSeconds);
        if (quiet && engine.state() == EngineState::paused && engine.isWatched()) {
            quiet = false;
            waitWhilePaused(interrupts.token());
        }
        for (const std::string& line : events != nullptr ? events->take() : std::vector<std::string>()) {
            sayMessage(line);
        }
        progress.report(*engine.population());
        if (events == nullptr) {
            noteSaid(said);
        }
    }
}

struct Outcome {
    PopulationPtr population;
    std::vector<Evaluation> ofBest;
};

// From the file as the engine has left it; closed again before anything is said.
Result<Outcome> outcomeOf(const std::filesystem::path& file) {
    GKS_TRY_ASSIGN(const auto store, CampaignStore::open(file, CampaignStore::Access::read));
    Outcome outcome;
    GKS_TRY_ASSIGN(outcome.population, store->population());
    if (const auto best = outcome.population->best) {
        GKS_TRY_ASSIGN(outcome.ofBest, store->evaluations(*best));
    }
    return outcome;
}

void sayOutcome(const std::filesystem::path& file, const Said& said, const Outcome& outcome) {
    const StateChanged last = said.state();
    if (!last.reason.empty() && !said.halt()) { // which is an error, and said as one
        note("{}: {}\n", name(last.state), terminalLine(last.reason));
    }
    const Population& population = *outcome.population;
    say("{}\n{}{}Spend: {}\nCampaign: {}\n", populationTable(population), bestText(population, outcome.ofBest),
        reviewText(population, file.string()), spendSentence(population.spend), file.string());
}

void tellOutcome(const StateChanged& last, const Outcome& outcome) {
    sayMessage(eventLine({{"event", "end"},
                          {"state", name(last.state)},
                          {"reason", last.reason},
                          {"campaign", populationJson(*outcome.population, false, outcome.ofBest)}}));
}

int conclusion(const std::filesystem::path& file, const Said& said, bool asEvents, const Interrupts& interrupts) {
    const auto outcome = outcomeOf(file);
    if (!outcome) {
        return failed(outcome.error());
    }
    asEvents ? tellOutcome(said.state(), *outcome) : sayOutcome(file, said, *outcome);
    if (const auto error = said.halt()) {
        return said.hasTold(*error) ? statusOf(*error) : failed(*error);
    }
    return outcome->population->best || interrupts.came() ? done : kernelFailed;
}

// `opened` is set when this command had the campaign for itself.
int runUntilTheEnd(const Arguments& arguments, bool& opened) {
    Said said;
    EventQueue queue;
    EventQueue* const events = arguments.has("--events") ? &queue : nullptr;
    EngineOptions options;
    options.sink = [&said, events](const EngineEvent& event) {
        said.hear(event);
        if (events != nullptr) {
            events->push(event);
        }
    };
    options.allowNoSandbox = arguments.has("--allow-no-sandbox");
    options.askPerson = askAtTerminal;
    auto kinds = trustKindsFromText(arguments.value("--trust"));
    if (!kinds) {
        return failed(kinds.error());
    }
    options.trusted = std::move(*kinds);
    if (arguments.has("--lanes")) {
        auto lanes = parseLanes(arguments.value("--lanes"));
        if (!lanes) {
            return failed(lanes.error());
        }
        options.lanes = std::move(*lanes);
    }
    if (arguments.has("--calls")) {
        const auto calls = arguments.wholeNumber("--calls", 1, 1);
        if (!calls) {
            return failed(calls.error());
        }
        if (*calls > limits::modelCalls) {
            return failed(Error{ErrorKind::usage,
                                fmt::format("{} calls are too many (limit {})", *calls, limits::modelCalls), "--calls",
                                "Use a smaller number"});
        }
        options.modelCalls = *calls;
    }
    LastFold lastFold(arguments.positional());
    const Interrupts interrupts(
        {[&lastFold] { return lastFold.put(); }, lastFold.unfinished()}); // before the engine's threads
    auto engine = Engine::open(arguments.positional(), std::move(options));
    if (!engine) {
        return failed(engine.error());
    }
    opened = !(*engine)->readOnly();
    if (!opened) {
        return failed(Error{ErrorKind::infrastructure, "the campaign is read-only", arguments.positional(),
                            "Copy it to a writable folder"});
    }
    const auto open = (*engine)->openQuestions();
    if (!open || !open->empty()) {
        return failed(open ? notTrusted(*open, arguments.positional()) : open.error());
    }
    const PopulationPtr before = (*engine)->population();
    const auto budgets = budgetsFrom(arguments, *before);
    if (!budgets) {
        return failed(budgets.error());
    }
    const auto restored = arguments.has("--restore-lanes") ? parseLanes(arguments.value("--restore-lanes"))
                                                           : Result<std::vector<LaneSpec>>();
    if (!restored) {
        return failed(restored.error());
    }
    Progress progress(*before, events != nullptr);
    if (!restored->empty()) {
        for (const LaneSpec& lane : lanesOf(before->settings, *restored)) {
            (*engine)->send(command::RestoreLane{lane.label()});
        }
    }
    const bool own = *budgets == before->settings.budgets;
    if (!own) {
        (*engine)->send(command::SetBudgets{*budgets});
    }
    (*engine)->send(command::Start{});
    { // behind the start: a stop that comes first would be undone by it
        const std::stop_callback atOnce(interrupts.token(), [&engine] { (*engine)->send(command::Stop{}); });
        waitForTheEnd(**engine, said, events, progress, interrupts);
    }
    if (!own) { // they were of this run only
        (*engine)->send(command::SetBudgets{before->settings.budgets});
    }
    const std::filesystem::path file = (*engine)->file();
    engine->reset();
    return conclusion(file, said, events != nullptr, interrupts);
}

int runRun(const Arguments& arguments) {
    bool opened = false;
    const int status = runUntilTheEnd(arguments, opened);
    if (const std::string why = opened ? whyNotWhole(arguments.positional()) : std::string(); !why.empty()) {
        note("{}\n", why);
    }
    return status;
}

} // namespace

const Command runCommand = {
    "run",
    "FILE.gks",
    "Run a campaign until a budget is used up or nothing is left to try",
    {{"--evaluations", "N", "run N more evaluations", false},
     {"--minutes", "N", "run for N more minutes", false},
     {"--spend", "USD", "spend up to USD more on model calls", false},
     {"--lanes", "SPEC",
      "devices to use in parallel: cpu:0, amd:0,amd:1, ssh:HOST:gpu0-7, slurm:partition=P,gpus=N or folder:DIR "
      "(default: "
      "the campaign's)",
      false, looksLikeLane},
     {"--events", "", "print what happens as it happens, one JSON object a line, instead of the table", false},
     {"--calls", "N",
      "model calls in parallel, up to 16 (default: the campaign's, 3 at first); you are asked one by one", false},
     {"--restore-lanes", "SPEC", "re-enable these devices", false},
     {"--trust", "KINDS",
      "what the file names may be used: server (gets the key), command, folder, pack; several with commas", false},
     {"--allow-no-sandbox", "", "run without a sandbox if none works; noted in every verdict", false}},
    runRun};

} // namespace gks::cli
