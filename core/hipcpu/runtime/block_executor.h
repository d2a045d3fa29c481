// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hipcpu/abi.h"
#include "core/hipcpu/runtime/dead_stack.h"
#include "core/hipcpu/runtime/fibre_sanitizer.h"
#include "core/hipcpu/runtime/launch_packet.h"
#include "core/hipcpu/runtime/stack_pool.h"

#include <array>
#include <chrono>
#include <memory>

namespace gks::hipcpu {

enum class BlockReduction { add, logicalAnd, logicalOr, grid };

enum class ThreadOrder { forward, reversed };

struct Fibre;
class GridBarrier;
class WorkerPool;

constexpr std::uint64_t laneBit(std::uint32_t lane) {
    return std::uint64_t{1} << lane;
}

// What the last lane of a wave needs to compute a matrix instruction for all of them.
struct MatrixOperands {
    const void* a;
    const void* b;
    void* c;
    const void* index;
};

// The 64 lanes of a wave, one bit each. A live lane is running, ready (also before it has begun), at the block barrier,
// or arrived at a cross-lane operation. Slots are double-buffered: a lane reads the slots of an operation before it can
// arrive at the next but one.
struct Wave {
    std::uint64_t live;
    std::uint64_t ready;
    std::uint64_t atBarrier;
    std::uint64_t arrived;
    Fibre* fibres;          // of lane 0
    std::uint64_t inMatrix; // of the arrived lanes, those that wait in a matrix instruction
    void* site;             // of the arrived lanes, if sameSite
    bool sameSite;
    std::uint32_t parity;
    std::uint64_t asleep; // have slept since they last met anybody
    std::uint32_t sleeps; // while others of the wave wait at a meeting
    std::chrono::steady_clock::time_point asleepSince;
    std::uint64_t resultMask[2];
    std::uint64_t slot[2][waveSize];
    void* laneSite[waveSize];
    MatrixOperands operands[waveSize];
};

// One cache line: every switch touches it.
struct alignas(64) Fibre {
    ThreadContext context; // first: the ABI hands out its address
    std::uint32_t index;   // in the block, x fastest
    Wave* wave;
    void* stackPointer; // null until the thread has begun
    char* stackTop;
};
static_assert(sizeof(Fibre) == 64);

// Runs blocks, one after another, on the calling operating system thread.
class BlockExecutor {
public:
    BlockExecutor();
    ~BlockExecutor();
    BlockExecutor(const BlockExecutor&) = delete;
    BlockExecutor& operator=(const BlockExecutor&) = delete;

    // LDS and stacks of all executors, while none of them runs a block: no call finds there what an earlier one has
    // left. Called by a thread that runs blocks from no deeper than where it calls the pool.
    static void clearAll();

    // The executor of the calling thread while it runs a block, otherwise null.
    static BlockExecutor* current() { return ofThisThread; }

    struct Launch {
        const KernelEntry* kernel;
        void** arguments;
        std::uint32_t gridSize[3];
        std::uint32_t blockSize[3];
        std::uint32_t dynamicLdsBytes;
        ThreadOrder order;
        bool poisonLds;
        bool isChecked;                 // the kernel tells its accesses
        GridBarrier* barrier = nullptr; // of a cooperative launch
        WorkerPool* pool = nullptr;     // that can begin another block
    };
    void beginGrid(const Launch& launch);
    void runBlock(std::uint64_t linearIndex);
    void endGrid();

    // Called by device code through the C interface.
    void barrier();
    void yield();
    void beginWait();
    void letOthersRun();
    // The same value for all threads of the block; for the logical ones 0 or 1, for a barrier of the grid 0.
    int reduce(int value, BlockReduction operation);
    // Once for the whole block, whose threads wait: returns when every other block of the grid has come as well.
    void meetGrid();
    // A cross-lane operation in two halves, so that the switch between them can be made without leaving a return behind
    // (see hipcpu_wave_exchange): the fibre to switch to, null when the operation is complete, and then its result.
    Fibre* arriveAtExchange(std::uint64_t value, void* site);
    std::uint64_t exchangeResult(const std::uint64_t** slots);
    void matrix(const MatrixInstruction& what, const MatrixOperands& operands, void* site, int cbsz, int abid,
                int blgp);
    ThreadContext* thread();
    // By block functions of kernels that tell their accesses.
    void tellsAs(std::uint32_t thread) { m_running = &m_fibres[thread]; }
    void passBarrier() { ++m_barriersPassed; }

    // The launch as AMD's hardware describes it; filled when asked for.
    const DispatchPacket& dispatchPacket();
    const ImplicitArguments& implicitArguments();

    // For messages; safe to read in a signal handler.
    const Launch& launch() const { return m_launch; }
    const BlockContext& block() const { return m_block; }
    Fibre* running() const { return m_running; }                // or who has told an access last
    std::uint64_t blockNumber() const { return m_blockNumber; } // x fastest
    std::uint64_t blocksBegun() const { return m_blocksBegun; }
    std::uint32_t barriersPassed() const { return m_barriersPassed; } // by this block
    const StackPool& stacks() const { return m_stacks; }
    DeadStack& deadStack() { return m_deadStack; } // of the calling thread
    const char* ldsGuard() const { return m_ldsEnd; }
    bool isLds(const void* address) const { return address >= m_block.lds && address < m_ldsEnd; } // of the block

private:
    // Constant from the start, so that it is read without a call.
    __attribute__((tls_model("initial-exec"))) static constinit thread_local BlockExecutor* ofThisThread;

    [[noreturn]] static void fibreEntry();
    [[noreturn]] void runThreads();
    Fibre* retire(Fibre& fibre);
    void runFibres();
    Fibre* pickIn(Wave& wave, std::uint32_t lane, bool wrap);
    Fibre* pickNext(Wave& wave, std::uint32_t lane);
    Fibre* pickOutside(Wave& wave);
    Fibre* take(Wave& wave, std::uint64_t candidates);
    void waitFor(Fibre& me);
    void giveStack(Fibre& fibre);
    void switchTo(Fibre& from, Fibre& to);
    void releaseBarrier();
    void leaveLockstep();
    bool resolveDivergence();
    static std::uint64_t lanesAtEarliest(const Wave& wave);
    void sleepBesideMeeting(Wave& wave);
    Fibre* takeAnother(Wave& wave, std::uint32_t lane);
    void letOtherBlocksRun();
    void arrive(Wave& wave, std::uint32_t lane, void* site);
    void completeAll(Wave& wave);
    void completeSome(Wave& wave, std::uint64_t group);

    Launch m_launch = {};
    BlockContext m_block = {};
    Fibre* m_running = nullptr;
    std::uint64_t m_blockNumber = 0;
    std::uint64_t m_blocksBegun = 0;
    std::uint32_t m_barriersPassed = 0;
    std::uint32_t m_waits = 0; // turns of the loop
    std::chrono::steady_clock::time_point m_waitsSince;
    std::uint64_t m_endedThen = 0; // blocks of the grid
    std::uint32_t m_threads = 0;
    std::uint32_t m_waves = 0;
    std::uint32_t m_live = 0;
    std::uint32_t m_atBarrier = 0;
    std::uint32_t m_reduced = 0;
    bool m_hasFibres = false;
    bool m_lockstep = false; // see block_executor.cpp
    int m_reduction = 0;
    void* m_callerStack = nullptr;
    DispatchPacket m_packet;
    ImplicitArguments m_implicitArguments;
    StackPool m_stacks;
    DeadStack m_deadStack;
    [[no_unique_address]] FibreSanitizer m_sanitizer;
    char* m_ldsBase = nullptr;
    char* m_ldsEnd = nullptr;
    std::size_t m_ldsTotal = 0;
    std::unique_ptr<Fibre[]> m_fibres;
    std::unique_ptr<Wave[]> m_waveStorage;
};

} // namespace gks::hipcpu
