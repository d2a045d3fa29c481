// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/process.h"
#include "core/base/stop_interval.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <poll.h>
#include <unistd.h>

namespace gks {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t dropping = std::string::npos; // in the place of what was scanned: a line was too long

} // namespace

LineReader::LineReader(int descriptor, std::size_t lineLimitBytes)
    : m_descriptor(descriptor), m_lineLimitBytes(lineLimitBytes) {}

LineReader::Status LineReader::next(std::string& line, std::chrono::milliseconds timeout, const std::stop_token& stop) {
    const auto deadline = Clock::now() + timeout;
    std::array<char, 65536> chunk;
    for (;;) {
        const bool isDropping = m_scanned == dropping;
        if (const std::size_t at = m_buffer.find('\n', isDropping ? 0 : m_scanned); at != std::string::npos) {
            const bool isTooLong = !isDropping && at > m_lineLimitBytes;
            line.assign(m_buffer, 0, isDropping || isTooLong ? 0 : at);
            m_buffer.erase(0, at + 1);
            m_scanned = 0;
            if (isDropping) {
                continue;
            }
            return isTooLong ? Status::tooLong : Status::line;
        }
        if (isDropping) {
            m_buffer.clear();
        } else if (m_buffer.size() > m_lineLimitBytes) { // the next call goes on behind the line
            m_buffer.clear();
            m_scanned = dropping;
            return Status::tooLong;
        } else {
            m_scanned = m_buffer.size();
        }
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
        if (left.count() < 0 || stop.stop_requested()) {
            return Status::timeout;
        }
        pollfd watched = {m_descriptor, POLLIN, 0};
        const auto slice = static_cast<int>(std::min(left, stopPollInterval).count());
        const int ready = ::poll(&watched, 1, slice);
        if (ready == 0 || (ready < 0 && errno == EINTR)) {
            if (left.count() == 0) {
                return Status::timeout;
            }
            continue;
        }
        const ssize_t got = ready < 0 ? -1 : ::read(m_descriptor, chunk.data(), chunk.size());
        if (got == 0) {
            return Status::end;
        }
        if (got < 0) {
            if (errno == EINTR) {
                continue;
            }
            return Status::failed;
        }
        m_buffer.append(chunk.data(), static_cast<std::size_t>(got));
    }
}

} // namespace gks
