// SPDX-License-Identifier: GPL-3.0-or-later
// LLVM joins a product and a sum of a block where the target finds it worth while: AMD's whenever it may, the host's
// only a product that nothing else uses, and never one of halves, which it computes as floats.
#include "core/hipcpu/retarget/products.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

#include <utility>

namespace gks::hipcpu {
namespace {

llvm::Instruction* productIn(llvm::Value* value, const llvm::Instruction& sum) {
    auto* const product = llvm::dyn_cast<llvm::Instruction>(value);
    return product != nullptr && product->getOpcode() == llvm::Instruction::FMul && product->hasAllowContract() &&
                   product->getParent() == sum.getParent()
               ? product
               : nullptr;
}

bool isFused(const llvm::Instruction& sum) {
    const llvm::Type* const element = sum.getType()->getScalarType();
    return (sum.getOpcode() == llvm::Instruction::FAdd || sum.getOpcode() == llvm::Instruction::FSub) &&
           sum.hasAllowContract() && (element->isHalfTy() || element->isFloatTy() || element->isDoubleTy());
}

// The sum as one operation, or nothing where the host does the same with it anyway.
llvm::Value* fused(llvm::Instruction& sum) {
    llvm::Instruction* first = productIn(sum.getOperand(0), sum);
    llvm::Instruction* const second = productIn(sum.getOperand(1), sum);
    if (first != nullptr && second != nullptr && first->getNumUses() > second->getNumUses()) {
        first = nullptr; // the other one is computed for this sum alone
    }
    llvm::Instruction* const product = first != nullptr ? first : second;
    const bool isHalf = sum.getType()->getScalarType()->isHalfTy();
    if (product == nullptr || (!isHalf && product->hasOneUse())) {
        return nullptr;
    }
    llvm::IRBuilder<> builder(&sum);
    builder.setFastMathFlags(sum.getFastMathFlags());
    const bool isLess = sum.getOpcode() == llvm::Instruction::FSub;
    llvm::Value* left = product->getOperand(0);
    llvm::Value* rest = sum.getOperand(first != nullptr ? 1 : 0);
    if (isLess && first != nullptr) {
        rest = builder.CreateFNeg(rest);
    } else if (isLess) {
        left = builder.CreateFNeg(left);
    }
    // Of floats and doubles only where the host has an instruction for it.
    return builder.CreateIntrinsic(isHalf ? llvm::Intrinsic::fma : llvm::Intrinsic::fmuladd, {sum.getType()},
                                   {left, product->getOperand(1), rest});
}

} // namespace

void fuseProducts(llvm::Module& module) {
    for (llvm::Function& function : module) {
        for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
            llvm::Value* const value = isFused(instruction) ? fused(instruction) : nullptr;
            if (value != nullptr) {
                instruction.replaceAllUsesWith(value);
                instruction.eraseFromParent();
            }
        }
    }
}

} // namespace gks::hipcpu
