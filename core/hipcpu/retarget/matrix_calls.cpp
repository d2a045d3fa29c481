// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/retarget/matrix_calls.h"

#include "core/hipcpu/abi.h"
#include "core/hipcpu/retarget/matrix_instruction.h"
#include "core/hipcpu/retarget/operand_slots.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/Sequence.h>
#include <llvm/IR/Module.h>

namespace gks::hipcpu {
namespace {

llvm::Constant* matrixConstant(llvm::Module& module, const MatrixInstruction& what, llvm::StringRef name) {
    const std::string label = "hipcpu.matrix." + name.str();
    if (llvm::GlobalVariable* known = module.getGlobalVariable(label, true)) {
        return known;
    }
    llvm::IRBuilder<> builder(module.getContext());
    auto* text = llvm::ConstantDataArray::getString(module.getContext(), name);
    auto* textVariable =
        new llvm::GlobalVariable(module, text->getType(), true, llvm::GlobalValue::PrivateLinkage, text, "hipcpu.name");
    llvm::Constant* fields[] = {builder.getInt16(what.m),
                                builder.getInt16(what.n),
                                builder.getInt16(what.k),
                                builder.getInt16(what.blocks),
                                builder.getInt8(static_cast<std::uint8_t>(what.a)),
                                builder.getInt8(static_cast<std::uint8_t>(what.b)),
                                builder.getInt8(static_cast<std::uint8_t>(what.accumulator)),
                                builder.getInt8(what.sparse),
                                textVariable,
                                builder.getInt8(what.mixed)};
    llvm::Constant* value = llvm::ConstantStruct::getAnon(fields);
    return new llvm::GlobalVariable(module, value->getType(), true, llvm::GlobalValue::InternalLinkage, value, label);
}

// The operands behind a, b and c, as hipcpu_mfma takes them.
struct MatrixControls {
    llvm::Value* index = nullptr;
    llvm::Value* cbsz = nullptr;
    llvm::Value* abid = nullptr;
    llvm::Value* blgp = nullptr;
};

// mfma(a, b, c, cbsz, abid, blgp) and smfmac(a, b, c, index, cbsz, abid).
MatrixControls plainControls(llvm::CallInst& call, OperandSlots& slots, bool sparse) {
    llvm::IRBuilder<> builder(&call);
    const unsigned first = sparse ? 4 : 3;
    return {sparse ? slots.stored(builder, call.getArgOperand(3), 4)
                   : llvm::ConstantPointerNull::get(builder.getPtrTy()),
            call.getArgOperand(first), call.getArgOperand(first + 1),
            sparse ? builder.getInt32(0) : call.getArgOperand(first + 2)};
}

// mfma.scale(a, b, c, cbsz, blgp, byte of A's scale, scales of A, byte of B's, scales of B). With constant zeros for
// all four LLVM takes the instruction without scales.
MatrixControls mixedControls(llvm::CallInst& call, OperandSlots& slots) {
    llvm::IRBuilder<> builder(&call);
    llvm::Value* index = llvm::ConstantPointerNull::get(builder.getPtrTy());
    const bool isScaled = llvm::any_of(llvm::seq(5U, 9U), [&](unsigned operand) {
        const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(operand));
        return constant == nullptr || !constant->isZero();
    });
    if (isScaled) {
        llvm::Type* words = llvm::ArrayType::get(builder.getInt32Ty(), 2);
        llvm::Value* scales = builder.CreateInsertValue(llvm::PoisonValue::get(words), call.getArgOperand(6), 0);
        index = slots.stored(builder, builder.CreateInsertValue(scales, call.getArgOperand(8), 1), 4);
    }
    const auto byte = [&](unsigned operand) { return builder.CreateAnd(call.getArgOperand(operand), 3); };
    return {index, call.getArgOperand(3), builder.CreateOr(byte(5), builder.CreateShl(byte(7), 2)),
            call.getArgOperand(4)};
}

MatrixType inOcp(MatrixType type) {
    return type == MatrixType::fp8 ? MatrixType::ocpFp8 : type == MatrixType::bf8 ? MatrixType::ocpBf8 : type;
}

} // namespace

void lowerMatrixCall(llvm::CallInst& call, OperandSlots& slots, llvm::StringRef name, Architecture architecture) {
    auto what = decodeMatrixName(name.str());
    if (!what) {
        return; // unsupportedCalls has refused the module before
    }
    if (architecture == Architecture::gfx950) {
        what->a = inOcp(what->a);
        what->b = inOcp(what->b);
    }
    llvm::Module& module = *call.getModule();
    llvm::IRBuilder<> builder(&call);
    const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(call.getType());
    what->blocks = matrixBlocks(*what, vector != nullptr ? vector->getNumElements() : 1);
    llvm::Value* a = slots.stored(builder, call.getArgOperand(0), 1);
    llvm::Value* b = slots.stored(builder, call.getArgOperand(1), 2);
    llvm::Value* c = slots.stored(builder, call.getArgOperand(2), 3);
    const MatrixControls controls =
        what->mixed != 0 ? mixedControls(call, slots) : plainControls(call, slots, what->sparse != 0);
    llvm::Type* pointer = builder.getPtrTy();
    llvm::Type* number = builder.getInt32Ty();
    const auto callee = module.getOrInsertFunction(
        "hipcpu_mfma",
        llvm::FunctionType::get(builder.getVoidTy(),
                                {pointer, pointer, pointer, pointer, pointer, number, number, number}, false));
    builder.CreateCall(callee, {matrixConstant(module, *what, name), a, b, c, controls.index, controls.cbsz,
                                controls.abid, controls.blgp});
    call.replaceAllUsesWith(builder.CreateAlignedLoad(call.getType(), c, llvm::Align(OperandSlots::alignment)));
    call.eraseFromParent();
}

} // namespace gks::hipcpu
