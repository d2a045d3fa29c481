// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <llvm/ADT/DenseMap.h>

namespace llvm {
class BasicBlock;
class Function;
} // namespace llvm

namespace gks::hipcpu {

// The order in which threads that have parted have their turns: what leads to a block comes before it, and a loop whole
// before what follows it, so that nobody is overtaken who could still come along. Of blocks that can be reached.
using Places = llvm::DenseMap<const llvm::BasicBlock*, unsigned>;
Places placesOf(llvm::Function& function);

} // namespace gks::hipcpu
