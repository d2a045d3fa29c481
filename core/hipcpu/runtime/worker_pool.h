// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hipcpu/runtime/block_executor.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <semaphore>

namespace gks::hipcpu {

// Runs grids: the calling thread and the pool's threads take blocks from one counter. One grid at a time. Threads of a
// pool run until the process ends, so one with more than the calling thread must never be destroyed.
//
// A card begins its blocks in their order, so a block may wait for one with a lower number. In a run in reversed order
// that one might never begin. There the pool has a spare thread: where no block has ended for a while, it takes the
// first ones. And on a card all blocks of a small grid are there at once, so that a block may wait for any other:
// device code that waits (see waiting_loops.h) has further threads begin one block each.
class WorkerPool {
public:
    explicit WorkerPool(unsigned workers);

    // So many threads that begin another block, now; for a process that then gives up the means to start threads.
    void reserve(std::uint64_t threads);
    // Until every thread of the pool looks for work. From here on it starts none.
    void waitUntilStarted();

    // Called by device code: the block that it waits for may be one that has not begun.
    void beginAnother();
    std::uint64_t blocksEnded() const { return m_ended.load(std::memory_order_relaxed); }
    // From one end of a block to the next so far, at the most.
    std::chrono::nanoseconds longestGap() const {
        return std::chrono::nanoseconds(m_longestGapNs.load(std::memory_order_relaxed));
    }
    bool isCrowded() const { return m_isCrowded.load(std::memory_order_relaxed); } // has more threads than workers

    // Returns when all blocks have run. `alone`: the grid is too small to be worth waking anybody.
    void run(const BlockExecutor::Launch& launch, std::uint64_t blocks, bool alone);

private:
    // A worker joins the grid by counting itself in while the grid is open. The epoch makes sure that a worker that
    // woke late does not join the next grid with what it has read of this one.
    static constexpr std::uint64_t openBit = std::uint64_t{1} << 31;
    static constexpr std::uint64_t countMask = openBit - 1;

    enum class Role { worker, spare, another };
    struct Blocks {
        std::uint64_t begin = 0;
        std::uint64_t end = 0;
    };

    void prepareThread();
    [[noreturn]] void workerLoop();
    [[noreturn]] void spareLoop();
    [[noreturn]] void anotherLoop();
    bool startAnother();
    void sayLimit();
    bool areLeft();
    void noteEnd(std::uint64_t blocks, Role role);
    bool isStuck(std::uint32_t epoch) const;
    void takeBlocks(Role role);
    void runBlocks(BlockExecutor& executor, Role role);
    Blocks nextBlocks(Role role);
    bool join();
    void leave();

    unsigned m_workers;
    bool m_hasSpare;
    std::atomic<unsigned> m_started{1}; // the caller's own
    std::atomic<unsigned> m_others{0};  // threads that begin another block
    std::atomic<int> m_idle{0};         // of them
    std::atomic<bool> m_mayStart{true};
    std::atomic<bool> m_isCrowded{false};
    std::atomic<bool> m_hasSaidLimit{false};
    std::counting_semaphore<> m_wanted{0};
    std::atomic<std::uint32_t> m_epoch{0};
    std::atomic<std::uint64_t> m_state{0};
    std::atomic<std::uint64_t> m_nextBlock{0};
    std::atomic_flag m_takesReversed;      // of those that follow, the first
    Blocks m_left;                         // in reversed order
    std::atomic<std::uint64_t> m_ended{0}; // blocks of the grid, where one may wait for another
    std::atomic<std::int64_t> m_lastEndNs{0};
    std::atomic<std::int64_t> m_longestGapNs{0};
    std::uint64_t m_blocks = 0;
    std::uint64_t m_chunk = 1;
    BlockExecutor::Launch m_launch = {};
};

} // namespace gks::hipcpu
