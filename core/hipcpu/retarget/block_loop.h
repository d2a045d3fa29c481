// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hipcpu/retarget/kernel.h"

namespace llvm {
class TargetMachine;
} // namespace llvm

namespace gks::hipcpu {

struct BlockOptions {
    int level = 3;        // of optimisation
    bool inStrips = true; // see RetargetOptions
    bool tells = false;   // likewise
};

// Gives every kernel whose threads may come together to the synchronisations of their block an item function. After
// bindContext and bindLds.
void makeItemFunctions(std::vector<Kernel>& kernels, const BlockOptions& options);

// Of item functions, which are gone afterwards: a function that runs a whole block as loops over its threads, which may
// be vectorised. Sets Kernel::block; where accesses are told it takes the place of Kernel::thread.
void makeBlockFunctions(std::vector<Kernel>& kernels, llvm::TargetMachine& machine, const BlockOptions& options);

} // namespace gks::hipcpu
