// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hipcpu/runtime/thread_rows.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

namespace gks::hipcpu {

inline constexpr std::size_t mostValueBytes = 16; // that a thread writes at once

// Writes of threads that are on their way through their loops, and reads of what these write, in the order of the
// program.
class BegunRows {
public:
    struct Writes {
        ThreadRows rows;
        ThreadRows::Extent extent;
        bool isForRaces = false;
        const char* before = nullptr; // what every thread will write over, one behind the other
        const char* values = nullptr; // what it writes; null: these are reads
        // Of each thread whether it makes the access, else 0; null: all do.
        const char* flags = nullptr;
    };

    bool empty() const { return m_count == 0; }
    std::span<const Writes> all() const { return {m_rows.data(), m_count}; }
    void clear() { m_count = 0; }
    // Where several threads write to the same place, or one does twice, each finds what the one before has left there.
    void follow() {
        if (!doMeet()) {
            return;
        }
        std::uintptr_t bits = 0;
        std::size_t bytes = 0;
        for (const Writes& one : all()) {
            bits |= one.extent.low | one.extent.steps | one.rows.first.bytes;
            bytes += one.values != nullptr ? one.rows.threads() * one.rows.first.bytes : 0;
        }
        bits % sizeof(std::uint32_t) == 0 ? follow<std::uint32_t>(bytes / sizeof(std::uint32_t)) : follow<char>(bytes);
    }
    // Whether they touch what is to be written.
    bool meets(const ThreadRows::Extent& extent) const {
        for (const Writes& one : all()) {
            if (one.values != nullptr && extent.low < one.extent.high && extent.high > one.extent.low) {
                return true;
            }
        }
        return false;
    }
    void add(const ThreadRows& reads, const ThreadRows::Extent& extent) { next() = {reads, extent}; }
    // The place for the values.
    char* add(const ThreadRows& writes, const ThreadRows::Extent& extent, bool isForRaces) {
        Writes& begun = next();
        Values& values = *m_values[m_count - 1];
        begun = {writes, extent, isForRaces, values.before.data(), values.values.data()};
        if (isForRaces) {
            char* at = values.before.data();
            writes.forEachStrip([&](const StripRow& strip, std::uint32_t) {
                copy(strip, at);
                at += strip.lanes * strip.bytes;
            });
        }
        return values.values.data();
    }
    // The place for the flags. Behind them is that for the values.
    char* addSome(const ThreadRows& rows, const ThreadRows::Extent& extent, bool isForRaces, bool areWrites) {
        if (areWrites) {
            add(rows, extent, isForRaces);
        } else {
            add(rows, extent);
        }
        Values& values = *m_values[m_count - 1];
        m_rows[m_count - 1].flags = values.flags.data();
        std::memset(values.flags.data(), 0, rows.threads());
        return values.flags.data();
    }
    // Once the loops are done.
    void dropFlags() {
        for (Writes& one : std::span(m_rows.data(), m_count)) {
            if (one.flags != nullptr && std::memchr(one.flags, 0, one.rows.threads()) == nullptr) {
                one.flags = nullptr;
            }
        }
    }

private:
    // What lies there, one behind the other.
    static void copy(const StripRow& strip, char* to) {
        if (strip.laneBytes == static_cast<std::intptr_t>(strip.bytes)) {
            std::memcpy(to, reinterpret_cast<const char*>(strip.first), strip.lanes * strip.bytes);
        } else if (strip.bytes == sizeof(float)) { // nearly all the others
            copyEach<sizeof(float)>(strip, to);
        } else {
            copyEach<0>(strip, to);
        }
    }
    template<std::size_t fixedBytes>
    static void copyEach(const StripRow& strip, char* to) {
        const auto* from = reinterpret_cast<const char*>(strip.first);
        for (std::size_t lane = 0; lane < strip.lanes; ++lane, from += strip.laneBytes) {
            const std::size_t count = fixedBytes != 0 ? fixedBytes : strip.bytes;
            std::memcpy(to + lane * count, from, count);
        }
    }
    bool doMeet() const {
        for (std::size_t i = 0; i < m_count; ++i) {
            const Writes& one = m_rows[i];
            if (one.values == nullptr) {
                continue;
            }
            if (!one.rows.areApart()) {
                return true;
            }
            for (std::size_t k = 0; k < i; ++k) {
                const Writes& other = m_rows[k];
                if (other.values != nullptr && one.extent.low < other.extent.high &&
                    one.extent.high > other.extent.low && one.rows.meets(other.rows)) {
                    return true;
                }
            }
        }
        return false;
    }
    struct Values {
        std::array<char, maxThreadsPerBlock> flags;
        std::array<char, mostValueBytes * maxThreadsPerBlock> values;
        std::array<char, mostValueBytes * maxThreadsPerBlock> before;
    };
    static_assert(offsetof(Values, values) == maxThreadsPerBlock);
    // What was left last, at a place that the number says with the round in which it was.
    struct Left {
        std::uintptr_t place = 0;
        std::uint64_t round = 0;
        std::uint32_t value = 0;
    };
    // By pieces as large as this one; `most`: so many of them.
    template<class Piece>
    void follow(std::size_t most) {
        ++m_round;
        m_left.resize(std::max(m_left.size(), std::bit_ceil(2 * most)));
        for (std::size_t i = 0; i < m_count; ++i) {
            if (m_rows[i].values != nullptr) {
                follow<Piece>(m_rows[i], *m_values[i]);
            }
        }
    }
    template<class Piece>
    void follow(const Writes& writes, Values& values) {
        std::size_t number = 0;
        writes.rows.forEachStrip([&](const StripRow& strip, std::uint32_t) {
            for (std::uint32_t lane = 0; lane < strip.lanes; ++lane, ++number) {
                if (writes.flags != nullptr && writes.flags[number] == 0) {
                    continue;
                }
                const std::uintptr_t to = strip.first + static_cast<std::uintptr_t>(strip.laneBytes * lane);
                for (std::size_t at = 0; at < strip.bytes; at += sizeof(Piece)) {
                    Left& left = leftAt(to + at, sizeof(Piece));
                    char* const before = &values.before[number * strip.bytes + at];
                    if (left.round == m_round) {
                        std::memcpy(before, &left.value, sizeof(Piece));
                    }
                    left = {to + at, m_round, 0};
                    std::memcpy(&left.value, &values.values[number * strip.bytes + at], sizeof(Piece));
                }
            }
        });
    }
    Left& leftAt(std::uintptr_t place, std::size_t pieceBytes) {
        constexpr std::uint64_t spread = 0x9e3779b97f4a7c15; // the golden ratio: neighbours lie far from each other
        const int unused = std::countl_zero(m_left.size()) + 1;
        std::size_t i = (place / pieceBytes * spread) >> unused;
        while (m_left[i].round == m_round && m_left[i].place != place) {
            i = (i + 1) % m_left.size();
        }
        return m_left[i];
    }
    Writes& next() {
        if (m_count == m_rows.size()) {
            m_rows.emplace_back();
            m_values.push_back(std::make_unique<Values>());
        }
        return m_rows[m_count++];
    }

    std::size_t m_count = 0;
    std::vector<Left> m_left;
    std::uint64_t m_round = 0;
    std::vector<Writes> m_rows;
    std::vector<std::unique_ptr<Values>> m_values; // of each of them
};

} // namespace gks::hipcpu
