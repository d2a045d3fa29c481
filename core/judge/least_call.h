// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace gks {

// What is kept of a call on the cpu target that took no longer than an empty one, in microseconds: the clock's
// nanosecond. On a busy machine empty calls may take as long as a short kernel. A figure this small says nothing.
inline constexpr double leastCallUs = 0.001;

} // namespace gks
