// SPDX-License-Identifier: GPL-3.0-or-later
// An assumption with a mark. Passes that make values of variables in memory drop it with the variable; of a copy that
// they take to pieces the first one begins where the claim says it. It counts for the next access at its very address
// in its block: code that looks at an address first and goes another way claims nothing there.
#include "core/hipcpu/retarget/alignment_claims.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

namespace gks::hipcpu {
namespace {

constexpr const char* claimMark = "hipcpu.claim";

llvm::SmallVector<const llvm::Value*, 2> pointersOf(const llvm::Instruction& access) {
    if (const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&access)) {
        return {pointer};
    }
    if (const auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(&access)) {
        return {copy->getRawDest(), copy->getRawSource()};
    }
    const auto* fill = llvm::dyn_cast<llvm::MemSetInst>(&access);
    return fill != nullptr ? llvm::SmallVector<const llvm::Value*, 2>{fill->getRawDest()}
                           : llvm::SmallVector<const llvm::Value*, 2>();
}

} // namespace

void claimAlignment(llvm::Instruction& access, llvm::Value* pointer, llvm::Align alignment) {
    if (llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(pointer))) {
        return;
    }
    llvm::IRBuilder<> builder(&access);
    llvm::Value* const operands[] = {pointer, builder.getInt64(alignment.value())};
    builder.CreateAssumption(builder.getTrue(), {llvm::OperandBundleDef("align", operands)})
        ->setMetadata(claimMark, llvm::MDNode::get(access.getContext(), {}));
}

AlignmentClaims::AlignmentClaims(llvm::Function& function) {
    llvm::SmallVector<llvm::Instruction*, 16> marks;
    for (const llvm::BasicBlock& block : function) {
        llvm::SmallDenseMap<const llvm::Value*, llvm::Align> open;
        for (const llvm::Instruction& instruction : block) {
            const auto* mark = llvm::dyn_cast<llvm::AssumeInst>(&instruction);
            if (mark != nullptr && mark->hasMetadata(claimMark)) {
                marks.push_back(const_cast<llvm::AssumeInst*>(mark));
                const auto bundle = mark->getOperandBundle("align"); // none: the variable is gone
                const auto* bytes = bundle ? llvm::dyn_cast<llvm::ConstantInt>(bundle->Inputs[1]) : nullptr;
                if (bytes != nullptr) {
                    open[bundle->Inputs[0]] = llvm::Align(bytes->getZExtValue());
                }
                continue;
            }
            for (const llvm::Value* pointer : pointersOf(instruction)) {
                if (const auto claim = open.find(pointer); claim != open.end()) {
                    m_claims[{&instruction, pointer}] = claim->second;
                    open.erase(claim);
                }
            }
        }
    }
    for (llvm::Instruction* mark : marks) {
        mark->eraseFromParent();
    }
}

llvm::Align AlignmentClaims::of(const llvm::Instruction& access, const llvm::Value* pointer) const {
    const auto claim = m_claims.find({&access, pointer});
    return claim == m_claims.end() ? llvm::Align() : claim->second;
}

} // namespace gks::hipcpu
