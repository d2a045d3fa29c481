// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/target/architecture_facts.h"
#include "core/target/target.h"

#include <algorithm>

// How many waves can be resident on one SIMD, the way the compiler itself counts it: each wave takes its registers from
// one file, in granules; each workgroup takes its LDS from the compute unit, whose SIMDs share the waves. Whether whole
// workgroups fit beside each other by registers is left out: the metadata knows the largest workgroup that is allowed,
// not the one that will be launched.
namespace gks {
namespace {

// Accumulation registers begin behind the others, rounded up to this.
constexpr int agprOffsetGranule = 4;

int dividedUp(int value, int by) {
    return (value + by - 1) / by;
}
int roundedUp(int value, int to) {
    return dividedUp(value, to) * to;
}

} // namespace

int occupancyWavesPerSimd(const std::string& architecture, int vgprs, int agprs, int ldsBytes, int workgroupSize) {
    const ArchitectureFacts facts = architectureFacts(architecture);
    if (!facts.tellOccupancy()) {
        return 0;
    }
    const int limit = facts.vgprs;
    vgprs = std::clamp(vgprs, 0, limit);
    agprs = std::clamp(agprs, 0, limit);
    const int registers = agprs > 0 ? roundedUp(vgprs, agprOffsetGranule) + agprs : vgprs;
    const int byRegisters = limit / std::max(facts.vgprGranule, roundedUp(registers, facts.vgprGranule));
    int byLds = facts.wavesPerSimd;
    if (ldsBytes > facts.ldsBytes) {
        return 0;
    }
    if (ldsBytes > 0) {
        const int workgroups = facts.ldsBytes / roundedUp(ldsBytes, facts.ldsGranule);
        const int waves = workgroups * dividedUp(std::clamp(workgroupSize, 1, 1024), facts.waveSize);
        byLds = dividedUp(waves, facts.simdsPerCu);
    }
    return std::min({facts.wavesPerSimd, byRegisters, byLds});
}

} // namespace gks
