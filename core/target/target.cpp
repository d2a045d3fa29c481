// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/target/target.h"

namespace gks {

std::string_view name(TargetKind kind) {
    switch (kind) {
    case TargetKind::cpu:
        return "cpu";
    case TargetKind::amd:
        return "amd";
    case TargetKind::nvidia:
        break;
    }
    return "nvidia";
}

Result<TargetKind> targetFromName(std::string_view text) {
    for (const TargetKind kind : {TargetKind::cpu, TargetKind::amd, TargetKind::nvidia}) {
        if (name(kind) == text) {
            return kind;
        }
    }
    return usageError("unknown target", std::string(text), "Use cpu, amd or nvidia");
}

Target commonTarget(TargetKind kind) {
    return {kind, kind == TargetKind::nvidia ? "sm_90" : "gfx942"};
}

std::vector<std::filesystem::path> BuildPlan::modules() const {
    std::vector<std::filesystem::path> all;
    for (const auto* const path : {&hostModule, &deviceModule, &checkedModule}) {
        if (!path->empty()) {
            all.push_back(*path);
        }
    }
    return all;
}

Fp8Encoding Target::fp8Encoding() const {
    // gfx940, gfx941 and gfx942 are one generation; everything after it, and NVIDIA, follows the OCP standard.
    return kind != TargetKind::nvidia && architecture.starts_with("gfx94") ? Fp8Encoding::fnuz : Fp8Encoding::ocp;
}

} // namespace gks
