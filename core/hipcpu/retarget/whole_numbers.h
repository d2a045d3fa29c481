// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace llvm {
class Module;
} // namespace llvm

namespace gks::hipcpu {

// Floats that become integers: what is too large or too small becomes the largest or the smallest, and what is no
// number 0, as the instructions of a card have it. Before anything is optimised.
void saturateWholeNumbers(llvm::Module& module);

} // namespace gks::hipcpu
