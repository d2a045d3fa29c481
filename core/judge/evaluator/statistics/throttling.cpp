// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator/statistics/throttling.h"

#include "core/base/files.h"
#include "core/base/process.h"
#include "core/base/text.h"

#include <charconv>
#include <fmt/format.h>

namespace gks {
namespace {

namespace fs = std::filesystem;

// Masks of the vendor's library: hardware slowdown, software and hardware heat, power brake. Not the software power
// cap.
constexpr unsigned long throttleMask = 0x08 | 0x20 | 0x40 | 0x80;
constexpr std::chrono::seconds toolTimeout(3);
constexpr int sensorLimit = 8;
constexpr double perDegree = 1e3;
constexpr double degreesBelow = 1; // a clock that is held down keeps the chip just below its limit
constexpr double hzPerMhz = 1e6;

std::optional<std::string> nvidiaThrottling(const Device& device) {
    if (!findProgram("nvidia-smi")) {
        return std::nullopt;
    }
    gks::Command command;
    command.arguments = {"nvidia-smi", "--query-gpu=clocks_throttle_reasons.active,clocks.sm,temperature.gpu",
                         "--format=csv,noheader,nounits", "-i", std::to_string(device.index)};
    RunOptions options;
    options.timeout = toolTimeout;
    const auto run = runProcess(command, options);
    return run && run->ok() ? throttlingFrom(run->output) : std::nullopt;
}

std::optional<double> numberIn(const fs::path& file) {
    const auto text = readFile(file);
    if (!text) {
        return std::nullopt;
    }
    const std::string_view word = trimmed(*text);
    double value = 0;
    const auto [stopped, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    return error == std::errc() && stopped == word.data() + word.size() ? std::optional(value) : std::nullopt;
}

std::optional<std::string> heatBySensors(const fs::path& folder) {
    for (int sensor = 1; sensor <= sensorLimit; ++sensor) {
        const auto place = [&](const char* what) { return folder / fmt::format("temp{}_{}", sensor, what); };
        const auto now = numberIn(place("input"));
        const auto limit = numberIn(place("crit"));
        if (!now || !limit || *limit <= 0 || *now < *limit - degreesBelow * perDegree) {
            continue;
        }
        const auto label = readFile(place("label"));
        const auto clockHz = numberIn(folder / "freq1_input");
        return fmt::format("the device holds its clock down{} at {:.0f} of at most {:.0f} degrees{}",
                           clockHz ? fmt::format(" to {:.0f} MHz", *clockHz / hzPerMhz) : "", *now / perDegree,
                           *limit / perDegree,
                           label ? fmt::format(" ({})", abbreviated(sanitizedUtf8(trimmed(*label)), 20)) : "");
    }
    return std::nullopt;
}

} // namespace

std::optional<std::string> throttlingFrom(std::string_view answer) {
    const auto fields = split(trimmed(answer), ',');
    if (fields.size() != 3) {
        return std::nullopt;
    }
    std::string_view mask = trimmed(fields[0]);
    if (!mask.starts_with("0x")) {
        return std::nullopt;
    }
    mask.remove_prefix(2);
    unsigned long reasons = 0;
    std::from_chars(mask.data(), mask.data() + mask.size(), reasons, 16);
    if ((reasons & throttleMask) == 0) {
        return std::nullopt;
    }
    return fmt::format("the device holds its clock down to {} MHz at {} degrees", trimmed(fields[1]),
                       trimmed(fields[2]));
}

std::optional<std::string> heatOf(const fs::path& pciDevice) {
    std::error_code ignored;
    for (fs::directory_iterator at(pciDevice / "hwmon", ignored), end; !ignored && at != end; at.increment(ignored)) {
        if (auto heat = heatBySensors(at->path())) {
            return heat;
        }
    }
    return std::nullopt;
}

std::optional<std::string> deviceThrottling(const Device& device) {
    switch (device.target) {
    case TargetKind::nvidia:
        return nvidiaThrottling(device);
    case TargetKind::amd:
        return device.identity.empty() ? std::nullopt : heatOf(fs::path("/sys/bus/pci/devices") / device.identity);
    case TargetKind::cpu:
        break;
    }
    return std::nullopt;
}

} // namespace gks
