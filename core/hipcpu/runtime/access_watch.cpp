// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/access_watch.h"

#include "core/hipcpu/runtime/race_told.h"
#include "core/hipcpu/runtime/running_block.h"

#include <array>

namespace gks::hipcpu {
namespace {

bool isSeen(RunningBlock& running, const Fibre& fibre, std::uint32_t interval, const void* address,
            std::uint64_t bytes) {
    constexpr unsigned wordBits = 2, sizeShift = 56, atomicsShift = 48, blockShift = 32, waveBits = 4;
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    const std::uint32_t wave = fibre.index / waveSize;
    const RunningBlock::Seen now = {at ^ bytes << sizeShift, running.atomics << atomicsShift ^
                                                                 running.begun << blockShift ^ interval << waveBits ^
                                                                 wave};
    RunningBlock::Seen& known = running.seen[((at >> wordBits) + wave * waveSize) % RunningBlock::seenPlaces];
    const bool isKnown = known.place == now.place && known.by == now.by;
    known = now;
    return isKnown;
}

// Of memory that somebody watches, or of LDS.
void tell(RunningBlock& running, BlockExecutor& executor, const Fibre& fibre, const void* address, std::uint64_t bytes,
          AccessKind kind, const void* value, const AccessSite* site) {
    const RaceDetector::Where where = {fibre.index / waveSize, executor.barriersPassed()};
    if (executor.isLds(address)) {
        const auto at = reinterpret_cast<std::uintptr_t>(address);
        if (kind != AccessKind::read && (running.pending.write(where.interval, at, at + bytes) || !isPlain(kind))) {
            tellPending(executor, running);
        }
        const char* const lds = executor.block().lds;
        const auto offset = static_cast<std::size_t>(static_cast<const char*>(address) - lds);
        watched.races->accessLds(running.known, where, lds, offset, bytes, kind, value, site);
    } else {
        watched.races->access(running.known, where, address, bytes, kind, value, site);
    }
}

// Those that read are told of once more before they do.
bool isBegun(AccessKind kind) {
    return !isPlain(kind) && kind != AccessKind::atomicWrite;
}

__attribute__((noinline)) void take(BlockExecutor& executor, const void* address, std::uint64_t bytes, AccessKind kind,
                                    const void* value, const AccessSite& site, const void* object) {
    const Fibre* const fibre = executor.running();
    if (fibre == nullptr) {
        return;
    }
    RunningBlock& running = runningOn(executor);
    if (watched.memory != nullptr) {
        step(running, executor, site);
        if (!isBegun(kind)) {
            running.check.check({executor, reinterpret_cast<std::uintptr_t>(address), bytes, kind, site}, value,
                                object);
        }
    }
    const bool isAtomic = kind != AccessKind::read && kind != AccessKind::write && kind != AccessKind::fill;
    running.atomics += isAtomic ? 1 : 0;
    if (watched.races == nullptr) {
        return;
    }
    const bool isLds = executor.isLds(address);
    if (!isLds && !watched.races->isWatched(address)) {
        return;
    }
    if (kind != AccessKind::read || isLds || !isSeen(running, *fibre, executor.barriersPassed(), address, bytes)) {
        tell(running, executor, *fibre, address, bytes, kind, value, &site);
    }
}

} // namespace

Finding findingOf(const Race& race, const char* kernel, const std::uint32_t (&grid)[3]) {
    const auto blockOf = [&](const Race::Side& side) {
        const std::uint64_t row = side.block / grid[0];
        return std::array<std::uint32_t, 3>{static_cast<std::uint32_t>(side.block % grid[0]),
                                            static_cast<std::uint32_t>(row % grid[1]),
                                            static_cast<std::uint32_t>(row / grid[1])};
    };
    Finding finding;
    finding.kind = race.isLostUpdate ? FindingKind::lostUpdate : FindingKind::race;
    finding.access = race.second.writes ? Finding::Access::write : Finding::Access::read;
    finding.bytes = race.second.bytes;
    finding.otherWrites = race.first.writes;
    finding.isInOneBlock = race.first.block == race.second.block;
    finding.other = finding.isInOneBlock ? "wave " + std::to_string(race.first.wave) + " of the block"
                                         : "block " + indexText(blockOf(race.first));
    finding.symbol = kernel;
    finding.kernel = readableKernel(kernel);
    finding.block = blockOf(race.second);
    finding.wave = race.second.wave;
    if (race.second.site != nullptr) {
        finding.name = cleaned(race.second.site->name);
        finding.place = placeOf(*race.second.site);
    }
    if (race.first.site != nullptr) {
        finding.otherPlace = placeOf(*race.first.site);
    }
    return finding;
}

} // namespace gks::hipcpu

using namespace gks::hipcpu;

extern "C" void hipcpu_access_begin(const void* address, std::uint64_t bytes, AccessKind kind, const AccessSite* site,
                                    const void* object) {
    const BlockExecutor* const executor = teller(site);
    if (executor == nullptr || executor->running() == nullptr) {
        return;
    }
    if (watched.memory != nullptr) {
        runningOn(*executor).check.check({*executor, reinterpret_cast<std::uintptr_t>(address), bytes, kind, *site},
                                         nullptr, object);
    }
    const bool isUpdate = kind == AccessKind::update || kind == AccessKind::blindUpdate;
    if (isUpdate && watched.races != nullptr && watched.races->isWatched(address)) {
        watched.races->begin(runningOn(*executor).known, address);
    }
}

extern "C" void hipcpu_access_begin_of(const void* address, std::uint64_t bytes, AccessKind kind,
                                       const AccessSite* site, const void* object, std::uint32_t thread) {
    if (BlockExecutor* const executor = teller(site)) {
        executor->tellsAs(thread);
        hipcpu_access_begin(address, bytes, kind, site, object);
    }
}

// Called for every access of device code. Where nobody checks memory most of them concern nobody else, which is known
// before anything is saved on the stack.
extern "C" void hipcpu_access(const void* address, std::uint64_t bytes, AccessKind kind, const void* value,
                              const AccessSite* site, const void* object) {
    BlockExecutor* const executor =
        watched.races != nullptr || watched.memory != nullptr ? BlockExecutor::current() : nullptr;
    siteOfThisThread = site;
    if (executor != nullptr &&
        (watched.memory != nullptr || watched.races->isWatched(address) || executor->isLds(address))) {
        take(*executor, address, bytes, kind, value, *site, object);
    }
}

extern "C" void hipcpu_access_of(const void* address, std::uint64_t bytes, AccessKind kind, const void* value,
                                 const AccessSite* site, const void* object, std::uint32_t thread) {
    if (BlockExecutor* const executor = teller(site)) {
        executor->tellsAs(thread);
        hipcpu_access(address, bytes, kind, value, site, object);
    }
}

extern "C" void hipcpu_private(std::uint64_t offset, std::uint64_t bytes, std::uint64_t variableBytes, AccessKind kind,
                               const AccessSite* site) {
    if (offset <= variableBytes && bytes <= variableBytes - offset) {
        return;
    }
    const BlockExecutor* const executor = teller(site);
    if (executor != nullptr && executor->running() != nullptr && watched.memory != nullptr) {
        runningOn(*executor).check.reportPrivate({*executor, offset, bytes, kind, *site}, variableBytes);
    }
}

extern "C" void hipcpu_private_of(std::uint64_t offset, std::uint64_t bytes, std::uint64_t variableBytes,
                                  AccessKind kind, const AccessSite* site, std::uint32_t thread) {
    if (BlockExecutor* const executor = teller(site)) {
        executor->tellsAs(thread);
        hipcpu_private(offset, bytes, variableBytes, kind, site);
    }
}

// Who comes to a barrier in the same interval between two barriers as another lane of its wave, and to another one,
// waits with it.
extern "C" void hipcpu_barrier_at(const AccessSite* site) {
    const BlockExecutor* const executor = watched.memory != nullptr ? BlockExecutor::current() : nullptr;
    siteOfThisThread = site;
    if (executor == nullptr || executor->running() == nullptr) {
        return;
    }
    RunningBlock& running = runningOn(*executor);
    RunningBlock::Wait& wait = running.waits[executor->running()->index / waveSize];
    const bool isBeside = wait.site != nullptr && wait.interval == executor->barriersPassed();
    if (isBeside && wait.site != site) {
        Finding finding = findingAt(*executor, FindingKind::partedBarrier, *site);
        finding.otherPlace = placeOf(*wait.site);
        watched.take(finding);
    }
    wait = {executor->barriersPassed(), site};
    step(running, *executor, *site);
}

extern "C" void hipcpu_round_at(const AccessSite* site) {
    const BlockExecutor* const executor = watched.memory != nullptr ? BlockExecutor::current() : nullptr;
    siteOfThisThread = site;
    if (executor != nullptr && executor->running() != nullptr) {
        step(runningOn(*executor), *executor, *site);
    }
}

extern "C" void hipcpu_round_of(const AccessSite* site, std::uint32_t thread) {
    if (BlockExecutor* const executor = BlockExecutor::current()) {
        executor->tellsAs(thread);
        hipcpu_round_at(site);
    }
}

extern "C" void hipcpu_barrier_of_block(const AccessSite* site) {
    if (BlockExecutor* const executor = BlockExecutor::current()) {
        executor->passBarrier();
        if (site != nullptr) {
            hipcpu_round_at(site);
        }
    }
}
