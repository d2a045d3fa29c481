// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/retarget/thread_loop.h"

namespace gks::hipcpu {

Loop openLoop(llvm::IRBuilder<>& builder, const char* name) {
    llvm::BasicBlock* before = builder.GetInsertBlock();
    auto* head = llvm::BasicBlock::Create(builder.getContext(), name, before->getParent());
    builder.CreateBr(head);
    builder.SetInsertPoint(head);
    llvm::PHINode* index = builder.CreatePHI(builder.getInt32Ty(), 2, name);
    index->addIncoming(builder.getInt32(0), before);
    return {head, index};
}

llvm::BranchInst* closeLoop(llvm::IRBuilder<>& builder, const Loop& loop, llvm::Value* step, llvm::Value* count) {
    llvm::Value* next = builder.CreateAdd(loop.index, step, "", true, true);
    loop.index->addIncoming(next, builder.GetInsertBlock());
    auto* after = llvm::BasicBlock::Create(builder.getContext(), "", loop.head->getParent());
    llvm::BranchInst* branch = builder.CreateCondBr(builder.CreateICmpULT(next, count), loop.head, after);
    builder.SetInsertPoint(after);
    return branch;
}

llvm::Value* inOrder(llvm::IRBuilder<>& builder, llvm::Value* isReversed, llvm::Value* counter, llvm::Value* count,
                     unsigned step) {
    if (isReversed == nullptr) {
        return counter;
    }
    llvm::Value* fromTheEnd = builder.CreateSub(builder.CreateSub(count, builder.getInt32(step)), counter);
    return builder.CreateSelect(isReversed, fromTheEnd, counter);
}

void orderTurns(llvm::PHINode& counter, llvm::Value* isReversed, llvm::Value* ends) {
    llvm::SmallVector<llvm::Use*, 16> uses;
    for (llvm::Use& use : counter.uses()) {
        if (!llvm::is_contained(counter.incoming_values(), use.getUser())) { // the next turn
            uses.push_back(&use);
        }
    }
    llvm::IRBuilder<> builder(counter.getParent(), counter.getParent()->getFirstInsertionPt());
    llvm::Value* ordered = inOrder(builder, isReversed, &counter, ends, 0);
    for (llvm::Use* use : uses) {
        use->set(ordered);
    }
}

void describeLoop(llvm::BranchInst& latch, llvm::MDNode* group) {
    llvm::LLVMContext& context = latch.getContext();
    llvm::SmallVector<llvm::Metadata*, 3> facts = {
        nullptr, llvm::MDNode::get(context, llvm::MDString::get(context, "llvm.loop.unroll.disable"))};
    if (group != nullptr) {
        facts.push_back(
            llvm::MDNode::get(context, {llvm::MDString::get(context, "llvm.loop.parallel_accesses"), group}));
    }
    llvm::MDNode* id = llvm::MDNode::getDistinct(context, facts);
    id->replaceOperandWith(0, id);
    latch.setMetadata(llvm::LLVMContext::MD_loop, id);
}

} // namespace gks::hipcpu
