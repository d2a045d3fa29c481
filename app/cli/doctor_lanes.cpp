// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/doctor_lanes.h"

#include "app/cli/interrupts.h"
#include "app/cli/output.h"
#include "core/campaign/lane_spec.h"
#include "core/remote/remote_way.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <thread>

namespace gks::cli {
namespace {

struct LaneFound {
    LaneSpec lane;
    HelloEvent hello; // of a device here: without a version
    std::optional<Error> error;

    std::string device() const {
        const int wanted = lane.slurm ? 0 : lane.device; // Slurm shows a job its own device alone
        for (const HelloEvent::Device& one : hello.devices) {
            if (one.index == wanted) {
                return fmt::format("{} ({})", one.name, one.architecture);
            }
        }
        return {};
    }
};

Error noDevice(const LaneFound& found) {
    return {ErrorKind::infrastructure,
            fmt::format("there is no {} device {}{}", name(found.lane.target), found.lane.device,
                        found.hello.reason.empty() ? "" : ": " + found.hello.reason),
            found.hello.machine, "Run kernel-scientist-cli doctor there"};
}

LaneFound looked(const LaneSpec& lane, const std::stop_token& stop) {
    LaneFound found;
    found.lane = lane;
    if (!lane.folder.empty()) {
        return found;
    }
    if (lane.isElsewhere()) {
        EvaluatorClient::Options options;
        options.way = wayTo(lane, "doctor", [&](const std::string& text) { note("{}: {}\n", lane.label(), text); });
        auto hello = EvaluatorClient(std::move(options)).greet(stop);
        if (!hello) {
            found.error = hello.error();
            return found;
        }
        found.hello = std::move(*hello);
    } else {
        const DeviceList devices = listDevices(lane.target);
        found.hello.reason = devices.reason;
        for (const Device& device : devices.devices) {
            found.hello.devices.push_back({device.index, device.name, device.architecture});
        }
    }
    if (found.device().empty()) {
        found.error = noDevice(found);
    }
    return found;
}

OrderedJson toJson(const LaneFound& found) {
    OrderedJson json = {{"lane", found.lane.label()}, {"state", found.error ? "unusable" : "ready"}};
    if (!found.lane.folder.empty()) {
        json["state"] = "folder";
    }
    json["machine"] = found.hello.machine;
    json["version"] = found.hello.version;
    json["device"] = found.device();
    if (found.error) {
        json["error"] = found.error->what;
        json["next"] = found.error->next;
    }
    return json;
}

std::vector<std::string> rowOf(const LaneFound& found) {
    if (found.error) {
        return {"  " + found.lane.label(), "unusable", found.error->message()};
    }
    if (!found.lane.folder.empty()) {
        return {"  " + found.lane.label(), "folder", "its machine is known when a result is back"};
    }
    return {"  " + found.lane.label(), "ready",
            found.hello.machine.empty() ? found.device()
                                        : fmt::format("{} on {}", found.device(), found.hello.machine)};
}

} // namespace

int runDoctorOfLanes(const Arguments& arguments) {
    auto lanes = parseLanes(arguments.value("--lanes"));
    if (!lanes) {
        return failed(lanes.error());
    }
    CampaignSettings settings;
    settings.target = TargetKind::amd;
    if (arguments.has("--target")) {
        const auto target = targetFromName(arguments.value("--target"));
        if (!target) {
            return failed(target.error());
        }
        settings.target = *target;
    }
    const std::vector<LaneSpec> asked = lanesOf(settings, std::move(*lanes));
    const Interrupts interrupts;
    std::vector<LaneFound> found(asked.size());
    {
        std::vector<std::jthread> looks;
        for (std::size_t i = 0; i < asked.size(); ++i) {
            looks.emplace_back([&, i] { found[i] = looked(asked[i], interrupts.token()); });
        }
    }
    Table table;
    OrderedJson json = OrderedJson::array();
    bool isReady = true;
    for (const LaneFound& one : found) {
        isReady = isReady && !one.error;
        json.push_back(toJson(one));
        table.add(rowOf(one));
    }
    if (arguments.has("--json")) {
        printJson({{"lanes", std::move(json)}});
    } else {
        say("Lanes\n{}", table.text());
    }
    return isReady ? done : infrastructureFailed;
}

} // namespace gks::cli
