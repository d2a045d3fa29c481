// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/resident_blocks.h"

#include "core/hipcpu/runtime/fault_handler.h"
#include "core/hipcpu/runtime/grid_barrier.h"
#include "core/hipcpu/runtime/launch_limits.h"

#include <memory>
#include <pthread.h>

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
        if (!startThread(place, number)) {
            m_places.pop_back();
            return false;
        }
    }
    return true;
}

// With a stack of known size, whatever the process was started with.
bool ResidentBlocks::startThread(Place& place, std::uint64_t number) {
    struct Begin {
        ResidentBlocks* blocks;
        Place* place;
        std::uint64_t number;
    };
    auto begin = std::make_unique<Begin>(Begin{this, &place, number});
    pthread_attr_t attributes = {};
    pthread_t thread = {};
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, residentStackBytes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    const auto run = [](void* given) -> void* {
        const Begin own = *std::unique_ptr<Begin>(static_cast<Begin*>(given));
        own.blocks->live(*own.place, own.number);
    };
    const bool isStarted = pthread_create(&thread, &attributes, run, begin.get()) == 0;
    pthread_attr_destroy(&attributes);
    if (isStarted) {
        (void)begin.release();
    }
    return isStarted;
}

void ResidentBlocks::live(Place& place, std::uint64_t number) {
    installFaultHandler();
    const auto executor = std::make_unique<BlockExecutor>();
    m_started.fetch_add(1, std::memory_order_release);
    m_started.notify_all();
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

void ResidentBlocks::waitUntilStarted() const {
    const std::lock_guard lock(m_mutex);
    for (std::uint64_t started = m_started.load(std::memory_order_acquire); started != m_places.size();
         started = m_started.load(std::memory_order_acquire)) {
        m_started.wait(started, std::memory_order_acquire);
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
