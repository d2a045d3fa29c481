// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace llvm {
class Module;
} // namespace llvm

namespace gks::hipcpu {

// Products that the source lets join a sum (`a * b + c`, -ffp-contract) and that gfx942 would compute in one
// instruction with it, where the host's code would round them first. Of inlined functions.
void fuseProducts(llvm::Module& module);

} // namespace gks::hipcpu
