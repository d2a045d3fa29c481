// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/worker_pool.h"

#include "core/hipcpu/runtime/access_place.h"
#include "core/hipcpu/runtime/fault_handler.h"
#include "core/hipcpu/runtime/launch_limits.h"
#include "core/hipcpu/runtime/settings.h"
#include "core/hipcpu/runtime/spin.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <memory>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>

namespace gks::hipcpu {

namespace {

// Neighbouring blocks often share input, and a shared counter costs more than a tiny block.
constexpr std::uint64_t chunksPerWorker = 64;
constexpr std::uint64_t maxChunk = 32;
// No block has ended for so long: all that run may wait for one that has not begun.
constexpr std::chrono::milliseconds stuckTime{100};
constexpr std::chrono::seconds patienceAtLimit{10};
constexpr std::chrono::microseconds shortBlock{100}; // costs less than to begin the next one by the patience of others

std::int64_t nowNs() {
    return std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
}

BlockExecutor& executorOfThisThread() {
    // On the heap: a library that is loaded at run time has next to no room for static thread-local storage.
    static thread_local const auto executor = std::make_unique<BlockExecutor>();
    return *executor;
}

} // namespace

WorkerPool::WorkerPool(unsigned workers)
    : m_workers(workers), m_hasSpare(Settings::instance().order == ThreadOrder::reversed) {
    for (unsigned i = 1; i < workers; ++i) {
        std::thread([this] { workerLoop(); }).detach();
    }
    if (m_hasSpare) {
        std::thread([this] { spareLoop(); }).detach();
    }
}

void WorkerPool::reserve(std::uint64_t threads) {
    while (m_others.load() < std::min(threads, mostBlocksThatWait) && startAnother()) {
    }
}

void WorkerPool::waitUntilStarted() {
    m_mayStart.store(false);
    const unsigned threads = m_workers + (m_hasSpare ? 1 : 0) + m_others.load();
    for (unsigned started = m_started.load(); started < threads; started = m_started.load()) {
        m_started.wait(started);
    }
}

// With a frame of its own: who calls it waits elsewhere, in the room that the gap takes here.
__attribute__((noinline)) void WorkerPool::takeBlocks(Role role) {
    BlockExecutor& executor = executorOfThisThread();
    std::array<char, DeadStack::gapBytes> gap = {};
    executor.deadStack().deviceCodeRunsBelow(gap.data());
    asm volatile("" : : "r"(gap.data()) : "memory"); // its zeros are written, and it is there while blocks run
    runBlocks(executor, role);
    asm volatile("" : : "r"(gap.data()) : "memory");
}

// None: begin is end.
WorkerPool::Blocks WorkerPool::nextBlocks(Role role) {
    if (m_launch.order == ThreadOrder::forward) {
        const std::uint64_t first = m_nextBlock.fetch_add(m_chunk, std::memory_order_relaxed);
        return {std::min(first, m_blocks), std::min(first + m_chunk, m_blocks)};
    }
    // One at a time: what a thread has taken and not begun nobody else can run.
    SpinLock busy(m_takesReversed);
    const std::lock_guard lock(busy);
    if (m_left.begin == m_left.end) {
        return {};
    }
    const std::uint64_t block = role == Role::worker ? --m_left.end : m_left.begin++;
    return {block, block + 1};
}

__attribute__((noinline)) void WorkerPool::runBlocks(BlockExecutor& executor, Role role) {
    bool begun = false;
    for (;;) {
        const Blocks blocks = nextBlocks(role);
        if (blocks.begin == blocks.end) {
            break;
        }
        if (!begun) {
            executor.beginGrid(m_launch);
            begun = true;
        }
        const bool isAnother = role == Role::another && m_launch.order == ThreadOrder::forward;
        const std::int64_t begin = isAnother ? nowNs() : 0;
        for (std::uint64_t block = blocks.begin; block < blocks.end; ++block) {
            executor.runBlock(block);
        }
        if (m_launch.order == ThreadOrder::reversed || m_launch.pool != nullptr) {
            noteEnd(blocks.end - blocks.begin, role);
        }
        // Those that wait may go on now, unless for this one nobody has waited; in the other order they wait for all
        // that are left.
        if (isAnother && nowNs() - begin > shortBlock / std::chrono::nanoseconds(1)) {
            break;
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

void WorkerPool::leave() {
    if ((m_state.fetch_sub(1, std::memory_order_acq_rel) & (openBit | countMask)) == 1) {
        m_state.notify_all();
    }
}

void WorkerPool::prepareThread() {
    installFaultHandler();
    executorOfThisThread().deadStack().setEndOfThisThread();
    m_started.fetch_add(1, std::memory_order_release);
    m_started.notify_all();
}

void WorkerPool::workerLoop() {
    prepareThread();
    std::uint32_t seen = 0;
    for (;;) {
        if (!spinUntil([&] { return m_epoch.load(std::memory_order_acquire) != seen; })) {
            m_epoch.wait(seen, std::memory_order_acquire);
        }
        seen = m_epoch.load(std::memory_order_acquire);
        if (join()) {
            takeBlocks(Role::worker);
            leave();
        }
    }
}

void WorkerPool::spareLoop() {
    prepareThread();
    std::uint32_t seen = 0;
    for (;;) {
        m_epoch.wait(seen, std::memory_order_acquire);
        seen = m_epoch.load(std::memory_order_acquire);
        if (isStuck(seen) && join()) {
            takeBlocks(Role::spare);
            leave();
        }
    }
}

void WorkerPool::anotherLoop() {
    prepareThread();
    for (;;) {
        m_idle.fetch_add(1, std::memory_order_relaxed);
        m_wanted.acquire();
        if (join()) {
            takeBlocks(Role::another);
            leave();
        }
    }
}

// False: there are enough, or the system starts no more.
bool WorkerPool::startAnother() {
    if (m_others.fetch_add(1) < mostBlocksThatWait) {
        try {
            std::thread([this] { anotherLoop(); }).detach();
            return true;
        } catch (const std::system_error&) {
        }
    }
    m_others.fetch_sub(1);
    return false;
}

// How long those that wait are patient goes by the gaps, so these are without the patience itself.
void WorkerPool::noteEnd(std::uint64_t blocks, Role role) {
    m_ended.fetch_add(blocks, std::memory_order_relaxed);
    const std::int64_t now = nowNs();
    const std::int64_t last = m_lastEndNs.exchange(now, std::memory_order_relaxed);
    const std::int64_t gap = role == Role::another ? 0 : now - last;
    for (std::int64_t longest = m_longestGapNs.load(std::memory_order_relaxed);
         gap > longest && !m_longestGapNs.compare_exchange_weak(longest, gap, std::memory_order_relaxed);) {
    }
}

bool WorkerPool::areLeft() {
    if (m_launch.order == ThreadOrder::forward) {
        return m_nextBlock.load(std::memory_order_relaxed) < m_blocks;
    }
    SpinLock busy(m_takesReversed);
    const std::lock_guard lock(busy);
    return m_left.begin != m_left.end;
}

void WorkerPool::beginAnother() {
    if (!areLeft()) {
        return;
    }
    m_isCrowded.store(true, std::memory_order_relaxed);
    if (m_idle.fetch_sub(1, std::memory_order_relaxed) > 0) {
        m_wanted.release();
        return;
    }
    m_idle.fetch_add(1, std::memory_order_relaxed);
    if (m_mayStart.load(std::memory_order_relaxed) && startAnother()) {
        m_idle.fetch_sub(1, std::memory_order_relaxed); // the one that it will be
        m_wanted.release();
    } else if (m_mayStart.load(std::memory_order_relaxed)) {
        sayLimit();
    }
}

// Once for a program: the blocks that run may wait for one that does not begin.
void WorkerPool::sayLimit() {
    const std::int64_t waitedNs = nowNs() - m_lastEndNs.load(std::memory_order_relaxed);
    if (waitedNs > patienceAtLimit / std::chrono::nanoseconds(1) && !m_hasSaidLimit.exchange(true)) {
        std::fputs(("hipcpu: warning: no block has ended for 10 s, and of kernel " +
                    readableKernel(m_launch.kernel->name) + " " + std::to_string(m_workers + m_others.load()) +
                    " blocks wait: on the cpu target no more begin before one of them ends\n")
                       .c_str(),
                   stderr);
    }
}

// Returns when a grid is stuck, or the one that was open is done.
bool WorkerPool::isStuck(std::uint32_t epoch) const {
    for (;;) {
        const std::uint64_t ended = m_ended.load(std::memory_order_relaxed);
        std::this_thread::sleep_for(stuckTime);
        const bool isOpen = (m_state.load(std::memory_order_acquire) & openBit) != 0;
        if (!isOpen || m_epoch.load(std::memory_order_relaxed) != epoch) {
            return false;
        }
        if (m_ended.load(std::memory_order_relaxed) == ended) {
            return true;
        }
    }
}

void WorkerPool::run(const BlockExecutor::Launch& launch, std::uint64_t blocks, bool alone) {
    const bool waits = launch.kernel->waitsForOthers != 0;
    m_launch = launch;
    m_launch.pool = waits ? this : nullptr;
    m_blocks = blocks;
    // A block that others may wait for is not taken before it begins.
    m_chunk = waits ? 1 : std::clamp<std::uint64_t>(blocks / (m_workers * chunksPerWorker), 1, maxChunk);
    m_nextBlock.store(0, std::memory_order_relaxed);
    m_left = {0, blocks};
    m_ended.store(0, std::memory_order_relaxed);
    m_isCrowded.store(false, std::memory_order_relaxed);
    m_longestGapNs.store(0, std::memory_order_relaxed);
    m_lastEndNs.store(waits ? nowNs() : 0, std::memory_order_relaxed);
    if (blocks == 1 || (!m_hasSpare && !waits && (alone || m_workers == 1))) {
        takeBlocks(Role::worker);
        return;
    }
    const std::uint32_t epoch = m_epoch.load(std::memory_order_relaxed) + 1;
    m_state.store(std::uint64_t{epoch} << 32 | openBit, std::memory_order_release);
    m_epoch.store(epoch, std::memory_order_release);
    m_epoch.notify_all();
    takeBlocks(Role::worker);
    std::uint64_t state = m_state.fetch_and(~openBit, std::memory_order_acq_rel) & ~openBit;
    const auto finished = [&] { return ((state = m_state.load(std::memory_order_acquire)) & countMask) == 0; };
    while (!spinUntil(finished)) {
        m_state.wait(state, std::memory_order_acquire);
    }
}

} // namespace gks::hipcpu
