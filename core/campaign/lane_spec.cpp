// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/lane_spec.h"

#include "core/base/foreign_text.h"

#include <charconv>
#include <fmt/format.h>
#include <optional>
#include <set>

namespace gks {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view localLane = "local";
constexpr std::string_view folderLane = "folder";

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
    return parts;
}

tl::unexpected<Error> noLane(std::string_view spec) {
    return usageError(fmt::format("invalid device {}", quotation(spec)), "--lanes",
                      "Use target:index or folder:DIR, for example cpu:0, amd:0,amd:1 or local:0 folder:jobs");
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

Result<LaneSpec> laneFrom(std::string_view spec) {
    const std::size_t colon = spec.find(':');
    const std::string_view kind = spec.substr(0, colon);
    if (kind == folderLane && colon != std::string_view::npos) {
        return folderFrom(spec);
    }
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

} // namespace

std::string LaneSpec::label() const {
    return folder.empty() ? fmt::format("{}:{}", ofCampaign ? localLane : name(target), device)
                          : fmt::format("{}:{}", folderLane, folder.filename().string());
}

Result<std::vector<LaneSpec>> parseLanes(std::string_view text) {
    std::vector<LaneSpec> lanes;
    std::set<std::string> labels;
    for (const std::string& part : partsOf(text)) {
        GKS_TRY_ASSIGN(LaneSpec lane, laneFrom(part));
        if (!labels.insert(lane.label()).second) {
            return usageError(fmt::format("two lanes are called {}", quotation(lane.label())), "--lanes",
                              lane.folder.empty()
                                  ? "Name a device once: two lanes on it would disturb each other's times"
                                  : "Give the folders different names");
        }
        lanes.push_back(std::move(lane));
    }
    return lanes.empty() ? Result<std::vector<LaneSpec>>(noLane(text)) : lanes;
}

bool looksLikeLane(std::string_view word) {
    const std::size_t colon = word.find(':');
    const std::string_view kind = word.substr(0, colon);
    return colon != std::string_view::npos &&
           (kind == localLane || kind == folderLane || targetFromName(kind).has_value());
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

} // namespace gks
