// SPDX-License-Identifier: GPL-3.0-or-later
// Nearly all accesses of a block to LDS are plain ones between barriers, of which the detector asks no more than
// whether another wave has touched the word since the last barrier. A number for each word answers that: the interval
// between barriers, the wave and the bytes. Intervals are counted on from block to block, so that nothing has to be
// cleared, and words beside each other are looked at side by side. Where the answer is yes, and where atomics order
// waves otherwise, the detector takes the notes over (RaceDetector::takeNotes) and says what it is.
#include "core/hipcpu/runtime/lds_notes.h"

#include <algorithm>
#include <cstring>

namespace gks::hipcpu {

void LdsNotes::begin() {
    m_end = 0;
    m_first = m_latest + 1;
    if (m_first > mostIntervals / 2) {
        m_first = 1;
        m_notes.reset();
    }
    m_latest = m_first;
}

void LdsNotes::make() {
    m_notes = std::make_unique<Arrays>();
}

LdsNotes::Note LdsNotes::noteOf(Stamp stamp, std::uint16_t site) const {
    const Stamp interval = stamp >> intervalShift;
    if (interval < m_first) {
        return {};
    }
    return {{stamp >> waveShift & allBytes, interval - m_first, site}, static_cast<std::uint8_t>(stamp & allBytes)};
}

// Whole words.
bool LdsNotes::readWords(Stamp mine, std::uint16_t site, std::size_t first, std::size_t end) {
    Arrays& notes = *m_notes;
    std::uint32_t isOther = 0;
    for (std::size_t i = first; i < end; ++i) {
        const Stamp differs = notes.written[i] ^ mine;
        isOther |= static_cast<std::uint32_t>(differs >> intervalShift == 0) &
                   static_cast<std::uint32_t>(differs >> waveShift != 0);
    }
    if (isOther != 0) {
        return false;
    }
    for (std::size_t i = first; i < end; ++i) {
        const Stamp before = notes.read[i];
        const bool isOwn = (before ^ mine) >> waveShift == 0;
        notes.readBefore[i] = isOwn ? notes.readBefore[i] : before;
        notes.read[i] = mine;
        notes.readBeforeSite[i] = isOwn ? notes.readBeforeSite[i] : notes.readSite[i];
        notes.readSite[i] = site;
    }
    m_end = std::max(m_end, end);
    return true;
}

bool LdsNotes::writeWords(const Who& who, std::size_t offset, std::size_t bytes, const char* held, const char* values) {
    Stamp stamp = 0;
    if (((offset | bytes) & (wordBytes - 1)) != 0 || !stampOf(who, stamp)) {
        return false;
    }
    Arrays& notes = *m_notes;
    const Stamp mine = stamp | allBytes;
    const std::size_t first = offset / wordBytes;
    const std::size_t count = bytes / wordBytes;
    std::uint32_t isOther = 0;
    for (std::size_t i = 0; i < count; ++i) {
        for (const Stamp note : {notes.written[first + i], notes.read[first + i], notes.readBefore[first + i]}) {
            const Stamp differs = note ^ mine;
            isOther |= static_cast<std::uint32_t>(differs >> intervalShift == 0) &
                       static_cast<std::uint32_t>(differs >> waveShift != 0);
        }
    }
    if (isOther != 0) {
        return false;
    }
    for (std::size_t i = 0; i < count; ++i) {
        const bool changes = wordOf(held + i * wordBytes) != wordOf(values + i * wordBytes);
        const Stamp before = notes.written[first + i];
        // What another wave or block has left there is no write of mine where nothing changes.
        const bool isOwn = before >> intervalShift >= m_first && ((before ^ mine) >> waveShift & allBytes) == 0;
        notes.read[first + i] = changes ? 0 : notes.read[first + i];
        notes.readBefore[first + i] = changes ? 0 : notes.readBefore[first + i];
        notes.written[first + i] = changes || isOwn ? mine : before;
        notes.writtenSite[first + i] = changes || isOwn ? who.site : notes.writtenSite[first + i];
    }
    m_end = std::max(m_end, first + count);
    return true;
}

namespace {

// The words that bytes lie in, with those of each as bits.
template<class Take>
bool forWords(std::size_t offset, std::size_t bytes, Take take) {
    for (std::size_t done = 0; done < bytes;) {
        const std::size_t begin = (offset + done) % LdsNotes::wordBytes;
        const std::size_t count = std::min(LdsNotes::wordBytes - begin, bytes - done);
        if (!take((offset + done) / LdsNotes::wordBytes, ((1U << count) - 1U) << begin, done, count)) {
            return false;
        }
        done += count;
    }
    return true;
}

} // namespace

bool LdsNotes::readParts(Stamp stamp, std::uint16_t site, std::size_t offset, std::size_t bytes) {
    Arrays& notes = *m_notes;
    return forWords(offset, bytes, [&](std::size_t word, Stamp bits, std::size_t, std::size_t) {
        Stamp mine = stamp | bits;
        if (isOfOther(notes.written[word], mine)) {
            return false;
        }
        const Stamp before = notes.read[word];
        if ((before ^ mine) >> waveShift == 0) {
            mine |= before;
        } else {
            notes.readBefore[word] = before;
            notes.readBeforeSite[word] = notes.readSite[word];
        }
        notes.read[word] = mine;
        notes.readSite[word] = site;
        m_end = std::max(m_end, word + 1);
        return true;
    });
}

bool LdsNotes::writeParts(Stamp stamp, std::uint16_t site, std::size_t offset, std::size_t bytes, const char* held,
                          const char* value) {
    return forWords(offset, bytes, [&](std::size_t word, Stamp bits, std::size_t done, std::size_t count) {
        return writePart(stamp | bits, site, word, std::memcmp(held + done, value + done, count) != 0);
    });
}

} // namespace gks::hipcpu
