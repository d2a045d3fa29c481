// SPDX-License-Identifier: GPL-3.0-or-later
// Accesses of many threads at addresses in rows: nearly always nothing is wrong with any of them, which is seen from
// where the rows begin and end. Where it is not, each is told as its thread would tell it.
//
// What will be written is not known before the loops over the threads: they leave it in a list, which is compared
// behind them with what was there before. Nor is it known which threads come to what is behind a condition of data:
// they leave a flag, and all that they may touch is known to lie inside.
#include "core/hipcpu/runtime/running_block.h"

#include <memory>

namespace gks::hipcpu {
namespace {

// Whether nothing is to be said of the alignment of these.
bool areAligned(const RunningBlock& running, std::uintptr_t addresses, const AccessSite& site) {
    return watched.memory != nullptr ? running.check.suits(addresses, site) : (addresses & (site.alignment - 1)) == 0;
}

// Of LDS: whether no other wave's access matters.
bool noteReads(RunningBlock& running, const BlockExecutor& executor, const StripRow& reads, std::uint32_t thread) {
    const RaceDetector::Where where = {thread / waveSize, executor.barriersPassed()};
    const auto offset = static_cast<std::size_t>(reads.low() - reinterpret_cast<std::uintptr_t>(executor.block().lds));
    const auto distance = static_cast<std::uint64_t>(std::abs(reads.laneBytes));
    return distance <= reads.bytes
               ? watched.races->readLds(running.known, where, {offset, reads.high() - reads.low(), 0, 1}, reads.site)
               : watched.races->readLds(running.known, where, {offset, reads.bytes, distance, reads.lanes}, reads.site);
}

// Nobody looks for races there.
bool isUnwatched(std::uintptr_t low, std::uintptr_t high) {
    return !watched.races->isWatched(reinterpret_cast<const void*>(low)) &&
           !watched.races->isWatched(reinterpret_cast<const void*>(high - 1));
}

bool isLds(const BlockExecutor& executor, std::uintptr_t address) {
    return executor.isLds(reinterpret_cast<const void*>(address));
}

// Of memory.
void readForRaces(RunningBlock& running, const BlockExecutor& executor, const StripRow& reads, std::uint32_t wave,
                  const char* flags = nullptr) {
    const bool isOne = reads.laneBytes == 0 && flags == nullptr;
    const RaceDetector::Row row = {reads.first, reads.laneBytes, reads.bytes, isOne ? 1 : reads.lanes,
                                   nullptr,     nullptr,         flags};
    watched.races->read(running.known, {wave, executor.barriersPassed()}, row, reads.site);
}

// Whether there is nothing more to be said of them.
bool takeReads(RunningBlock& running, const BlockExecutor& executor, const StripRow& reads, std::uint32_t thread) {
    const std::uintptr_t low = reads.low();
    if (!areAligned(running, low | static_cast<std::uintptr_t>(reads.laneBytes), *reads.site) ||
        (watched.memory != nullptr && !running.check.areReadable(executor, reads))) {
        return false;
    }
    if (watched.races == nullptr) {
        return true;
    }
    if (isLds(executor, low)) {
        return noteReads(running, executor, reads, thread);
    }
    if (!isUnwatched(low, reads.high())) {
        readForRaces(running, executor, reads, thread / waveSize);
    }
    return true;
}

// Where anything is unclear they are told one by one, as each of them would tell it.
void tellReads(BlockExecutor& executor, const StripRow& reads, std::uint32_t thread) {
    executor.tellsAs(thread);
    if (takeReads(runningOn(executor), executor, reads, thread)) {
        return;
    }
    const bool isReversed = executor.block().isReversed != 0;
    for (std::uint32_t i = 0; i < reads.lanes; ++i) {
        const std::uint32_t lane = isReversed ? reads.lanes - 1 - i : i;
        const std::uintptr_t at = reads.first + static_cast<std::uintptr_t>(reads.laneBytes * lane);
        hipcpu_access_of(reinterpret_cast<const void*>(at), reads.bytes, AccessKind::read, nullptr, reads.site,
                         reads.object, thread + lane);
    }
}

ThreadRows rowsOfStrip(const void* first, std::int64_t laneBytes, std::uint64_t bytes, const AccessSite* site,
                       const void* object, std::uint32_t thread, std::uint32_t lanes) {
    ThreadRows rows;
    rows.first = {reinterpret_cast<std::uintptr_t>(first), laneBytes, bytes, site, object, lanes};
    rows.thread = thread;
    return rows;
}

struct Distances {
    std::int64_t lane, strip, row, plane;
};

ThreadRows rowsOfBlock(const BlockContext& block, const void* first, const Distances& distances, std::uint64_t bytes,
                       const AccessSite* site, const void* object) {
    ThreadRows rows;
    const bool areStrips = block.blockSize[0] % stripThreads == 0; // else each row is one
    rows.first = {reinterpret_cast<std::uintptr_t>(first),      distances.lane, bytes, site, object,
                  areStrips ? stripThreads : block.blockSize[0]};
    rows.strip = {distances.strip, areStrips ? block.blockSize[0] / stripThreads : 1};
    rows.row = {distances.row, block.blockSize[1]};
    rows.plane = {distances.plane, block.blockSize[2]};
    rows.isReversed = block.isReversed != 0;
    return rows;
}

void noteOrTell(BlockExecutor& executor, RunningBlock& running, const ThreadRows& reads) {
    reads.forEachOtherStrip([&](const StripRow& strip, std::uint32_t thread) {
        if (!noteReads(running, executor, strip, thread)) {
            tellReads(executor, strip, thread);
        }
    });
}

// Whether there is nothing more to be said of them.
bool areClear(BlockExecutor& executor, const ThreadRows& reads) {
    RunningBlock& running = runningOn(executor);
    const StripRow& first = reads.first;
    if (watched.memory != nullptr) {
        step(running, executor, *first.site);
    }
    const ThreadRows::Extent extent = reads.extent();
    if (!areAligned(running, extent.low | extent.steps, *first.site)) {
        return false;
    }
    const bool isSure = watched.memory == nullptr || running.check.areReadable(executor, reads, extent);
    if (!isSure || watched.races == nullptr) {
        return isSure;
    }
    if (!isLds(executor, extent.low)) {
        if (!isUnwatched(extent.low, extent.high)) {
            reads.forEachRowOfWave(
                [&](const StripRow& row, std::uint32_t wave) { readForRaces(running, executor, row, wave); });
        }
        return true;
    }
    if (!watched.races->mayNoteLater(running.known) || !running.pending.add(executor.barriersPassed(), reads, extent)) {
        noteOrTell(executor, running, reads);
    }
    return true;
}

void tellNow(BlockExecutor& executor, const ThreadRows& reads) {
    if (!areClear(executor, reads)) {
        reads.forEachStrip([&](const StripRow& strip, std::uint32_t thread) { tellReads(executor, strip, thread); });
    }
}

void tell(BlockExecutor& executor, const ThreadRows& reads) {
    RunningBlock& running = runningOn(executor);
    if (!running.rows.empty()) {
        const ThreadRows::Extent extent = reads.extent();
        if (running.rows.meets(extent) &&
            (watched.memory == nullptr ||
             running.check.isInside(executor, extent.low, extent.high, *reads.first.site, reads.first.object))) {
            running.rows.add(reads, extent); // of what they have written before
            return;
        }
    }
    tellNow(executor, reads);
}

// On the heap: see RunningBlock.
char* placeForNothing() {
    static thread_local const auto place = std::make_unique<char[]>((1 + mostValueBytes) * maxThreadsPerBlock);
    return place.get();
}

template<class Take>
void forEachThread(const ThreadRows& rows, Take take) {
    std::size_t number = 0;
    rows.forEachStrip([&](const StripRow& strip, std::uint32_t thread) {
        for (std::uint32_t lane = 0; lane < strip.lanes; ++lane, ++number) {
            take(strip.first + static_cast<std::uintptr_t>(strip.laneBytes * lane), thread + lane, number);
        }
    });
}

bool isForRaces(const BlockExecutor& executor, const ThreadRows::Extent& extent) {
    return watched.races != nullptr && (isLds(executor, extent.low) || !isUnwatched(extent.low, extent.high));
}

// Where the loops leave what they write.
char* begin(BlockExecutor& executor, const ThreadRows& writes) {
    RunningBlock& running = runningOn(executor);
    const StripRow& first = writes.first;
    const ThreadRows::Extent extent = writes.extent();
    if (watched.memory != nullptr) {
        step(running, executor, *first.site);
        if (!areAligned(running, extent.low | extent.steps, *first.site) ||
            !running.check.isInside(executor, extent.low, extent.high, *first.site, first.object)) {
            forEachThread(writes, [&](std::uintptr_t at, std::uint32_t thread, std::size_t) {
                executor.tellsAs(thread);
                running.check.check({executor, at, first.bytes, AccessKind::write, *first.site}, nullptr, first.object);
            });
            return placeForNothing(); // that it is wrong is enough
        }
    }
    return running.rows.add(writes, extent, isForRaces(executor, extent));
}

// Where nothing is written that is not known, and somebody else may write what some do not.
bool areInside(BlockExecutor& executor, const ThreadRows& rows) {
    const StripRow& first = rows.first;
    const ThreadRows::Extent extent = rows.extent();
    RunningBlock& running = runningOn(executor);
    if (watched.memory != nullptr) {
        return areAligned(running, extent.low | extent.steps, *first.site) &&
               running.check.isKnown(executor, extent.low, extent.high, *first.site, first.object);
    }
    return isLds(executor, extent.low)
               ? isLds(executor, extent.high - 1)
               : isUnwatched(extent.low, extent.high) || watched.races->areWatched(extent.low, extent.high);
}

char* beginSome(BlockExecutor& executor, const ThreadRows& rows, AccessKind kind) {
    RunningBlock& running = runningOn(executor);
    if (watched.memory != nullptr) {
        step(running, executor, *rows.first.site);
    }
    const ThreadRows::Extent extent = rows.extent();
    return running.rows.addSome(rows, extent, isForRaces(executor, extent), kind == AccessKind::write);
}

// Reads that some threads have made.
void tellSome(BlockExecutor& executor, RunningBlock& running, const BegunRows::Writes& reads) {
    const char* flags = reads.flags;
    reads.rows.forEachStrip([&](const StripRow& strip, std::uint32_t thread) {
        const bool areFine = !isLds(executor, reads.extent.low) &&
                             (watched.memory == nullptr || running.check.areReadable(executor, strip));
        if (areFine && isForRaces(executor, reads.extent)) {
            readForRaces(running, executor, strip, thread / waveSize, flags);
        }
        for (std::uint32_t lane = 0; !areFine && lane < strip.lanes; ++lane) {
            if (flags[lane] != 0) {
                StripRow one = strip;
                one.first += static_cast<std::uintptr_t>(strip.laneBytes * lane);
                one.lanes = 1;
                tellReads(executor, one, thread + lane);
            }
        }
        flags += strip.lanes;
    });
}

void finish(BlockExecutor& executor, RunningBlock& running, const BegunRows::Writes& writes) {
    const StripRow& first = writes.rows.first;
    if (watched.memory != nullptr) {
        std::size_t number = 0;
        writes.rows.forEachRowOfWave([&](const StripRow& strip, std::uint32_t) {
            running.check.noteWrites(executor, strip, writes.flags != nullptr ? writes.flags + number : nullptr);
            number += strip.lanes;
        });
    }
    if (!writes.isForRaces) {
        return;
    }
    const std::uint32_t interval = executor.barriersPassed();
    const bool isOfLds = isLds(executor, writes.extent.low);
    if (isOfLds && running.pending.write(interval, writes.extent.low, writes.extent.high)) {
        tellPending(executor, running);
    }
    const auto lds = reinterpret_cast<std::uintptr_t>(executor.block().lds);
    std::size_t number = 0;
    writes.rows.forEachRowOfWave([&](const StripRow& strip, std::uint32_t wave) {
        const RaceDetector::Row row = {strip.first - (isOfLds ? lds : 0),
                                       strip.laneBytes,
                                       first.bytes,
                                       strip.lanes,
                                       writes.before + number * first.bytes,
                                       writes.values + number * first.bytes,
                                       writes.flags != nullptr ? writes.flags + number : nullptr};
        watched.races->write(running.known, {wave, interval}, row, isOfLds, first.site);
        number += strip.lanes;
    });
}

} // namespace

void tellPending(BlockExecutor& executor, RunningBlock& running) {
    const Fibre* const teller = executor.running();
    for (const ThreadRows& reads : running.pending.take(executor.barriersPassed())) {
        noteOrTell(executor, running, reads);
    }
    if (teller != nullptr) {
        executor.tellsAs(teller->index);
    }
}

} // namespace gks::hipcpu

using namespace gks::hipcpu;

extern "C" void hipcpu_reads_of(const void* first, std::int64_t laneBytes, std::uint64_t bytes, const AccessSite* site,
                                const void* object, std::uint32_t thread, std::uint32_t lanes) {
    BlockExecutor* const executor = teller(site);
    if (executor == nullptr) {
        return;
    }
    const ThreadRows rows = rowsOfStrip(first, laneBytes, bytes, site, object, thread, lanes);
    RunningBlock& running = runningOn(*executor);
    if (running.rows.empty() && !executor->isLds(first)) { // nothing waits: at once
        if (watched.memory != nullptr) {
            step(running, *executor, *site);
        }
        tellReads(*executor, rows.first, thread);
        return;
    }
    tell(*executor, rows);
}

extern "C" void hipcpu_reads_of_block(const void* first, std::int64_t laneBytes, std::int64_t stripBytes,
                                      std::int64_t rowBytes, std::int64_t planeBytes, std::uint64_t bytes,
                                      const AccessSite* site, const void* object) {
    if (BlockExecutor* const executor = teller(site)) {
        tell(*executor,
             rowsOfBlock(executor->block(), first, {laneBytes, stripBytes, rowBytes, planeBytes}, bytes, site, object));
    }
}

extern "C" char* hipcpu_writes_of(const void* first, std::int64_t laneBytes, std::uint64_t bytes,
                                  const AccessSite* site, const void* object, std::uint32_t thread,
                                  std::uint32_t lanes) {
    BlockExecutor* const executor = teller(site);
    return executor == nullptr ? placeForNothing()
                               : begin(*executor, rowsOfStrip(first, laneBytes, bytes, site, object, thread, lanes));
}

extern "C" char* hipcpu_writes_of_block(const void* first, std::int64_t laneBytes, std::int64_t stripBytes,
                                        std::int64_t rowBytes, std::int64_t planeBytes, std::uint64_t bytes,
                                        const AccessSite* site, const void* object) {
    BlockExecutor* const executor = teller(site);
    return executor == nullptr
               ? placeForNothing()
               : begin(*executor, rowsOfBlock(executor->block(), first, {laneBytes, stripBytes, rowBytes, planeBytes},
                                              bytes, site, object));
}

extern "C" char* hipcpu_some_of(const void* first, std::int64_t laneBytes, std::uint64_t bytes, const AccessSite* site,
                                const void* object, std::uint32_t thread, std::uint32_t lanes, AccessKind kind) {
    BlockExecutor* const executor = teller(site);
    return executor == nullptr
               ? placeForNothing()
               : beginSome(*executor, rowsOfStrip(first, laneBytes, bytes, site, object, thread, lanes), kind);
}

extern "C" char* hipcpu_some_of_block(const void* first, std::int64_t laneBytes, std::int64_t stripBytes,
                                      std::int64_t rowBytes, std::int64_t planeBytes, std::uint64_t bytes,
                                      const AccessSite* site, const void* object, AccessKind kind) {
    BlockExecutor* const executor = teller(site);
    return executor == nullptr
               ? placeForNothing()
               : beginSome(*executor,
                           rowsOfBlock(executor->block(), first, {laneBytes, stripBytes, rowBytes, planeBytes}, bytes,
                                       site, object),
                           kind);
}

extern "C" bool hipcpu_are_inside(const void* first, std::int64_t laneBytes, std::uint64_t bytes,
                                  const AccessSite* site, const void* object, std::uint32_t thread,
                                  std::uint32_t lanes) {
    BlockExecutor* const executor = teller(site);
    return executor == nullptr ||
           (lanes != 0 && areInside(*executor, rowsOfStrip(first, laneBytes, bytes, site, object, thread, lanes)));
}

extern "C" bool hipcpu_are_inside_of_block(const void* first, std::int64_t laneBytes, std::int64_t stripBytes,
                                           std::int64_t rowBytes, std::int64_t planeBytes, std::uint64_t bytes,
                                           const AccessSite* site, const void* object) {
    BlockExecutor* const executor = teller(site);
    return executor == nullptr ||
           areInside(*executor, rowsOfBlock(executor->block(), first, {laneBytes, stripBytes, rowBytes, planeBytes},
                                            bytes, site, object));
}

extern "C" void hipcpu_rows_done() {
    BlockExecutor* const executor =
        watched.races != nullptr || watched.memory != nullptr ? BlockExecutor::current() : nullptr;
    if (executor == nullptr) {
        return;
    }
    RunningBlock& running = runningOn(*executor);
    running.rows.dropFlags();
    running.rows.follow();
    for (const BegunRows::Writes& begun : running.rows.all()) {
        if (begun.values == nullptr && begun.flags != nullptr) {
            tellSome(*executor, running, begun);
        } else if (begun.values == nullptr) {
            tellNow(*executor, begun.rows);
        } else {
            finish(*executor, running, begun);
        }
    }
    running.rows.clear();
}
