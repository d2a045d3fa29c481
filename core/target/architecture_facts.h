// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace gks {

// What resources/devices/ARCHITECTURE.toml says of residence on a compute unit; 0 where it does not, and everywhere
// where there is no such file.
struct ArchitectureFacts {
    int simdsPerCu = 0;
    int wavesPerSimd = 0;
    int waveSize = 0;
    int vgprs = 0;
    int vgprGranule = 0;
    int ldsBytes = 0;
    int ldsGranule = 0;

    bool tellOccupancy() const; // all of them are known
};
ArchitectureFacts architectureFacts(const std::string& architecture);

} // namespace gks
