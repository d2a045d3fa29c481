// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hipcpu/retarget/kernel.h"

#include <string>
#include <vector>

namespace llvm {
class Module;
}

// Device code taken apart by kernels: most of a build is LLVM's work on code of which no kernel sees another's.
namespace gks::hipcpu {

// Each as LLVM bitcode. First what is not one kernel's alone (variables, tables, what several call), then one for each
// kernel. What they use of each other becomes hidden, under a name that no other unit has. Leaves the module unusable.
std::vector<std::string> partsOf(llvm::Module& flat, const std::vector<Kernel>& kernels, const std::string& unit);
// The module as it is.
std::string bitcodeOf(llvm::Module& flat);

} // namespace gks::hipcpu
