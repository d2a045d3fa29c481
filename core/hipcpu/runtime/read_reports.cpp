// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/read_reports.h"

#include <algorithm>
#include <cstring>

namespace gks::hipcpu {

ReadReports& ReadReports::instance() {
    static constinit ReadReports reports; // the fault handler may be the first to ask
    return reports;
}

void ReadReports::add(const char* text, std::size_t bytes) {
    std::size_t begin = m_bytes.load();
    do {
        if (bytes > capacity - begin) {
            return;
        }
    } while (!m_bytes.compare_exchange_weak(begin, begin + bytes));
    std::memcpy(m_text + begin, text, bytes);
}

void ReadReports::take(char* into, std::size_t sizeBytes) {
    if (sizeBytes == 0) {
        return;
    }
    const std::size_t bytes = std::min(m_bytes.load(), sizeBytes - 1);
    std::memcpy(into, m_text, bytes);
    into[bytes] = '\0';
    m_bytes = 0;
}

} // namespace gks::hipcpu
