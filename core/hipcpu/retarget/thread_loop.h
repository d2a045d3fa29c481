// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <llvm/IR/IRBuilder.h>

namespace gks::hipcpu {

// A counting loop of a block function, from 0.
struct Loop {
    llvm::BasicBlock* head = nullptr;
    llvm::PHINode* index = nullptr;
};

// The builder goes on within the loop.
Loop openLoop(llvm::IRBuilder<>& builder, const char* name);
// The builder goes on behind it. Returns the branch back.
llvm::BranchInst* closeLoop(llvm::IRBuilder<>& builder, const Loop& loop, llvm::Value* step, llvm::Value* count);
// What a counter stands for: itself, or where `isReversed` is true (null: it never is) what is as far from the end.
llvm::Value* inOrder(llvm::IRBuilder<>& builder, llvm::Value* isReversed, llvm::Value* counter, llvm::Value* count,
                     unsigned step);
// Likewise within a loop that is there already; `ends`: its first turn and its last one, added up.
void orderTurns(llvm::PHINode& counter, llvm::Value* isReversed, llvm::Value* ends);
// What the optimiser is told of a loop over threads: whether its turns are independent (`group` is not null), and that
// it is not to be unrolled. Unrolled, the loop over a strip would leave the one around it as the innermost, which is
// the one that is vectorised; the others would take longer to compile than they could save.
void describeLoop(llvm::BranchInst& latch, llvm::MDNode* group);

} // namespace gks::hipcpu
