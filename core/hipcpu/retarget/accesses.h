// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace llvm {
class Module;
} // namespace llvm

namespace gks::hipcpu {

// At every access to memory that more than its own thread may touch: a call of hipcpu_access() (abi.h). To be done
// while the accesses are those of the source.
void tellAccesses(llvm::Module& flat);

} // namespace gks::hipcpu
