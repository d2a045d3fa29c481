// SPDX-License-Identifier: GPL-3.0-or-later
// Scalar instructions: one value for the wave, here computed by each of its threads, since all have the same operands.
// Waits and hints mean nothing on a CPU: what reads memory has its value at once.
#include "core/hipcpu/retarget/assembly/state.h"

#include <algorithm>
#include <array>
#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <optional>

namespace gks::hipcpu {
namespace {

namespace scalar {

using Values = llvm::ArrayRef<llvm::Value*>;
using I = llvm::Intrinsic::IndependentIntrinsics;
using B = llvm::Instruction;

enum class Scc { stays, isNotZero, fromSource };

struct ScalarRow {
    std::string_view name;
    std::string_view sources; // i: 32 bits, l: 64; behind =: the destination's old value
    Scc scc;
    llvm::Value* (*make)(AssemblyState& state, Values v);
};

template<B::BinaryOps operation>
llvm::Value* plain(AssemblyState& state, Values v) {
    return state.ir.CreateBinOp(operation, v[0], v[1]);
}
template<B::BinaryOps operation>
llvm::Value* shift(AssemblyState& state, Values v) {
    llvm::Type* type = v[0]->getType();
    llvm::Value* amount = state.ir.CreateZExtOrTrunc(v[1], type);
    return state.ir.CreateBinOp(operation, v[0], state.ir.CreateAnd(amount, type->getIntegerBitWidth() - 1));
}
template<B::BinaryOps operation>
llvm::Value* withNot(AssemblyState& state, Values v) {
    return state.ir.CreateBinOp(operation, v[0], state.ir.CreateNot(v[1]));
}
template<B::BinaryOps operation>
llvm::Value* thenNot(AssemblyState& state, Values v) {
    return state.ir.CreateNot(state.ir.CreateBinOp(operation, v[0], v[1]));
}
template<I id>
llvm::Value* ofOneType(AssemblyState& state, Values v) {
    return state.call(id, {v[0]->getType()}, v);
}
template<bool isSigned>
llvm::Value* highProduct(AssemblyState& state, Values v) {
    llvm::Type* wide = state.ir.getInt64Ty();
    const auto widened = [&](llvm::Value* one) {
        return isSigned ? state.ir.CreateSExt(one, wide) : state.ir.CreateZExt(one, wide);
    };
    llvm::Value* product = state.ir.CreateMul(widened(v[0]), widened(v[1]));
    return state.ir.CreateTrunc(state.ir.CreateLShr(product, 32), state.ir.getInt32Ty());
}
// The carry, borrow or overflow is scc.
template<I id>
llvm::Value* withOverflow(AssemblyState& state, Values v) {
    llvm::Value* both = state.call(id, {v[0]->getType()}, {v[0], v[1]});
    state.writeScc(state.ir.CreateExtractValue(both, 1));
    return state.ir.CreateExtractValue(both, 0);
}
template<bool subtracts>
llvm::Value* withCarry(AssemblyState& state, Values v) {
    llvm::IRBuilder<>& ir = state.ir;
    const auto wide = [&](llvm::Value* one) { return ir.CreateZExt(one, ir.getInt64Ty()); };
    llvm::Value* second = ir.CreateAdd(wide(v[1]), wide(state.readScc()));
    llvm::Value* result = subtracts ? ir.CreateSub(wide(v[0]), second) : ir.CreateAdd(wide(v[0]), second);
    state.writeScc(ir.CreateTrunc(ir.CreateLShr(result, 32), ir.getInt1Ty()));
    return ir.CreateTrunc(result, ir.getInt32Ty());
}
// scc says whether the first was chosen.
template<I id>
llvm::Value* chosen(AssemblyState& state, Values v) {
    llvm::Value* result = state.call(id, {v[0]->getType()}, v);
    state.writeScc(state.ir.CreateICmpEQ(result, v[0]));
    return result;
}
template<unsigned amount>
llvm::Value* shiftAdd(AssemblyState& state, Values v) {
    llvm::IRBuilder<>& ir = state.ir;
    llvm::Value* wide =
        ir.CreateAdd(ir.CreateShl(ir.CreateZExt(v[0], ir.getInt64Ty()), amount), ir.CreateZExt(v[1], ir.getInt64Ty()));
    state.writeScc(ir.CreateICmpNE(ir.CreateLShr(wide, 32), ir.getInt64(0)));
    return ir.CreateTrunc(wide, ir.getInt32Ty());
}
// The field's offset and width stand in the second source.
template<bool isSigned>
llvm::Value* field(AssemblyState& state, Values v) {
    llvm::IRBuilder<>& ir = state.ir;
    llvm::Value* begin = ir.CreateAnd(v[1], 31);
    llvm::Value* width = ir.CreateAnd(ir.CreateLShr(v[1], 16), 127);
    llvm::Value* rest = isSigned ? ir.CreateAShr(v[0], begin) : ir.CreateLShr(v[0], begin);
    llvm::Value* part = state.call(isSigned ? llvm::Intrinsic::amdgcn_sbfe : llvm::Intrinsic::amdgcn_ubfe,
                                   {v[0]->getType()}, {v[0], begin, width});
    return ir.CreateSelect(ir.CreateICmpUGT(width, ir.getInt32(31)), rest, part);
}
// Of 64 bits: moved up to the end and down again, as wide as there are bits left.
template<bool isSigned>
llvm::Value* wideField(AssemblyState& state, Values v) {
    llvm::IRBuilder<>& ir = state.ir;
    llvm::Value* begin = ir.CreateZExt(ir.CreateAnd(v[1], 63), ir.getInt64Ty());
    llvm::Value* width = ir.CreateZExt(ir.CreateAnd(ir.CreateLShr(v[1], 16), 127), ir.getInt64Ty());
    width = ir.CreateBinaryIntrinsic(I::umin, width, ir.CreateSub(ir.getInt64(64), begin));
    llvm::Value* isEmpty = ir.CreateIsNull(width);
    llvm::Value* unused = ir.CreateAnd(ir.CreateSub(ir.getInt64(64), width), 63);
    llvm::Value* up = ir.CreateShl(ir.CreateLShr(v[0], begin), unused);
    llvm::Value* down = isSigned ? ir.CreateAShr(up, unused) : ir.CreateLShr(up, unused);
    return ir.CreateSelect(isEmpty, ir.getInt64(0), down);
}
llvm::Value* oneAt(AssemblyState& state, llvm::Value* at, llvm::Type* type) {
    llvm::Value* amount = state.ir.CreateAnd(at, type->getIntegerBitWidth() - 1);
    return state.ir.CreateShl(llvm::ConstantInt::get(type, 1), state.ir.CreateZExtOrTrunc(amount, type));
}
template<unsigned width>
llvm::Value* fieldMask(AssemblyState& state, Values v) {
    llvm::Type* type = state.ir.getIntNTy(width);
    llvm::Value* ones = state.ir.CreateSub(oneAt(state, v[0], type), llvm::ConstantInt::get(type, 1));
    llvm::Value* at = state.ir.CreateAnd(v[1], width - 1);
    return state.ir.CreateShl(ones, state.ir.CreateZExtOrTrunc(at, type));
}
template<bool sets>
llvm::Value* withBit(AssemblyState& state, Values v) { // v[1]: what is there
    llvm::Value* bit = oneAt(state, v[0], v[1]->getType());
    return sets ? state.ir.CreateOr(v[1], bit) : state.ir.CreateAnd(v[1], state.ir.CreateNot(bit));
}
// Counted in 32 bits, of the bits themselves or of their opposite.
template<I id, bool ofZeros>
llvm::Value* counted(AssemblyState& state, Values v) {
    llvm::Value* bits = ofZeros ? state.ir.CreateNot(v[0]) : v[0];
    llvm::Value* count = id == I::ctpop ? state.call(id, {bits->getType()}, {bits})
                                        : state.call(id, {bits->getType()}, {bits, state.ir.getFalse()});
    count = state.ir.CreateZExtOrTrunc(count, state.ir.getInt32Ty());
    return id == I::ctpop ? count : state.ir.CreateSelect(state.ir.CreateIsNull(bits), state.ir.getInt32(~0U), count);
}
// The first bit that differs from the sign; -1 where none does.
llvm::Value* signBits(AssemblyState& state, Values v) {
    llvm::IRBuilder<>& ir = state.ir;
    llvm::Type* type = v[0]->getType();
    llvm::Value* same = ir.CreateXor(v[0], ir.CreateAShr(v[0], type->getIntegerBitWidth() - 1));
    return counted<I::ctlz, false>(state, {same});
}
template<unsigned width>
llvm::Value* signExtended(AssemblyState& state, Values v) {
    return state.ir.CreateSExt(state.ir.CreateTrunc(v[0], state.ir.getIntNTy(width)), state.ir.getInt32Ty());
}
llvm::Value* distance(AssemblyState& state, Values v) {
    llvm::Value* difference = state.ir.CreateSub(v[0], v[1]);
    return state.ir.CreateSelect(state.ir.CreateICmpSLT(v[0], v[1]), state.ir.CreateNeg(difference), difference);
}
template<unsigned from, unsigned to>
llvm::Value* packed(AssemblyState& state, Values v) {
    llvm::IRBuilder<>& ir = state.ir;
    llvm::Value* low = ir.CreateAnd(ir.CreateLShr(v[0], from), 0xffff);
    return ir.CreateOr(low, ir.CreateShl(ir.CreateLShr(v[1], to), 16));
}
llvm::Value* first(AssemblyState&, Values v) {
    return v[0];
}
llvm::Value* inverted(AssemblyState& state, Values v) {
    return state.ir.CreateNot(v[0]);
}
llvm::Value* movedIf(AssemblyState& state, Values v) {
    return state.ir.CreateSelect(state.readScc(), v[0], v[1]);
}
llvm::Value* selected(AssemblyState& state, Values v) {
    return state.ir.CreateSelect(state.readScc(), v[0], v[1]);
}

constexpr auto scalarRows = std::to_array<ScalarRow>({
    {"s_mov_b32", "i", Scc::stays, first},
    {"s_mov_b64", "l", Scc::stays, first},
    {"s_add_u32", "ii", Scc::fromSource, withOverflow<I::uadd_with_overflow>},
    {"s_add_i32", "ii", Scc::fromSource, withOverflow<I::sadd_with_overflow>},
    {"s_sub_u32", "ii", Scc::fromSource, withOverflow<I::usub_with_overflow>},
    {"s_sub_i32", "ii", Scc::fromSource, withOverflow<I::ssub_with_overflow>},
    {"s_addc_u32", "ii", Scc::fromSource, withCarry<false>},
    {"s_subb_u32", "ii", Scc::fromSource, withCarry<true>},
    {"s_mul_i32", "ii", Scc::stays, plain<B::Mul>},
    {"s_mul_hi_u32", "ii", Scc::stays, highProduct<false>},
    {"s_mul_hi_i32", "ii", Scc::stays, highProduct<true>},
    {"s_and_b32", "ii", Scc::isNotZero, plain<B::And>},
    {"s_and_b64", "ll", Scc::isNotZero, plain<B::And>},
    {"s_or_b32", "ii", Scc::isNotZero, plain<B::Or>},
    {"s_or_b64", "ll", Scc::isNotZero, plain<B::Or>},
    {"s_xor_b32", "ii", Scc::isNotZero, plain<B::Xor>},
    {"s_xor_b64", "ll", Scc::isNotZero, plain<B::Xor>},
    {"s_andn2_b32", "ii", Scc::isNotZero, withNot<B::And>},
    {"s_andn2_b64", "ll", Scc::isNotZero, withNot<B::And>},
    {"s_orn2_b32", "ii", Scc::isNotZero, withNot<B::Or>},
    {"s_orn2_b64", "ll", Scc::isNotZero, withNot<B::Or>},
    {"s_nand_b32", "ii", Scc::isNotZero, thenNot<B::And>},
    {"s_nand_b64", "ll", Scc::isNotZero, thenNot<B::And>},
    {"s_nor_b32", "ii", Scc::isNotZero, thenNot<B::Or>},
    {"s_nor_b64", "ll", Scc::isNotZero, thenNot<B::Or>},
    {"s_xnor_b32", "ii", Scc::isNotZero, thenNot<B::Xor>},
    {"s_xnor_b64", "ll", Scc::isNotZero, thenNot<B::Xor>},
    {"s_not_b32", "i", Scc::isNotZero, inverted},
    {"s_not_b64", "l", Scc::isNotZero, inverted},
    {"s_lshl_b32", "ii", Scc::isNotZero, shift<B::Shl>},
    {"s_lshl_b64", "li", Scc::isNotZero, shift<B::Shl>},
    {"s_lshr_b32", "ii", Scc::isNotZero, shift<B::LShr>},
    {"s_lshr_b64", "li", Scc::isNotZero, shift<B::LShr>},
    {"s_ashr_i32", "ii", Scc::isNotZero, shift<B::AShr>},
    {"s_ashr_i64", "li", Scc::isNotZero, shift<B::AShr>},
    {"s_lshl1_add_u32", "ii", Scc::fromSource, shiftAdd<1>},
    {"s_lshl2_add_u32", "ii", Scc::fromSource, shiftAdd<2>},
    {"s_lshl3_add_u32", "ii", Scc::fromSource, shiftAdd<3>},
    {"s_lshl4_add_u32", "ii", Scc::fromSource, shiftAdd<4>},
    {"s_min_i32", "ii", Scc::fromSource, chosen<I::smin>},
    {"s_min_u32", "ii", Scc::fromSource, chosen<I::umin>},
    {"s_max_i32", "ii", Scc::fromSource, chosen<I::smax>},
    {"s_max_u32", "ii", Scc::fromSource, chosen<I::umax>},
    {"s_bfe_u32", "ii", Scc::isNotZero, field<false>},
    {"s_bfe_i32", "ii", Scc::isNotZero, field<true>},
    {"s_brev_b32", "i", Scc::stays, ofOneType<I::bitreverse>},
    {"s_brev_b64", "l", Scc::stays, ofOneType<I::bitreverse>},
    {"s_bfe_u64", "li", Scc::isNotZero, wideField<false>},
    {"s_bfe_i64", "li", Scc::isNotZero, wideField<true>},
    {"s_bfm_b32", "ii", Scc::stays, fieldMask<32>},
    {"s_bfm_b64", "ii", Scc::stays, fieldMask<64>},
    {"s_bitset0_b32", "i=i", Scc::stays, withBit<false>},
    {"s_bitset0_b64", "i=l", Scc::stays, withBit<false>},
    {"s_bitset1_b32", "i=i", Scc::stays, withBit<true>},
    {"s_bitset1_b64", "i=l", Scc::stays, withBit<true>},
    {"s_bcnt0_i32_b32", "i", Scc::isNotZero, counted<I::ctpop, true>},
    {"s_bcnt0_i32_b64", "l", Scc::isNotZero, counted<I::ctpop, true>},
    {"s_bcnt1_i32_b32", "i", Scc::isNotZero, counted<I::ctpop, false>},
    {"s_bcnt1_i32_b64", "l", Scc::isNotZero, counted<I::ctpop, false>},
    {"s_ff0_i32_b32", "i", Scc::stays, counted<I::cttz, true>},
    {"s_ff0_i32_b64", "l", Scc::stays, counted<I::cttz, true>},
    {"s_ff1_i32_b32", "i", Scc::stays, counted<I::cttz, false>},
    {"s_ff1_i32_b64", "l", Scc::stays, counted<I::cttz, false>},
    {"s_flbit_i32_b32", "i", Scc::stays, counted<I::ctlz, false>},
    {"s_flbit_i32_b64", "l", Scc::stays, counted<I::ctlz, false>},
    {"s_flbit_i32", "i", Scc::stays, signBits},
    {"s_flbit_i32_i64", "l", Scc::stays, signBits},
    {"s_sext_i32_i8", "i", Scc::stays, signExtended<8>},
    {"s_sext_i32_i16", "i", Scc::stays, signExtended<16>},
    {"s_abs_i32", "i", Scc::isNotZero,
     [](AssemblyState& s, Values v) { return s.call(I::abs, {v[0]->getType()}, {v[0], s.ir.getFalse()}); }},
    {"s_absdiff_i32", "ii", Scc::isNotZero, distance},
    {"s_cmov_b32", "i=i", Scc::stays, movedIf},
    {"s_cmov_b64", "l=l", Scc::stays, movedIf},
    {"s_pack_ll_b32_b16", "ii", Scc::stays, packed<0, 0>},
    {"s_pack_lh_b32_b16", "ii", Scc::stays, packed<0, 16>},
    {"s_pack_hh_b32_b16", "ii", Scc::stays, packed<16, 16>},
    {"s_cselect_b32", "ii", Scc::stays, selected},
    {"s_cselect_b64", "ll", Scc::stays, selected},
});

} // namespace scalar

llvm::Value* shortImmediate(AssemblyState& state, const AssemblyInstruction& instruction, bool isSigned) {
    const auto bits = static_cast<std::uint16_t>(instruction.immediates.empty() ? 0 : instruction.immediates.back());
    const auto extended = static_cast<std::uint32_t>(std::int32_t{static_cast<std::int16_t>(bits)});
    return state.ir.getInt32(isSigned ? extended : bits);
}

// s_movk_i32 and what else has an integer of 16 bits for a source.
bool translateShortImmediate(AssemblyState& state, const AssemblyInstruction& instruction) {
    const std::string& name = instruction.name;
    if (!hasShortImmediate(name) || name.starts_with("s_cmpk_") || instruction.operands.size() < 2) {
        return false;
    }
    const AssemblyOperand& destination = instruction.operands[0];
    llvm::Value* value = shortImmediate(state, instruction, true);
    if (name != "s_movk_i32") {
        llvm::Value* old = state.read(destination, state.ir.getInt32Ty());
        value = name == "s_addk_i32"   ? scalar::withOverflow<scalar::I::sadd_with_overflow>(state, {old, value})
                : name == "s_mulk_i32" ? state.ir.CreateMul(old, value)
                                       : scalar::movedIf(state, {value, old});
    }
    state.write(destination, value);
    return true;
}

bool translateScalarRow(AssemblyState& state, const AssemblyInstruction& instruction) {
    const auto* row = std::find_if(scalar::scalarRows.begin(), scalar::scalarRows.end(),
                                   [&](const scalar::ScalarRow& one) { return one.name == instruction.name; });
    if (row == scalar::scalarRows.end()) {
        return false;
    }
    const std::size_t sources = std::min(row->sources.find('='), row->sources.size());
    if (instruction.operands.size() != sources + 1) {
        return false;
    }
    const auto typeOf = [&](char letter) { return letter == 'l' ? state.ir.getInt64Ty() : state.ir.getInt32Ty(); };
    llvm::SmallVector<llvm::Value*, 3> values;
    for (unsigned i = 0; i < sources; ++i) {
        values.push_back(state.read(instruction.operands[i + 1], typeOf(row->sources[i])));
    }
    if (sources < row->sources.size()) {
        values.push_back(state.read(instruction.operands[0], typeOf(row->sources.back())));
    }
    llvm::Value* result = row->make(state, values);
    if (row->scc == scalar::Scc::isNotZero) {
        state.writeScc(state.ir.CreateIsNotNull(result));
    }
    state.write(instruction.operands[0], result);
    return true;
}

bool testBit(AssemblyState& state, const AssemblyInstruction& instruction) {
    const std::string& name = instruction.name;
    if (!name.starts_with("s_bitcmp") || instruction.operands.size() != 2) {
        return false;
    }
    llvm::Type* type = name.ends_with("b64") ? state.ir.getInt64Ty() : state.ir.getInt32Ty();
    llvm::Value* bit = scalar::oneAt(state, state.read(instruction.operands[1], state.ir.getInt32Ty()), type);
    llvm::Value* isSet = state.ir.CreateIsNotNull(state.ir.CreateAnd(state.read(instruction.operands[0], type), bit));
    state.writeScc(name.starts_with("s_bitcmp1") ? isSet : state.ir.CreateNot(isSet));
    return true;
}

// s_cmp_lt_i32 and the like; s_cmpk_lt_i32 has its second source within.
bool translateScalarCompare(AssemblyState& state, const AssemblyInstruction& instruction) {
    using P = llvm::CmpInst;
    std::string plain = instruction.name;
    const bool isShort = plain.starts_with("s_cmpk_");
    plain.erase(5, isShort ? 1 : 0);
    static constexpr auto names = std::to_array<std::pair<std::string_view, P::Predicate>>({
        {"s_cmp_eq_i32", P::ICMP_EQ},
        {"s_cmp_eq_u32", P::ICMP_EQ},
        {"s_cmp_eq_u64", P::ICMP_EQ},
        {"s_cmp_lg_i32", P::ICMP_NE},
        {"s_cmp_lg_u32", P::ICMP_NE},
        {"s_cmp_lg_u64", P::ICMP_NE},
        {"s_cmp_gt_i32", P::ICMP_SGT},
        {"s_cmp_ge_i32", P::ICMP_SGE},
        {"s_cmp_lt_i32", P::ICMP_SLT},
        {"s_cmp_le_i32", P::ICMP_SLE},
        {"s_cmp_gt_u32", P::ICMP_UGT},
        {"s_cmp_ge_u32", P::ICMP_UGE},
        {"s_cmp_lt_u32", P::ICMP_ULT},
        {"s_cmp_le_u32", P::ICMP_ULE},
    });
    for (const auto& [name, predicate] : names) {
        if (name == plain && instruction.operands.size() == 2) {
            llvm::Type* type = name.ends_with("64") ? state.ir.getInt64Ty() : state.ir.getInt32Ty();
            llvm::Value* second = isShort ? shortImmediate(state, instruction, name.ends_with("i32"))
                                          : state.read(instruction.operands[1], type);
            state.writeScc(state.ir.CreateICmp(predicate, state.read(instruction.operands[0], type), second));
            return true;
        }
    }
    return false;
}

bool isWaitOrHint(std::string_view name) {
    static constexpr auto names = std::to_array<std::string_view>(
        {"s_waitcnt", "s_nop", "s_setprio", "buffer_wbl2", "buffer_inv", "s_icache_inv", "s_dcache_inv", "s_dcache_wb",
         "s_dcache_inv_vol", "s_dcache_wb_vol", "s_ttracedata", "s_incperflevel", "s_decperflevel", "v_nop", "ds_nop",
         "s_inst_prefetch"});
    return std::find(names.begin(), names.end(), name) != names.end();
}

} // namespace

bool translateScalar(AssemblyState& state, const AssemblyInstruction& instruction) {
    llvm::IRBuilder<>& ir = state.ir;
    const std::string& name = instruction.name;
    const auto& operands = instruction.operands;
    if (isWaitOrHint(name)) {
        return true;
    }
    if (name == "s_barrier") {
        state.call(llvm::Intrinsic::amdgcn_s_barrier, {}, {});
    } else if (name == "s_sleep") {
        state.call(llvm::Intrinsic::amdgcn_s_sleep, {}, {ir.getInt32(0)});
    } else if ((name == "s_memtime" || name == "s_memrealtime") && operands.size() == 1) {
        state.write(operands[0], state.call(name == "s_memtime" ? llvm::Intrinsic::amdgcn_s_memtime
                                                                : llvm::Intrinsic::amdgcn_s_memrealtime,
                                            {}, {}));
    } else if (name == "s_getreg_b32" && operands.size() == 2 && !instruction.immediates.empty()) {
        llvm::Value* what = ir.getInt32(static_cast<std::uint32_t>(instruction.immediates.back()));
        state.write(operands[0], state.call(llvm::Intrinsic::amdgcn_s_getreg, {}, {what}));
    } else {
        return translateShortImmediate(state, instruction) || translateScalarRow(state, instruction) ||
               translateScalarCompare(state, instruction) || testBit(state, instruction);
    }
    return true;
}

} // namespace gks::hipcpu
