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

bool BlockExecutor::resolveDivergence() {
    for (std::uint32_t i = 0; i < m_waves; ++i) {
        Wave& wave = m_waveStorage[i];
        if (!wave.arrived) {
            continue;
        }
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
        completeSome(wave, group);
        return true;
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

// Goes round the waves, so that a thread may spin on what a thread of another wave will write.
void BlockExecutor::yield() {
    if (!m_running) {
        return;
    }
    leaveLockstep();
    Fibre& me = *m_running;
    Fibre* next = pickIn(*me.wave, me.context.lane, false);
    if (!next) {
        next = pickOutside(*me.wave);
    }
    if (!next) {
        next = pickIn(*me.wave, me.context.lane, true);
    }
    if (!next && resolveDivergence()) {
        next = pickNext(*me.wave, me.context.lane);
    }
    if (next) {
        me.wave->ready |= laneBit(me.context.lane);
        switchTo(me, *next);
    }
}

} // namespace gks::hipcpu
