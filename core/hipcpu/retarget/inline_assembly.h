// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace llvm {
class CallInst;
class Module;
} // namespace llvm

namespace gks::hipcpu {

// Replaces a statement of inline assembly by what it does, in IR. The text is assembled for gfx942 by LLVM and then
// carried over instruction by instruction; waits and hints become a compiler barrier. Returns why it cannot be; empty:
// it is done and the call is gone. What memory an instruction reads has been read when the statement ends.
std::string replaceAssembly(llvm::CallInst& call);

// m0 outlives a statement. It is a variable of the module until everything is inlined, then one of each function.
void bindM0(llvm::Module& flat);

} // namespace gks::hipcpu
