// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstddef>

namespace gks::hipcpu {

// What the fault handler said of reads past the end of buffers, one a line, until somebody takes it. What has no room
// any more is left out.
class ReadReports {
public:
    static ReadReports& instance();

    // Async-signal-safe, from any thread.
    void add(const char* text, std::size_t bytes);
    // Ends the text in `into`, cut, with a zero. For a time in which no kernel runs.
    void take(char* into, std::size_t sizeBytes);

private:
    static constexpr std::size_t capacity = 4096;
    char m_text[capacity] = {};
    std::atomic<std::size_t> m_bytes{0};
};

} // namespace gks::hipcpu
