// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error_drain.h"

#include "core/base/stop_interval.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <poll.h>
#include <unistd.h>

namespace gks {
namespace {

constexpr std::size_t keptBytes = 4096;
constexpr int mostPieces = 16; // of 64 KiB each

enum class Got { some, nothing, end };

Got readSome(int descriptor, std::chrono::milliseconds patience, std::string& said) {
    std::array<char, 65536> chunk;
    pollfd watched = {descriptor, POLLIN, 0};
    if (::poll(&watched, 1, static_cast<int>(patience.count())) <= 0) {
        return Got::nothing;
    }
    const ssize_t got = ::read(descriptor, chunk.data(), chunk.size());
    if (got <= 0) {
        return Got::end;
    }
    said.append(chunk.data(), static_cast<std::size_t>(got));
    said.erase(0, said.size() - std::min(said.size(), keptBytes));
    return Got::some;
}

} // namespace

ErrorDrain::ErrorDrain(int descriptor)
    : m_descriptor(descriptor), m_thread([this](const std::stop_token& stop) {
        for (Got got = Got::some; got != Got::end && !stop.stop_requested();) {
            got = readSome(m_descriptor, stopPollInterval, m_said);
        }
    }) {}

std::string ErrorDrain::lastLine() {
    if (m_thread.joinable()) {
        m_thread.request_stop();
        m_thread.join();
    }
    // What a pipe holds at most; whoever writes without end is not followed.
    for (int pieces = 0; pieces < mostPieces; ++pieces) {
        if (readSome(m_descriptor, std::chrono::milliseconds(0), m_said) != Got::some) {
            break;
        }
    }
    const std::vector<std::string_view> said = lines(m_said);
    const auto last =
        std::find_if(said.rbegin(), said.rend(), [](std::string_view line) { return !trimmed(line).empty(); });
    return last == said.rend() ? std::string() : std::string(trimmed(*last)); // ssh ends its lines with a return
}

} // namespace gks
