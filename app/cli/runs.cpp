// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "core/base/quantity.h"
#include "core/campaign/running.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gks::cli {
namespace {

// SIGTERM ends a run within 2 s; writing the log into a large file takes a little longer.
constexpr std::chrono::seconds stopPatience(15);

OrderedJson toJson(const RunningCampaign& run) {
    return {{"file", run.file.string()}, {"state", run.state}, {"since_ms", run.since},   {"process", run.process},
            {"host", run.host},          {"here", run.here},   {"place", name(run.place)}};
}

std::string stateText(const RunningCampaign& run) {
    return run.state.empty() ? "being changed" : run.state;
}

int listRuns(bool asJson) {
    const std::vector<RunningCampaign> runs = runningCampaigns();
    if (asJson) {
        OrderedJson json = OrderedJson::array();
        for (const RunningCampaign& run : runs) {
            json.push_back(toJson(run));
        }
        printJson(json);
        return done;
    }
    Table table;
    for (const RunningCampaign& run : runs) {
        table.add({run.file.string(), stateText(run), formatSeconds(static_cast<double>(now() - run.since) / 1000),
                   std::string(name(run.place)),
                   fmt::format("process {}{}", run.process, run.here ? "" : " on " + run.host)});
    }
    say("{}", table.empty() ? "No campaign is open.\n" : table.text());
    return done;
}

int stopNamed(const std::string& file) {
    const auto run = runOf(file);
    if (!run) {
        return failed(isWriterByteHeld(file)
                          ? Error{ErrorKind::infrastructure, "in use by another user's program or another machine",
                                  file, "Stop it there"}
                          : Error{ErrorKind::usage, "no program runs this campaign", file, "See runs"});
    }
    const auto outcome = stopRun(*run, stopPatience);
    if (!outcome) {
        return failed(outcome.error());
    }
    switch (*outcome) {
    case StopOutcome::ended:
        say("{}: ended, everything finished is stored\n", run->file.string());
        return done;
    case StopOutcome::stopped:
        say("{}: stopped, still open in the window of process {}\n", run->file.string(), run->process);
        return done;
    case StopOutcome::stillRunning:
        break;
    }
    return failed(Error{ErrorKind::infrastructure,
                        fmt::format("process {} was asked to stop and still runs", run->process), run->file.string(),
                        fmt::format("Try again, or end it with: kill -KILL {}. What is finished stays", run->process)});
}

int runRuns(const Arguments& arguments) {
    if (arguments.positional().empty()) {
        return listRuns(arguments.has("--json"));
    }
    if (arguments.positional() != "stop" || arguments.rest().size() != 1) {
        return failed(Error{ErrorKind::usage, "runs lists, and runs stop FILE.gks ends one", "runs", {}});
    }
    return stopNamed(arguments.rest().front());
}

} // namespace

const Command runsCommand = {"runs",
                             "[stop]",
                             "Lists the campaigns that are open in a program of yours, or ends one run",
                             {{"--json", "", "as JSON", false}},
                             runRuns,
                             "[FILE.gks]"};

} // namespace gks::cli
