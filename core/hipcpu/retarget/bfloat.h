// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace llvm {
class Module;
} // namespace llvm

namespace gks::hipcpu {

// Arithmetic of the type __bf16 becomes that of float, with the rounding of gfx942.
void lowerBfloats(llvm::Module& module);

} // namespace gks::hipcpu
