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

} // namespace

void watchRaces(RaceDetector* races) {
    watching = races;
    ++timesBegun;
}

} // namespace gks::hipcpu

using namespace gks::hipcpu;

extern "C" void hipcpu_access(const void* address, std::uint64_t bytes, AccessKind kind, const void* value) {
    const BlockExecutor* const executor = watching != nullptr ? BlockExecutor::current() : nullptr;
    const Fibre* const fibre = executor != nullptr ? executor->running() : nullptr;
    if (fibre == nullptr) {
        return;
    }
    RunningBlock& running = runningBlock();
    if (running.watch != timesBegun) {
        running = {timesBegun, 0, {}};
    }
    if (running.begun != executor->blocksBegun()) {
        running.begun = executor->blocksBegun();
        watching->enter(running.known, executor->blockNumber());
    }
    const RaceDetector::Where where = {fibre->index / waveSize, executor->barriersPassed()};
    const char* const lds = executor->block().lds;
    const char* const at = static_cast<const char*>(address);
    if (at >= lds && at < executor->ldsGuard()) {
        watching->accessLds(running.known, where, lds, static_cast<std::size_t>(at - lds), bytes, kind, value);
    } else {
        watching->access(running.known, where, address, bytes, kind, value);
    }
}
