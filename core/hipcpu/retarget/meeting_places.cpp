// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/retarget/meeting_places.h"

#include "core/hipcpu/retarget/device_calls.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>

namespace gks::hipcpu {
namespace {

// Whether one of the accesses lies on a way from the branch, which dominates the place, to it.
bool liesBetween(const llvm::BasicBlock& branch, const llvm::Instruction& place, const Open& accesses) {
    for (const llvm::Instruction* one = place.getPrevNode(); one != nullptr; one = one->getPrevNode()) {
        if (accesses.contains(one)) {
            return true;
        }
    }
    llvm::SmallSetVector<const llvm::BasicBlock*, 16> before;
    before.insert(llvm::pred_begin(place.getParent()), llvm::pred_end(place.getParent()));
    for (std::size_t i = 0; i < before.size(); ++i) {
        if (before[i] != &branch) {
            before.insert(llvm::pred_begin(before[i]), llvm::pred_end(before[i]));
        }
    }
    before.remove(&branch);
    return llvm::any_of(accesses, [&](const llvm::Instruction* one) { return before.contains(one->getParent()); });
}

} // namespace

bool isMeeting(const llvm::Instruction& instruction) {
    const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    const llvm::Function* callee = call != nullptr ? call->getCalledFunction() : nullptr;
    if (callee == nullptr || callee->isIntrinsic()) {
        return false;
    }
    const llvm::StringRef name = callee->getName();
    return isLaneFunction(*callee) || name == "hipcpu_barrier" || name == "hipcpu_mfma" ||
           name == "hipcpu_block_reduce" || name == "hipcpu_wave_exchange";
}

bool followsMeeting(const llvm::Instruction& place) {
    const llvm::Instruction* before = place.getPrevNode();
    return before != nullptr && isMeeting(*before);
}

llvm::BasicBlock* branchTo(llvm::BasicBlock& block, const llvm::DominatorTree& dominators,
                           const llvm::PostDominatorTree& joins) {
    const auto* node = dominators.getNode(&block);
    for (node = node != nullptr ? node->getIDom() : nullptr; node != nullptr; node = node->getIDom()) {
        if (!joins.dominates(&block, node->getBlock())) {
            return node->getBlock();
        }
    }
    return nullptr;
}

llvm::Instruction* placeInFrontOf(llvm::Instruction& access, const Open& earlier, const FlowOfControl& flow,
                                  bool staysInBranches) {
    llvm::Instruction* place = &access;
    while (true) {
        const llvm::Loop* loop = flow.loops.getLoopFor(place->getParent());
        if (loop != nullptr && loop->getLoopPredecessor() != nullptr &&
            llvm::none_of(earlier, [&](const llvm::Instruction* one) { return loop->contains(one->getParent()); })) {
            place = loop->getLoopPredecessor()->getTerminator();
            continue;
        }
        llvm::BasicBlock* branch = branchTo(*place->getParent(), flow.dominators, flow.joins);
        if (staysInBranches || branch == nullptr || flow.loops.getLoopFor(branch) != loop ||
            (loop != nullptr && loop->isLoopExiting(branch)) || liesBetween(*branch, *place, earlier)) {
            return place;
        }
        place = branch->getTerminator();
    }
}

} // namespace gks::hipcpu
