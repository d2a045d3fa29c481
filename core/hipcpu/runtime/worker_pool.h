// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hipcpu/runtime/block_executor.h"

#include <atomic>
#include <cstdint>

namespace gks::hipcpu {

// Runs grids: the calling thread and the pool's threads take blocks from one counter. One grid at a time. Threads of a
// pool run until the process ends, so one with more than the calling thread must never be destroyed.
class WorkerPool {
public:
    explicit WorkerPool(unsigned workers);

    // Until every thread of the pool looks for work. For a process that then gives up the means to start threads.
    void waitUntilStarted() const;

    // Returns when all blocks have run. `alone`: the grid is too small to be worth waking anybody.
    void run(const BlockExecutor::Launch& launch, std::uint64_t blocks, bool alone);

private:
    // A worker joins the grid by counting itself in while the grid is open. The epoch makes sure that a worker that
    // woke late does not join the next grid with what it has read of this one.
    static constexpr std::uint64_t openBit = std::uint64_t{1} << 31;
    static constexpr std::uint64_t countMask = openBit - 1;

    [[noreturn]] void workerLoop();
    void takeBlocks();
    void runBlocks(BlockExecutor& executor);
    bool join();

    unsigned m_workers;
    std::atomic<unsigned> m_started{1}; // the caller's own
    std::atomic<std::uint32_t> m_epoch{0};
    std::atomic<std::uint64_t> m_state{0};
    std::atomic<std::uint64_t> m_nextBlock{0};
    std::uint64_t m_blocks = 0;
    std::uint64_t m_chunk = 1;
    BlockExecutor::Launch m_launch = {};
};

} // namespace gks::hipcpu
