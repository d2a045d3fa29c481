// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/race_watch.h"

#include "core/hipcpu/runtime/block_executor.h"

#include <memory>

namespace gks::hipcpu {
namespace {

RaceDetector* watching = nullptr;
std::uint64_t timesBegun = 0; // watching

struct RunningBlock {
    std::uint64_t watch = 0; // which of them
    std::uint64_t begun = 0; // blocks, as the executor counts
    RaceDetector::Block known;
};

RunningBlock& runningBlock() {
    static thread_local const auto running = std::make_unique<RunningBlock>();
    return *running;
}

RaceDetector::Block& knownOf(const BlockExecutor& executor) {
    RunningBlock& running = runningBlock();
    if (running.watch != timesBegun) {
        running = {timesBegun, 0, {}};
    }
    if (running.begun != executor.blocksBegun()) {
        running.begun = executor.blocksBegun();
        watching->enter(running.known, executor.blockNumber());
    }
    return running.known;
}

// Of memory that somebody watches, or of LDS.
__attribute__((noinline)) void tell(const BlockExecutor& executor, const void* address, std::uint64_t bytes,
                                    AccessKind kind, const void* value) {
    const Fibre* const fibre = executor.running();
    if (fibre == nullptr) {
        return;
    }
    RaceDetector::Block& known = knownOf(executor);
    const RaceDetector::Where where = {fibre->index / waveSize, executor.barriersPassed()};
    if (executor.isLds(address)) {
        const char* const lds = executor.block().lds;
        const auto offset = static_cast<std::size_t>(static_cast<const char*>(address) - lds);
        watching->accessLds(known, where, lds, offset, bytes, kind, value);
    } else {
        watching->access(known, where, address, bytes, kind, value);
    }
}

} // namespace

void watchRaces(RaceDetector* races) {
    watching = races;
    ++timesBegun;
}

} // namespace gks::hipcpu

using namespace gks::hipcpu;

extern "C" void hipcpu_access_begin(const void* address) {
    const BlockExecutor* const executor = watching != nullptr ? BlockExecutor::current() : nullptr;
    if (executor != nullptr && executor->running() != nullptr && watching->isWatched(address)) {
        watching->begin(knownOf(*executor), address);
    }
}

// Called for every access of device code. Most of them concern nobody else, which is known before anything is saved on
// the stack.
extern "C" void hipcpu_access(const void* address, std::uint64_t bytes, AccessKind kind, const void* value) {
    const BlockExecutor* const executor = watching != nullptr ? BlockExecutor::current() : nullptr;
    if (executor != nullptr && (watching->isWatched(address) || executor->isLds(address))) {
        tell(*executor, address, bytes, kind, value);
    }
}
