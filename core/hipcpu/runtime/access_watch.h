// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hipcpu/findings/finding.h"
#include "core/hipcpu/runtime/access_place.h"
#include "core/hipcpu/runtime/memory_check.h"
#include "core/hipcpu/runtime/race_detector.h"

#include <cstdint>

namespace gks::hipcpu {

// From here on `races` hears what device code tells of its accesses; null: nobody does. While no block runs.
void watchRaces(RaceDetector* races);

// From here on accesses are looked up in `memory`, and a block may take `seconds`; null: nobody looks. While no block
// runs. Whoever is told may end the process; if it does not, device code goes on.
using TakeFinding = void (*)(const Finding& finding);
void checkAccesses(MemoryCheck* memory, std::uint64_t seconds, TakeFinding take);

// A race that the detector has found in a launch of this kernel, with its two places; nothing of the memory.
Finding findingOf(const Race& race, const char* kernel, const std::uint32_t (&grid)[3]);

// Where the calling thread's device code has been last, as far as it tells; null: not known. Async-signal-safe.
const AccessSite* lastSite();

} // namespace gks::hipcpu
