// SPDX-License-Identifier: GPL-3.0-or-later
// LLVM has bfloat for x86 by way of functions of the compiler's runtime library, or with instructions that lose
// subnormal numbers. gfx942 has neither: its code computes in float and rounds the bits to nearest even, and so does
// what stands here. A double is rounded to float first, to odd, so that the second rounding gives what one would have.
#include "core/hipcpu/retarget/bfloat.h"

#include "core/hipcpu/retarget/odd_float.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

namespace gks::hipcpu {
namespace {

using Builder = llvm::IRBuilder<>;

bool isBfloat(const llvm::Type* type) {
    return type->getScalarType()->isBFloatTy();
}

llvm::Value* rounded(Builder& builder, llvm::Value* from, llvm::Type* to) {
    llvm::Type* const words = withElement(to, builder.getInt32Ty());
    const auto constant = [&](std::uint64_t value) { return llvm::ConstantInt::get(words, value); };
    if (from->getType()->getScalarType()->isDoubleTy()) {
        from = oddFloat(builder, from);
    }
    llvm::Value* const bits = builder.CreateBitCast(from, words);
    llvm::Value* const upper = builder.CreateLShr(bits, constant(16));
    llvm::Value* const step = builder.CreateAdd(builder.CreateAnd(upper, constant(1)), constant(0x7fff));
    llvm::Value* const nearest = builder.CreateLShr(builder.CreateAdd(bits, step), constant(16));
    llvm::Value* const quiet = builder.CreateOr(upper, constant(0x40));
    llvm::Value* const code = builder.CreateSelect(builder.CreateFCmpUNO(from, from), quiet, nearest);
    return builder.CreateBitCast(builder.CreateTrunc(code, withElement(to, builder.getInt16Ty())), to);
}

// Those whose operands all have the type of the result.
bool isOfOneType(llvm::Intrinsic::ID id) {
    switch (id) {
    case llvm::Intrinsic::fma:
    case llvm::Intrinsic::fmuladd:
    case llvm::Intrinsic::maxnum:
    case llvm::Intrinsic::minnum:
    case llvm::Intrinsic::maximum:
    case llvm::Intrinsic::minimum:
    case llvm::Intrinsic::sqrt:
    case llvm::Intrinsic::exp:
    case llvm::Intrinsic::exp2:
    case llvm::Intrinsic::log:
    case llvm::Intrinsic::log2:
    case llvm::Intrinsic::log10:
    case llvm::Intrinsic::sin:
    case llvm::Intrinsic::cos:
    case llvm::Intrinsic::pow:
    case llvm::Intrinsic::floor:
    case llvm::Intrinsic::ceil:
    case llvm::Intrinsic::trunc:
    case llvm::Intrinsic::rint:
    case llvm::Intrinsic::nearbyint:
    case llvm::Intrinsic::round:
    case llvm::Intrinsic::roundeven:
    case llvm::Intrinsic::canonicalize:
        return true;
    default:
        return false;
    }
}

// The same in float, or nothing for what needs no change.
llvm::Value* inFloat(Builder& builder, llvm::Instruction& instruction) {
    llvm::Type* const floats = withElement(instruction.getType(), builder.getFloatTy());
    const auto wide = [&](llvm::Value* value) { return builder.CreateFPExt(value, floats); };
    if (llvm::isa<llvm::FPTruncInst>(instruction)) {
        return instruction.getOperand(0);
    }
    if (auto* conversion = llvm::dyn_cast<llvm::SIToFPInst>(&instruction)) {
        return builder.CreateSIToFP(conversion->getOperand(0), floats);
    }
    if (auto* conversion = llvm::dyn_cast<llvm::UIToFPInst>(&instruction)) {
        return builder.CreateUIToFP(conversion->getOperand(0), floats);
    }
    if (auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&instruction)) {
        return builder.CreateBinOp(operation->getOpcode(), wide(operation->getOperand(0)),
                                   wide(operation->getOperand(1)));
    }
    if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
        call != nullptr && isOfOneType(call->getIntrinsicID())) {
        llvm::SmallVector<llvm::Value*, 3> operands;
        for (llvm::Value* operand : call->args()) {
            operands.push_back(wide(operand));
        }
        return builder.CreateIntrinsic(call->getIntrinsicID(), {floats}, operands);
    }
    return nullptr;
}

} // namespace

void lowerBfloats(llvm::Module& module) {
    for (llvm::Function& function : module) {
        for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
            if (!isBfloat(instruction.getType())) {
                continue;
            }
            Builder builder(&instruction);
            if (llvm::isa<llvm::FPMathOperator>(instruction)) {
                builder.setFastMathFlags(instruction.getFastMathFlags());
            }
            if (llvm::Value* const value = inFloat(builder, instruction)) {
                builder.clearFastMathFlags(); // a NaN keeps its code
                instruction.replaceAllUsesWith(rounded(builder, value, instruction.getType()));
                instruction.eraseFromParent();
            }
        }
    }
}

} // namespace gks::hipcpu
