// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/outlet.h"

#include <chrono>

namespace gks {

void Outlet::emit(const EngineEvent& event) {
    if (m_sink) {
        const std::lock_guard lock(m_sinkMutex);
        m_sink(event);
    }
}

void Outlet::publish(PopulationPtr population) {
    {
        const std::lock_guard lock(m_mutex);
        m_population = population;
    }
    emit(PopulationChanged{std::move(population)});
}

void Outlet::setState(EngineState state, std::string reason) {
    {
        const std::lock_guard lock(m_mutex);
        m_state = state;
    }
    emit(StateChanged{state, std::move(reason)});
}

PopulationPtr Outlet::population() const {
    const std::lock_guard lock(m_mutex);
    return m_population;
}

EngineState Outlet::state() const {
    const std::lock_guard lock(m_mutex);
    return m_state;
}

void Outlet::commandSent() {
    const std::lock_guard lock(m_mutex);
    ++m_sent;
}

void Outlet::settle(std::uint64_t seen, bool quiet) {
    {
        const std::lock_guard lock(m_mutex);
        m_seen = seen;
        m_quiet = quiet;
    }
    m_settled.notify_all();
}

bool Outlet::waitUntilQuiet(std::optional<double> seconds) const {
    std::unique_lock lock(m_mutex);
    const auto settled = [this] { return m_quiet && m_seen == m_sent; };
    if (!seconds) {
        m_settled.wait(lock, settled);
        return true;
    }
    return m_settled.wait_for(lock, std::chrono::duration<double>(*seconds), settled);
}

} // namespace gks
