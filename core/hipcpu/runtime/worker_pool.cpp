// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/worker_pool.h"

#include "core/hipcpu/runtime/fault_handler.h"
#include "core/hipcpu/runtime/spin.h"

#include <algorithm>
#include <array>
#include <memory>
#include <thread>

namespace gks::hipcpu {

namespace {

// Neighbouring blocks often share input, and a shared counter costs more than a tiny block.
constexpr std::uint64_t chunksPerWorker = 64;
constexpr std::uint64_t maxChunk = 32;

BlockExecutor& executorOfThisThread() {
    // On the heap: a library that is loaded at run time has next to no room for static thread-local storage.
    static thread_local const auto executor = std::make_unique<BlockExecutor>();
    return *executor;
}

} // namespace

WorkerPool::WorkerPool(unsigned workers) : m_workers(workers) {
    for (unsigned i = 1; i < workers; ++i) {
        std::thread([this] { workerLoop(); }).detach();
    }
}

void WorkerPool::waitUntilStarted() const {
    for (unsigned started = m_started.load(); started < m_workers; started = m_started.load()) {
        m_started.wait(started);
    }
}

void WorkerPool::takeBlocks() {
    BlockExecutor& executor = executorOfThisThread();
    std::array<char, DeadStack::gapBytes> gap = {};
    executor.deadStack().deviceCodeRunsBelow(gap.data());
    asm volatile("" : : "r"(gap.data()) : "memory"); // its zeros are written, and it is there while blocks run
    runBlocks(executor);
    asm volatile("" : : "r"(gap.data()) : "memory");
}

__attribute__((noinline)) void WorkerPool::runBlocks(BlockExecutor& executor) {
    bool begun = false;
    for (;;) {
        const std::uint64_t first = m_nextBlock.fetch_add(m_chunk, std::memory_order_relaxed);
        if (first >= m_blocks) {
            break;
        }
        if (!begun) {
            executor.beginGrid(m_launch);
            begun = true;
        }
        const std::uint64_t end = std::min(first + m_chunk, m_blocks);
        for (std::uint64_t block = first; block < end; ++block) {
            executor.runBlock(m_launch.order == ThreadOrder::forward ? block : m_blocks - 1 - block);
        }
    }
    if (begun) {
        executor.endGrid();
    }
}

bool WorkerPool::join() {
    std::uint64_t state = m_state.load(std::memory_order_acquire);
    while (state & openBit) {
        if (m_state.compare_exchange_weak(state, state + 1, std::memory_order_acq_rel)) {
            return true;
        }
    }
    return false;
}

void WorkerPool::workerLoop() {
    installFaultHandler();
    executorOfThisThread().deadStack().setEndOfThisThread();
    m_started.fetch_add(1, std::memory_order_release);
    m_started.notify_all();
    std::uint32_t seen = 0;
    for (;;) {
        if (!spinUntil([&] { return m_epoch.load(std::memory_order_acquire) != seen; })) {
            m_epoch.wait(seen, std::memory_order_acquire);
        }
        seen = m_epoch.load(std::memory_order_acquire);
        if (join()) {
            takeBlocks();
            if ((m_state.fetch_sub(1, std::memory_order_acq_rel) & (openBit | countMask)) == 1) {
                m_state.notify_all();
            }
        }
    }
}

void WorkerPool::run(const BlockExecutor::Launch& launch, std::uint64_t blocks, bool alone) {
    m_launch = launch;
    m_blocks = blocks;
    m_chunk = std::clamp<std::uint64_t>(blocks / (m_workers * chunksPerWorker), 1, maxChunk);
    m_nextBlock.store(0, std::memory_order_relaxed);
    if (alone || m_workers == 1 || blocks == 1) {
        takeBlocks();
        return;
    }
    const std::uint32_t epoch = m_epoch.load(std::memory_order_relaxed) + 1;
    m_state.store(std::uint64_t{epoch} << 32 | openBit, std::memory_order_release);
    m_epoch.store(epoch, std::memory_order_release);
    m_epoch.notify_all();
    takeBlocks();
    std::uint64_t state = m_state.fetch_and(~openBit, std::memory_order_acq_rel) & ~openBit;
    const auto finished = [&] { return ((state = m_state.load(std::memory_order_acquire)) & countMask) == 0; };
    while (!spinUntil(finished)) {
        m_state.wait(state, std::memory_order_acquire);
    }
}

} // namespace gks::hipcpu
