// SPDX-License-Identifier: GPL-3.0-or-later
// Packed arithmetic (two numbers a register or a pair of them), dot products, mixed precision, and conversions of fp8.
#include "core/hipcpu/retarget/assembly/state.h"

#include <algorithm>
#include <array>
#include <llvm/IR/IntrinsicsAMDGPU.h>

namespace gks::hipcpu {
namespace {

namespace packedArithmetic {

using Values = llvm::ArrayRef<llvm::Value*>;
using I = llvm::Intrinsic::IndependentIntrinsics;
using B = llvm::Instruction;

struct PackedRow {
    std::string_view name;
    char element; // h, s: two of 16 bits; f: two of 32
    unsigned sources;
    llvm::Value* (*make)(AssemblyState& state, Values v);
};

template<B::BinaryOps operation>
llvm::Value* pairwise(AssemblyState& state, Values v) {
    return state.ir.CreateBinOp(operation, v[0], v[1]);
}
template<B::BinaryOps operation>
llvm::Value* pairwiseShift(AssemblyState& state, Values v) {
    llvm::Value* amount = state.ir.CreateAnd(v[0], llvm::ConstantInt::get(v[0]->getType(), 15));
    return state.ir.CreateBinOp(operation, v[1], amount);
}
template<I id>
llvm::Value* pairwiseCall(AssemblyState& state, Values v) {
    return state.call(id, {v[0]->getType()}, v);
}
llvm::Value* productSum(AssemblyState& state, Values v) {
    return state.ir.CreateAdd(state.ir.CreateMul(v[0], v[1]), v[2]);
}

constexpr auto packedRows = std::to_array<PackedRow>({
    {"v_pk_add_f32", 'f', 2, pairwise<B::FAdd>},
    {"v_pk_mul_f32", 'f', 2, pairwise<B::FMul>},
    {"v_pk_fma_f32", 'f', 3, pairwiseCall<I::fma>},
    {"v_pk_add_f16", 'h', 2, pairwise<B::FAdd>},
    {"v_pk_mul_f16", 'h', 2, pairwise<B::FMul>},
    {"v_pk_fma_f16", 'h', 3, pairwiseCall<I::fma>},
    {"v_pk_max_f16", 'h', 2, pairwiseCall<I::maxnum>},
    {"v_pk_min_f16", 'h', 2, pairwiseCall<I::minnum>},
    {"v_pk_add_u16", 's', 2, pairwise<B::Add>},
    {"v_pk_add_i16", 's', 2, pairwise<B::Add>},
    {"v_pk_sub_u16", 's', 2, pairwise<B::Sub>},
    {"v_pk_sub_i16", 's', 2, pairwise<B::Sub>},
    {"v_pk_mul_lo_u16", 's', 2, pairwise<B::Mul>},
    {"v_pk_mad_u16", 's', 3, productSum},
    {"v_pk_mad_i16", 's', 3, productSum},
    {"v_pk_max_i16", 's', 2, pairwiseCall<I::smax>},
    {"v_pk_max_u16", 's', 2, pairwiseCall<I::umax>},
    {"v_pk_min_i16", 's', 2, pairwiseCall<I::smin>},
    {"v_pk_min_u16", 's', 2, pairwiseCall<I::umin>},
    {"v_pk_lshlrev_b16", 's', 2, pairwiseShift<B::Shl>},
    {"v_pk_lshrrev_b16", 's', 2, pairwiseShift<B::LShr>},
    {"v_pk_ashrrev_i16", 's', 2, pairwiseShift<B::AShr>},
});

} // namespace packedArithmetic

llvm::Type* pairElementType(AssemblyState& state, char element) {
    return element == 'f' ? state.ir.getFloatTy() : element == 'h' ? state.ir.getHalfTy() : state.ir.getInt16Ty();
}

// Source i with the halves that op_sel and op_sel_hi choose, and their signs.
llvm::Value* readPair(AssemblyState& state, const AssemblyInstruction& instruction, unsigned i, llvm::Type* element) {
    llvm::IRBuilder<>& ir = state.ir;
    llvm::Type* type = llvm::FixedVectorType::get(element, 2);
    if (instruction.operands.size() <= i + 1) {
        state.refuse("has fewer operands than expected");
        return llvm::PoisonValue::get(type);
    }
    const AssemblyOperand& operand = instruction.operands[i + 1];
    const bool lower = instruction.bit("op_sel", i, false);
    const bool upper = instruction.bit("op_sel_hi", i, true);
    llvm::Value* pair = nullptr;
    if (!operand.isRegister() && element->isFloatTy() && !lower && !upper) {
        pair = ir.CreateVectorSplat(2, state.read(operand, element));
    } else {
        llvm::Value* plain = state.read(operand, type);
        const int chosen[] = {lower ? 1 : 0, upper ? 1 : 0};
        pair = ir.CreateShuffleVector(plain, chosen);
    }
    for (unsigned half = 0; half < 2; ++half) {
        if (instruction.bit(half == 0 ? "neg_lo" : "neg_hi", i, false)) {
            pair = ir.CreateInsertElement(pair, ir.CreateFNeg(ir.CreateExtractElement(pair, half)), half);
        }
    }
    return pair;
}

void movePair(AssemblyState& state, const AssemblyInstruction& instruction) {
    llvm::IRBuilder<>& ir = state.ir;
    llvm::Type* pair = llvm::FixedVectorType::get(ir.getInt32Ty(), 2);
    llvm::Value* result = llvm::PoisonValue::get(pair);
    for (unsigned i = 0; i < 2 && instruction.operands.size() > 2; ++i) { // each half comes from its own source
        llvm::Value* source = state.read(instruction.operands[i + 1], pair);
        result = ir.CreateInsertElement(
            result, ir.CreateExtractElement(source, instruction.bit("op_sel", i, false) ? 1U : 0U), i);
    }
    state.write(instruction.operands[0], result);
}

struct DotRow {
    std::string_view name;
    llvm::Intrinsic::AMDGCNIntrinsics id;
    char element; // h, s as above; i: a whole word
};
constexpr auto dotRows = std::to_array<DotRow>({{"v_dot2_f32_f16", llvm::Intrinsic::amdgcn_fdot2, 'h'},
                                                {"v_dot2_i32_i16", llvm::Intrinsic::amdgcn_sdot2, 's'},
                                                {"v_dot2_u32_u16", llvm::Intrinsic::amdgcn_udot2, 's'},
                                                {"v_dot4_i32_i8", llvm::Intrinsic::amdgcn_sdot4, 'i'},
                                                {"v_dot4_u32_u8", llvm::Intrinsic::amdgcn_udot4, 'i'},
                                                {"v_dot8_i32_i4", llvm::Intrinsic::amdgcn_sdot8, 'i'},
                                                {"v_dot8_u32_u4", llvm::Intrinsic::amdgcn_udot8, 'i'}});

bool translateDot(AssemblyState& state, const AssemblyInstruction& instruction) {
    const auto* row =
        std::find_if(dotRows.begin(), dotRows.end(), [&](const DotRow& one) { return one.name == instruction.name; });
    if (row == dotRows.end()) {
        return false;
    }
    llvm::SmallVector<llvm::Value*, 4> values;
    for (unsigned i = 0; i < 2; ++i) {
        values.push_back(row->element == 'i' ? readSource(state, instruction, i, state.ir.getInt32Ty())
                                             : readPair(state, instruction, i, pairElementType(state, row->element)));
    }
    values.push_back(
        readSource(state, instruction, 2,
                   row->element == 'h' ? state.ir.getFloatTy() : static_cast<llvm::Type*>(state.ir.getInt32Ty())));
    values.push_back(state.ir.getInt1(instruction.has("clamp")));
    state.write(instruction.operands[0], state.call(row->id, {}, values));
    return true;
}

// Each source is a float, or the half of a register that op_sel chooses where op_sel_hi says so.
bool translateMix(AssemblyState& state, const AssemblyInstruction& instruction) {
    const bool toLower = instruction.name == "v_fma_mixlo_f16" || instruction.name == "v_mad_mixlo_f16";
    const bool toUpper = instruction.name == "v_fma_mixhi_f16" || instruction.name == "v_mad_mixhi_f16";
    if (!toLower && !toUpper && instruction.name != "v_fma_mix_f32" && instruction.name != "v_mad_mix_f32") {
        return false;
    }
    llvm::IRBuilder<>& ir = state.ir;
    llvm::SmallVector<llvm::Value*, 3> values;
    for (unsigned i = 0; i < 3 && i + 1 < instruction.operands.size(); ++i) {
        const AssemblyOperand& operand = instruction.operands[i + 1];
        if (!instruction.bit("op_sel_hi", i, false)) {
            values.push_back(state.read(operand, ir.getFloatTy()));
            continue;
        }
        llvm::Value* word = state.readPlain(operand, ir.getInt32Ty());
        llvm::Value* half = ir.CreateLShr(word, instruction.bit("op_sel", i, false) ? 16 : 0);
        half = ir.CreateBitCast(state.bits(half, 16), ir.getHalfTy());
        values.push_back(state.withSign(operand, ir.CreateFPExt(half, ir.getFloatTy())));
    }
    if (values.size() != 3) {
        state.refuse("has fewer operands than expected");
        return true;
    }
    llvm::Value* sum = state.call(llvm::Intrinsic::fma, {ir.getFloatTy()}, values);
    if (instruction.has("clamp")) {
        sum = ir.CreateMinNum(ir.CreateMaxNum(sum, llvm::ConstantFP::get(sum->getType(), 0)),
                              llvm::ConstantFP::get(sum->getType(), 1));
    }
    if (toLower || toUpper) { // the other half stays
        llvm::Value* half = state.bits(ir.CreateFPTrunc(sum, ir.getHalfTy()), 32);
        llvm::Value* old = state.read(instruction.operands[0], ir.getInt32Ty());
        sum = toUpper ? ir.CreateOr(ir.CreateAnd(old, 0xffff), ir.CreateShl(half, 16))
                      : ir.CreateOr(ir.CreateAnd(old, 0xffff0000), half);
    }
    state.write(instruction.operands[0], sum);
    return true;
}

// The number behind BYTE_ or WORD_ of SDWA's choice of a source.
unsigned chosenPart(const AssemblyInstruction& instruction) {
    const std::string_view selection = instruction.value("src0_sel");
    return selection.empty() || selection == "DWORD" ? 0 : static_cast<unsigned>(selection.back() - '0');
}

bool translateFloat8(AssemblyState& state, const AssemblyInstruction& instruction) {
    llvm::IRBuilder<>& ir = state.ir;
    const std::string& name = instruction.name;
    if (!name.starts_with("v_cvt_") || instruction.operands.size() < 2) {
        return false;
    }
    const bool isBf8 = name.find("bf8") != std::string::npos;
    const AssemblyOperand& destination = instruction.operands[0];
    const auto source = [&](unsigned i, llvm::Type* type) { return readSource(state, instruction, i, type); };
    const auto word = [&] { return state.readPlain(instruction.operands[1], ir.getInt32Ty()); };
    if (name == "v_cvt_pk_fp8_f32" || name == "v_cvt_pk_bf8_f32") {
        const bool toUpper = instruction.bit("op_sel", 2, false);
        llvm::Value* old = state.isKnown(destination.kind, destination.first, 1)
                               ? state.read(destination, ir.getInt32Ty())
                               : ir.getInt32(0);
        state.write(destination,
                    state.call(isBf8 ? llvm::Intrinsic::amdgcn_cvt_pk_bf8_f32 : llvm::Intrinsic::amdgcn_cvt_pk_fp8_f32,
                               {}, {source(0, ir.getFloatTy()), source(1, ir.getFloatTy()), old, ir.getInt1(toUpper)}));
    } else if (name == "v_cvt_sr_fp8_f32" || name == "v_cvt_sr_bf8_f32") {
        const unsigned byte =
            (instruction.bit("op_sel", 2, false) ? 1U : 0U) + (instruction.bit("op_sel", 3, false) ? 2U : 0U);
        state.write(destination,
                    state.call(isBf8 ? llvm::Intrinsic::amdgcn_cvt_sr_bf8_f32 : llvm::Intrinsic::amdgcn_cvt_sr_fp8_f32,
                               {},
                               {source(0, ir.getFloatTy()), source(1, ir.getInt32Ty()),
                                state.read(destination, ir.getInt32Ty()), ir.getInt32(byte)}));
    } else if (name == "v_cvt_f32_fp8" || name == "v_cvt_f32_bf8") {
        state.write(destination,
                    state.call(isBf8 ? llvm::Intrinsic::amdgcn_cvt_f32_bf8 : llvm::Intrinsic::amdgcn_cvt_f32_fp8, {},
                               {word(), ir.getInt32(chosenPart(instruction))}));
    } else if (name == "v_cvt_pk_f32_fp8" || name == "v_cvt_pk_f32_bf8") {
        state.write(destination,
                    state.call(isBf8 ? llvm::Intrinsic::amdgcn_cvt_pk_f32_bf8 : llvm::Intrinsic::amdgcn_cvt_pk_f32_fp8,
                               {}, {word(), ir.getInt1(chosenPart(instruction) == 1)}));
    } else {
        return false;
    }
    return true;
}

} // namespace

bool translatePacked(AssemblyState& state, const AssemblyInstruction& instruction) {
    if (instruction.name == "v_pk_mov_b32") {
        movePair(state, instruction);
        return true;
    }
    if (instruction.name == "v_pack_b32_f16" && instruction.operands.size() == 3) {
        llvm::Type* half = state.ir.getHalfTy();
        llvm::Value* low = readSource(state, instruction, 0, half);
        llvm::Value* high = readSource(state, instruction, 1, half);
        state.write(instruction.operands[0],
                    state.ir.CreateOr(state.bits(low, 32), state.ir.CreateShl(state.bits(high, 32), 16)));
        return true;
    }
    const auto* row =
        std::find_if(packedArithmetic::packedRows.begin(), packedArithmetic::packedRows.end(),
                     [&](const packedArithmetic::PackedRow& one) { return one.name == instruction.name; });
    if (row == packedArithmetic::packedRows.end()) {
        return translateDot(state, instruction) || translateMix(state, instruction) ||
               translateFloat8(state, instruction);
    }
    llvm::SmallVector<llvm::Value*, 3> values;
    for (unsigned i = 0; i < row->sources; ++i) {
        values.push_back(readPair(state, instruction, i, pairElementType(state, row->element)));
    }
    const llvm::Intrinsic::ID saturating = instruction.has("clamp") ? saturation(instruction.name) : 0;
    writeResult(state, instruction,
                saturating != 0 ? state.call(saturating, {values[0]->getType()}, values) : row->make(state, values));
    return true;
}

} // namespace gks::hipcpu
