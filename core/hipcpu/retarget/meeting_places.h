// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <llvm/ADT/SetVector.h>

namespace llvm {
class BasicBlock;
class DominatorTree;
class Instruction;
class LoopInfo;
class PostDominatorTree;
} // namespace llvm

namespace gks::hipcpu {

// A call at which the lanes of a wave meet, or the whole block.
bool isMeeting(const llvm::Instruction& instruction);
bool followsMeeting(const llvm::Instruction& place);

// Accesses since the last meeting.
using Open = llvm::SmallSetVector<const llvm::Instruction*, 16>;

struct FlowOfControl {
    const llvm::DominatorTree& dominators;
    const llvm::LoopInfo& loops;
    const llvm::PostDominatorTree& joins;
};

// The innermost branch that decides whether a lane comes to the block; nullptr: none.
llvm::BasicBlock* branchTo(llvm::BasicBlock& block, const llvm::DominatorTree& dominators,
                           const llvm::PostDominatorTree& joins);

// Where lanes meet so that the access comes after what it depends on: in front of the outermost loop that has the
// access and nothing of that, and of the branches of the same loop behind which nothing of that lies: the lanes that
// take the other side have a part in it.
llvm::Instruction* placeInFrontOf(llvm::Instruction& access, const Open& earlier, const FlowOfControl& flow,
                                  bool staysInBranches);

} // namespace gks::hipcpu
