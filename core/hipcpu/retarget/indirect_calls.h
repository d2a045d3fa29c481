// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace llvm {
class Module;
} // namespace llvm

namespace gks::hipcpu {

// Lets an indirect call of device code go to functions of the same module alone: before each stands a question whether
// its target is one of the functions whose address the module takes. Any other ends the kernel, which is named. For a
// module whose functions have been inlined.
void guardIndirectCalls(llvm::Module& flat);

} // namespace gks::hipcpu
