// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>

namespace gks {

// Seconds since a moment of the steady clock.
inline double secondsSince(std::chrono::steady_clock::time_point moment) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - moment).count();
}

} // namespace gks
