// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/target/occupancy_step.h"

#include "core/base/counted.h"
#include "core/base/quantity.h"

#include <fmt/format.h>

namespace gks {
namespace {

std::string ldsText(int bytes) {
    return formatBytes(static_cast<std::uint64_t>(bytes));
}

} // namespace

std::optional<OccupancyStep> nextOccupancyStep(const std::string& architecture, const KernelResources& kernel) {
    const auto waves = [&](int vgprs, int ldsBytes) {
        return occupancyWavesPerSimd(architecture, vgprs, kernel.agprs, ldsBytes, kernel.maxWorkgroupSize);
    };
    const int now = waves(kernel.vgprs, kernel.ldsBytes);
    if (now == 0) {
        return std::nullopt;
    }
    OccupancyStep step;
    for (int vgprs = kernel.vgprs - 1; vgprs > 0; --vgprs) {
        if (const int then = waves(vgprs, kernel.ldsBytes); then > now) {
            step.waves = then;
            step.vgprs = vgprs;
            return step;
        }
    }
    // The rule is monotone in LDS too, and there are too many bytes to try them all.
    int enough = 0;
    int tooMuch = kernel.ldsBytes;
    step.waves = waves(kernel.vgprs, enough);
    if (kernel.ldsBytes == 0 || step.waves <= now) {
        return std::nullopt;
    }
    while (tooMuch - enough > 1) {
        const int middle = enough + (tooMuch - enough) / 2;
        (waves(kernel.vgprs, middle) > now ? enough : tooMuch) = middle;
    }
    step.waves = waves(kernel.vgprs, enough);
    step.ldsBytes = enough;
    return step;
}

std::string occupancyText(const std::string& architecture, const KernelResources& kernel) {
    const int now = kernel.occupancyWavesPerSimd;
    if (now == 0) {
        return {};
    }
    const auto step = nextOccupancyStep(architecture, kernel);
    if (step && step->ldsBytes > 0) {
        return fmt::format("LDS {}: {}; {} would give {}", ldsText(kernel.ldsBytes), counted(now, "wave"),
                           ldsText(step->ldsBytes), step->waves);
    }
    const std::string registers = kernel.agprs > 0 ? fmt::format("VGPR {} + {} AGPR", kernel.vgprs, kernel.agprs)
                                                   : fmt::format("VGPR {}", kernel.vgprs);
    const std::string held = fmt::format("{}: {}", registers, counted(now, "wave"));
    return step ? fmt::format("{}; {} would give {}", held, step->vgprs, step->waves) : held;
}

} // namespace gks
