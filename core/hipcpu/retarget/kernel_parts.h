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

struct DevicePart {
    std::string bitcode;
    bool isForFaults = false; // runs only where somebody looks for a fault, and needs not be fast
};
// First what is not of one part alone (variables, tables, what several call), then for each kernel what most of its
// blocks run, what rare ones do, and its fibres where it has loops as well: three parts, or a kernel would keep one
// processor alone busy. What they use of each other becomes hidden, under a name that no other unit has. Leaves the
// module unusable.
std::vector<DevicePart> partsOf(llvm::Module& flat, const std::vector<Kernel>& kernels, const std::string& unit);
// The module as it is, as LLVM bitcode.
std::string bitcodeOf(llvm::Module& flat);

} // namespace gks::hipcpu
