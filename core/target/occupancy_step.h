// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/target/target.h"

#include <optional>
#include <string>

namespace gks {

// What would let more waves stay on a SIMD, with everything else as it is: the most registers or the most LDS that do.
struct OccupancyStep {
    int waves = 0;    // then
    int vgprs = 0;    // 0: registers do not hold it back
    int ldsBytes = 0; // 0: LDS does not hold it back
    bool operator==(const OccupancyStep&) const = default;
};
// Nothing where the occupancy is not known or is the highest already, or where a step needs both.
std::optional<OccupancyStep> nextOccupancyStep(const std::string& architecture, const KernelResources& kernel);

// "VGPR 96: 5 waves; 80 would give 6", "LDS 40 KiB: 1 wave; ..."; without a step "VGPR 40: 8 waves"; empty where the
// occupancy is not known.
std::string occupancyText(const std::string& architecture, const KernelResources& kernel);

} // namespace gks
