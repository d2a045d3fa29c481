// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/retarget/late_reads.h"

#include "core/hipcpu/retarget/lds.h"
#include "core/hipcpu/retarget/lockstep.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Instructions.h>

namespace gks::hipcpu {
namespace {

bool isReadOfLds(const llvm::LoadInst& load) {
    return load.isSimple() && isInLds(load.getPointerOperand());
}

bool isMeetingOfWave(const llvm::Instruction& instruction) {
    const auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    return call != nullptr && call->getCalledFunction() != nullptr &&
           call->getCalledFunction()->getName() == waveMeeting;
}

// The block behind the load's own branch that all its uses lie behind; null where there is none, or where something in
// between may write, or wait for other waves.
llvm::BasicBlock* onlyWay(llvm::LoadInst& load, const llvm::DominatorTree& dominators) {
    llvm::BasicBlock* const block = load.getParent();
    for (const llvm::Instruction& next : llvm::make_range(std::next(load.getIterator()), block->end())) {
        if (next.mayHaveSideEffects() && !isMeetingOfWave(next)) {
            return nullptr;
        }
    }
    for (llvm::BasicBlock* const way : llvm::successors(block)) {
        const bool isOnly =
            way->getUniquePredecessor() == block && llvm::all_of(load.uses(), [&](const llvm::Use& use) {
                return dominators.dominates(llvm::BasicBlockEdge(block, way), use);
            });
        if (isOnly && block->getTerminator()->getNumSuccessors() > 1) {
            return way;
        }
    }
    return nullptr;
}

} // namespace

llvm::Instruction& placeOfRead(llvm::LoadInst& load, const llvm::DominatorTree& dominators) {
    llvm::BasicBlock* const way = !load.use_empty() && isReadOfLds(load) ? onlyWay(load, dominators) : nullptr;
    return way != nullptr ? *way->getFirstInsertionPt() : load;
}

} // namespace gks::hipcpu
