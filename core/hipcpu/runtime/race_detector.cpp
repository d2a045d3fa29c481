// SPDX-License-Identifier: GPL-3.0-or-later
// On the CPU the blocks of a launch run one after the other or on a few threads, so what they do without atomics comes
// out right by chance. This is the happens-before order of a GPU instead, however they happened to run:
//   - operations of a plan are ordered by streams and events;
//   - in a block, a wave's own accesses are ordered (its lanes go in step), and those of different waves by barriers;
//   - blocks of a launch, and waves between barriers, are ordered by atomics alone: who uses what an atomic read comes
//     after all that the waves that wrote there did before. A volatile access counts as atomic, and so does a plain
//     write that one of these reads: flags are written so.
// Two accesses of a byte that nothing orders are a race, if one of them is plain and one writes another value than was
// there. Two atomics race only where both write back what they have made of what they read there, in two steps: one of
// the updates is lost. An atomic in one step makes a write of that, and a wait for a value makes none. Fences are taken
// to be where they belong: it rather misses a race than finds one that is none.
//
// For every word (four bytes) the last write and the last two readers are kept, and of atomics the last two that
// changed it, each with its moment (see race_order.h). As long as one wave alone touches a line of 64 bytes or a word a
// note of 8 bytes says as much (see race_rows.cpp). Cost: an access of what waves share some tens of nanoseconds, 56
// bytes a word, and 20 bytes an event. Of LDS there are notes of 18 bytes a word until an atomic orders its waves (see
// lds_notes.h): a row of reads costs some tens of nanoseconds in all.
#include "core/hipcpu/runtime/race_detector.h"

#include "core/hipcpu/runtime/race_told.h"
#include "core/hipcpu/runtime/spin.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <mutex>
#include <sched.h>

namespace gks::hipcpu {
namespace {

constexpr std::uint32_t readsOfOneInstruction = 256; // of a place: a thread each

bool readsAtomically(AccessKind kind) {
    return kind == AccessKind::atomicRead || kind == AccessKind::readToChange || kind == AccessKind::update;
}

bool writesAtomically(AccessKind kind) {
    return kind == AccessKind::atomicWrite || kind == AccessKind::update || kind == AccessKind::blindUpdate;
}

std::uint64_t wordOfWave(std::uintptr_t word, const RaceOrder::Where& where) {
    return word / wordBytes * RaceOrder::waves + where.wave;
}

} // namespace

RaceDetector::RaceDetector() : RaceDetector(Limits()) {}

RaceDetector::RaceDetector(const Limits& limits) : m_limits(limits), m_order(limits.events, limits.steps) {}

RaceDetector::~RaceDetector() = default;

void RaceDetector::watch(const void* begin, std::size_t bytes) {
    const auto from = reinterpret_cast<std::uintptr_t>(begin);
    Memory memory;
    memory.begin = from;
    memory.end = from + bytes;
    memory.pages = std::make_unique<Page[]>(memory.end / pageBytes - from / pageBytes + 1);
    m_memory.push_back(std::move(memory));
}

void RaceDetector::beginOperation(std::uint32_t number, std::uint64_t blocks) {
    if (blocks > std::numeric_limits<std::uint32_t>::max() - m_nextActor) {
        giveUp(); // after four billion blocks
        return;
    }
    m_operations.push_back({static_cast<std::uint32_t>(m_nextActor), number});
    m_nextActor += blocks;
    m_order.beginOperation(m_unordered.empty());
}

std::uint64_t RaceDetector::accesses() const {
    std::uint64_t sum = 0;
    for (const Count& one : m_accesses) {
        sum += one.value.load(std::memory_order_relaxed);
    }
    return sum;
}

void RaceDetector::enter(Block& block, std::uint64_t number) {
    if (block.m_accesses == nullptr) {
        SpinLock busy(m_busy);
        const std::lock_guard lock(busy);
        block.m_accesses = &m_accesses.emplace_back().value;
    }
    block.m_notes.begin();
    block.m_hasNotes = true;
    RaceOrder::enter(block.m_order, static_cast<std::uint32_t>(m_operations.back().firstActor + number));
    block.m_toChange.clear();
}

void RaceDetector::begin(Block& block, const void* address) {
    if (isWatched(address) && isLooking()) {
        SpinLock(m_busy).lock();
        block.m_holds = true;
    }
}

void RaceDetector::access(Block& block, const Where& where, const void* address, std::size_t bytes, AccessKind kind,
                          const void* value, const AccessSite* site) {
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    const std::size_t found = memoryAt(address);
    if (found == m_memory.size() || (!block.m_holds && !isLooking())) {
        return;
    }
    Memory& memory = m_memory[found];
    const Told told = {where,
                       &memory,
                       at,
                       std::min<std::size_t>(bytes, memory.end - at),
                       kind,
                       static_cast<const char*>(value),
                       static_cast<const char*>(address),
                       site};
    const bool isRead = kind == AccessKind::read;
    count(block);
    if ((isRead || kind == AccessKind::write) &&
        isNoted(memory, told, noteOf(block, where, isRead, told.siteNumber()))) {
        giveWay(block, address, kind, value);
        return;
    }
    SpinLock busy(m_busy);
    if (!block.m_holds) {
        busy.lock();
    }
    {
        const std::lock_guard lock(busy, std::adopt_lock);
        block.m_holds = false;
        if (!isPlain(kind)) {
            takeNotes(block);
        }
        take(block, told);
    }
    giveWay(block, address, kind, value);
}

// A block that waits for another one reads the same place again and again. It would have the detector nearly all the
// time, and keep the other one from what it waits for.
void RaceDetector::giveWay(Block& block, const void* address, AccessKind kind, const void* value) {
    if (isPlain(kind) || value != nullptr) {
        block.m_waitsAt = nullptr;
    } else if (address != block.m_waitsAt) {
        block.m_waitsAt = address;
        block.m_waits = 0;
    } else if (++block.m_waits > readsOfOneInstruction) {
        ::sched_yield();
    }
}

void RaceDetector::take(Block& block, const Told& told) {
    for (std::size_t done = 0; done < told.bytes && !m_found.load(std::memory_order_relaxed);) {
        const std::uintptr_t at = told.at + done;
        const std::size_t begin = at % wordBytes;
        const std::size_t bytes = std::min(wordBytes - begin, told.bytes - done);
        const std::uintptr_t word = at - begin;
        Cell* const cell = cellOf(block, told, word);
        if (cell == nullptr) {
            return;
        }
        Access mine;
        mine.when = RaceOrder::now(block.m_order, told.where);
        mine.bytes = static_cast<std::uint8_t>(((1U << bytes) - 1) << begin);
        mine.changes = told.changes(done, bytes);
        mine.site = told.siteNumber();
        if (isPlain(told.kind)) {
            plain(block, told, *cell, mine, word);
        } else {
            atomic(block, told, *cell, mine, word);
        }
        done += bytes;
    }
    if (!isPlain(told.kind) && !m_order.isComplete()) {
        giveUp();
    }
}

RaceDetector::Cell* RaceDetector::cellOf(Block& block, const Told& told, std::uintptr_t word) {
    if (told.memory == nullptr) {
        return &block.m_lds[word / wordBytes];
    }
    Page& page = told.memory->pages[word / pageBytes - told.memory->begin / pageBytes];
    if (page.cells == nullptr) {
        if (++m_pages > m_limits.pages) {
            giveUp();
            return nullptr;
        }
        page.cells = std::make_unique<decltype(page.cells)::element_type>();
    }
    std::unique_ptr<Cell[]>& line = (*page.cells)[word % pageBytes / Lines::bytes];
    if (line == nullptr) {
        line = std::make_unique<Cell[]>(Lines::bytes / wordBytes);
    }
    takeLine(page, word);
    return &line[word % Lines::bytes / wordBytes];
}

bool RaceDetector::races(Block& block, const Told& told, const Access& before, const Access& mine) {
    return before.when.actor != 0 && (before.bytes & mine.bytes) != 0 && !isOrdered(block, told, before);
}

void RaceDetector::plain(Block& block, const Told& told, Cell& cell, Access mine, std::uintptr_t word) {
    const bool reads = told.kind == AccessKind::read || told.kind == AccessKind::guess;
    mine.isGuess = told.kind == AccessKind::guess;
    if (cell.atomics != nullptr && !mine.isGuess && (reads || mine.changes)) {
        for (const Access* before : {&cell.atomics->changed, &cell.atomics->changedBefore}) {
            if (races(block, told, *before, mine)) {
                report(told, *before, mine, word, false);
                return;
            }
        }
    }
    if (reads) {
        if (cell.written.changes && !cell.written.isSame && races(block, told, cell.written, mine)) {
            report(told, cell.written, mine, word, false);
        }
        if (mine.isOf(cell.read)) {
            mine.bytes |= cell.read.bytes;
            mine.isGuess = mine.isGuess && cell.read.isGuess;
        } else {
            cell.readBefore = cell.read;
        }
        cell.read = mine;
        return;
    }
    if (mine.changes) {
        if (isLost(block, told, mine, word)) {
            return;
        }
        for (const Access* before : {&cell.written, &cell.read, &cell.readBefore}) {
            if ((before != &cell.written || before->changes) && races(block, told, *before, mine)) {
                report(told, *before, mine, word, false);
                return;
            }
        }
        cell.read = cell.readBefore = {};
    } else if (cell.written.changes) { // others may have noticed the first who wrote it
        const bool isOwn = mine.isOf(cell.written);
        mine.changes = isOwn || races(block, told, cell.written, mine);
        mine.isSame = cell.written.isSame || (mine.changes && !isOwn);
        mine.comesBack = isOwn && cell.written.comesBack;
    }
    mine.bytes |= mine.isOf(cell.written) ? cell.written.bytes : std::uint8_t{0};
    cell.written = mine;
}

void RaceDetector::atomic(Block& block, const Told& told, Cell& cell, Access mine, std::uintptr_t word) {
    if (cell.atomics == nullptr) {
        cell.atomics = std::make_unique<Atomics>();
    }
    Atomics& atomics = *cell.atomics;
    std::uint32_t* const event = told.memory != nullptr ? &atomics.event : nullptr;
    if (told.kind == AccessKind::readToChange) {
        noteRead(block, told, cell, mine, word);
    }
    if (readsAtomically(told.kind)) {
        if (cell.written.changes && !isOrdered(block, told, cell.written)) {
            m_order.acquireFlag(block.m_order, told.where, cell.written.when);
        }
        m_order.acquire(block.m_order, told.where, word, event);
    }
    if (!writesAtomically(told.kind)) {
        return;
    }
    if (mine.changes) {
        if (isLost(block, told, mine, word)) {
            return;
        }
        for (const Access* before : {&cell.written, &cell.read, &cell.readBefore}) {
            const bool counts = before == &cell.written ? before->changes : !before->isGuess;
            if (counts && races(block, told, *before, mine)) {
                report(told, *before, mine, word, false);
                return;
            }
        }
        if (mine.isOf(atomics.changed)) {
            mine.bytes |= atomics.changed.bytes;
        } else {
            atomics.changedBefore = atomics.changed;
        }
        atomics.changed = mine;
    }
    m_order.release(block.m_order, told.where, word, event);
}

void RaceDetector::noteRead(Block& block, const Told& told, const Cell& cell, const Access& mine, std::uintptr_t word) {
    Access& behind = block.m_toChange[wordOfWave(word, told.where)];
    behind = {};
    const Atomics& atomics = *cell.atomics;
    for (const Access* before : {&atomics.changed, &atomics.changedBefore, &cell.written}) {
        if (before->comesBack && before->changes && races(block, told, *before, mine)) {
            behind = *before;
            return;
        }
    }
}

// Of a write: whether it is made of what others may have changed as well.
bool RaceDetector::isLost(Block& block, const Told& told, Access& mine, std::uintptr_t word) {
    if (block.m_toChange.empty()) {
        return false;
    }
    const auto read = block.m_toChange.find(wordOfWave(word, told.where));
    if (read == block.m_toChange.end()) {
        return false;
    }
    const Access before = read->second;
    block.m_toChange.erase(read);
    mine.comesBack = true;
    if (before.when.actor == 0) {
        return false;
    }
    report(told, before, mine, word, true);
    return true;
}

bool RaceDetector::isOrdered(Block& block, const Told& told, const Access& before) {
    if (told.memory == nullptr) { // what another block has left there comes before
        return before.when.actor != block.m_order.actor() ||
               RaceOrder::isOrderedInBlock(block.m_order, told.where, before.when);
    }
    const Operation& now = m_operations.back();
    if (before.when.actor < m_firstOfCall ||
        (before.when.actor < now.firstActor && !areUnordered(operationOf(before.when.actor), now))) {
        return true;
    }
    return m_order.isOrdered(block.m_order, told.where, before.when);
}

const RaceDetector::Operation& RaceDetector::operationOf(std::uint32_t actor) const {
    return *std::prev(
        std::upper_bound(m_operations.begin(), m_operations.end(), actor,
                         [](std::uint32_t one, const Operation& operation) { return one < operation.firstActor; }));
}

bool RaceDetector::areUnordered(const Operation& a, const Operation& b) const {
    return a.number < m_unordered.size() &&
           std::binary_search(m_unordered[a.number].begin(), m_unordered[a.number].end(), b.number);
}

void RaceDetector::report(const Told& told, const Access& before, const Access& mine, std::uintptr_t word,
                          bool isLostUpdate) {
    if (m_found.exchange(true)) {
        return;
    }
    const AccessSite* const sites = told.site != nullptr ? told.site - told.site->number : nullptr;
    const auto side = [&](const Access& access) {
        const Operation& operation = operationOf(access.when.actor);
        return Race::Side{operation.number,
                          access.when.actor - operation.firstActor,
                          access.when.wave,
                          access.changes,
                          static_cast<std::uint32_t>(__builtin_popcount(access.bytes)),
                          sites != nullptr && access.site != 0 ? sites + access.site : nullptr};
    };
    const auto common = static_cast<unsigned>(before.bytes & mine.bytes);
    m_race = Race{side(before), side(mine), word + static_cast<std::uintptr_t>(__builtin_ctz(common)),
                  told.memory == nullptr, isLostUpdate};
}

} // namespace gks::hipcpu
