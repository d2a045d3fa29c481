// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace llvm {
class Function;
} // namespace llvm

namespace gks::hipcpu {

// Removes fences that a barrier makes superfluous, and gives atomics on LDS a scope of their own.
void relaxFences(llvm::Function& function);

// Makes atomics of that scope ordinary accesses: only the threads of one block see them, and they share a thread of the
// operating system. Once nobody has to know any more that they order threads.
void lowerLdsAtomics(llvm::Function& function);

} // namespace gks::hipcpu
