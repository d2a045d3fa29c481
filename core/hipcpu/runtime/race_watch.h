// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hipcpu/runtime/race_detector.h"

namespace gks::hipcpu {

// From here on `races` hears what device code tells of its accesses; null: nobody does. While no block runs.
void watchRaces(RaceDetector* races);

} // namespace gks::hipcpu
