// SPDX-License-Identifier: GPL-3.0-or-later
// Fences and atomics within a block. Device code fences round every barrier, and HIP 5.2 does it with sequentially
// consistent fences, each an mfence on x86: five times the run time of a tiled GEMM. The threads of a block share one
// thread of the operating system here, so a fence beside a barrier orders nothing, and atomics on LDS can be plain
// accesses.
#include "core/hipcpu/retarget/fences.h"

#include "core/hipcpu/retarget/lds.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/LowerAtomic.h>

namespace gks::hipcpu {
namespace {

bool isBarrier(const llvm::Instruction& instruction) {
    const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    const llvm::Function* callee = call != nullptr ? call->getCalledFunction() : nullptr;
    return callee != nullptr && callee->getName() == "hipcpu_barrier";
}

// Is there a barrier on this side of the fence with no memory access between?
template<class Step>
bool barrierNextTo(llvm::Instruction& fence, Step step) {
    for (llvm::Instruction* at = step(fence); at != nullptr; at = step(*at)) {
        if (isBarrier(*at)) {
            return true;
        }
        if (const auto* call = llvm::dyn_cast<llvm::CallInst>(at);
            call != nullptr && call->getCalledFunction() != nullptr &&
            call->getCalledFunction()->getName() == "hipcpu_barrier_at") {
            continue;
        }
        if (at->mayReadOrWriteMemory() && !llvm::isa<llvm::FenceInst>(at)) {
            return false;
        }
    }
    return false;
}

// HIP 5.2 headers fence by a library call: (flags, memory order, scope), scope 0 and 1 lie within the block.
llvm::SyncScope::ID scopeOfWorkItemFence(const llvm::CallInst& call) {
    const auto* scope = call.arg_size() == 3 ? llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(2)) : nullptr;
    const bool withinBlock = scope != nullptr && scope->getZExtValue() <= 1;
    return withinBlock ? llvm::SyncScope::SingleThread : llvm::SyncScope::System;
}

llvm::SyncScope::ID ldsScope(const llvm::Function& function) {
    return function.getContext().getOrInsertSyncScopeID("hipcpu.lds");
}

} // namespace

llvm::SyncScope::ID waitScope(llvm::LLVMContext& context) {
    return context.getOrInsertSyncScopeID(waitScopeName);
}

void lowerFenceCalls(llvm::Module& flat) {
    for (llvm::Function& callee : flat) {
        const bool isFence = callee.getName() == "__atomic_work_item_fence";
        if (!isFence && callee.getName() != "hipcpu_amdgcn_s_waitcnt") {
            continue;
        }
        for (llvm::User* user : llvm::make_early_inc_range(callee.users())) {
            if (auto* call = llvm::dyn_cast<llvm::CallInst>(user)) {
                llvm::IRBuilder<>(call).CreateFence(llvm::AtomicOrdering::SequentiallyConsistent,
                                                    isFence ? scopeOfWorkItemFence(*call)
                                                            : waitScope(flat.getContext()));
                call->eraseFromParent();
            }
        }
    }
}

void forgetWaits(llvm::Function& function) {
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
        const auto* fence = llvm::dyn_cast<llvm::FenceInst>(&instruction);
        if (fence != nullptr && fence->getSyncScopeID() == waitScope(function.getContext())) {
            instruction.eraseFromParent();
        }
    }
}

void lowerLdsAtomics(llvm::Function& function) {
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
        if (auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
            if (update->getSyncScopeID() == ldsScope(function)) {
                llvm::lowerAtomicRMWInst(update);
            }
        } else if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
            if (exchange->getSyncScopeID() == ldsScope(function)) {
                llvm::lowerAtomicCmpXchgInst(exchange);
            }
        }
    }
}

void relaxFences(llvm::Function& function) {
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
        if (auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
            if (isInLds(update->getPointerOperand())) {
                update->setSyncScopeID(ldsScope(function));
            }
        } else if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
            if (isInLds(exchange->getPointerOperand())) {
                exchange->setSyncScopeID(ldsScope(function));
            }
        }
    }
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
        if (!llvm::isa<llvm::FenceInst>(instruction)) {
            continue;
        }
        if (barrierNextTo(instruction, [](llvm::Instruction& at) { return at.getPrevNode(); }) ||
            barrierNextTo(instruction, [](llvm::Instruction& at) { return at.getNextNode(); })) {
            instruction.eraseFromParent();
        }
    }
}

} // namespace gks::hipcpu
