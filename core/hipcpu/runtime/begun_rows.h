// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hipcpu/runtime/thread_rows.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <unordered_map>
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
    };

    bool empty() const { return m_count == 0; }
    std::span<const Writes> all() const { return {m_rows.data(), m_count}; }
    void clear() { m_count = 0; }
    // Where several threads write to the same place, or one does twice, each finds what the one before has left there.
    void follow() {
        if (!doMeet()) {
            return;
        }
        std::unordered_map<std::uintptr_t, char> left;
        for (std::size_t i = 0; i < m_count; ++i) {
            if (m_rows[i].values != nullptr) {
                follow(m_rows[i].rows, *m_values[i], left);
            }
        }
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
        std::array<char, mostValueBytes * maxThreadsPerBlock> before;
        std::array<char, mostValueBytes * maxThreadsPerBlock> values;
    };
    static void follow(const ThreadRows& rows, Values& values, std::unordered_map<std::uintptr_t, char>& left) {
        std::size_t at = 0;
        rows.forEachStrip([&](const StripRow& strip, std::uint32_t) {
            for (std::uint32_t lane = 0; lane < strip.lanes; ++lane) {
                const std::uintptr_t to = strip.first + static_cast<std::uintptr_t>(strip.laneBytes * lane);
                for (std::size_t i = 0; i < rows.first.bytes; ++i, ++at) {
                    const auto [known, isNew] = left.try_emplace(to + i, values.values[at]);
                    values.before[at] = isNew ? values.before[at] : known->second;
                    known->second = values.values[at];
                }
            }
        });
    }
    Writes& next() {
        if (m_count == m_rows.size()) {
            m_rows.emplace_back();
            m_values.push_back(std::make_unique<Values>());
        }
        return m_rows[m_count++];
    }

    std::size_t m_count = 0;
    std::vector<Writes> m_rows;
    std::vector<std::unique_ptr<Values>> m_values; // of each of them
};

} // namespace gks::hipcpu
