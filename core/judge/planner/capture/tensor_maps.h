// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/planner/capture/recorder.h"

#include <array>

// The 128 bytes of a tensor map are the driver's own, and there is no driver here. Host code gets bytes with a mark and
// a number in their place, and wherever it passes them on, the plan says which map stands there.
namespace gks::capture {

using MapBytes = std::array<std::uint8_t, tensorMapBytes>;

MapBytes markedMap(std::uint32_t number);
// The number of a marked map; nothing for other bytes.
std::optional<std::uint32_t> markedNumber(const std::uint8_t* bytes);

// The maps among these bytes, which become zeros there.
std::vector<PlacedMap> takeMaps(const Recorder& recorder, PlanBytes& bytes);

} // namespace gks::capture
