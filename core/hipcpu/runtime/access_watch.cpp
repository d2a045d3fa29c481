// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/access_watch.h"

#include "core/hipcpu/runtime/block_executor.h"

#include <array>
#include <chrono>
#include <cstring>
#include <memory>

namespace gks::hipcpu {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::uint32_t stepsBetweenLooks = 1U << 16; // at the clock

RaceDetector* watching = nullptr;
MemoryCheck* checking = nullptr;
std::uint64_t longestSeconds = 0;
TakeFinding taking = nullptr;
std::uint64_t timesBegun = 0; // one of these
__attribute__((tls_model("initial-exec"))) constinit thread_local const AccessSite* siteOfThisThread = nullptr;

struct RunningBlock {
    std::uint64_t watch = 0; // which of them
    std::uint64_t begun = 0; // blocks, as the executor counts
    RaceDetector::Block known;
    MemoryCheck::Finder finder;
    std::array<unsigned char, greatestLdsBytes> ldsWritten; // a byte for each
    struct Wait {
        std::uint32_t interval = 0;
        const AccessSite* site = nullptr;
    };
    std::array<Wait, maxThreadsPerBlock / waveSize> waits = {}; // of each wave
    std::uint32_t steps = 0;
    Clock::time_point begin;
    // Plain reads that the detector knows: of this place by this wave of this block since its last barrier. Lanes of a
    // wave read the same places, and of all reads those of its own wave tell it nothing new.
    struct Seen {
        std::uintptr_t place = 0;
        std::uint64_t by = 0;
    };
    static constexpr std::size_t seenPlaces = 4096;
    std::array<Seen, seenPlaces> seen = {};
    std::uint64_t atomics = 0; // what comes behind one may be ordered otherwise
};

// The pointer is constant from the start, so that it is read without a call; the block is on the heap, as a library
// that is loaded at run time has next to no room for static thread-local storage.
__attribute__((tls_model("initial-exec"))) constinit thread_local RunningBlock* blockOfThisThread = nullptr;

RunningBlock& runningBlock() {
    if (blockOfThisThread == nullptr) [[unlikely]] {
        static thread_local const auto running = std::make_unique<RunningBlock>();
        blockOfThisThread = running.get();
    }
    return *blockOfThisThread;
}

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

std::size_t ldsBytes(const BlockContext& block) {
    return std::size_t{block.staticLdsBytes} + block.dynamicLdsBytes;
}

RunningBlock& runningOn(const BlockExecutor& executor) {
    RunningBlock& running = runningBlock();
    if (running.watch != timesBegun) {
        running.watch = timesBegun;
        running.begun = 0;
        running.known = {};
        running.finder = {};
        running.seen = {};
    }
    if (running.begun != executor.blocksBegun()) {
        running.begun = executor.blocksBegun();
        if (watching != nullptr) {
            watching->enter(running.known, executor.blockNumber());
        }
        if (checking != nullptr) {
            std::memset(running.ldsWritten.data(), 0, ldsBytes(executor.block()));
            running.waits = {};
            checking->refresh(running.finder);
            running.steps = 0;
            running.begin = Clock::now();
        }
    }
    return running;
}

Finding findingAt(const BlockExecutor& executor, FindingKind kind, const AccessSite& site) {
    Finding finding;
    finding.kind = kind;
    finding.name = cleaned(site.name);
    finding.alignment = site.alignment;
    finding.place = placeOf(site);
    finding.symbol = executor.launch().kernel->name;
    finding.kernel = readableKernel(finding.symbol.c_str());
    std::memcpy(finding.block.data(), executor.block().blockIndex, sizeof finding.block);
    if (const Fibre* const fibre = executor.running()) {
        finding.hasThread = true;
        std::memcpy(finding.thread.data(), fibre->context.threadIndex, sizeof finding.thread);
        finding.wave = fibre->index / waveSize;
    }
    return finding;
}

bool writes(AccessKind kind) {
    return kind == AccessKind::write || kind == AccessKind::fill || kind == AccessKind::atomicWrite;
}

bool updates(AccessKind kind) {
    return kind == AccessKind::update || kind == AccessKind::blindUpdate;
}

// One access that device code tells.
struct Told {
    const BlockExecutor& executor;
    std::uintptr_t address;
    std::uint64_t bytes;
    AccessKind kind;
    const AccessSite& site;

    void report(FindingKind what, Finding::Memory memoryKind, std::string memory, std::uintptr_t begin,
                std::uint64_t memoryBytes) const {
        Finding finding = findingAt(executor, what, site);
        finding.access = writes(kind)    ? Finding::Access::write
                         : updates(kind) ? Finding::Access::update
                                         : Finding::Access::read;
        finding.bytes = bytes;
        finding.memoryKind = memoryKind;
        finding.memory = std::move(memory);
        finding.offset = static_cast<std::int64_t>(address - begin);
        finding.memoryBytes = memoryBytes;
        taking(finding);
    }
    bool needsWritten() const {
        return !writes(kind) && (site.flags & (AccessSite::isCopy | AccessSite::needsNone)) == 0;
    }
};

std::string bytesText(std::uint64_t bytes) {
    return " (" + std::to_string(bytes) + " bytes)";
}

// What is known of the bytes that a copy takes along; null: all of them are written.
const unsigned char* writtenAt(RunningBlock& running, const BlockExecutor& executor, std::uintptr_t from) {
    if (executor.isLds(reinterpret_cast<const void*>(from))) {
        return running.ldsWritten.data() + (from - reinterpret_cast<std::uintptr_t>(executor.block().lds));
    }
    const MemoryArea* const area = checking->find(running.finder, from);
    return area != nullptr && area->has(from) && area->written != nullptr ? area->written + (from - area->begin)
                                                                          : nullptr;
}

// `written` are the bytes of the access itself, of memory that begins there.
void noteOrAsk(RunningBlock& running, const Told& told, const void* value, unsigned char* written,
               Finding::Memory memoryKind, const std::string& memory, std::uintptr_t begin, std::uint64_t memoryBytes) {
    if (told.needsWritten() && !anyWritten(written, told.bytes)) {
        told.report(FindingKind::unwritten, memoryKind, memory, begin, memoryBytes);
        markWritten(written, told.bytes); // once is enough
    }
    if (!writes(told.kind) && !updates(told.kind)) {
        return;
    }
    const bool isCopy = (told.site.flags & AccessSite::isCopy) != 0;
    const unsigned char* const from =
        isCopy ? writtenAt(running, told.executor, reinterpret_cast<std::uintptr_t>(value)) : nullptr;
    if (from != nullptr) {
        std::memmove(written, from, told.bytes);
    } else {
        markWritten(written, told.bytes);
    }
}

void checkLds(RunningBlock& running, const Told& told, const void* value) {
    const BlockContext& block = told.executor.block();
    const auto begin = reinterpret_cast<std::uintptr_t>(block.lds);
    const std::uint64_t all = ldsBytes(block);
    if (told.address + told.bytes > begin + all) {
        told.report(FindingKind::outside, Finding::Memory::lds, "the block's LDS" + bytesText(all), begin, all);
        return;
    }
    static const std::string text = "the block's LDS";
    noteOrAsk(running, told, value, running.ldsWritten.data() + (told.address - begin), Finding::Memory::lds, text,
              begin, all);
}

void checkMemory(RunningBlock& running, const Told& told, const void* value) {
    MemoryArea* const area = checking->find(running.finder, told.address);
    if (area == nullptr) {
        return; // memory of the runtime, of this thread or of the host, which a fault will tell if it is none
    }
    const std::uintptr_t begin = area->begin;
    const std::uint64_t bytes = area->end - begin;
    if (area->isFreed.load(std::memory_order_relaxed)) {
        told.report(area->has(told.address) ? FindingKind::freed : FindingKind::outside, Finding::Memory::buffer,
                    area->text, begin, bytes);
    } else if (!area->has(told.address) || told.bytes > begin + bytes - told.address) {
        told.report(FindingKind::outside, Finding::Memory::buffer, area->text, begin, bytes);
    } else if (unsigned char* const written = area->written.load(std::memory_order_relaxed)) {
        noteOrAsk(running, told, value, written + (told.address - begin), Finding::Memory::buffer, area->text, begin,
                  bytes);
    }
}

void checkOne(RunningBlock& running, const Told& told, const void* value, const void* object) {
    const auto begin = reinterpret_cast<std::uintptr_t>(object);
    if (object != nullptr && (told.address < begin || told.address + told.bytes > begin + told.site.objectBytes)) {
        const bool isInLds = told.executor.isLds(object);
        told.report(FindingKind::outside, isInLds ? Finding::Memory::ldsVariable : Finding::Memory::variable,
                    (isInLds ? "the LDS variable " : "the variable ") + cleaned(told.site.name) +
                        bytesText(told.site.objectBytes),
                    begin, told.site.objectBytes);
        return;
    }
    if (told.bytes == 0) {
        return;
    }
    const bool isLds = told.executor.isLds(reinterpret_cast<const void*>(told.address));
    if (told.site.alignment > 1 && told.address % told.site.alignment != 0) {
        const MemoryArea* const area = isLds ? nullptr : checking->find(running.finder, told.address);
        if (area != nullptr) {
            told.report(FindingKind::misaligned, Finding::Memory::buffer, area->text, area->begin, 0);
        } else if (isLds) {
            told.report(FindingKind::misaligned, Finding::Memory::lds, "the block's LDS",
                        reinterpret_cast<std::uintptr_t>(told.executor.block().lds), 0);
        }
    }
    if (isLds) {
        checkLds(running, told, value);
    } else {
        checkMemory(running, told, value);
    }
}

// Has this block taken too long?
void step(RunningBlock& running, const BlockExecutor& executor, const AccessSite& site) {
    if (++running.steps < stepsBetweenLooks) {
        return;
    }
    running.steps = 0;
    if (Clock::now() - running.begin > std::chrono::seconds(longestSeconds)) {
        Finding finding = findingAt(executor, FindingKind::endless, site);
        finding.seconds = longestSeconds;
        taking(finding);
    }
}

// Of memory that somebody watches, or of LDS.
void tell(RunningBlock& running, const BlockExecutor& executor, const Fibre& fibre, const void* address,
          std::uint64_t bytes, AccessKind kind, const void* value, const AccessSite* site) {
    const RaceDetector::Where where = {fibre.index / waveSize, executor.barriersPassed()};
    if (executor.isLds(address)) {
        const char* const lds = executor.block().lds;
        const auto offset = static_cast<std::size_t>(static_cast<const char*>(address) - lds);
        watching->accessLds(running.known, where, lds, offset, bytes, kind, value, site);
    } else {
        watching->access(running.known, where, address, bytes, kind, value, site);
    }
}

__attribute__((noinline)) void take(const BlockExecutor& executor, const void* address, std::uint64_t bytes,
                                    AccessKind kind, const void* value, const AccessSite& site, const void* object) {
    const Fibre* const fibre = executor.running();
    if (fibre == nullptr) {
        return;
    }
    RunningBlock& running = runningOn(executor);
    if (checking != nullptr) {
        step(running, executor, site);
        checkOne(running, {executor, reinterpret_cast<std::uintptr_t>(address), bytes, kind, site}, value, object);
    }
    const bool isAtomic = kind != AccessKind::read && kind != AccessKind::write && kind != AccessKind::fill;
    running.atomics += isAtomic ? 1 : 0;
    const bool isNew = kind != AccessKind::read || checking == nullptr ||
                       !isSeen(running, *fibre, executor.barriersPassed(), address, bytes);
    if (watching != nullptr && isNew) {
        tell(running, executor, *fibre, address, bytes, kind, value, &site);
    }
}

} // namespace

void watchRaces(RaceDetector* races) {
    watching = races;
    ++timesBegun;
}

void checkAccesses(MemoryCheck* memory, std::uint64_t seconds, TakeFinding take) {
    checking = memory;
    longestSeconds = seconds;
    taking = take;
    ++timesBegun;
}

const AccessSite* lastSite() {
    return siteOfThisThread;
}

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

extern "C" void hipcpu_access_begin(const void* address) {
    const BlockExecutor* const executor = watching != nullptr ? BlockExecutor::current() : nullptr;
    if (executor != nullptr && executor->running() != nullptr && watching->isWatched(address)) {
        watching->begin(runningOn(*executor).known, address);
    }
}

// Called for every access of device code. Where nobody checks memory most of them concern nobody else, which is known
// before anything is saved on the stack.
extern "C" void hipcpu_access(const void* address, std::uint64_t bytes, AccessKind kind, const void* value,
                              const AccessSite* site, const void* object) {
    const BlockExecutor* const executor =
        watching != nullptr || checking != nullptr ? BlockExecutor::current() : nullptr;
    siteOfThisThread = site;
    if (executor != nullptr && (checking != nullptr || watching->isWatched(address) || executor->isLds(address))) {
        take(*executor, address, bytes, kind, value, *site, object);
    }
}

extern "C" void hipcpu_access_of(const void* address, std::uint64_t bytes, AccessKind kind, const void* value,
                                 const AccessSite* site, const void* object, std::uint32_t thread) {
    BlockExecutor* const executor = watching != nullptr || checking != nullptr ? BlockExecutor::current() : nullptr;
    siteOfThisThread = site;
    if (executor != nullptr) {
        executor->tellsAs(thread);
        hipcpu_access(address, bytes, kind, value, site, object);
    }
}

// Who comes to a barrier in the same interval between two barriers as another lane of its wave, and to another one,
// waits with it.
extern "C" void hipcpu_barrier_at(const AccessSite* site) {
    const BlockExecutor* const executor = checking != nullptr ? BlockExecutor::current() : nullptr;
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
        taking(finding);
    }
    wait = {executor->barriersPassed(), site};
    step(running, *executor, *site);
}

extern "C" void hipcpu_round_at(const AccessSite* site) {
    const BlockExecutor* const executor = checking != nullptr ? BlockExecutor::current() : nullptr;
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
