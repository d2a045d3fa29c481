// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scientist/static_refusal.h"

#include "core/base/quantity.h"
#include "core/base/terminal_text.h"
#include "core/base/text.h"
#include "core/target/architecture_facts.h"

#include <fmt/format.h>

namespace gks {

std::optional<std::string> staticRefusal(const StaticReport& report, TargetKind target) {
    if (target == TargetKind::nvidia) {
        return {};
    }
    const ArchitectureFacts facts = architectureFacts(report.architecture);
    for (const KernelResources& kernel : report.kernels) {
        if (facts.ldsBytes > 0 && kernel.ldsBytes > facts.ldsBytes) {
            return fmt::format("needs {} of LDS, only {} available",
                               formatBytes(static_cast<std::uint64_t>(kernel.ldsBytes)),
                               formatBytes(static_cast<std::uint64_t>(facts.ldsBytes)));
        }
        if (facts.tellOccupancy() && kernel.occupancyWavesPerSimd == 0) {
            return "no wave fits on a SIMD";
        }
        if (target == TargetKind::amd && kernel.vgprSpills > 0) {
            return fmt::format("spills {} VGPRs to {} of scratch", kernel.vgprSpills,
                               formatBytes(static_cast<std::uint64_t>(kernel.scratchBytes)));
        }
    }
    return {};
}

std::string notLookedAt(const StaticReport& report, TargetKind target) {
    if (target == TargetKind::nvidia) {
        return {};
    }
    const ArchitectureFacts facts = architectureFacts(report.architecture);
    const char* const unknown = facts.ldsBytes <= 0 ? "LDS and occupancy" : !facts.tellOccupancy() ? "occupancy" : "";
    return *unknown == 0 ? std::string()
                         : fmt::format("{}: not enough is known of {}", unknown,
                                       terminalLine(abbreviated(report.architecture, 40)));
}

} // namespace gks
