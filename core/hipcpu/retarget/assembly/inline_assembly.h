// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace llvm {
class CallInst;
class Module;
} // namespace llvm

namespace gks::hipcpu {

struct AssemblyOutcome {
    std::string refusal;         // why the statement cannot be carried over; empty: it is done and the call is gone
    bool wantsConstants = false; // it may be when its immediate operands have become constants
};

// Replaces a statement of inline assembly by what it does, in IR. The text is assembled for gfx942 by LLVM and then
// carried over instruction by instruction; waits and hints become a compiler barrier. What memory an instruction reads
// has been read when the statement ends.
AssemblyOutcome replaceAssembly(llvm::CallInst& call);

// Inlines and simplifies as a compiler for the device does before it needs to know immediate operands: parameters of
// functions and counters of unrolled loops become constants.
void makeImmediatesConstant(llvm::Module& device);

// m0 outlives a statement. It is a variable of the module until everything is inlined, then one of each function.
void bindM0(llvm::Module& flat);

} // namespace gks::hipcpu
