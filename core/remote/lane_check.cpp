// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/remote/lane_check.h"

#include "core/base/locations.h"

#include <fmt/format.h>
#include <mutex>
#include <thread>
#include <unistd.h>

namespace gks {
namespace {

using TellLane = std::function<void(const LaneSpec&, const std::string&)>;

Error noDevice(const LaneFound& found) {
    return {ErrorKind::infrastructure,
            fmt::format("there is no {} device {}{}", name(found.lane.target), found.lane.device,
                        found.hello.reason.empty() ? "" : ": " + found.hello.reason),
            found.hello.machine, "Run kernel-scientist-cli doctor there"};
}

HelloEvent ofThisMachine(TargetKind target) {
    const DeviceList devices = listDevices(target);
    HelloEvent hello;
    hello.reason = devices.reason;
    for (const Device& device : devices.devices) {
        hello.devices.push_back({device.index, device.name, device.architecture});
    }
    return hello;
}

LaneFound checkedLane(const LaneSpec& lane, const TellLane& tell, const std::stop_token& stop) {
    LaneFound found;
    found.lane = lane;
    if (!lane.folder.empty()) {
        return found;
    }
    if (lane.isElsewhere()) {
        EvaluatorClient::Options options;
        options.way = wayTo(lane, fmt::format("check-{}-{}", machineName(), ::getpid()),
                            [&](const std::string& text) { tell(lane, text); });
        auto hello = EvaluatorClient(std::move(options)).greet(stop);
        if (!hello) {
            found.error = hello.error();
            return found;
        }
        found.hello = std::move(*hello);
    } else {
        found.hello = ofThisMachine(lane.target);
    }
    if (found.device().empty()) {
        found.error = noDevice(found);
    }
    return found;
}

} // namespace

std::string LaneFound::device() const {
    for (const HelloEvent::Device& one : hello.devices) {
        if (one.index == lane.deviceThere()) {
            return fmt::format("{} ({})", one.name, one.architecture);
        }
    }
    return {};
}

std::string LaneFound::text() const {
    if (error) {
        return error->message();
    }
    if (!lane.folder.empty()) {
        return "its machine is known when a result is back";
    }
    return hello.machine.empty() ? device() : fmt::format("{} on {}", device(), hello.machine);
}

std::vector<LaneFound> checkLanes(const std::vector<LaneSpec>& lanes, const TellLane& tell,
                                  const std::stop_token& stop) {
    std::vector<LaneFound> found(lanes.size());
    std::mutex mutex;
    const TellLane tellOne = [&](const LaneSpec& lane, const std::string& text) {
        const std::lock_guard lock(mutex);
        tell(lane, text);
    };
    std::vector<std::jthread> looks;
    for (std::size_t i = 0; i < lanes.size(); ++i) {
        looks.emplace_back([&, i] { found[i] = checkedLane(lanes[i], tellOne, stop); });
    }
    looks.clear(); // joins them
    return found;
}

} // namespace gks
