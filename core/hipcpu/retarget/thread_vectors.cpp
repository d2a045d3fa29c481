// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/retarget/thread_vectors.h"

#include "core/hipcpu/retarget/item_function.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

namespace gks::hipcpu {
namespace {

bool isOnlyCopied(const llvm::LoadInst& load) {
    return load.isSimple() && llvm::all_of(load.users(), [](const llvm::User* user) {
               const auto* store = llvm::dyn_cast<llvm::StoreInst>(user);
               return store != nullptr && store->isSimple();
           });
}

unsigned bitsOf(const llvm::Type& type) {
    return static_cast<unsigned>(type.getPrimitiveSizeInBits().getFixedValue());
}

void copyAsInteger(llvm::LoadInst& load) {
    llvm::IRBuilder<> builder(&load);
    llvm::LoadInst* const integer = builder.CreateAlignedLoad(builder.getIntNTy(bitsOf(*load.getType())),
                                                              load.getPointerOperand(), load.getAlign());
    integer->copyMetadata(load);
    for (llvm::User* store : llvm::make_early_inc_range(load.users())) {
        store->setOperand(0, integer);
    }
    load.eraseFromParent();
}

void putTogether(llvm::BitCastInst& integer) {
    llvm::IRBuilder<> builder(&integer);
    llvm::Value* const vector = integer.getOperand(0);
    const auto* type = llvm::cast<llvm::FixedVectorType>(vector->getType());
    const unsigned bits = bitsOf(*type->getElementType());
    llvm::Value* sum = nullptr;
    for (unsigned i = 0; i < type->getNumElements(); ++i) {
        llvm::Value* const code =
            builder.CreateBitCast(builder.CreateExtractElement(vector, i), builder.getIntNTy(bits));
        llvm::Value* const part = builder.CreateShl(builder.CreateZExt(code, integer.getType()), i * bits);
        sum = sum == nullptr ? part : builder.CreateOr(sum, part);
    }
    integer.replaceAllUsesWith(sum);
    integer.eraseFromParent();
}

} // namespace

bool prepareVectors(llvm::Function& item) {
    bool hasVectors = false;
    llvm::SmallVector<llvm::LoadInst*, 8> copies;
    llvm::SmallVector<llvm::BitCastInst*, 8> integers;
    for (llvm::Instruction& instruction : llvm::instructions(item)) {
        if (isCallOf(instruction, item::matrix)) {
            return false;
        }
        auto* const load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
        auto* const cast = llvm::dyn_cast<llvm::BitCastInst>(&instruction);
        const bool isVector = llvm::isa<llvm::FixedVectorType>(instruction.getType());
        hasVectors = hasVectors || isVector;
        if (isVector && load != nullptr && isOnlyCopied(*load)) {
            copies.push_back(load);
        } else if (cast != nullptr && cast->getType()->isIntegerTy() && cast->getSrcTy()->isVectorTy()) {
            integers.push_back(cast);
        }
    }
    for (llvm::LoadInst* load : copies) {
        copyAsInteger(*load);
    }
    for (llvm::BitCastInst* integer : integers) {
        putTogether(*integer);
    }
    return hasVectors;
}

} // namespace gks::hipcpu
