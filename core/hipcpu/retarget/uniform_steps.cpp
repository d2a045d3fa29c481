// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/retarget/uniform_steps.h"

#include "core/hipcpu/retarget/uniformity.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

namespace gks::hipcpu {
namespace {

struct Counter {
    llvm::PHINode* value;
    llvm::BasicBlock* entry;
    llvm::Instruction* next; // in its block, the value of the next turn
    llvm::Value* step;       // integer
    std::uint64_t scale;     // bytes of one, of an address; else 1
};

bool goTogether(const llvm::Loop& loop, const Uniformity& uniformity) {
    llvm::SmallVector<llvm::BasicBlock*, 4> exits;
    loop.getExitingBlocks(exits);
    return !exits.empty() && llvm::all_of(exits, [&](const llvm::BasicBlock* block) {
        return uniformity.hasUniformEnd(*block) && uniformity.isReachedByAll(*block);
    });
}

// Those that differ from thread to thread.
void addCounters(const llvm::Loop& loop, const Uniformity& uniformity, llvm::SmallVectorImpl<Counter>& counters) {
    llvm::BasicBlock* const latch = loop.getLoopLatch();
    for (llvm::PHINode& phi : loop.getHeader()->phis()) {
        if (latch == nullptr || phi.getNumIncomingValues() != 2 || uniformity.isUniform(phi)) {
            continue;
        }
        auto* const next = llvm::dyn_cast<llvm::Instruction>(phi.getIncomingValueForBlock(latch));
        llvm::BasicBlock* const entry = phi.getIncomingBlock(phi.getIncomingBlock(0) == latch ? 1 : 0);
        if (next == nullptr || !loop.contains(next)) {
            continue;
        }
        llvm::Value* step = nullptr;
        std::uint64_t scale = 1;
        const auto* place = llvm::dyn_cast<llvm::GetElementPtrInst>(next);
        if (next->getOpcode() == llvm::Instruction::Add) {
            step = next->getOperand(0) == &phi   ? next->getOperand(1)
                   : next->getOperand(1) == &phi ? next->getOperand(0)
                                                 : nullptr;
        } else if (place != nullptr && place->getPointerOperand() == &phi && place->getNumIndices() == 1) {
            step = place->getOperand(1);
            scale = place->getDataLayout().getTypeAllocSize(place->getSourceElementType()).getFixedValue();
        }
        if (step != nullptr && step != &phi && step->getType()->isIntegerTy() && uniformity.isUniform(*step)) {
            counters.push_back({&phi, entry, next, step, scale});
        }
    }
}

void split(const Counter& counter) {
    llvm::PHINode& phi = *counter.value;
    const bool isAddress = phi.getType()->isPointerTy();
    llvm::IRBuilder<> builder(&phi);
    llvm::Type* const type = isAddress ? builder.getInt64Ty() : phi.getType();
    llvm::PHINode* const sum = builder.CreatePHI(type, 2);
    builder.SetInsertPoint(counter.next);
    llvm::Value* step = counter.step;
    if (isAddress) {
        step = builder.CreateMul(builder.CreateSExtOrTrunc(step, type), llvm::ConstantInt::get(type, counter.scale));
    }
    for (unsigned i = 0; i < 2; ++i) {
        llvm::BasicBlock* const from = phi.getIncomingBlock(i);
        sum->addIncoming(from == counter.entry ? llvm::ConstantInt::get(type, 0) : builder.CreateAdd(sum, step), from);
    }
    llvm::Value* const start = phi.getIncomingValueForBlock(counter.entry);
    builder.SetInsertPoint(phi.getParent(), phi.getParent()->getFirstInsertionPt());
    phi.replaceAllUsesWith(isAddress ? builder.CreateGEP(builder.getInt8Ty(), start, sum)
                                     : builder.CreateAdd(start, sum));
    phi.eraseFromParent();
}

} // namespace

void stepTogether(llvm::Function& item) {
    llvm::SmallVector<Counter, 8> counters;
    {
        const Uniformity uniformity(item);
        llvm::DominatorTree dominators(item);
        llvm::LoopInfo loops(dominators);
        for (const llvm::Loop* loop : loops.getLoopsInPreorder()) {
            if (goTogether(*loop, uniformity)) {
                addCounters(*loop, uniformity, counters);
            }
        }
    }
    for (const Counter& counter : counters) {
        split(counter);
    }
}

} // namespace gks::hipcpu
