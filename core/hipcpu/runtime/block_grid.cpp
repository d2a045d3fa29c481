// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/block_executor.h"
#include "core/hipcpu/runtime/fault_handler.h"
#include "core/hipcpu/runtime/grid_barrier.h"
#include "core/hipcpu/runtime/running_block.h"
#include "core/hipcpu/runtime/settings.h"
#include "core/hipcpu/runtime/spin.h"
#include "core/hipcpu/runtime/worker_pool.h"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <sys/mman.h>
#include <thread>
#include <vector>

// What the blocks of a grid have in common: the memory of LDS, sizes, and which of them runs.

namespace gks::hipcpu {

namespace {

constexpr std::size_t ldsAlignment = 1024;
constexpr unsigned char ldsPoison = 0xcb;

std::mutex executorsMutex;
std::vector<BlockExecutor*> executors;

// The low 32 bits of its addresses are no offsets in LDS: kernels that make 32-bit addresses of generic pointers are
// understood then. One place in some thousand does not suit; another is taken, and the first stays unused. Places lie
// beside each other, so that several in a row may not suit.
char* mappedLds(std::size_t bytes) {
    constexpr std::uint32_t margin = 2 * greatestLdsBytes;
    for (std::size_t attempt = 0; attempt < 2 * margin / bytes + 2; ++attempt) {
        void* area = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (area == MAP_FAILED) {
            break;
        }
        const auto low = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(area));
        if (low >= margin && low <= 0 - margin) {
            return static_cast<char*>(area);
        }
    }
    failProcess("no memory for LDS");
}

} // namespace

BlockExecutor::BlockExecutor()
    : m_fibres(std::make_unique<Fibre[]>(maxThreadsPerBlock))
    , m_waveStorage(std::make_unique<Wave[]>(maxThreadsPerBlock / waveSize)) {
    // Mapped so that the area ends at a guard page; its mapping starts low enough to align the end to 1024 bytes as
    // pages are.
    m_ldsBase = mappedLds(greatestLdsBytes + StackPool::pageBytes);
    m_ldsEnd = m_ldsBase + greatestLdsBytes;
    mprotect(m_ldsEnd, StackPool::pageBytes, PROT_NONE);
    const std::scoped_lock lock(executorsMutex);
    executors.push_back(this);
}

BlockExecutor::~BlockExecutor() {
    {
        const std::scoped_lock lock(executorsMutex);
        std::erase(executors, this);
    }
    munmap(m_ldsBase, greatestLdsBytes + StackPool::pageBytes);
}

void BlockExecutor::clearAll() {
    const std::scoped_lock lock(executorsMutex);
    for (BlockExecutor* executor : executors) {
        std::memset(executor->m_ldsBase, 0, greatestLdsBytes);
        executor->m_stacks.clear();
        executor->m_deadStack.clear();
    }
}

void BlockExecutor::beginGrid(const Launch& launch) {
    m_launch = launch;
    for (int d = 0; d < 3; ++d) {
        m_block.blockSize[d] = launch.blockSize[d];
        m_block.gridSize[d] = launch.gridSize[d];
    }
    m_block.dynamicLdsBytes = launch.dynamicLdsBytes;
    m_block.isCooperative = launch.barrier != nullptr ? 1 : 0;
    m_block.staticLdsBytes = launch.kernel->staticLdsBytes;
    m_ldsTotal = (std::size_t{m_block.staticLdsBytes} + m_block.dynamicLdsBytes + ldsAlignment - 1) / ldsAlignment *
                 ldsAlignment;
    m_block.lds = m_ldsEnd - m_ldsTotal;
    m_threads = launch.blockSize[0] * launch.blockSize[1] * launch.blockSize[2];
    m_waves = (m_threads + waveSize - 1) / waveSize;
    for (std::uint32_t i = 0; i < m_threads; ++i) {
        Fibre& fibre = m_fibres[i];
        const std::uint32_t row = i / launch.blockSize[0];
        fibre.context = {
            {i % launch.blockSize[0], row % launch.blockSize[1], row / launch.blockSize[1]}, i % waveSize, &m_block};
        fibre.index = i;
        fibre.wave = &m_waveStorage[i / waveSize];
        fibre.stackPointer = nullptr;
    }
    ofThisThread = this;
}

void BlockExecutor::meetGrid() {
    if (m_launch.barrier == nullptr) {
        failProcess("grid.sync() in a launch that is not cooperative: launch the kernel with "
                    "hipLaunchCooperativeKernel");
    }
    m_launch.barrier->wait(
        [this] { beginPartOfGrid(std::uint64_t{m_launch.gridSize[0]} * m_launch.gridSize[1] * m_launch.gridSize[2]); });
    passBarrier();
    enterPartOfGrid(*this);
}

void BlockExecutor::beginWait() {
    m_waits = 0;
    m_waitsSince = {};
}

// The block that this one waits for may need this processor, or may not have begun, as it would have on a card. Many
// that wait and only gave way would go round on the processors that the one needs: they sleep longer and longer.
void BlockExecutor::letOtherBlocksRun() {
    constexpr std::uint32_t turnsOnItsOwn = 1024; // most wait for a block that runs, and not for long
    constexpr std::uint32_t turnsBetweenYields = 64;
    constexpr std::uint32_t turnsAwake = 16;
    constexpr std::uint32_t turnsOfALength = 8;
    constexpr std::uint32_t mostLengths = 8;
    constexpr std::chrono::microseconds shortestSleep(50);
    constexpr std::chrono::microseconds leastPatience(300);
    constexpr int patienceInGaps = 4;
    const bool isCrowded = m_launch.pool == nullptr ? m_launch.barrier != nullptr : m_launch.pool->isCrowded();
    const std::uint32_t turns = m_waits++;
    if (!isCrowded && turns < turnsOnItsOwn) {
        pauseProcessor();
        return;
    }
    if (!isCrowded && turns % turnsBetweenYields != 0) { // it may be one that counts its turns
        return;
    }
    if (!isCrowded || turns < turnsAwake) {
        std::this_thread::yield();
    } else {
        std::this_thread::sleep_for(shortestSleep *
                                    (1 << std::min((turns - turnsAwake) / turnsOfALength, mostLengths)));
    }
    if (m_launch.isChecked) {
        lookAtClockNext();
    }
    if (m_launch.pool == nullptr) {
        return;
    }
    const auto now = std::chrono::steady_clock::now();
    const std::uint64_t ended = m_launch.pool->blocksEnded();
    if (m_waitsSince == std::chrono::steady_clock::time_point() || ended != m_endedThen) {
        m_waitsSince = now;
        m_endedThen = ended;
    } else if (now - m_waitsSince > leastPatience + patienceInGaps * m_launch.pool->longestGap()) {
        m_launch.pool->beginAnother();
        m_waitsSince = now;
    }
}

void BlockExecutor::endGrid() {
    ofThisThread = nullptr;
}

void BlockExecutor::runBlock(std::uint64_t linearIndex) {
    m_block.blockIndex[0] = static_cast<std::uint32_t>(linearIndex % m_block.gridSize[0]);
    const std::uint64_t row = linearIndex / m_block.gridSize[0];
    m_block.blockIndex[1] = static_cast<std::uint32_t>(row % m_block.gridSize[1]);
    m_block.blockIndex[2] = static_cast<std::uint32_t>(row / m_block.gridSize[1]);
    m_blockNumber = linearIndex;
    ++m_blocksBegun;
    m_barriersPassed = 0;
    beginWait();
    if (m_launch.poisonLds) {
        std::memset(m_block.lds, ldsPoison, m_ldsTotal);
    }
    // Whoever asks which thread reads too far gets fibres, whose threads are known; and so does a block of more threads
    // than the kernel declares, for which the block function's stack is not meant. Who tells an access says who it is.
    const bool isPlain = m_launch.order == ThreadOrder::forward && !Settings::instance().checkReads &&
                         m_threads <= m_launch.kernel->maxThreadsPerBlock;
    if (m_launch.kernel->block != nullptr && (m_launch.isChecked || isPlain)) {
        m_block.isReversed = m_launch.order == ThreadOrder::reversed ? 1 : 0;
        m_running = m_launch.isChecked ? m_fibres.get() : nullptr;
        m_launch.kernel->block(m_launch.arguments, &m_block);
        m_running = nullptr;
        return;
    }
    runFibres();
}

} // namespace gks::hipcpu
