// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/running_block.h"

#include <memory>

namespace gks::hipcpu {

constinit Watched watched;
__attribute__((tls_model("initial-exec"))) constinit thread_local const AccessSite* siteOfThisThread = nullptr;
__attribute__((tls_model("initial-exec"))) constinit thread_local RunningBlock* blockOfThisThread = nullptr;

namespace {

using Clock = std::chrono::steady_clock;

// On the heap, as a library that is loaded at run time has next to no room for static thread-local storage.
RunningBlock& runningBlock() {
    if (blockOfThisThread == nullptr) [[unlikely]] {
        static thread_local const auto running = std::make_unique<RunningBlock>();
        blockOfThisThread = running.get();
    }
    return *blockOfThisThread;
}

} // namespace

RunningBlock& beginOn(const BlockExecutor& executor) {
    RunningBlock& running = runningBlock();
    if (running.watch != watched.timesBegun) {
        running.watch = watched.timesBegun;
        running.begun = 0;
        running.known = {};
        running.check.beginLaunch();
        running.seen = {};
    }
    if (running.begun != executor.blocksBegun()) {
        running.begun = executor.blocksBegun();
        running.pending.clear();
        running.rows.clear();
        if (watched.races != nullptr) {
            watched.races->enter(running.known, executor.blockNumber());
        }
        if (watched.memory != nullptr) {
            running.check.beginBlock(*watched.memory, watched.take, executor);
            running.waits = {};
            running.steps = 0;
            running.begin = Clock::now();
        }
    }
    return running;
}

void beginPartOfGrid(std::uint64_t blocks) {
    if (watched.races != nullptr) {
        watched.races->beginPart(blocks);
    }
}

void enterPartOfGrid(const BlockExecutor& executor) {
    if (watched.races != nullptr) {
        RunningBlock& running = runningOn(executor);
        running.pending.clear();
        watched.races->enter(running.known, executor.blockNumber());
    }
}

void lookAtClockNext() {
    if (blockOfThisThread != nullptr) {
        blockOfThisThread->steps = stepsBetweenLooks;
    }
}

void lookAtClock(RunningBlock& running, const BlockExecutor& executor, const AccessSite& site) {
    running.steps = 0;
    if (Clock::now() - running.begin > std::chrono::seconds(watched.longestSeconds)) {
        Finding finding = findingAt(executor, FindingKind::endless, site);
        finding.seconds = watched.longestSeconds;
        watched.take(finding);
    }
}

void watchRaces(RaceDetector* races) {
    watched.races = races;
    ++watched.timesBegun;
}

void checkAccesses(MemoryCheck* memory, std::uint64_t seconds, TakeFinding take) {
    watched.memory = memory;
    watched.longestSeconds = seconds;
    watched.take = take;
    ++watched.timesBegun;
}

const AccessSite* lastSite() {
    return siteOfThisThread;
}

} // namespace gks::hipcpu
