// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hipcpu/runtime/thread_rows.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace gks::hipcpu {

// Reads of LDS that matter only if the block writes there before its next barrier. Most kernels read in one interval
// between barriers what they have written in another one: then nobody has to look at any of them.
class PendingReads {
public:
    // False: they have to be told now, as something was written there, or there are too many.
    bool add(std::uint32_t interval, const ThreadRows& reads, const ThreadRows::Extent& extent) {
        enter(interval);
        if (m_reads.size() == most || m_written.meets(extent.low, extent.high)) {
            return false;
        }
        m_reads.push_back(reads);
        m_read.add(extent.low, extent.high);
        return true;
    }
    // Whether those that are pending have to be told first.
    bool write(std::uint32_t interval, std::uintptr_t low, std::uintptr_t high) {
        enter(interval);
        m_written.add(low, high);
        return m_read.meets(low, high);
    }
    // What is pending in this interval, which is not any more.
    std::vector<ThreadRows> take(std::uint32_t interval) {
        enter(interval);
        std::vector<ThreadRows> reads;
        reads.swap(m_reads);
        m_read = {};
        return reads;
    }
    void clear() { enter(m_interval + 1); }

private:
    static constexpr std::size_t most = 512;
    // At most so many pieces of memory, and perhaps some between them.
    class Ranges {
    public:
        void add(std::uintptr_t low, std::uintptr_t high) {
            for (std::size_t i = 0; i < m_count; ++i) {
                if ((low <= m_all[i].high && high >= m_all[i].low) || i + 1 == m_all.size()) {
                    m_all[i].low = std::min(m_all[i].low, low);
                    m_all[i].high = std::max(m_all[i].high, high);
                    return;
                }
            }
            m_all[m_count++] = {low, high};
        }
        bool meets(std::uintptr_t low, std::uintptr_t high) const {
            for (std::size_t i = 0; i < m_count; ++i) {
                if (low < m_all[i].high && high > m_all[i].low) {
                    return true;
                }
            }
            return false;
        }

    private:
        struct Range {
            std::uintptr_t low, high;
        };
        std::array<Range, 4> m_all = {};
        std::size_t m_count = 0;
    };

    void enter(std::uint32_t interval) {
        if (interval != m_interval) {
            m_interval = interval;
            m_reads.clear();
            m_read = {};
            m_written = {};
        }
    }

    std::uint32_t m_interval = 0;
    std::vector<ThreadRows> m_reads;
    Ranges m_read, m_written;
};

} // namespace gks::hipcpu
