// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/retarget/fibre_turns.h"

#include "core/hipcpu/retarget/item_function.h"

#include <algorithm>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace gks::hipcpu {
namespace {

constexpr unsigned siteOperand = 2; // of an exchange

bool isExchange(const llvm::Instruction& instruction) {
    return isCallOf(instruction, item::exchange);
}

// All lanes that are in the loop come there before any of them goes on.
bool isMeeting(const llvm::Instruction& instruction) {
    return isExchange(instruction) || isCallOf(instruction, item::barrier) || isCallOf(instruction, item::matrix);
}

std::uint64_t siteOf(const llvm::Instruction& exchange) {
    const auto* const site =
        llvm::dyn_cast<llvm::ConstantExpr>(llvm::cast<llvm::CallInst>(exchange).getArgOperand(siteOperand));
    const auto* const number = site != nullptr ? llvm::dyn_cast<llvm::ConstantInt>(site->getOperand(0)) : nullptr;
    return number != nullptr ? number->getZExtValue() : 0;
}

// 0: it has none.
std::uint64_t lastSiteIn(const llvm::Loop& loop) {
    std::uint64_t last = 0;
    for (const llvm::BasicBlock* block : loop.blocks()) {
        for (const llvm::Instruction& instruction : *block) {
            last = std::max(last, isExchange(instruction) ? siteOf(instruction) : 0);
        }
    }
    return last;
}

// Lanes that are in different turns could wait at its exchanges.
bool turnsApart(const llvm::Loop& loop) {
    const llvm::BasicBlock* const latch = loop.getLoopLatch();
    return latch == nullptr || llvm::none_of(*latch, isMeeting);
}

void meetAtTurn(const llvm::Loop& loop, std::uint64_t site, llvm::AllocaInst& slots, llvm::FunctionCallee exchange) {
    llvm::SmallVector<llvm::BasicBlock*, 4> latches;
    loop.getLoopLatches(latches);
    llvm::BasicBlock* const turn = llvm::SplitBlockPredecessors(loop.getHeader(), latches, ".turn");
    llvm::IRBuilder<> builder(turn->getTerminator());
    llvm::Constant* const number = llvm::ConstantExpr::getIntToPtr(builder.getInt64(site), builder.getPtrTy());
    builder.CreateCall(exchange, {builder.getInt64(0), &slots, number});
}

void meetAtTurnsOf(llvm::Function& function, llvm::FunctionCallee exchange) {
    llvm::AllocaInst* slots = nullptr;
    for (bool changed = true; changed;) {
        changed = false;
        const llvm::DominatorTree dominators(function);
        const llvm::LoopInfo loops(dominators);
        const auto outerFirst = loops.getLoopsInPreorder();
        for (const llvm::Loop* loop : llvm::reverse(outerFirst)) {
            const std::uint64_t last = lastSiteIn(*loop);
            if (last == 0 || !turnsApart(*loop)) {
                continue;
            }
            if (slots == nullptr) {
                llvm::BasicBlock& entry = function.getEntryBlock();
                llvm::IRBuilder<> builder(&entry, entry.begin());
                slots = builder.CreateAlloca(builder.getPtrTy());
            }
            meetAtTurn(*loop, last + 1, *slots, exchange);
            changed = true;
            break; // what is known of loops does not hold any more
        }
    }
}

} // namespace

void meetAtTurns(llvm::Module& flat) {
    llvm::Function* const exchange = flat.getFunction(item::exchange);
    for (llvm::Function& function : flat) {
        if (exchange != nullptr && llvm::any_of(llvm::instructions(function), isExchange)) {
            meetAtTurnsOf(function, exchange);
        }
    }
}

} // namespace gks::hipcpu
