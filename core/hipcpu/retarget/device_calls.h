// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/hipcpu/architecture.h"

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace gks::hipcpu {

// Before the device library is linked: calls with vector operands go through memory, matrix instructions become
// hipcpu_mfma, traps hipcpu_fail, 32-bit LDS addresses offsets from hipcpu_lds_base().
void lowerDeviceCalls(llvm::Module& flat, Architecture architecture);

// After linking: checks that every call has the signature of the library's function and extends small integers as it
// expects; tells the optimiser which runtime functions are pure and which may switch threads.
Result<void> adoptLibrarySignatures(llvm::Module& flat);

// Cross-lane functions take the address of their call as the site at which lanes meet. They are inlined here, after all
// other inlining, each call with a constant of its own, numbered in the order of the code.
void inlineLaneFunctions(llvm::Module& flat);
bool isLaneFunction(const llvm::Function& function);

} // namespace gks::hipcpu
