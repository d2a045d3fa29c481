// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/block_executor.h"

#include "core/hipcpu/runtime/fault_handler.h"

#include <bit>
#include <cstdio>

// The rarer ways on: a wave whose lanes wait at different places, threads that spin on each other, values shared by a
// block.

namespace gks::hipcpu {

void BlockExecutor::completeSome(Wave& wave, std::uint64_t group) {
    if (wave.inMatrix & group) {
        char message[96];
        std::snprintf(message, sizeof message, "a matrix instruction was executed with %d of 64 lanes active",
                      std::popcount(group));
        failProcess(message);
    }
    wave.resultMask[wave.parity] = group;
    wave.ready |= group;
    wave.arrived &= ~group;
    const std::uint32_t before = wave.parity;
    wave.parity ^= 1;
    // Those who stay waiting take their values along into the other buffer.
    bool first = true;
    for (std::uint64_t rest = wave.arrived; rest; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        wave.slot[wave.parity][lane] = wave.slot[before][lane];
        if (first) {
            wave.site = wave.laneSite[lane];
            wave.sameSite = true;
            first = false;
        } else if (wave.laneSite[lane] != wave.site) {
            wave.sameSite = false;
        }
    }
}

std::uint64_t BlockExecutor::lanesAtEarliest(const Wave& wave) {
    const void* earliest = nullptr;
    std::uint64_t group = 0;
    for (std::uint64_t rest = wave.arrived; rest; rest &= rest - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
        const void* site = wave.laneSite[lane];
        if (!earliest || site < earliest) {
            earliest = site;
            group = 0;
        }
        if (site == earliest) {
            group |= laneBit(lane);
        }
    }
    return group;
}

bool BlockExecutor::resolveDivergence() {
    for (std::uint32_t i = 0; i < m_waves; ++i) {
        Wave& wave = m_waveStorage[i];
        if (wave.arrived) {
            completeSome(wave, lanesAtEarliest(wave));
            return true;
        }
    }
    return false;
}

int BlockExecutor::reduce(int value, BlockReduction operation) {
    if (m_reduced++ == 0) {
        m_reduction = operation == BlockReduction::logicalAnd ? 1 : 0;
    }
    switch (operation) {
    case BlockReduction::add:
        m_reduction += value;
        break;
    case BlockReduction::logicalAnd:
        m_reduction = m_reduction && value;
        break;
    case BlockReduction::logicalOr:
        m_reduction = m_reduction || value;
        break;
    case BlockReduction::grid:
        break;
    }
    barrier();
    const int result = m_reduction;
    if (operation == BlockReduction::grid && m_reduced != 0) { // the first of them to go on, and no other one has
        meetGrid();
    }
    m_reduced = 0; // before the second barrier: behind it the next reduction may have begun
    barrier();
    return result;
}

// All lanes of a wave that could run sleep, and others wait at a meeting: behind the loop asleep, for those in it, as a
// rule. Those before it, whom the lanes asleep wait for, have to go on in the end; where they are the addresses do not
// tell, since compilers lay out loops behind the code that follows them.
void BlockExecutor::sleepBesideMeeting(Wave& wave) {
    using Clock = std::chrono::steady_clock;
    constexpr std::uint32_t sleepsBetweenLooks = 1024;
    constexpr std::chrono::milliseconds patience(50); // longer than what another block needs for its part, as a rule
    if (++wave.sleeps % sleepsBetweenLooks != 0) {
        return;
    }
    const auto now = Clock::now();
    if (wave.sleeps == sleepsBetweenLooks) {
        wave.asleepSince = now;
    } else if (now - wave.asleepSince > patience) {
        wave.sleeps = 0;
        completeSome(wave, lanesAtEarliest(wave));
    }
}

// Goes round the waves, so that a thread may spin on what a thread of another wave will write.
void BlockExecutor::yield() {
    if (!m_running) {
        return;
    }
    leaveLockstep();
    Fibre& me = *m_running;
    Wave& wave = *me.wave;
    wave.asleep |= laneBit(me.context.lane);
    if (wave.arrived && !(wave.ready & ~wave.asleep)) {
        sleepBesideMeeting(wave);
    }
    if (Fibre* const next = takeAnother(wave, me.context.lane)) {
        wave.ready |= laneBit(me.context.lane);
        switchTo(me, *next);
    } else {
        letOtherBlocksRun();
    }
}

// Who has a turn before the one that gives way has its next.
Fibre* BlockExecutor::takeAnother(Wave& wave, std::uint32_t lane) {
    Fibre* next = pickIn(wave, lane, false);
    for (std::uint32_t i = 0; !next && i < m_waves; ++i) {
        Wave& other = m_waveStorage[i];
        if (&other != &wave && other.arrived && !other.ready) { // has diverged, and nobody of it sleeps
            completeSome(other, lanesAtEarliest(other));
        }
    }
    if (!next) {
        next = pickOutside(wave);
    }
    return next ? next : pickIn(wave, lane, true);
}

// Whom it waits for may be a thread of the same block; once each has had its turn it may be another block.
void BlockExecutor::letOthersRun() {
    if (!m_hasFibres) {
        letOtherBlocksRun();
        return;
    }
    leaveLockstep();
    Fibre& me = *m_running;
    Fibre* const next = takeAnother(*me.wave, me.context.lane);
    if (!next || (next->index < me.index) == (m_launch.order == ThreadOrder::forward)) {
        letOtherBlocksRun();
    }
    if (next) {
        me.wave->ready |= laneBit(me.context.lane);
        switchTo(me, *next);
    }
}

} // namespace gks::hipcpu
