// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/target/target.h"

#include <optional>
#include <string>

namespace gks {

// Why a point of a tuning space is not worth a run, from its static report alone: what cannot start, and on an AMD GPU
// what spills registers to memory. Empty when nothing speaks against it. The report is about gfx942, so it says nothing
// of an NVIDIA card.
std::optional<std::string> staticRefusal(const StaticReport& report, TargetKind target);

} // namespace gks
