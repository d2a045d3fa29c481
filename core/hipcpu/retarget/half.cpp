// SPDX-License-Identifier: GPL-3.0-or-later
// Without instructions for halves LLVM calls a function of the compiler's runtime library for each fused product, which
// costs some hundred times what a product of floats does. In double the sum is exact or too far from the middle of two
// halves to matter.
#include "core/hipcpu/retarget/half.h"

#include "core/hipcpu/retarget/odd_float.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

namespace gks::hipcpu {
namespace {

// What becomes the half, or nothing for what needs no change.
llvm::Value* inDouble(llvm::IRBuilder<>& builder, llvm::Instruction& instruction) {
    if (llvm::isa<llvm::FPTruncInst>(instruction)) {
        llvm::Value* const from = instruction.getOperand(0);
        return from->getType()->getScalarType()->isDoubleTy() ? from : nullptr;
    }
    auto* const call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    // Where there is a choice, the card's instruction is the fused one.
    if (call == nullptr ||
        (call->getIntrinsicID() != llvm::Intrinsic::fma && call->getIntrinsicID() != llvm::Intrinsic::fmuladd)) {
        return nullptr;
    }
    llvm::Type* const doubles = withElement(instruction.getType(), builder.getDoubleTy());
    llvm::SmallVector<llvm::Value*, 3> operands;
    for (llvm::Value* operand : call->args()) {
        operands.push_back(builder.CreateFPExt(operand, doubles));
    }
    return builder.CreateIntrinsic(llvm::Intrinsic::fma, {doubles}, operands);
}

} // namespace

void lowerHalves(llvm::Module& module) {
    for (llvm::Function& function : module) {
        for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
            if (!instruction.getType()->getScalarType()->isHalfTy()) {
                continue;
            }
            llvm::IRBuilder<> builder(&instruction);
            if (llvm::Value* const value = inDouble(builder, instruction)) {
                instruction.replaceAllUsesWith(builder.CreateFPTrunc(oddFloat(builder, value), instruction.getType()));
                instruction.eraseFromParent();
            }
        }
    }
}

} // namespace gks::hipcpu
