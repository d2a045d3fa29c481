// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/line_channel.h"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace gks {
namespace {

void keepFromBlocking(int descriptor) {
    if (descriptor >= 0) {
        ::fcntl(descriptor, F_SETFL, ::fcntl(descriptor, F_GETFL) | O_NONBLOCK);
    }
}

// Of what one reading takes at most, so that nobody who talks without end is all that is listened to.
constexpr int readsAtATime = 16;

} // namespace

LineChannel::LineChannel(FileDescriptor in, FileDescriptor out, std::size_t lineLimitBytes)
    : m_in(std::move(in)), m_out(std::move(out)), m_lineLimitBytes(lineLimitBytes) {
    keepFromBlocking(m_in.number());
    keepFromBlocking(m_out.number());
}

void LineChannel::put(std::string line) {
    line += '\n';
    m_queuedBytes += line.size();
    m_queued.push_back(std::move(line));
}

bool LineChannel::handOut(const std::function<bool(std::string_view)>& take) {
    std::size_t begin = 0;
    bool goesOn = true;
    for (std::size_t end = 0; goesOn && (end = m_came.find('\n', begin)) != std::string::npos; begin = end + 1) {
        goesOn = take(std::string_view(m_came).substr(begin, end - begin));
    }
    m_came.erase(0, begin);
    return goesOn;
}

LineChannel::Status LineChannel::read(const std::function<bool(std::string_view)>& take) {
    if (!handOut(take)) { // what stayed the last time
        return Status::open;
    }
    std::array<char, 65536> chunk;
    for (int i = 0; i < readsAtATime; ++i) {
        const ssize_t got = ::read(m_in.number(), chunk.data(), chunk.size());
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
            return Status::open;
        }
        if (got <= 0) {
            return Status::ended;
        }
        const std::string_view bytes(chunk.data(), static_cast<std::size_t>(got));
        m_came += bytes;
        if (bytes.find('\n') != std::string_view::npos && !handOut(take)) {
            return Status::open;
        }
        if (m_came.size() > m_lineLimitBytes) {
            return Status::tooLong;
        }
    }
    return Status::open;
}

LineChannel::Status LineChannel::write() {
    while (!m_queued.empty()) {
        const std::string_view left = std::string_view(m_queued.front()).substr(m_sentOfFirst);
        ssize_t put = ::send(out(), left.data(), left.size(), MSG_NOSIGNAL);
        if (put < 0 && errno == ENOTSOCK) { // a pipe: who made it has seen to its signal
            put = ::write(out(), left.data(), left.size());
        }
        if (put < 0 && errno == EINTR) {
            continue;
        }
        if (put < 0) {
            return errno == EAGAIN || errno == EWOULDBLOCK ? Status::open : Status::ended;
        }
        m_sentOfFirst += static_cast<std::size_t>(put);
        if (m_sentOfFirst == m_queued.front().size()) {
            m_queuedBytes -= m_queued.front().size();
            m_queued.pop_front();
            m_sentOfFirst = 0;
        }
    }
    return Status::open;
}

} // namespace gks
