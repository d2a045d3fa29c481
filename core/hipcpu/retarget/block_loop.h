// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hipcpu/retarget/kernel.h"

namespace gks::hipcpu {

// Gives every kernel that never synchronises a function that runs a whole block as a loop nest over its threads; the
// innermost loop may be vectorised. Sets Kernel::block. After bindContext and bindLds.
void makeBlockFunctions(llvm::Module& flat, std::vector<Kernel>& kernels);

} // namespace gks::hipcpu
