// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hipcpu/runtime/fault_handler.h"

#include <atomic>
#include <cstdint>

namespace gks::hipcpu {

// Where the blocks of a cooperative launch wait for each other, each on a thread of its own.
class GridBarrier {
public:
    explicit GridBarrier(std::uint32_t blocks) : m_blocks(blocks) {}

    // Returns when all blocks have come. The last one calls `between` before any goes on.
    template<class Between>
    void wait(Between between) {
        const std::uint32_t round = m_round.load(std::memory_order_acquire);
        if (look(m_state.fetch_add(1, std::memory_order_acq_rel) + 1)) {
            between();
            m_state.store(0, std::memory_order_relaxed);
            m_round.fetch_add(1, std::memory_order_release);
            m_round.notify_all();
            return;
        }
        while (m_round.load(std::memory_order_acquire) == round) {
            m_round.wait(round, std::memory_order_acquire);
        }
    }

    // Of a block: a card would wait for it for ever, so where others wait it ends the process with a message.
    void end() { look(m_state.fetch_add(oneEnded, std::memory_order_acq_rel) + oneEnded); }

private:
    static constexpr std::uint64_t oneEnded = std::uint64_t{1} << 32;

    // Whether all blocks have come.
    bool look(std::uint64_t state) const {
        const auto come = static_cast<std::uint32_t>(state);
        const auto ended = static_cast<std::uint32_t>(state >> 32);
        if (come != 0 && ended != 0 && come + ended == m_blocks) {
            failProcess("a block of the grid has ended while others wait for it in grid.sync()");
        }
        return come == m_blocks;
    }

    std::uint32_t m_blocks;
    std::atomic<std::uint64_t> m_state{0}; // blocks that have come, and those that have ended from bit 32 on
    std::atomic<std::uint32_t> m_round{0};
};

} // namespace gks::hipcpu
