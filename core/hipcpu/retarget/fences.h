// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <llvm/IR/LLVMContext.h>

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace gks::hipcpu {

// Of fences that only wait for a wave's own accesses.
inline constexpr const char* waitScopeName = "hipcpu.wait";
llvm::SyncScope::ID waitScope(llvm::LLVMContext& context);

// Before the device library is linked: calls of headers and builtins that order a wave's accesses become fences, also
// those that only wait for them (s_waitcnt), until nobody has to know any more that they did.
void lowerFenceCalls(llvm::Module& flat);
void forgetWaits(llvm::Function& function);

// Removes fences that a barrier makes superfluous, and gives atomics on LDS a scope of their own.
void relaxFences(llvm::Function& function);

// Makes atomics of that scope ordinary accesses: only the threads of one block see them, and they share a thread of the
// operating system. Once nobody has to know any more that they order threads.
void lowerLdsAtomics(llvm::Function& function);

} // namespace gks::hipcpu
