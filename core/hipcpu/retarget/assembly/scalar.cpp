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
    std::string_view sources; // i: 32 bits, l: 64
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
    llvm::Value* width = ir.CreateAnd(ir.CreateLShr(v[1], 16), 127);
    return state.call(isSigned ? llvm::Intrinsic::amdgcn_sbfe : llvm::Intrinsic::amdgcn_ubfe, {v[0]->getType()},
                      {v[0], ir.CreateAnd(v[1], 31), width});
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
    {"s_bcnt1_i32_b32", "i", Scc::isNotZero, ofOneType<I::ctpop>},
    {"s_pack_ll_b32_b16", "ii", Scc::stays, packed<0, 0>},
    {"s_pack_lh_b32_b16", "ii", Scc::stays, packed<0, 16>},
    {"s_pack_hh_b32_b16", "ii", Scc::stays, packed<16, 16>},
    {"s_cselect_b32", "ii", Scc::stays, selected},
    {"s_cselect_b64", "ll", Scc::stays, selected},
});

} // namespace scalar

bool translateScalarRow(AssemblyState& state, const AssemblyInstruction& instruction) {
    const auto* row = std::find_if(scalar::scalarRows.begin(), scalar::scalarRows.end(),
                                   [&](const scalar::ScalarRow& one) { return one.name == instruction.name; });
    if (row == scalar::scalarRows.end() || instruction.operands.size() != row->sources.size() + 1) {
        return false;
    }
    llvm::SmallVector<llvm::Value*, 3> values;
    for (unsigned i = 0; i < row->sources.size(); ++i) {
        values.push_back(state.read(instruction.operands[i + 1],
                                    row->sources[i] == 'l' ? state.ir.getInt64Ty() : state.ir.getInt32Ty()));
    }
    llvm::Value* result = row->make(state, values);
    if (row->scc == scalar::Scc::isNotZero) {
        state.writeScc(state.ir.CreateIsNotNull(result));
    }
    state.write(instruction.operands[0], result);
    return true;
}

// s_cmp_lt_i32 and the like
bool translateScalarCompare(AssemblyState& state, const AssemblyInstruction& instruction) {
    using P = llvm::CmpInst;
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
        if (name == instruction.name && instruction.operands.size() == 2) {
            llvm::Type* type = name.ends_with("64") ? state.ir.getInt64Ty() : state.ir.getInt32Ty();
            state.writeScc(state.ir.CreateICmp(predicate, state.read(instruction.operands[0], type),
                                               state.read(instruction.operands[1], type)));
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
    } else if (name == "s_movk_i32" && operands.size() == 2) {
        const auto value =
            static_cast<std::int16_t>(instruction.immediates.empty() ? 0 : instruction.immediates.back());
        state.write(operands[0], ir.getInt32(static_cast<std::uint32_t>(std::int32_t{value})));
    } else {
        return translateScalarRow(state, instruction) || translateScalarCompare(state, instruction);
    }
    return true;
}

} // namespace gks::hipcpu
