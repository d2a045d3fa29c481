// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/call_watch.h"

#include "core/base/quantity.h"

#include <algorithm>

namespace gks::cli {
namespace {

constexpr double firstSeconds = 2;
constexpr double longestPauseSeconds = 60;

} // namespace

void CallWatch::hear(const ActivityChanged& activity) {
    if (activity.lane != "scientist" || activity.detail == m_detail) {
        return;
    }
    m_detail = activity.detail;
    m_since = activity.since;
    m_nextSeconds = firstSeconds;
}

std::optional<std::string> CallWatch::line(Timestamp now) {
    const double elapsed = static_cast<double>(now - m_since) / 1000;
    if (m_detail.empty() || elapsed < m_nextSeconds) {
        return std::nullopt;
    }
    m_nextSeconds = elapsed + std::min(elapsed, longestPauseSeconds);
    return m_detail + ", " + formatSeconds(elapsed);
}

} // namespace gks::cli
