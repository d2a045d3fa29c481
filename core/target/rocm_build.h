// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/target/rocm.h"
#include "core/target/target.h"

namespace gks {

// The module of the amd target: ROCm's own clang, told where its headers and device libraries are.
BuildStep rocmModuleStep(const RocmInstallation& rocm, const BuildRequest& request, const std::filesystem::path& source,
                         const std::filesystem::path& module);

} // namespace gks
