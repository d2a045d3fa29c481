// SPDX-License-Identifier: GPL-3.0-or-later
// A card has all blocks of a small grid there at once, so that a block may wait for any other. Here those that run wait
// for one that has not begun, unless it is known that they wait. A loop waits that changes nothing and that a read
// decides which others may change: one past the caches, or an update that leaves what is there.
#include "core/hipcpu/retarget/waiting_loops.h"

#include "core/hipcpu/retarget/access_roles.h"
#include "core/hipcpu/retarget/lds_accesses.h"
#include "core/hipcpu/retarget/lockstep.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace gks::hipcpu {
namespace {

bool leavesWhatIsThere(const llvm::Instruction& instruction) {
    if (const auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
        const auto* value = llvm::dyn_cast<llvm::ConstantInt>(update->getValOperand());
        const auto operation = update->getOperation();
        return value != nullptr && value->isZero() &&
               (operation == llvm::AtomicRMWInst::Add || operation == llvm::AtomicRMWInst::Sub ||
                operation == llvm::AtomicRMWInst::Or || operation == llvm::AtomicRMWInst::Xor ||
                operation == llvm::AtomicRMWInst::UMax);
    }
    const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction);
    return exchange != nullptr && exchange->getCompareOperand() == exchange->getNewValOperand();
}

// Of memory that other blocks see.
bool readsWhatOthersChange(const llvm::Instruction& instruction) {
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    return ((load != nullptr && isPastCaches(*load)) || leavesWhatIsThere(instruction)) &&
           accessesOf(instruction).empty();
}

bool changesSomething(const llvm::Instruction& instruction) {
    return (llvm::isa<llvm::StoreInst, llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(instruction)) &&
           !leavesWhatIsThere(instruction);
}

// The ends of the loop that what it reads decides on.
void addDecided(const llvm::Instruction& read, const llvm::Loop& loop,
                llvm::SmallPtrSetImpl<const llvm::BasicBlock*>& decided) {
    llvm::SmallSetVector<const llvm::Instruction*, 16> users;
    users.insert(&read);
    for (std::size_t i = 0; i < users.size(); ++i) {
        if (users[i]->isTerminator()) {
            decided.insert(users[i]->getParent());
        }
        for (const llvm::User* user : users[i]->users()) {
            if (const auto* instruction = llvm::dyn_cast<llvm::Instruction>(user);
                instruction != nullptr && loop.contains(instruction)) {
                users.insert(instruction);
            }
        }
    }
}

// A loop that also ends otherwise, after a number of turns, does not depend on others.
bool waits(const llvm::Loop& loop) {
    llvm::SmallPtrSet<const llvm::BasicBlock*, 8> decided;
    for (const llvm::BasicBlock* block : loop.blocks()) {
        for (const llvm::Instruction& instruction : *block) {
            if (changesSomething(instruction)) {
                return false;
            }
            if (readsWhatOthersChange(instruction)) {
                addDecided(instruction, loop, decided);
            }
        }
    }
    llvm::SmallVector<llvm::BasicBlock*, 4> ends;
    loop.getExitingBlocks(ends);
    return !ends.empty() && llvm::all_of(ends, [&](const llvm::BasicBlock* end) { return decided.contains(end); });
}

} // namespace

bool waitsForOthers(llvm::Function& function) {
    const llvm::DominatorTree dominators(function);
    const llvm::LoopInfo loops(dominators);
    bool found = llvm::any_of(llvm::instructions(function), isSleep);
    llvm::IRBuilder<> ir(function.getContext());
    const auto call = [&](llvm::Instruction& before, bool isFirst) {
        auto callee = function.getParent()->getOrInsertFunction(letOthersRunName, ir.getVoidTy(), ir.getInt32Ty());
        llvm::cast<llvm::Function>(callee.getCallee())->setDoesNotThrow();
        ir.SetInsertPoint(&before);
        ir.CreateCall(callee, {ir.getInt32(isFirst ? 1 : 0)});
    };
    for (const llvm::Loop* loop : loops.getLoopsInPreorder()) {
        if (!waits(*loop)) {
            continue;
        }
        found = true;
        for (llvm::BasicBlock* before : llvm::predecessors(loop->getHeader())) {
            if (!loop->contains(before)) {
                call(*before->getTerminator(), true);
            }
        }
        call(*loop->getHeader()->getFirstInsertionPt(), false);
    }
    return found;
}

} // namespace gks::hipcpu
