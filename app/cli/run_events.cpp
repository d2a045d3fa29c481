// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/run_events.h"

#include "core/engine/event_json.h"

#include <nlohmann/json.hpp>
#include <utility>

namespace gks::cli {
namespace {

constexpr std::size_t progressLimit = 10'000; // lines that nobody has read

} // namespace

void EventQueue::push(const EngineEvent& event) {
    if (std::holds_alternative<PopulationChanged>(event)) { // told kernel by kernel
        return;
    }
    const std::lock_guard lock(m_mutex);
    if (!isProgress(event) || m_lines.size() < progressLimit) {
        m_lines.push_back(eventLine(eventJson(event)));
    }
}

std::vector<std::string> EventQueue::take() {
    const std::lock_guard lock(m_mutex);
    return std::exchange(m_lines, {});
}

} // namespace gks::cli
