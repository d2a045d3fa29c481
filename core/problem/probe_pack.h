// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace gks {

// What probes are built and run against (core/judge/probe.h), as loadProblemPack() knows it. It is built in, no
// problem, and in no list of them.
inline constexpr std::string_view probePackName = "probe";

} // namespace gks
