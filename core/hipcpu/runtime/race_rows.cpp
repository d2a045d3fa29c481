// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of writes. Of LDS notes say whether they matter (lds_notes.h). Of memory a number for each line of 64 bytes
// does: nobody has changed it, or the same wave has, all of it. Else what the number says goes into the cells of its
// words.
#include "core/hipcpu/runtime/race_told.h"
#include "core/hipcpu/runtime/spin.h"

#include <mutex>

namespace gks::hipcpu {
namespace {

// Of a line: the actor, its wave, the interval between barriers and the site, without atomics before it.
constexpr unsigned actorShift = 32, siteShift = 16, intervalShift = 5, waveShift = 1;
constexpr std::uint32_t mostIntervals = 1U << (siteShift - intervalShift);

bool isSameWave(std::uint64_t note, std::uint64_t other) {
    constexpr std::uint64_t waveBits = (RaceOrder::waves - 1) << waveShift;
    return note >> actorShift == other >> actorShift && ((note ^ other) & waveBits) == 0;
}

} // namespace

// Whether all that is to be known of these bytes is in the note of their line.
bool RaceDetector::writeLine(Block& block, const Where& where, std::uintptr_t line, const char* before,
                             const char* values, std::uint16_t site) {
    const std::size_t found = memoryAt(reinterpret_cast<const void*>(line));
    const RaceOrder::Moment now = RaceOrder::now(block.m_order, where);
    if (found == m_memory.size() || m_memory[found].end - line < Lines::bytes || now.epoch != 0 ||
        where.interval >= mostIntervals || !block.m_toChange.empty()) {
        return false;
    }
    std::size_t changed = 0;
    for (std::size_t i = 0; i < Lines::bytes; i += wordBytes) {
        changed += std::memcmp(before + i, values + i, wordBytes) != 0 ? 1 : 0;
    }
    if (changed != 0 && changed != Lines::bytes / wordBytes) {
        return false;
    }
    Page& page = m_memory[found].pages[line / pageBytes - m_memory[found].begin / pageBytes];
    const std::uint64_t mine = std::uint64_t{now.actor} << actorShift | std::uint64_t{site} << siteShift |
                               std::uint64_t{where.interval} << intervalShift | std::uint64_t{now.wave} << waveShift;
    std::atomic<std::uint64_t>& note = noteOf(page, line);
    std::uint64_t known = note.load(std::memory_order_relaxed);
    if (known == 0 && changed == 0) {
        return true;
    }
    const bool isFree = known == 0 || (known != Lines::inCells && isSameWave(known, mine));
    return isFree && note.compare_exchange_strong(known, mine);
}

std::atomic<std::uint64_t>& RaceDetector::noteOf(Page& page, std::uintptr_t address) {
    Lines* lines = page.lines.load(std::memory_order_acquire);
    if (lines == nullptr) {
        auto fresh = std::make_unique<Lines>();
        if (page.lines.compare_exchange_strong(lines, fresh.get())) {
            lines = fresh.release();
        }
    }
    return lines->notes[address % pageBytes / Lines::bytes];
}

// Under the lock, before a cell of it is looked at.
void RaceDetector::takeLine(Page& page, std::uintptr_t word) {
    const std::uint64_t note = noteOf(page, word).exchange(Lines::inCells);
    if (note == 0 || note == Lines::inCells) {
        return;
    }
    Access access;
    access.when.actor = static_cast<std::uint32_t>(note >> actorShift);
    access.when.interval = static_cast<std::uint32_t>(note >> intervalShift) & (mostIntervals - 1);
    access.when.wave = static_cast<std::uint32_t>(note >> waveShift) & (RaceOrder::waves - 1);
    access.bytes = (1U << wordBytes) - 1;
    access.changes = true;
    access.site = static_cast<std::uint16_t>(note >> siteShift);
    Cell* const cells = (*page.cells)[word % pageBytes / Lines::bytes].get();
    for (std::size_t i = 0; i < Lines::bytes / wordBytes; ++i) {
        cells[i].written = access;
    }
}

void RaceDetector::write(Block& block, const Where& where, const Row& row, bool isLds, const AccessSite* site) {
    if (!isLooking()) {
        return;
    }
    count(block);
    const auto distance = static_cast<std::uint64_t>(row.distance);
    const bool isOneBehindTheOther = distance == row.bytes && Lines::bytes % row.bytes == 0;
    const std::uint16_t number = siteNumberOf(site);
    const LdsNotes::Who who = {where.wave, where.interval, number};
    if (isLds && block.m_hasNotes && isOneBehindTheOther &&
        block.m_notes.writeWords(who, row.first, row.count * row.bytes, row.before, row.values)) {
        return;
    }
    SpinLock busy(m_busy);
    for (std::uint32_t i = 0; i < row.count; ++i) {
        const std::uintptr_t at = row.first + distance * i;
        const char* const before = row.before + i * row.bytes;
        const char* const value = row.values + i * row.bytes;
        if (!isLds && isOneBehindTheOther && at % Lines::bytes == 0 && (row.count - i) * row.bytes >= Lines::bytes &&
            writeLine(block, where, at, before, value, number)) {
            i += static_cast<std::uint32_t>(Lines::bytes / row.bytes) - 1;
            continue;
        }
        if (isLds && block.m_hasNotes) {
            if (block.m_notes.write(who, at, row.bytes, before, value)) {
                continue;
            }
            takeNotes(block);
        }
        const std::size_t found = isLds ? 0 : memoryAt(reinterpret_cast<const void*>(at));
        if (!isLds && found == m_memory.size()) {
            continue;
        }
        std::unique_lock<SpinLock> lock(busy, std::defer_lock);
        if (!isLds) { // what is in LDS touches of what blocks share nothing but a race that is found
            lock.lock();
        }
        take(block, {where, isLds ? nullptr : &m_memory[found], at, row.bytes, AccessKind::write, value, before, site});
    }
}

} // namespace gks::hipcpu
