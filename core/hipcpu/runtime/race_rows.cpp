// SPDX-License-Identifier: GPL-3.0-or-later
// Plain accesses of memory, and rows of them. Most memory is touched by one wave alone: a number for each line of 64
// bytes says which, or where a line is shared a number for each of its words. It is replaced without a lock, by what
// the same wave does there. Where another one comes what the number says goes into the cell of the word. Of LDS notes
// say whether anything matters (lds_notes.h).
#include "core/hipcpu/runtime/race_told.h"
#include "core/hipcpu/runtime/spin.h"

#include <bit>
#include <mutex>

namespace gks::hipcpu {
namespace {

// Of a line or a word: the actor, the site, the interval between barriers, the wave, and whether it has only read; all
// without atomics before it.
constexpr unsigned actorShift = 32, siteShift = 16, intervalShift = 5, waveShift = 1;
constexpr std::uint64_t readBit = 1;
constexpr std::uint64_t intervalBits = (1U << siteShift) - (1U << intervalShift);
constexpr std::uint32_t mostIntervals = 1U << (siteShift - intervalShift);

bool isOfWave(std::uint64_t note) {
    return note >> actorShift != 0;
}
bool isRead(std::uint64_t note) {
    return (note & readBit) != 0;
}
bool isSameWave(std::uint64_t note, std::uint64_t other) {
    constexpr std::uint64_t waveBits = (RaceOrder::waves - 1) << waveShift;
    return note >> actorShift == other >> actorShift && ((note ^ other) & waveBits) == 0;
}
// What the same wave has done in the same interval comes before the same as what it does now.
bool covers(std::uint64_t note, std::uint64_t mine) {
    return isSameWave(note, mine) && ((note ^ mine) & intervalBits) == 0 && (isRead(mine) || !isRead(note));
}

bool isOtherWord(const char* a, const char* b) {
    std::uint32_t one = 0, other = 0;
    std::memcpy(&one, a, sizeof one);
    std::memcpy(&other, b, sizeof other);
    return one != other;
}

// By whoever comes first, who says so.
template<class T, class Say>
T& madeOnce(std::atomic<T*>& place, Say say) {
    T* made = place.load(std::memory_order_acquire);
    if (made == nullptr) {
        auto fresh = std::make_unique<T>();
        if (place.compare_exchange_strong(made, fresh.get())) {
            made = fresh.release();
            say();
        }
    }
    return *made;
}

} // namespace

// 0: more has to be known than a note says.
std::uint64_t RaceDetector::noteOf(const Block& block, const Where& where, bool isRead, std::uint16_t site) const {
    const RaceOrder::Moment now = RaceOrder::now(block.m_order, where);
    if (now.epoch != 0 || where.interval >= mostIntervals || (!isRead && !block.m_toChange.empty())) {
        return 0;
    }
    return std::uint64_t{now.actor} << actorShift | std::uint64_t{site} << siteShift |
           std::uint64_t{where.interval} << intervalShift | std::uint64_t{now.wave} << waveShift |
           (isRead ? readBit : 0);
}

// Of an operation that all of this one waits for.
bool RaceDetector::isOld(std::uint64_t note) const {
    const std::uint64_t actor = note >> actorShift;
    return actor < m_firstOfCall || (m_unordered.empty() && actor < m_operations.back().firstActor);
}

// Whether the note of a line or a word says all that is to be known there, with this access.
bool RaceDetector::isNotedAt(Note& place, std::uint64_t mine, bool changes) const {
    std::uint64_t known = place.load(std::memory_order_acquire);
    while (true) {
        const bool isFree = known == 0 || (isOfWave(known) && isOld(known));
        if (!isFree && (!isOfWave(known) || !isSameWave(known, mine))) {
            return false;
        }
        const bool isNothing = !changes && !isRead(mine) && (isFree || isRead(known)); // nobody notices
        if (isNothing || covers(known, mine)) {
            return true;
        }
        if (!isFree && isRead(mine) && !isRead(known)) { // both matter
            return false;
        }
        if (place.compare_exchange_weak(known, mine)) {
            return true;
        }
    }
}

// `changes`: a bit for each word.
bool RaceDetector::isLineNoted(Lines& lines, std::uintptr_t line, std::uint64_t mine, unsigned changes) {
    constexpr std::size_t words = Lines::bytes / wordBytes;
    constexpr unsigned all = (1U << words) - 1;
    Note& note = lineNote(lines, line);
    if (note.load(std::memory_order_acquire) != Lines::inWords) {
        return (isRead(mine) || changes == 0 || changes == all) && isNotedAt(note, mine, changes != 0);
    }
    bool areNoted = true;
    for (std::size_t i = 0; i < words; ++i) {
        areNoted = areNoted && isNotedAt(wordNote(lines, line + i * wordBytes), mine, (changes >> i & 1) != 0);
    }
    return areNoted;
}

bool RaceDetector::isWordNoted(Lines& lines, std::uintptr_t word, std::uint64_t mine, bool changes) {
    Note& line = lineNote(lines, word);
    std::uint64_t known = line.load(std::memory_order_acquire);
    while (known != Lines::inWords) {
        if (known == Lines::inCells) {
            return false;
        }
        if (covers(known, mine) || (known == 0 && !changes && !isRead(mine))) {
            return true;
        }
        if (known == 0 || isOld(known)) {
            if (line.compare_exchange_weak(known, Lines::inWords)) {
                break;
            }
            continue;
        }
        SpinLock busy(m_busy);
        const std::lock_guard lock(busy);
        known = line.load(std::memory_order_acquire);
        if (isOfWave(known)) {
            const std::uintptr_t begin = word - word % Lines::bytes;
            for (std::size_t i = 0; i < Lines::bytes; i += wordBytes) {
                wordNote(lines, begin + i).store(known, std::memory_order_relaxed);
            }
            line.compare_exchange_strong(known, Lines::inWords); // else the wave itself has changed it
            known = line.load(std::memory_order_acquire);
        }
    }
    return isNotedAt(wordNote(lines, word), mine, changes);
}

// Of plain accesses of whole words.
bool RaceDetector::isNoted(Memory& memory, const Told& told, std::uint64_t mine) {
    if (mine == 0 || ((told.at | told.bytes) & (wordBytes - 1)) != 0) {
        return false;
    }
    for (std::size_t done = 0; done < told.bytes; done += wordBytes) {
        const std::uintptr_t word = told.at + done;
        Lines& lines = linesOf(memory.pages[word / pageBytes - memory.begin / pageBytes]);
        const bool changes =
            told.kind == AccessKind::write && told.value != nullptr && isOtherWord(told.held + done, told.value + done);
        if (!isWordNoted(lines, word, mine, changes)) {
            return false;
        }
    }
    return true;
}

RaceDetector::Lines& RaceDetector::linesOf(Page& page) {
    return madeOnce(page.lines, [] {});
}

RaceDetector::Note& RaceDetector::lineNote(Lines& lines, std::uintptr_t address) {
    return lines.notes[address % pageBytes / Lines::bytes];
}

RaceDetector::Note& RaceDetector::wordNote(Lines& lines, std::uintptr_t address) {
    const auto countPage = [this] {
        if (m_pagesOfWords.fetch_add(1, std::memory_order_relaxed) >= m_limits.pages * pagesOfWordsForEach) {
            giveUp();
        }
    };
    return madeOnce(lines.words, countPage)[address % pageBytes / wordBytes];
}

// Under the lock, before a cell of it is looked at.
void RaceDetector::takeLine(Page& page, std::uintptr_t word) {
    Lines& lines = linesOf(page);
    Note& line = lineNote(lines, word);
    std::uint64_t note = line.load(std::memory_order_acquire);
    while (note != Lines::inWords && note != Lines::inCells && !line.compare_exchange_weak(note, Lines::inCells)) {
    }
    std::size_t first = 0, count = Lines::bytes / wordBytes;
    if (note == Lines::inWords) {
        note = wordNote(lines, word).exchange(Lines::inCells);
        first = word % Lines::bytes / wordBytes;
        count = 1;
    }
    if (!isOfWave(note)) {
        return;
    }
    Access access;
    access.when.actor = static_cast<std::uint32_t>(note >> actorShift);
    access.when.interval = static_cast<std::uint32_t>(note >> intervalShift) & (mostIntervals - 1);
    access.when.wave = static_cast<std::uint32_t>(note >> waveShift) & (RaceOrder::waves - 1);
    access.bytes = (1U << wordBytes) - 1;
    access.changes = !isRead(note);
    access.site = static_cast<std::uint16_t>(note >> siteShift);
    Cell* const cells = (*page.cells)[word % pageBytes / Lines::bytes].get();
    for (std::size_t i = first; i < first + count; ++i) {
        (access.changes ? cells[i].written : cells[i].read) = access;
    }
}

// Of a line that pieces of the row lie in one behind the other, from the `first` one on, at told.at.
bool RaceDetector::isLineOfRowNoted(Memory& memory, const Told& told, const Row& row, std::uint32_t first,
                                    std::uint64_t mine) {
    constexpr unsigned words = Lines::bytes / wordBytes;
    unsigned changes = 0, made = 0;
    for (unsigned word = 0; told.value != nullptr && word < words; ++word) {
        const bool isOther = isOtherWord(told.held + word * wordBytes, told.value + word * wordBytes);
        changes |= static_cast<unsigned>(isOther) << word;
    }
    Lines& lines = linesOf(memory.pages[told.at / pageBytes - memory.begin / pageBytes]);
    if (row.flags == nullptr) {
        return isLineNoted(lines, told.at, mine, changes);
    }
    for (unsigned word = 0; word < words; ++word) {
        made |= static_cast<unsigned>(row.flags[first + word * wordBytes / row.bytes] != 0) << word;
    }
    bool areNoted = true;
    for (; made != 0 && areNoted; made &= made - 1) {
        const auto word = static_cast<unsigned>(std::countr_zero(made));
        areNoted = isWordNoted(lines, told.at + word * wordBytes, mine, (changes >> word & 1) != 0);
    }
    return areNoted;
}

// Of memory; `told` is the first of them.
void RaceDetector::takeRow(Block& block, const Row& row, Told told) {
    const auto distance = static_cast<std::uint64_t>(row.distance);
    const bool isOneBehindTheOther = distance == row.bytes && Lines::bytes % row.bytes == 0;
    const std::uint64_t mine = noteOf(block, told.where, told.kind == AccessKind::read, told.siteNumber());
    SpinLock busy(m_busy);
    for (std::uint32_t i = 0; i < row.count; ++i) {
        told.at = row.first + distance * i;
        told.value = row.values != nullptr ? row.values + i * row.bytes : nullptr;
        told.held = row.before != nullptr ? row.before + i * row.bytes : nullptr;
        const std::size_t found = memoryAt(reinterpret_cast<const void*>(told.at));
        if (found == m_memory.size()) {
            continue;
        }
        Memory& memory = m_memory[found];
        told.bytes = std::min<std::size_t>(row.bytes, memory.end - told.at);
        const bool isLine = isOneBehindTheOther && mine != 0 && told.at % Lines::bytes == 0 &&
                            (row.count - i) * row.bytes >= Lines::bytes && memory.end - told.at >= Lines::bytes;
        if (isLine && isLineOfRowNoted(memory, told, row, i, mine)) {
            i += static_cast<std::uint32_t>(Lines::bytes / row.bytes) - 1;
            continue;
        }
        if (row.flags != nullptr && row.flags[i] == 0) {
            continue;
        }
        if (isNoted(memory, told, mine)) {
            continue;
        }
        const std::lock_guard lock(busy);
        told.memory = &memory;
        take(block, told);
    }
}

void RaceDetector::read(Block& block, const Where& where, const Row& row, const AccessSite* site) {
    if (isLooking()) {
        count(block);
        takeRow(block, row, {where, nullptr, 0, row.bytes, AccessKind::read, nullptr, nullptr, site});
    }
}

void RaceDetector::write(Block& block, const Where& where, const Row& row, bool isLds, const AccessSite* site) {
    if (!isLooking()) {
        return;
    }
    count(block);
    if (!isLds) {
        takeRow(block, row, {where, nullptr, 0, row.bytes, AccessKind::write, nullptr, nullptr, site});
        return;
    }
    const auto distance = static_cast<std::uint64_t>(row.distance);
    const LdsNotes::Who who = {where.wave, where.interval, siteNumberOf(site)};
    if (block.m_hasNotes && distance == row.bytes && row.flags == nullptr &&
        block.m_notes.writeWords(who, row.first, row.count * row.bytes, row.before, row.values)) {
        return;
    }
    for (std::uint32_t i = 0; i < row.count; ++i) {
        if (row.flags != nullptr && row.flags[i] == 0) {
            continue;
        }
        const std::uintptr_t at = row.first + distance * i;
        const char* const before = row.before + i * row.bytes;
        const char* const value = row.values + i * row.bytes;
        if (block.m_hasNotes) {
            if (block.m_notes.write(who, at, row.bytes, before, value)) {
                continue;
            }
            takeNotes(block);
        }
        // It touches of what blocks share nothing but a race that is found.
        take(block, {where, nullptr, at, row.bytes, AccessKind::write, value, before, site});
    }
}

} // namespace gks::hipcpu
