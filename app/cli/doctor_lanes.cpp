// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/doctor_lanes.h"

#include "app/cli/interrupts.h"
#include "app/cli/output.h"
#include "core/base/terminal_text.h"
#include "core/remote/lane_check.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gks::cli {
namespace {

std::string_view stateOf(const LaneFound& found) {
    return found.error ? "unusable" : found.lane.folder.empty() ? "ready" : "folder";
}

OrderedJson toJson(const LaneFound& found) {
    OrderedJson json = {{"lane", found.lane.label()},
                        {"state", stateOf(found)},
                        {"machine", found.hello.machine},
                        {"version", found.hello.version},
                        {"device", found.device()}};
    if (found.error) {
        json["error"] = found.error->what;
        json["next"] = found.error->next;
    }
    return json;
}

void printLanes(const std::vector<LaneFound>& lanes, bool asJson) {
    Table table;
    OrderedJson json = OrderedJson::array();
    for (const LaneFound& found : lanes) {
        json.push_back(toJson(found));
        table.add({"  " + found.lane.label(), std::string(stateOf(found)), found.text()});
    }
    if (asJson) {
        printJson({{"lanes", std::move(json)}});
    } else {
        say("Lanes\n{}", table.text());
    }
}

} // namespace

int runDoctorOfLanes(const Arguments& arguments) {
    auto lanes = parseLanes(arguments.value("--lanes"));
    if (!lanes) {
        return failed(lanes.error());
    }
    const auto target = targetFromName(arguments.value("--target", name(TargetKind::amd)));
    if (!target) {
        return failed(target.error());
    }
    CampaignSettings settings;
    settings.target = *target;
    const Interrupts interrupts;
    const auto tell = [](const LaneSpec& lane, const std::string& text) {
        note("{}: {}\n", lane.label(), terminalLine(text));
    };
    const auto found = checkLanes(lanesOf(settings, std::move(*lanes)), tell, interrupts.token());
    printLanes(found, arguments.has("--json"));
    const bool isReady = std::none_of(found.begin(), found.end(), [](const LaneFound& one) { return one.error; });
    return isReady ? done : infrastructureFailed;
}

} // namespace gks::cli
