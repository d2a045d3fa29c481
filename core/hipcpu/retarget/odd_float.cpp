// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/retarget/odd_float.h"

#include <llvm/IR/DerivedTypes.h>

namespace gks::hipcpu {

llvm::Type* withElement(llvm::Type* type, llvm::Type* element) {
    auto* vector = llvm::dyn_cast<llvm::VectorType>(type);
    return vector != nullptr ? llvm::VectorType::get(element, vector->getElementCount()) : element;
}

llvm::Value* oddFloat(llvm::IRBuilder<>& builder, llvm::Value* from) {
    llvm::Type* const floats = withElement(from->getType(), builder.getFloatTy());
    llvm::Type* const words = withElement(from->getType(), builder.getInt32Ty());
    llvm::Value* const once = builder.CreateFPTrunc(from, floats);
    llvm::Value* const back = builder.CreateFPExt(once, from->getType());
    llvm::Value* const bits = builder.CreateBitCast(once, words);
    // One towards zero when rounding went away from it, then odd; exact values stay.
    llvm::Value* const size = builder.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, from);
    llvm::Value* const backSize = builder.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, back);
    llvm::Value* const isAway = builder.CreateFCmpOGT(backSize, size);
    llvm::Value* const lower = builder.CreateSub(bits, builder.CreateZExt(isAway, words));
    llvm::Value* const odd = builder.CreateOr(lower, llvm::ConstantInt::get(words, 1));
    llvm::Value* const isExact = builder.CreateFCmpUEQ(back, from);
    return builder.CreateBitCast(builder.CreateSelect(isExact, bits, odd), floats);
}

} // namespace gks::hipcpu
