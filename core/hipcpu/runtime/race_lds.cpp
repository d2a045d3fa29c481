// SPDX-License-Identifier: GPL-3.0-or-later
// What a block does in its LDS: notes of each word as long as they do (lds_notes.h), and cells like those of memory
// from the first atomic of the block on.
#include "core/hipcpu/runtime/race_told.h"
#include "core/hipcpu/runtime/spin.h"

#include <mutex>

namespace gks::hipcpu {

void RaceDetector::accessLds(Block& block, const Where& where, const void* lds, std::size_t offset, std::size_t bytes,
                             AccessKind kind, const void* value, const AccessSite* site) {
    if (offset >= greatestLdsBytes || !isLooking()) {
        return;
    }
    count(block);
    const std::size_t most = std::min<std::size_t>(bytes, greatestLdsBytes - offset);
    const auto* const held = static_cast<const char*>(lds) + offset;
    if (block.m_hasNotes) {
        const LdsNotes::Who who = {where.wave, where.interval, siteNumberOf(site)};
        const bool isNoted = (kind == AccessKind::read && block.m_notes.read(who, {offset, most})) ||
                             (kind == AccessKind::write && value != nullptr &&
                              block.m_notes.write(who, offset, most, held, static_cast<const char*>(value)));
        if (isNoted) {
            return;
        }
        takeNotes(block);
    }
    const Told told = {where, nullptr, offset, most, kind, static_cast<const char*>(value), held, site};
    SpinLock busy(m_busy);
    std::unique_lock<SpinLock> lock(busy, std::defer_lock);
    if (!isPlain(kind)) { // the others touch of what blocks share nothing but a race that they find
        lock.lock();
    }
    take(block, told);
}

// From here to the end of the block.
void RaceDetector::takeNotes(Block& block) {
    if (!block.m_hasNotes) {
        return;
    }
    block.m_hasNotes = false;
    if (block.m_lds == nullptr) {
        block.m_lds = std::make_unique<Cell[]>(greatestLdsBytes / wordBytes);
    }
    const auto accessOf = [&](const LdsNotes::Note& note, bool isWrite) {
        Access access;
        if (note.bytes != 0) {
            access.when = RaceOrder::now(block.m_order, {note.who.wave, note.who.interval});
            access.bytes = note.bytes;
            access.changes = isWrite;
            access.site = note.who.site;
        }
        return access;
    };
    block.m_notes.forEach([&](const LdsNotes::Word& word) {
        Cell& cell = block.m_lds[word.number];
        cell.written = accessOf(word.written, true);
        cell.read = accessOf(word.read, false);
        cell.readBefore = accessOf(word.readBefore, false);
    });
}

} // namespace gks::hipcpu
