// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/block_executor.h"

#include "core/hipcpu/runtime/fault_handler.h"
#include "core/hipcpu/runtime/fibre_switch.h"
#include "core/hipcpu/runtime/matrix.h"

#include <bit>
#include <cstdio>

// The threads of a block are fibres of one operating system thread, begun lazily: a thread that never waits costs one
// function call on the stack of the thread before it. Who may run is kept as bit masks, one per wave, so that choosing
// the next thread, releasing a barrier and completing a cross-lane operation are a few operations whatever the size of
// the block. A thread that has to wait switches straight to the next ready lane of its own wave, which keeps the hot
// stacks few; only when the wave has none does it look at the other waves.
//
// Most kernels meet at barriers only. While all threads of a block are alive and have done nothing but run and wait at
// barriers, the block is in lockstep: the threads before the running one are at the barrier, those behind it are ready,
// and a barrier is one switch to the neighbour. The masks are stale meanwhile; leaveLockstep() fills them in.
//
// A cross-lane operation completes when all live lanes of the wave have arrived at the same site. When nothing in the
// block can run, a wave has diverged: its lanes at the earliest site then go on as the active mask. This is the order
// in which a compiler lays out the two sides of a branch and the code behind it, so it reconverges as early as hardware
// does.

namespace gks::hipcpu {

namespace {

constexpr std::uint64_t allLanes = ~std::uint64_t{0};

std::uint64_t lanesAbove(std::uint32_t lane) {
    return lane == waveSize - 1 ? 0 : allLanes << (lane + 1);
}

std::uint64_t lanesBelow(std::uint32_t lane) {
    return laneBit(lane) - 1;
}

} // namespace

constinit thread_local BlockExecutor* BlockExecutor::ofThisThread = nullptr;

void BlockExecutor::runFibres() {
    m_live = m_threads;
    m_atBarrier = 0;
    m_reduced = 0;
    for (std::uint32_t i = 0; i < m_waves; ++i) {
        Wave& wave = m_waveStorage[i];
        const std::uint32_t lanes = m_threads - i * waveSize;
        wave.fibres = &m_fibres[std::size_t{i} * waveSize];
        wave.live = lanes >= waveSize ? allLanes : laneBit(lanes) - 1;
        wave.ready = wave.live;
        wave.atBarrier = wave.arrived = wave.inMatrix = wave.asleep = 0;
        wave.sleeps = 0;
        wave.sameSite = true;
        wave.parity = 0;
    }
    m_lockstep = m_launch.order == ThreadOrder::forward && m_threads > 1;
    const bool reversed = m_launch.order == ThreadOrder::reversed;
    Wave& wave = m_waveStorage[reversed ? m_waves - 1 : 0];
    Fibre* first = take(wave, wave.ready);
    m_hasFibres = true;
    m_running = first;
    giveStack(*first);
    m_sanitizer.begin(first->stackTop);
    gksFibreSwitch(&m_callerStack, first->stackPointer);
    m_sanitizer.arrive();
    m_running = nullptr;
    m_hasFibres = false;
}

void BlockExecutor::fibreEntry() {
    ofThisThread->m_sanitizer.arrive();
    ofThisThread->runThreads();
}

// The life of a stack: it runs threads to their end until the next one to go on already has a stack of its own.
void BlockExecutor::runThreads() {
    for (;;) {
        Fibre& me = *m_running;
        m_launch.kernel->thread(m_launch.arguments, &me.context, m_block.lds);
        Fibre* next = retire(me);
        if (next && !next->stackPointer) {
            next->stackTop = me.stackTop;
            next->stackPointer = me.stackTop; // not null: begun; the real value is written at its first switch
            me.stackPointer = nullptr;
            m_running = next;
            continue;
        }
        // The freed stack is still the one in use here; nobody takes it before the switch has left it.
        me.stackPointer = nullptr;
        m_stacks.giveBack(me.stackTop);
        void* abandoned = nullptr;
        if (next) {
            m_running = next;
            m_sanitizer.leaveFor(next->stackTop);
            gksFibreSwitch(&abandoned, next->stackPointer);
        }
        m_sanitizer.leaveForCaller();
        gksFibreSwitch(&abandoned, m_callerStack);
    }
}

// A thread has returned. Those that waited for it alone may go on. Returns who runs next, null when the block is done.
Fibre* BlockExecutor::retire(Fibre& fibre) {
    leaveLockstep();
    Wave& wave = *fibre.wave;
    wave.live &= ~laneBit(fibre.context.lane);
    if (--m_live == 0) {
        return nullptr;
    }
    if (wave.arrived && wave.arrived == wave.live && wave.sameSite) {
        completeAll(wave);
    }
    if (m_atBarrier == m_live) {
        releaseBarrier();
    }
    return pickNext(wave, fibre.context.lane);
}

Fibre* BlockExecutor::take(Wave& wave, std::uint64_t candidates) {
    const int lane =
        m_launch.order == ThreadOrder::forward ? std::countr_zero(candidates) : 63 - std::countl_zero(candidates);
    wave.ready &= ~laneBit(static_cast<std::uint32_t>(lane));
    return wave.fibres + lane;
}

Fibre* BlockExecutor::pickIn(Wave& wave, std::uint32_t lane, bool wrap) {
    std::uint64_t candidates =
        wave.ready & (m_launch.order == ThreadOrder::forward ? lanesAbove(lane) : lanesBelow(lane));
    if (!candidates && wrap) {
        candidates = wave.ready;
    }
    return candidates ? take(wave, candidates) : nullptr;
}

Fibre* BlockExecutor::pickOutside(Wave& wave) {
    const auto own = static_cast<std::uint32_t>(&wave - m_waveStorage.get());
    for (std::uint32_t step = 1; step < m_waves; ++step) {
        const std::uint32_t index = (own + (m_launch.order == ThreadOrder::forward ? step : m_waves - step)) % m_waves;
        Wave& other = m_waveStorage[index];
        if (other.ready) {
            return take(other, other.ready);
        }
    }
    return nullptr;
}

Fibre* BlockExecutor::pickNext(Wave& wave, std::uint32_t lane) {
    // Nearly always the neighbour is ready.
    const std::uint64_t neighbour = laneBit(lane) << 1;
    if (m_launch.order == ThreadOrder::forward && (wave.ready & neighbour)) [[likely]] {
        wave.ready &= ~neighbour;
        return wave.fibres + lane + 1;
    }
    for (;;) {
        if (Fibre* inWave = pickIn(wave, lane, true)) {
            return inWave;
        }
        if (Fibre* outside = pickOutside(wave)) {
            return outside;
        }
        if (!resolveDivergence()) {
            failProcess("deadlock: no thread of the block can run");
        }
    }
}

void BlockExecutor::giveStack(Fibre& fibre) {
    fibre.stackTop = m_stacks.take();
    FibreSanitizer::clear(fibre.stackTop);
    fibre.stackPointer = prepareFibreStack(fibre.stackTop, &BlockExecutor::fibreEntry);
}

void BlockExecutor::switchTo(Fibre& from, Fibre& to) {
    if (!to.stackPointer) [[unlikely]] {
        giveStack(to);
    }
    m_running = &to;
    m_sanitizer.leaveFor(to.stackTop);
    gksFibreSwitch(&from.stackPointer, to.stackPointer);
    m_sanitizer.arrive();
}

void BlockExecutor::waitFor(Fibre& me) {
    Fibre* next = pickNext(*me.wave, me.context.lane);
    if (next != &me) {
        switchTo(me, *next);
    }
}

void BlockExecutor::releaseBarrier() {
    m_atBarrier = 0;
    ++m_barriersPassed;
    for (std::uint32_t i = 0; i < m_waves; ++i) {
        Wave& wave = m_waveStorage[i];
        wave.ready |= wave.atBarrier;
        wave.atBarrier = wave.asleep = 0;
    }
}

void BlockExecutor::leaveLockstep() {
    if (!m_lockstep) {
        return;
    }
    m_lockstep = false;
    m_atBarrier = m_running->index;
    for (std::uint32_t i = 0; i < m_waves; ++i) {
        Wave& wave = m_waveStorage[i];
        const std::uint32_t first = i * waveSize;
        const std::uint32_t waiting = m_running->index < first ? 0 : m_running->index - first;
        wave.atBarrier = wave.live & (waiting >= waveSize ? allLanes : laneBit(waiting) - 1);
        wave.ready = wave.live & ~wave.atBarrier;
    }
    m_running->wave->ready &= ~laneBit(m_running->context.lane);
}

void BlockExecutor::barrier() {
    if (m_lockstep) [[likely]] {
        Fibre& me = *m_running;
        const bool isLast = me.index + 1 == m_threads;
        m_barriersPassed += isLast ? 1 : 0;
        switchTo(me, isLast ? m_fibres[0] : (&me)[1]);
        return;
    }
    if (!m_running) {
        failProcess("a kernel without synchronisation in its table entry called a barrier");
    }
    Fibre& me = *m_running;
    if (++m_atBarrier == m_live) {
        releaseBarrier();
        m_lockstep = m_live == m_threads && m_threads > 1 && m_launch.order == ThreadOrder::forward;
        if (m_lockstep && me.index != 0) {
            switchTo(me, m_fibres[0]);
        }
        return;
    }
    me.wave->atBarrier |= laneBit(me.context.lane);
    waitFor(me);
}

void BlockExecutor::arrive(Wave& wave, std::uint32_t lane, void* site) {
    wave.laneSite[lane] = site;
    wave.asleep &= ~laneBit(lane);
    wave.sleeps = 0;
    if (!wave.arrived) {
        wave.site = site;
        wave.sameSite = true;
    } else if (wave.site != site) {
        wave.sameSite = false;
    }
    wave.arrived |= laneBit(lane);
}

void BlockExecutor::completeAll(Wave& wave) {
    if (wave.inMatrix) {
        failProcess("a matrix instruction was executed after lanes of its wave had returned");
    }
    wave.resultMask[wave.parity] = wave.arrived;
    wave.ready |= wave.arrived;
    wave.arrived = 0;
    wave.parity ^= 1;
}

Fibre* BlockExecutor::arriveAtExchange(std::uint64_t value, void* site) {
    if (!m_running) {
        failProcess("a kernel without synchronisation in its table entry called a cross-lane operation");
    }
    leaveLockstep();
    Fibre& me = *m_running;
    Wave& wave = *me.wave;
    wave.slot[wave.parity][me.context.lane] = value;
    arrive(wave, me.context.lane, site);
    if (wave.arrived == wave.live && wave.sameSite) {
        completeAll(wave);
        wave.ready &= ~laneBit(me.context.lane);
        return nullptr;
    }
    Fibre* next = pickNext(wave, me.context.lane);
    if (next == &me) {
        return nullptr;
    }
    if (!next->stackPointer) [[unlikely]] {
        giveStack(*next);
    }
    m_running = next;
    m_sanitizer.leaveFor(next->stackTop);
    return next;
}

std::uint64_t BlockExecutor::exchangeResult(const std::uint64_t** slots) {
    m_sanitizer.arrive();
    // Nothing of this wave completes between the completion that released this lane and here: that would need this
    // lane.
    const Wave& wave = *m_running->wave;
    const std::uint32_t parity = wave.parity ^ 1;
    *slots = wave.slot[parity];
    return wave.resultMask[parity];
}

void BlockExecutor::matrix(const MatrixInstruction& what, const MatrixOperands& operands, void* site, int cbsz,
                           int abid, int blgp) {
    if (!m_running) {
        failProcess("a kernel without synchronisation in its table entry called a matrix instruction");
    }
    leaveLockstep();
    Fibre& me = *m_running;
    Wave& wave = *me.wave;
    if (wave.live != allLanes) {
        char message[128];
        std::snprintf(message, sizeof message, "%s was executed with %d of 64 lanes active", what.name,
                      std::popcount(wave.live));
        failProcess(message);
    }
    wave.operands[me.context.lane] = operands;
    arrive(wave, me.context.lane, site);
    wave.inMatrix |= laneBit(me.context.lane);
    if (wave.arrived != allLanes || !wave.sameSite) {
        waitFor(me);
        return;
    }
    computeMatrix(what, wave.operands, {cbsz, abid, blgp});
    wave.inMatrix = 0;
    completeAll(wave);
    wave.ready &= ~laneBit(me.context.lane);
}

ThreadContext* BlockExecutor::thread() {
    if (!m_running) {
        failProcess("a kernel without synchronisation in its table entry asked for its thread");
    }
    return &m_running->context;
}

} // namespace gks::hipcpu

using gks::hipcpu::BlockExecutor;

namespace {
BlockExecutor& executor() {
    BlockExecutor* current = BlockExecutor::current();
    if (!current) {
        gks::hipcpu::failProcess("device code was called outside a kernel");
    }
    return *current;
}
} // namespace

extern "C" {

// The halves of hipcpu_wave_exchange, called from fibre_switch.cpp.
struct GksSwitch {
    void** saved;
    void* next;
};
__attribute__((visibility("hidden"))) GksSwitch gksArriveAtExchange(std::uint64_t value, const std::uint64_t**,
                                                                    void* site) {
    BlockExecutor& current = executor();
    gks::hipcpu::Fibre* me = current.running();
    const gks::hipcpu::Fibre* next = current.arriveAtExchange(value, site);
    return next ? GksSwitch{&me->stackPointer, next->stackPointer} : GksSwitch{nullptr, nullptr};
}

__attribute__((visibility("hidden"))) std::uint64_t gksExchangeResult(const std::uint64_t** slots) {
    return BlockExecutor::current()->exchangeResult(slots);
}

void hipcpu_barrier() {
    executor().barrier();
}

void hipcpu_mfma(const gks::hipcpu::MatrixInstruction* what, const void* a, const void* b, void* c, const void* index,
                 int cbsz, int abid, int blgp) {
    executor().matrix(*what, {a, b, c, index}, __builtin_return_address(0), cbsz, abid, blgp);
}

void hipcpu_yield() {
    executor().yield();
}

void hipcpu_let_others_run(std::uint32_t isFirst) {
    isFirst != 0 ? executor().beginWait() : executor().letOthersRun();
}

} // extern "C"
