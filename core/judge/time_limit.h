// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace gks {

// A call's time limit is of time in which the kernel ran, or could have run. While others have the processors the limit
// waits, until so many times as much time has passed: then nothing is known of the kernel.
inline constexpr double busyFactor = 4;

} // namespace gks
