// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hipcpu/abi.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>

namespace gks::hipcpu {

// The plain accesses of a block's LDS, as long as nothing but barriers orders them: of each word the last write and
// the last two waves that read it, with the interval between barriers. See lds_notes.cpp.
class LdsNotes {
public:
    static constexpr std::size_t wordBytes = 4;
    static constexpr std::size_t words = greatestLdsBytes / wordBytes;

    struct Who {
        std::uint32_t wave = 0;
        std::uint32_t interval = 0; // barriers that the block has passed
        std::uint16_t site = 0;
    };
    // What the notes say of a word; without bytes: nothing.
    struct Note {
        Who who;
        std::uint8_t bytes = 0; // a bit each
    };
    struct Word {
        std::size_t number = 0;
        Note written; // something else than was there
        Note read;
        Note readBefore;
    };

    // What was noted is of another block.
    void begin();
    // False where another wave's access may matter: then nothing is noted, and more has to be asked. `offset` and
    // `bytes` lie in LDS.
    struct Row { // so many pieces of as many bytes
        std::size_t offset = 0;
        std::size_t bytes = 0;
        std::size_t distance = 0;
        std::size_t count = 1;
    };
    bool read(const Who& who, const Row& row) {
        Stamp stamp = 0;
        bool isFine = stampOf(who, stamp);
        for (std::size_t i = 0; isFine && i < row.count; ++i) {
            isFine = readOne(stamp, who.site, row.offset + i * row.distance, row.bytes);
        }
        return isFine;
    }
    bool write(const Who& who, std::size_t offset, std::size_t bytes, const char* held, const char* value) {
        Stamp stamp = 0;
        if (!stampOf(who, stamp)) {
            return false;
        }
        if (bytes != wordBytes || offset % wordBytes != 0) {
            return writeParts(stamp, who.site, offset, bytes, held, value);
        }
        return writePart(stamp | allBytes, who.site, offset / wordBytes, wordOf(held) != wordOf(value));
    }
    // Many words beside each other; false too where they have to be told one by one.
    bool writeWords(const Who& who, std::size_t offset, std::size_t bytes, const char* held, const char* values);

    template<class Take>
    void forEach(Take take) const {
        for (std::size_t i = 0; i < m_end; ++i) {
            const Word word = {i, noteOf(m_notes->written[i], m_notes->writtenSite[i]),
                               noteOf(m_notes->read[i], m_notes->readSite[i]),
                               noteOf(m_notes->readBefore[i], m_notes->readBeforeSite[i])};
            if ((word.written.bytes | word.read.bytes | word.readBefore.bytes) != 0) {
                take(word);
            }
        }
    }

private:
    // A stamp has the interval, the wave and the bytes of the word; 0: none.
    using Stamp = std::uint32_t;
    static constexpr Stamp allBytes = 0xf;
    static constexpr unsigned waveShift = 4, intervalShift = 8;
    static constexpr Stamp mostIntervals = Stamp{1} << (32 - intervalShift);
    struct Arrays {
        Stamp written[words];
        Stamp read[words];
        Stamp readBefore[words];
        std::uint16_t writtenSite[words];
        std::uint16_t readSite[words];
        std::uint16_t readBeforeSite[words];
    };

    bool stampOf(const Who& who, Stamp& stamp) {
        if (m_notes == nullptr) [[unlikely]] {
            make();
        }
        const std::uint64_t interval = std::uint64_t{m_first} + who.interval;
        if (interval >= mostIntervals) [[unlikely]] {
            return false;
        }
        m_latest = static_cast<Stamp>(interval);
        stamp = m_latest << intervalShift | who.wave << waveShift;
        return true;
    }
    void make();
    Note noteOf(Stamp stamp, std::uint16_t site) const;
    [[gnu::always_inline]] bool readOne(Stamp stamp, std::uint16_t site, std::size_t offset, std::size_t bytes) {
        if (((offset | bytes) & (wordBytes - 1)) != 0) {
            return readParts(stamp, site, offset, bytes);
        }
        const Stamp mine = stamp | allBytes;
        const std::size_t end = (offset + bytes) / wordBytes;
        Stamp unknown = 0;
        for (std::size_t i = offset / wordBytes; i < end; ++i) {
            unknown |= m_notes->read[i] ^ mine;
        }
        return unknown == 0 || readWords(mine, site, offset / wordBytes, end); // a lane beside, a moment ago
    }
    static std::uint32_t wordOf(const char* bytes) {
        std::uint32_t word = 0;
        std::memcpy(&word, bytes, sizeof word);
        return word;
    }
    // Another wave's, in the same interval, of the same bytes.
    static bool isOfOther(Stamp note, Stamp mine) {
        const Stamp differs = note ^ mine;
        return differs >> intervalShift == 0 && differs >> waveShift != 0 && (note & mine & allBytes) != 0;
    }
    bool writePart(Stamp mine, std::uint16_t site, std::size_t word, bool changes) {
        Arrays& notes = *m_notes;
        const Stamp before = notes.written[word];
        if (isOfOther(before, mine) ||
            (changes && (isOfOther(notes.read[word], mine) || isOfOther(notes.readBefore[word], mine)))) {
            return false;
        }
        const bool isOwn = before >> intervalShift >= m_first && ((before ^ mine) >> waveShift & allBytes) == 0;
        if (changes) {
            notes.read[word] = notes.readBefore[word] = 0;
        } else if (!isOwn) {
            return true; // nobody notices
        }
        mine |= (before ^ mine) >> waveShift == 0 ? before & allBytes : 0;
        notes.written[word] = mine;
        notes.writtenSite[word] = site;
        m_end = std::max(m_end, word + 1);
        return true;
    }
    bool writeParts(Stamp stamp, std::uint16_t site, std::size_t offset, std::size_t bytes, const char* held,
                    const char* value);
    bool readParts(Stamp stamp, std::uint16_t site, std::size_t offset, std::size_t bytes);
    bool readWords(Stamp mine, std::uint16_t site, std::size_t first, std::size_t end);

    std::unique_ptr<Arrays> m_notes;
    std::size_t m_end = 0; // behind the words of this block that have notes
    Stamp m_first = 1;     // interval of this block
    Stamp m_latest = 0;
};

} // namespace gks::hipcpu
