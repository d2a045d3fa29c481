// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/lane_spec.h"

#include "core/base/foreign_text.h"
#include "core/base/text.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <fmt/format.h>
#include <optional>
#include <set>

namespace gks {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view localLane = "local";
constexpr std::string_view folderLane = "folder";
constexpr std::string_view sshLane = "ssh";
constexpr std::string_view slurmLane = "slurm";
constexpr int laneLimit = 256; // of one part

std::optional<int> numberFrom(std::string_view text) {
    int number = 0;
    const char* end = text.data() + text.size();
    const auto [stopped, failed] = std::from_chars(text.data(), end, number);
    return failed == std::errc() && stopped == end && number >= 0 ? std::optional(number) : std::nullopt;
}

// Between quotation marks commas and spaces belong to a part.
std::vector<std::string> partsOf(std::string_view text) {
    std::vector<std::string> parts(1);
    bool isQuoted = false;
    for (const char c : text) {
        if (c == '"') {
            isQuoted = !isQuoted;
        } else if (!isQuoted && (c == ',' || c == ' ' || c == '\t' || c == '\n')) {
            parts.emplace_back();
        } else {
            parts.back() += c;
        }
    }
    std::erase(parts, std::string());
    // What Slurm is asked for has commas as well: "account=a" is no lane.
    std::vector<std::string> lanes;
    for (std::string& part : parts) {
        const bool goesOn = part.find('=') != std::string::npos && part.find(':') > part.find('=') && !lanes.empty() &&
                            lanes.back().starts_with(slurmLane);
        if (goesOn) {
            lanes.back() += "," + part;
        } else {
            lanes.push_back(std::move(part));
        }
    }
    return lanes;
}

tl::unexpected<Error> noLane(std::string_view spec) {
    return usageError(fmt::format("invalid device {}", quotation(spec)), "--lanes",
                      "Use target:index, ssh:HOST:gpu0-7, slurm:partition=P,gpus=N or folder:DIR, for example cpu:0, "
                      "amd:0,amd:1 or local:0 ssh:me@node1:gpu0-3");
}

// What becomes a word of a command of ssh or Slurm.
bool isPlainWord(std::string_view text, std::string_view alsoAllowed) {
    return !text.empty() && text.front() != '-' && std::all_of(text.begin(), text.end(), [&](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || alsoAllowed.find(c) != std::string_view::npos;
    });
}

bool isHost(std::string_view text) {
    return isPlainWord(text, "._-@");
}

// "gpu3", "gpu0-7"
std::optional<std::pair<int, int>> devicesFrom(std::string_view text) {
    if (!text.starts_with("gpu")) {
        return std::nullopt;
    }
    text.remove_prefix(3);
    const std::size_t dash = text.find('-');
    const auto first = numberFrom(text.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : numberFrom(text.substr(dash + 1));
    return first && last && *first <= *last && *last < laneLimit ? std::optional(std::pair(*first, *last))
                                                                 : std::nullopt;
}

Result<std::vector<LaneSpec>> sshFrom(std::string_view spec) {
    std::string_view host = spec.substr(sshLane.size() + 1);
    std::pair<int, int> devices = {0, 0};
    if (const std::size_t colon = host.find(':'); colon != std::string_view::npos) {
        const auto named = devicesFrom(host.substr(colon + 1));
        if (!named) {
            return noLane(spec);
        }
        devices = *named;
        host = host.substr(0, colon);
    }
    if (!isHost(host)) {
        return noLane(spec);
    }
    std::vector<LaneSpec> lanes;
    for (int device = devices.first; device <= devices.second; ++device) {
        LaneSpec& lane = lanes.emplace_back();
        lane.ofCampaign = true;
        lane.host = host;
        lane.device = device;
    }
    return lanes;
}

Result<std::vector<LaneSpec>> slurmFrom(std::string_view spec) {
    LaneSpec lane;
    lane.ofCampaign = true;
    lane.slurm.emplace();
    int count = 1;
    std::set<std::string> seen;
    const std::string_view wishes = spec.substr(slurmLane.size() + 1);
    for (const std::string& wish : split(wishes, ',')) {
        const std::size_t equals = wish.find('=');
        const std::string key = wish.substr(0, equals);
        const std::string value = equals == std::string::npos ? std::string() : wish.substr(equals + 1);
        const auto number = numberFrom(value);
        // gpus and tasks are the same wish; of two the last one would count in silence.
        if (!wish.empty() && !seen.insert(key == "tasks" ? "gpus" : key).second) {
            return usageError(fmt::format("asks Slurm for {} twice", quotation(key)), "--lanes",
                              "Name each wish once, and of gpus=N and tasks=N one");
        }
        if (key == "host" && isHost(value)) {
            lane.host = value;
        } else if (key == "partition" && isPlainWord(value, "._-")) {
            lane.slurm->partition = value;
        } else if (key == "account" && isPlainWord(value, "._-")) {
            lane.slurm->account = value;
        } else if (key == "time" && isPlainWord(value, ":-")) {
            lane.slurm->time = value;
        } else if ((key == "gpus" || key == "tasks") && number && *number >= 1 && *number <= laneLimit) {
            count = *number;
            lane.slurm->takesGpu = key == "gpus";
        } else if (!wish.empty()) {
            return usageError(fmt::format("{} is nothing that Slurm is asked for", quotation(wish)), "--lanes",
                              "Use host=HOST, partition=P, account=A, time=T, and gpus=N or tasks=N");
        }
    }
    std::vector<LaneSpec> lanes;
    for (int slot = 0; slot < count; ++slot) {
        lane.device = slot;
        lanes.push_back(lane);
    }
    return lanes;
}

Result<LaneSpec> folderFrom(std::string_view spec) {
    LaneSpec lane;
    lane.ofCampaign = true;
    lane.capacity = folderSlots;
    std::string_view folder = spec.substr(folderLane.size() + 1);
    if (const std::size_t colon = folder.find(':'); colon != std::string_view::npos) {
        if (const auto capacity = numberFrom(folder.substr(0, colon))) {
            lane.capacity = *capacity;
            folder.remove_prefix(colon + 1);
        }
    }
    if (lane.capacity < 1 || lane.capacity > folderSlotLimit) {
        return usageError(fmt::format("a folder has 1 to {} jobs at the same time", folderSlotLimit), "--lanes");
    }
    std::error_code code;
    lane.folder = fs::canonical(fs::path(folder), code);
    if (folder.empty() || code || !fs::is_directory(lane.folder, code) || lane.folder.filename().empty()) {
        return usageError(fmt::format("{} is no folder that jobs can be put into", quotation(folder)), "--lanes",
                          "Make it first, one for each campaign");
    }
    return lane;
}

Result<LaneSpec> deviceFrom(std::string_view spec) {
    const std::size_t colon = spec.find(':');
    const std::string_view kind = spec.substr(0, colon);
    LaneSpec lane;
    lane.ofCampaign = kind == localLane;
    if (!lane.ofCampaign) {
        GKS_TRY_ASSIGN(lane.target, targetFromName(kind));
    }
    if (colon != std::string_view::npos) {
        const auto device = numberFrom(spec.substr(colon + 1));
        if (!device) {
            return noLane(spec);
        }
        lane.device = *device;
    }
    return lane;
}

Result<std::vector<LaneSpec>> lanesFrom(std::string_view spec) {
    const std::string_view kind = spec.substr(0, spec.find(':'));
    if (kind.size() < spec.size() && kind == sshLane) {
        return sshFrom(spec);
    }
    if (kind.size() < spec.size() && kind == slurmLane) {
        return slurmFrom(spec);
    }
    GKS_TRY_ASSIGN(LaneSpec lane,
                   kind.size() < spec.size() && kind == folderLane ? folderFrom(spec) : deviceFrom(spec));
    return std::vector<LaneSpec>{std::move(lane)};
}

} // namespace

std::string LaneSpec::label() const {
    if (!folder.empty()) {
        return fmt::format("{}:{}", folderLane, folder.filename().string());
    }
    const std::string machine = host.substr(host.find('@') + 1); // no '@': from the start
    if (slurm) {
        const std::string queue = slurm->partition.empty() ? std::string("default") : slurm->partition;
        return fmt::format("{}:{}{}{}:{}", slurmLane, machine, machine.empty() ? "" : ":", queue, device);
    }
    if (!host.empty()) {
        return fmt::format("{}:{}:{}", sshLane, machine, device);
    }
    return fmt::format("{}:{}", ofCampaign ? localLane : name(target), device);
}

Result<std::vector<LaneSpec>> parseLanes(std::string_view text) {
    std::vector<LaneSpec> lanes;
    std::set<std::string> labels;
    for (const std::string& part : partsOf(text)) {
        GKS_TRY_ASSIGN(std::vector<LaneSpec> found, lanesFrom(part));
        for (LaneSpec& lane : found) {
            if (!labels.insert(lane.label()).second) {
                return usageError(fmt::format("two lanes are called {}", quotation(lane.label())), "--lanes",
                                  lane.folder.empty()
                                      ? "Name a device once: two lanes on it would disturb each other's times"
                                      : "Give the folders different names");
            }
            lanes.push_back(std::move(lane));
        }
    }
    return lanes.empty() ? Result<std::vector<LaneSpec>>(noLane(text)) : lanes;
}

bool looksLikeLane(std::string_view word) {
    const std::size_t colon = word.find(':');
    const std::string_view kind = word.substr(0, colon);
    return colon != std::string_view::npos && (kind == localLane || kind == folderLane || kind == sshLane ||
                                               kind == slurmLane || targetFromName(kind).has_value());
}

std::vector<LaneSpec> lanesOf(const CampaignSettings& settings, std::vector<LaneSpec> asked) {
    if (asked.empty()) {
        LaneSpec own;
        own.target = settings.target;
        own.device = settings.device;
        return {own};
    }
    for (LaneSpec& lane : asked) {
        if (lane.ofCampaign) {
            lane.target = settings.target;
            lane.ofCampaign = false;
        }
    }
    return asked;
}

Result<void> checkLanes(const std::vector<LaneSpec>& lanes, const CampaignSettings& settings) {
    const auto away = std::ranges::find_if(lanes, [](const LaneSpec& lane) { return !lane.isHere(); });
    return away == lanes.end() || !settings.judgedByHarness
               ? Result<void>()
               : usageError("this campaign's problem is a command pack, which is judged on this machine alone",
                            away->label(), "Leave the lane out, or name a device of this machine");
}

} // namespace gks
