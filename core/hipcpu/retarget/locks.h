// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace llvm {
class Function;
class LoopInfo;
} // namespace llvm

namespace gks::hipcpu {

// Whether a lock is tried for, over and over, and given back. Who has it may meet nobody before: the others, of this
// wave or another one, would not come. What is marked once and for all (a slot, an element that is done) is no lock.
bool takesLock(const llvm::Function& function, const llvm::LoopInfo& loops);

} // namespace gks::hipcpu
