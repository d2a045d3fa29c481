// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/call_watch.h"

#include "core/base/quantity.h"
#include "core/engine/call_lane.h"

#include <algorithm>
#include <fmt/format.h>

namespace gks::cli {
namespace {

constexpr double firstSeconds = 2;
constexpr double longestPauseSeconds = 60;

} // namespace

void CallWatch::hear(const ActivityChanged& activity) {
    const auto known = m_calls.find(activity.lane);
    if (!isCallLane(activity.lane) || (known != m_calls.end() && known->second.activity.detail == activity.detail)) {
        return;
    }
    if (activity.detail.empty()) {
        m_calls.erase(activity.lane);
    } else {
        m_calls[activity.lane] = {activity, firstSeconds};
    }
}

std::optional<std::string> CallWatch::line(Timestamp now) {
    for (auto& [lane, call] : m_calls) {
        const double elapsed = static_cast<double>(now - call.activity.since) / 1000;
        if (elapsed >= call.nextSeconds) {
            call.nextSeconds = elapsed + std::min(elapsed, longestPauseSeconds);
            const std::string text = call.activity.detail + ", " + formatSeconds(elapsed);
            return call.activity.experiment ? fmt::format("{} (experiment {})", text, *call.activity.experiment) : text;
        }
    }
    return std::nullopt;
}

} // namespace gks::cli
