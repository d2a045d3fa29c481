// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "core/base/foreign_text.h"
#include "core/campaign/running.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gks::cli {
namespace {

OrderedJson toJson(const RunningCampaign& run) {
    return {{"file", run.file.string()}, {"state", run.state ? name(*run.state) : ""},
            {"since_ms", run.since},     {"process", run.process},
            {"host", run.host},          {"here", run.here},
            {"place", name(run.place)}};
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
        table.add(
            {run.file.string(), stateText(run), sinceText(run), std::string(placeText(run.place)), processText(run)});
    }
    say("{}", table.empty() ? "No campaign is open.\n" : table.text());
    return done;
}

int stopNamed(const std::string& file) {
    const auto ended = endRun(file);
    if (!ended) {
        return failed(ended.error());
    }
    say("{}\n", endedText(*ended));
    return done;
}

int runRuns(const Arguments& arguments) {
    if (arguments.positional().empty()) {
        return listRuns(arguments.has("--json"));
    }
    if (arguments.positional() != "stop" || arguments.rest().size() != 1) {
        const bool isStop = arguments.positional() == "stop";
        return failed(Error{ErrorKind::usage, isStop ? "names no campaign, or more than one" : "is no action of runs",
                            isStop ? "runs stop" : quotation(arguments.positional()),
                            "runs lists what is open, runs stop FILE.gks ends that run"});
    }
    return stopNamed(arguments.rest().front());
}

} // namespace

const Command runsCommand = {"runs",
                             "[stop]",
                             "List the campaigns that are open in a program of yours, or end one run",
                             {{"--json", "", "print JSON", false}},
                             runRuns,
                             "[FILE.gks]"};

} // namespace gks::cli
