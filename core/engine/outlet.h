// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/engine.h"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace gks {

// What the outside sees of the engine: events, one at a time whatever thread they come from, and the newest state and
// population.
class Outlet {
public:
    explicit Outlet(EngineSink sink) : m_sink(std::move(sink)) {}

    void emit(const EngineEvent& event);
    void publish(PopulationPtr population);
    void setState(EngineState state, std::string reason);

    PopulationPtr population() const;
    EngineState state() const;

    // Nobody will hear the end of what takes long.
    void close() { m_closing = true; }
    bool isClosing() const { return m_closing; }

    // A command was sent: the engine is not quiet before the loop has seen it.
    void commandSent();
    // The loop has seen `seen` commands so far and has, or has not, anything in flight.
    void settle(std::uint64_t seen, bool quiet);
    bool waitUntilQuiet(std::optional<double> seconds) const;

private:
    EngineSink m_sink;
    std::mutex m_sinkMutex;
    mutable std::mutex m_mutex;
    mutable std::condition_variable m_settled;
    PopulationPtr m_population;
    EngineState m_state = EngineState::idle;
    std::uint64_t m_sent = 0;
    std::uint64_t m_seen = 0;
    bool m_quiet = true;
    std::atomic<bool> m_closing = false;
};

} // namespace gks
