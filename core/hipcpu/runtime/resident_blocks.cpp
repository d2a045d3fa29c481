// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/resident_blocks.h"

#include "core/hipcpu/runtime/fault_handler.h"
#include "core/hipcpu/runtime/grid_barrier.h"

#include <memory>
#include <system_error>
#include <thread>

namespace gks::hipcpu {

ResidentBlocks& ResidentBlocks::instance() {
    // Never destroyed: its threads run until the process ends.
    static auto* const blocks = new ResidentBlocks;
    return *blocks;
}

bool ResidentBlocks::reserve(std::uint64_t blocks) {
    const std::lock_guard lock(m_mutex);
    while (m_places.size() < blocks) {
        const std::uint64_t number = m_places.size();
        Place& place = m_places.emplace_back();
        try {
            std::thread([this, &place, number] { live(place, number); }).detach();
        } catch (const std::system_error&) {
            m_places.pop_back();
            return false;
        }
    }
    return true;
}

void ResidentBlocks::live(Place& place, std::uint64_t number) {
    installFaultHandler();
    const auto executor = std::make_unique<BlockExecutor>();
    for (std::uint32_t seen = 0;; ++seen) {
        place.begun.wait(seen, std::memory_order_acquire);
        executor->beginGrid(m_launch);
        executor->runBlock(number);
        m_launch.barrier->end();
        executor->endGrid();
        if (m_left.fetch_sub(1, std::memory_order_acq_rel) == 1) {
            m_left.notify_all();
        }
    }
}

void ResidentBlocks::run(const BlockExecutor::Launch& launch, std::uint64_t blocks) {
    GridBarrier barrier(static_cast<std::uint32_t>(blocks));
    m_launch = launch;
    m_launch.barrier = &barrier;
    m_left.store(static_cast<std::uint32_t>(blocks), std::memory_order_relaxed);
    {
        const std::lock_guard lock(m_mutex);
        for (std::uint64_t block = 0; block < blocks; ++block) {
            m_places[block].begun.fetch_add(1, std::memory_order_release);
            m_places[block].begun.notify_one();
        }
    }
    for (std::uint32_t left = m_left.load(std::memory_order_acquire); left != 0;
         left = m_left.load(std::memory_order_acquire)) {
        m_left.wait(left, std::memory_order_acquire);
    }
}

} // namespace gks::hipcpu
