// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/protocol.h"

#include <chrono>
#include <mutex>
#include <vector>

namespace gks {

// Keeps what an evaluation reported, bounded: the first lines and, once they are full, how many were left out. Events
// may come from several threads.
class TranscriptWriter {
public:
    void add(const EvaluationEvent& event);
    std::vector<TranscriptLine> lines() const;

private:
    void keep(std::string event, std::string text);

    std::chrono::steady_clock::time_point m_begin = std::chrono::steady_clock::now();
    mutable std::mutex m_mutex;
    std::vector<TranscriptLine> m_lines;
    std::size_t m_bytes = 0;
    std::size_t m_leftOut = 0;
};

} // namespace gks
