// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/verdict.h"

#include <cstddef>
#include <string>
#include <string_view>

// What of a failure helps the one who mends it.
namespace gks {

inline constexpr std::size_t failureErrorLimit = 8;
inline constexpr std::size_t failureTextLimitBytes = std::size_t{16} << 10;

// The first errors of a compiler log with the lines they point at. An error that comes twice, because a kernel is
// compiled for two targets, is shown once; of its notes only those about the kernel's own lines stay; warnings go when
// there are errors. Paths become file names. A log without an error keeps its end.
std::string compilerText(std::string_view log, std::size_t limitBytes = failureTextLimitBytes);

// Checks that failed, shape by shape with the first elements that differ, and which passed.
std::string verificationText(const Verdict& verdict, std::size_t limitBytes = failureTextLimitBytes);

// Whichever of the two belongs to the verdict.
std::string failureText(const Verdict& verdict);

} // namespace gks
