// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>

namespace gks {

// How late a cancel may be noticed by whoever waits for another process.
inline constexpr std::chrono::milliseconds stopPollInterval(50);

} // namespace gks
