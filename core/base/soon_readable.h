// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <poll.h>
#include <thread>

namespace gks {

// Who sleeps until the other side of a pipe has written wakes up tens of microseconds late, six times in a timed call
// on a card. So both look first, for as long as it takes mostly, where there are cores for them and for others.
inline constexpr std::chrono::milliseconds lookFor(5);
inline constexpr unsigned coresToLook = 8;

// Whether there is something to read, after that time at most.
inline bool isSoonReadable(int descriptor) {
    static const bool mayLook = std::thread::hardware_concurrency() >= coresToLook;
    const auto end = std::chrono::steady_clock::now() + lookFor;
    pollfd watched = {descriptor, POLLIN, 0};
    while (mayLook && std::chrono::steady_clock::now() < end) {
        if (::poll(&watched, 1, 0) > 0) {
            return true;
        }
    }
    return false;
}

} // namespace gks
