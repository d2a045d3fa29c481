// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace llvm {
class DominatorTree;
class Instruction;
class LoadInst;
} // namespace llvm

namespace gks::hipcpu {

// In front of what a plain load is told. A read of LDS whose value is used behind a branch alone counts there, as every
// compiler of a card delays it: threads that take the other way read nothing. So a function may be called with a value
// that one wave uses and overwrites while the others are still at the call. Else the load itself, which stays where it
// is in either case.
llvm::Instruction& placeOfRead(llvm::LoadInst& load, const llvm::DominatorTree& dominators);

} // namespace gks::hipcpu
