// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/target/target.h"

#include <optional>
#include <string>

namespace gks {

// Why a point of a tuning space is not worth a run, from its static report alone: what cannot start, and on an AMD GPU
// what spills registers to memory. Empty when nothing speaks against it, or nothing is known that could: a limit of an
// architecture that resources/devices does not describe refuses nobody. On NVIDIA the report is of another machine.
std::optional<std::string> staticRefusal(const StaticReport& report, TargetKind target);

// "LDS and occupancy: not enough is known of gfx1100", for what staticRefusal() does not look at; empty when it is all.
std::string notLookedAt(const StaticReport& report, TargetKind target);

} // namespace gks
