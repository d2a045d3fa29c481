// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace gks {

// Built for the address or the thread sanitizer: their tables take terabytes of addresses, so no limit can stand on
// those.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool isSanitized = true;
#else
inline constexpr bool isSanitized = false;
#endif

} // namespace gks
