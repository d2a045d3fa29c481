// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hipcpu/retarget/kernel.h"

namespace gks::hipcpu {

// Whether it surely leads into a variable of LDS, before bindLds.
bool isInLds(const llvm::Value* pointer);

// Tells the optimiser that LDS variables overlap neither each other nor what the kernel's pointer arguments point to.
// Before bindLds, while the variables are still visible.
void tagLdsAccesses(llvm::Function& thread);

// Gives every LDS variable its place and turns uses into "lds + offset". Each kernel has a layout of its own; variables
// that functions outside kernels use (recursion, function pointers) come first in all of them. A kernel that needs more
// than `limitBytes` is an error.
Result<void> bindLds(llvm::Module& flat, std::vector<Kernel>& kernels, std::uint32_t limitBytes);

} // namespace gks::hipcpu
