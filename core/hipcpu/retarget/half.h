// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace llvm {
class Module;
} // namespace llvm

namespace gks::hipcpu {

// Fused products of halves, and doubles that become halves, are computed in double and float, rounded once in all. For
// hosts without instructions for halves.
void lowerHalves(llvm::Module& module);

} // namespace gks::hipcpu
