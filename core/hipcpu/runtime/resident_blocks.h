// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hipcpu/runtime/block_executor.h"

#include <atomic>
#include <cstdint>
#include <deque>
#include <mutex>

namespace gks::hipcpu {

// Runs the grids of cooperative launches, all blocks of which are there at once: each on a thread of the operating
// system with its own stack and LDS, so that a block may wait for another one wherever it stands, at grid.sync() or at
// a flag of its own. What is known of a running block is known of its thread, here as elsewhere. The threads stay for
// the next launch.
class ResidentBlocks {
public:
    static ResidentBlocks& instance();

    // False: the system starts no more threads.
    bool reserve(std::uint64_t blocks);
    // Until each of their threads waits for a grid. For a process that then gives up the means to start threads.
    void waitUntilStarted() const;
    // Returns when all blocks have run; so many are reserved. One grid at a time.
    void run(const BlockExecutor::Launch& launch, std::uint64_t blocks);

private:
    struct Place {
        std::atomic<std::uint32_t> begun{0}; // blocks of this thread
    };
    [[noreturn]] void live(Place& place, std::uint64_t number);
    bool startThread(Place& place, std::uint64_t number);

    mutable std::mutex m_mutex; // guards m_places
    std::deque<Place> m_places;
    BlockExecutor::Launch m_launch = {};
    std::atomic<std::uint32_t> m_left{0};
    std::atomic<std::uint64_t> m_started{0};
};

} // namespace gks::hipcpu
