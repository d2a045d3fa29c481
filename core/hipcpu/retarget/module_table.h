// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hipcpu/architecture.h"
#include "core/hipcpu/retarget/kernel.h"

#include <string>

namespace gks::hipcpu {

// Emits the ModuleTable of abi.h under the name that the host object refers to for its fat binary
// (__hip_fatbin_<unit>), and the handle that goes with it. `unit` is the hash of the compilation unit id.
void emitModuleTable(llvm::Module& flat, const std::vector<Kernel>& kernels, const std::string& unit,
                     Architecture architecture);

// The hash that clang makes of the value of -cuid.
std::string unitHash(const std::string& compilationUnitId);

} // namespace gks::hipcpu
