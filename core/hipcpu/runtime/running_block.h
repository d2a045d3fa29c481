// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hipcpu/runtime/access_check.h"
#include "core/hipcpu/runtime/access_watch.h"
#include "core/hipcpu/runtime/begun_rows.h"
#include "core/hipcpu/runtime/block_executor.h"
#include "core/hipcpu/runtime/pending_reads.h"
#include "core/hipcpu/runtime/race_detector.h"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace gks::hipcpu {

// Who hears of accesses; see access_watch.h.
struct Watched {
    RaceDetector* races = nullptr;
    MemoryCheck* memory = nullptr;
    std::uint64_t longestSeconds = 0;
    TakeFinding take = nullptr;
    std::uint64_t timesBegun = 0; // one of these
};
extern constinit Watched watched;

// What is known of the block that a thread of the operating system runs.
struct RunningBlock {
    std::uint64_t watch = 0; // which of them
    std::uint64_t begun = 0; // blocks, as the executor counts
    RaceDetector::Block known;
    AccessCheck check;
    struct Wait {
        std::uint32_t interval = 0;
        const AccessSite* site = nullptr;
    };
    std::array<Wait, maxThreadsPerBlock / waveSize> waits = {}; // of each wave
    std::uint32_t steps = 0;
    std::chrono::steady_clock::time_point begin;
    // Plain reads that the detector knows: of this place by this wave of this block since its last barrier. Lanes of a
    // wave read the same places, and of all reads those of its own wave tell it nothing new.
    struct Seen {
        std::uintptr_t place = 0;
        std::uint64_t by = 0;
    };
    static constexpr std::size_t seenPlaces = 4096;
    std::array<Seen, seenPlaces> seen = {};
    std::uint64_t atomics = 0; // what comes behind one may be ordered otherwise
    PendingReads pending;
    BegunRows rows;
};

// Constant from the start, so that they are read without a call.
extern __attribute__((tls_model("initial-exec"))) constinit thread_local const AccessSite* siteOfThisThread;
extern __attribute__((tls_model("initial-exec"))) constinit thread_local RunningBlock* blockOfThisThread;

RunningBlock& beginOn(const BlockExecutor& executor);
inline RunningBlock& runningOn(const BlockExecutor& executor) {
    RunningBlock* const running = blockOfThisThread;
    const bool isKnown =
        running != nullptr && running->watch == watched.timesBegun && running->begun == executor.blocksBegun();
    return isKnown ? *running : beginOn(executor);
}

inline constexpr std::uint32_t stepsBetweenLooks = 1U << 16; // at the clock
// The block that this thread runs has slept: the next step looks.
void lookAtClockNext();
// Has this block taken too long?
void lookAtClock(RunningBlock& running, const BlockExecutor& executor, const AccessSite& site);
inline void step(RunningBlock& running, const BlockExecutor& executor, const AccessSite& site) {
    if (++running.steps >= stepsBetweenLooks) {
        lookAtClock(running, executor, site);
    }
}

// Between two parts of a grid whose blocks have met: while none of them runs, and then by each.
void beginPartOfGrid(std::uint64_t blocks);
void enterPartOfGrid(const BlockExecutor& executor);

// Those of this interval between barriers.
void tellPending(BlockExecutor& executor, RunningBlock& running);

// Of a block that somebody watches or checks, when its thread tells something; else null.
inline BlockExecutor* teller(const AccessSite* site) {
    siteOfThisThread = site;
    return watched.races != nullptr || watched.memory != nullptr ? BlockExecutor::current() : nullptr;
}

} // namespace gks::hipcpu
