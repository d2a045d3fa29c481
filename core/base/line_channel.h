// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/regular_file.h"

#include <deque>
#include <functional>
#include <string>
#include <string_view>

namespace gks {

// A conversation in lines that keeps nobody waiting: what has come, line by line, and what is still to go. Whoever has
// it polls both descriptors. Used by one thread.
class LineChannel {
public:
    // `out` may be -1: then both are `in`. A longer line than the limit ends the conversation.
    LineChannel(FileDescriptor in, FileDescriptor out, std::size_t lineLimitBytes);

    int in() const { return m_in.number(); }
    int out() const { return m_out.number() < 0 ? m_in.number() : m_out.number(); }

    void put(std::string line); // without its end
    bool hasToWrite() const { return !m_queued.empty(); }
    std::size_t queuedBytes() const { return m_queuedBytes; }

    enum class Status { open, ended, tooLong };
    // Everything that can be read now; each whole line to `take`, until that says to stop: the rest then stays.
    Status read(const std::function<bool(std::string_view)>& take);
    Status write(); // as much as goes now

private:
    bool handOut(const std::function<bool(std::string_view)>& take);

    FileDescriptor m_in;
    FileDescriptor m_out;
    std::size_t m_lineLimitBytes;
    std::string m_came;
    std::deque<std::string> m_queued;
    std::size_t m_sentOfFirst = 0;
    std::size_t m_queuedBytes = 0;
};

} // namespace gks
