// SPDX-License-Identifier: GPL-3.0-or-later
// On the CPU the blocks of a launch run one after the other or on a few threads, so what they do without atomics comes
// out right by chance. This is the happens-before order of a GPU instead, however they happened to run:
//   - operations of a plan are ordered by streams and events;
//   - in a block, a wave's own accesses are ordered (its lanes go in step), and those of different waves by barriers;
//   - blocks of a launch are ordered by atomics alone: who uses what an atomic read comes after all that the blocks
//     that wrote there did before. A volatile access counts as atomic, and so does a plain write that one of these
//     reads: flags are written so.
// Two plain accesses of a byte that nothing orders are a race, if one writes another value than was there. Atomics are
// in no race, and fences are taken to be where they belong: it rather misses a race than finds one that is none.
//
// For every word (four bytes) the last write and the last two readers are kept, each with its block, the number of
// releases that the block had made (as the epochs of FastTrack, Flanagan and Freund 2009), the barriers that it had
// passed, and its wave. Instead of a vector clock a block has an event for each atomic, with edges to what it came
// after; what they say is looked up when two blocks first meet at a word: most never do. Cost: an access of shared
// memory some tens of nanoseconds, 48 bytes a word of it that is touched, 16 bytes an event.
#include "core/hipcpu/runtime/race_detector.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <mutex>
#include <sched.h>

namespace gks::hipcpu {
namespace {

constexpr std::size_t wordBytes = 4;
constexpr std::size_t pageBytes = 4096;
constexpr std::size_t cellsOfPage = pageBytes / wordBytes;

// For a few instructions at a time.
class SpinLock {
public:
    explicit SpinLock(std::atomic_flag& flag) : m_flag(flag) {}
    void lock() {
        while (m_flag.test_and_set(std::memory_order_acquire)) {
            ::sched_yield();
        }
    }
    void unlock() { m_flag.clear(std::memory_order_release); }

private:
    std::atomic_flag& m_flag;
};

} // namespace

struct RaceDetector::Told {
    Where where;
    Memory* memory = nullptr; // null: LDS
    std::uintptr_t at = 0;    // address, or offset in LDS
    std::size_t bytes = 0;
    AccessKind kind = AccessKind::read;
    const char* value = nullptr;
    const char* held = nullptr; // what is there now
};

RaceDetector::RaceDetector() : RaceDetector(Limits()) {}

RaceDetector::RaceDetector(const Limits& limits) : m_limits(limits), m_events(1) {}

RaceDetector::~RaceDetector() = default;

void RaceDetector::watch(const void* begin, std::size_t bytes) {
    const auto from = reinterpret_cast<std::uintptr_t>(begin);
    Memory memory;
    memory.begin = from;
    memory.end = from + bytes;
    memory.pages.resize(memory.end / pageBytes - from / pageBytes + 1);
    m_memory.push_back(std::move(memory));
}

void RaceDetector::beginOperation(std::uint32_t number, std::uint64_t blocks) {
    if (blocks > std::numeric_limits<std::uint32_t>::max() - m_nextActor) {
        giveUp(); // after four milliards of blocks
        return;
    }
    m_operations.push_back({static_cast<std::uint32_t>(m_nextActor), number});
    m_nextActor += blocks;
    if (m_unordered.empty()) {
        m_lastAt.clear(); // what was before needs no atomic to be known
    }
}

void RaceDetector::enter(Block& block, std::uint64_t number) const {
    block.m_actor = static_cast<std::uint32_t>(m_operations.back().firstActor + number);
    block.m_epoch = block.m_event = block.m_acquired = 0;
    block.m_acquiredIn.fill(0);
    block.m_unexplored.clear();
    block.m_explored.clear();
    block.m_known.clear();
}

void RaceDetector::access(Block& block, const Where& where, const void* address, std::size_t bytes, AccessKind kind,
                          const void* value) {
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    const auto found = std::find_if(m_memory.begin(), m_memory.end(), [at](const Memory& memory) {
        return at - memory.begin < memory.end - memory.begin;
    });
    if (found == m_memory.end() || m_found.load(std::memory_order_relaxed) || !isComplete()) {
        return;
    }
    SpinLock busy(m_busy);
    const std::scoped_lock lock(busy);
    m_accesses.fetch_add(1, std::memory_order_relaxed);
    const Told told = {where,
                       &*found,
                       at,
                       std::min<std::size_t>(bytes, found->end - at),
                       kind,
                       static_cast<const char*>(value),
                       static_cast<const char*>(address)};
    take(block, told);
}

void RaceDetector::accessLds(Block& block, const Where& where, const void* lds, std::size_t offset, std::size_t bytes,
                             AccessKind kind, const void* value) {
    if (offset >= ldsLimitBytes || m_found.load(std::memory_order_relaxed) || !isComplete()) {
        return;
    }
    if (block.m_lds == nullptr) {
        block.m_lds = std::make_unique<Cell[]>(ldsLimitBytes / wordBytes);
    }
    m_accesses.fetch_add(1, std::memory_order_relaxed);
    const Told told = {where,
                       nullptr,
                       offset,
                       std::min<std::size_t>(bytes, ldsLimitBytes - offset),
                       kind,
                       static_cast<const char*>(value),
                       static_cast<const char*>(lds) + offset};
    take(block, told); // of what other blocks share it touches nothing but a race that it finds
}

void RaceDetector::take(Block& block, const Told& told) {
    if (told.kind == AccessKind::read || told.kind == AccessKind::write) {
        plain(block, told);
        return;
    }
    if (told.kind == AccessKind::atomicRead || told.kind == AccessKind::update) {
        acquire(block, told);
    }
    if (told.kind != AccessKind::atomicRead) {
        release(block, told);
    }
}

void RaceDetector::plain(Block& block, const Told& told) {
    for (std::size_t done = 0; done < told.bytes && !m_found.load(std::memory_order_relaxed);) {
        const std::uintptr_t at = told.at + done;
        const std::size_t begin = at % wordBytes;
        const std::size_t bytes = std::min(wordBytes - begin, told.bytes - done);
        Cell* const cell = cellOf(block, told, at - begin);
        if (cell == nullptr) {
            return;
        }
        Access mine;
        mine.actor = block.m_actor;
        mine.epoch = block.m_epoch;
        mine.interval = told.where.interval;
        mine.wave = static_cast<std::uint8_t>(told.where.wave);
        mine.bytes = static_cast<std::uint8_t>(((1U << bytes) - 1) << begin);
        mine.changes = told.kind == AccessKind::write && told.value != nullptr &&
                       std::memcmp(told.held + done, told.value + done, bytes) != 0;
        look(block, told, *cell, mine, at - begin);
        done += bytes;
    }
}

RaceDetector::Cell* RaceDetector::cellOf(Block& block, const Told& told, std::uintptr_t word) {
    if (told.memory == nullptr) {
        return &block.m_lds[word / wordBytes];
    }
    Page& page = told.memory->pages[word / pageBytes - told.memory->begin / pageBytes];
    if (page == nullptr) {
        if (++m_pages > m_limits.pages) {
            giveUp();
            return nullptr;
        }
        page = std::make_unique<Cell[]>(cellsOfPage);
    }
    return &page[word % pageBytes / wordBytes];
}

void RaceDetector::look(Block& block, const Told& told, Cell& cell, Access mine, std::uintptr_t word) {
    const auto races = [&](const Access& before) {
        return before.actor != 0 && (before.bytes & mine.bytes) != 0 && !isOrdered(block, told, before);
    };
    const auto isOwn = [&](const Access& before) { return before.actor == mine.actor && before.wave == mine.wave; };
    if (told.kind == AccessKind::read) {
        if (cell.written.changes && !cell.written.isSame && races(cell.written)) {
            report(told, cell.written, mine, word);
        }
        if (isOwn(cell.read)) {
            mine.bytes |= cell.read.bytes;
        } else {
            cell.readBefore = cell.read;
        }
        cell.read = mine;
        return;
    }
    if (mine.changes) {
        for (const Access* before : {&cell.written, &cell.read, &cell.readBefore}) {
            if ((before != &cell.written || before->changes) && races(*before)) {
                report(told, *before, mine, word);
                return;
            }
        }
        cell.read = cell.readBefore = {};
    } else if (cell.written.changes) { // others may have noticed the first who wrote it
        mine.changes = isOwn(cell.written) || races(cell.written);
        mine.isSame = cell.written.isSame || (mine.changes && !isOwn(cell.written));
    }
    mine.bytes |= isOwn(cell.written) ? cell.written.bytes : std::uint8_t{0};
    cell.written = mine;
}

void RaceDetector::acquire(Block& block, const Told& told) {
    const std::uintptr_t word = told.at / wordBytes * wordBytes;
    const Cell* const cell = cellOf(block, told, word);
    if (cell == nullptr) {
        return;
    }
    const Access& flag = cell->written;
    const bool isFlag = flag.changes && !isOrdered(block, told, flag);
    if (isFlag && flag.actor == block.m_actor) {
        ++block.m_epoch;
    }
    block.m_acquiredIn[told.where.wave] = block.m_epoch;
    if (told.memory == nullptr) {
        return;
    }
    if (isFlag && flag.actor != block.m_actor) {
        learn(block, addEvent({m_lastOf[flag.actor], 0, flag.actor, flag.epoch + 1}));
    }
    const auto last = m_lastAt.find(word);
    if (last != m_lastAt.end() && last->second != block.m_acquired) { // spinning reads the same again and again
        block.m_acquired = last->second;
        learn(block, last->second);
    }
}

void RaceDetector::learn(Block& block, std::uint32_t event) {
    block.m_event = addEvent({block.m_event, event, block.m_actor, block.m_epoch});
    block.m_unexplored.push_back(block.m_event);
    m_lastOf[block.m_actor] = block.m_event;
}

void RaceDetector::release(Block& block, const Told& told) {
    ++block.m_epoch;
    if (told.memory == nullptr) {
        return;
    }
    std::uint32_t& last = m_lastAt[told.at / wordBytes * wordBytes];
    if (last != 0 && block.m_event != 0 && m_events[last].before == block.m_event) { // once more
        m_events[block.m_event].releases = block.m_epoch;
        return;
    }
    block.m_event = addEvent({block.m_event, 0, block.m_actor, block.m_epoch});
    m_lastOf[block.m_actor] = block.m_event;
    last = addEvent({block.m_event, last, 0, 0});
}

bool RaceDetector::isOrdered(Block& block, const Told& told, const Access& before) {
    if (before.actor == block.m_actor) {
        return before.wave == told.where.wave || before.interval != told.where.interval ||
               block.m_acquiredIn[told.where.wave] > before.epoch;
    }
    if (told.memory == nullptr) {
        return true; // what another block has left there
    }
    const Operation& now = m_operations.back();
    if (before.actor < m_firstOfCall ||
        (before.actor < now.firstActor && !areUnordered(operationOf(before.actor), now))) {
        return true;
    }
    explore(block);
    const auto known = block.m_known.find(before.actor);
    return !isComplete() || (known != block.m_known.end() && known->second > before.epoch);
}

// All that lies behind the events of the block.
void RaceDetector::explore(Block& block) {
    std::vector<std::uint32_t>& open = block.m_unexplored;
    while (!open.empty() && isComplete()) {
        const std::uint32_t number = open.back();
        open.pop_back();
        if (number == 0 || !block.m_explored.insert(number).second) {
            continue;
        }
        if (++m_steps > m_limits.steps) {
            giveUp();
        }
        const Event& event = m_events[number];
        if (event.actor != 0) {
            std::uint32_t& known = block.m_known[event.actor];
            known = std::max(known, event.releases);
        }
        open.push_back(event.before);
        open.push_back(event.other);
    }
}

std::uint32_t RaceDetector::addEvent(const Event& event) {
    if (m_events.size() >= m_limits.events) {
        giveUp();
        return 0;
    }
    m_events.push_back(event);
    return static_cast<std::uint32_t>(m_events.size() - 1);
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

void RaceDetector::report(const Told& told, const Access& before, const Access& mine, std::uintptr_t word) {
    if (m_found.exchange(true)) {
        return;
    }
    const auto side = [this](const Access& access, bool writes) {
        const Operation& operation = operationOf(access.actor);
        return Race::Side{operation.number, access.actor - operation.firstActor, access.wave, writes};
    };
    const auto common = static_cast<unsigned>(before.bytes & mine.bytes);
    m_race = Race{side(before, before.changes), side(mine, told.kind == AccessKind::write),
                  word + static_cast<std::uintptr_t>(__builtin_ctz(common)), told.memory == nullptr};
}

} // namespace gks::hipcpu
