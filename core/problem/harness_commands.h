// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/problem/harness.h"

namespace gks {

// In the environment of a verdict, beside packFact: what judged it, also where the pack's folder is not.
inline constexpr const char* commandsFact = "harness_commands";

// "twice: build make; verify ./run check; measure ./run time", at most commandsTextBytes of it.
std::string harnessCommands(const Harness& harness);
inline constexpr std::size_t commandsTextBytes = 2000;

} // namespace gks
