// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scientist/static_refusal.h"

#include "core/base/quantity.h"

#include <fmt/format.h>

namespace gks {
namespace {

constexpr int ldsLimitBytes = 65536; // of a workgroup on gfx942

} // namespace

std::optional<std::string> staticRefusal(const StaticReport& report, TargetKind target) {
    if (target == TargetKind::nvidia) {
        return {};
    }
    for (const KernelResources& kernel : report.kernels) {
        if (kernel.ldsBytes > ldsLimitBytes) {
            return fmt::format("{} of LDS, {} are there", formatBytes(static_cast<std::uint64_t>(kernel.ldsBytes)),
                               formatBytes(ldsLimitBytes));
        }
        if (kernel.occupancyWavesPerSimd == 0) {
            return "no wave fits on a SIMD";
        }
        if (target == TargetKind::amd && kernel.vgprSpills > 0) {
            return fmt::format("{} vector registers are spilled to {} of scratch memory", kernel.vgprSpills,
                               formatBytes(static_cast<std::uint64_t>(kernel.scratchBytes)));
        }
    }
    return {};
}

} // namespace gks
