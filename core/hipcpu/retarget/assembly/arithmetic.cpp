// SPDX-License-Identifier: GPL-3.0-or-later
// Vector instructions that compute one value of each lane from values of the same lane. A row of the table names the
// types of the sources and makes the result; signs, magnitudes, halves, scaling and clamping are common to all.
#include "core/hipcpu/retarget/assembly/arithmetic_rows.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>

namespace gks::hipcpu {
namespace vectorArithmetic {
namespace {

template<bool isSigned>
llvm::Value* highProduct(AssemblyState& state, Values v) {
    const auto wide = [&](llvm::Value* one) {
        return isSigned ? state.ir.CreateSExt(one, state.ir.getInt64Ty())
                        : state.ir.CreateZExt(one, state.ir.getInt64Ty());
    };
    return state.ir.CreateTrunc(state.ir.CreateLShr(state.ir.CreateMul(wide(v[0]), wide(v[1])), 32),
                                state.ir.getInt32Ty());
}
template<bool isSigned>
llvm::Value* product24(AssemblyState& state, Values v) {
    const auto narrow = [&](llvm::Value* one) {
        llvm::Value* up = state.ir.CreateShl(one, 8);
        return isSigned ? state.ir.CreateAShr(up, 8) : state.ir.CreateLShr(up, 8);
    };
    llvm::Value* product = state.ir.CreateMul(narrow(v[0]), narrow(v[1]));
    return v.size() > 2 ? state.ir.CreateAdd(product, v[2]) : product;
}
template<llvm::Instruction::BinaryOps first, llvm::Instruction::BinaryOps second>
llvm::Value* twice(AssemblyState& state, Values v) {
    const bool isShift = first == llvm::Instruction::Shl;
    llvm::Value* one = state.ir.CreateBinOp(first, v[0], isShift ? state.ir.CreateAnd(v[1], 31) : v[1]);
    const bool isSecondShift = second == llvm::Instruction::Shl;
    return state.ir.CreateBinOp(second, one, isSecondShift ? state.ir.CreateAnd(v[2], 31) : v[2]);
}
// The position of the first one, counted by the intrinsic; -1 where there is none.
template<I id>
llvm::Value* firstOne(AssemblyState& state, Values v) {
    llvm::Value* found = state.call(id, {v[0]->getType()}, {v[0], state.ir.getFalse()});
    return state.ir.CreateSelect(state.ir.CreateIsNull(v[0]), llvm::Constant::getAllOnesValue(v[0]->getType()), found);
}

constexpr auto arithmeticRows = std::to_array<ArithmeticRow>({
    {"v_mov_b32", "i", [](AssemblyState&, Values v) { return v[0]; }},
    {"v_mov_b64", "l", [](AssemblyState&, Values v) { return v[0]; }},
    {"v_accvgpr_read_b32", "i", [](AssemblyState&, Values v) { return v[0]; }},
    {"v_accvgpr_write_b32", "i", [](AssemblyState&, Values v) { return v[0]; }},
    {"v_accvgpr_mov_b32", "i", [](AssemblyState&, Values v) { return v[0]; }},
    // floats
    {"v_add_f16", "hh", binary<B::FAdd>},
    {"v_add_f32", "ff", binary<B::FAdd>},
    {"v_add_f64", "dd", binary<B::FAdd>},
    {"v_sub_f16", "hh", binary<B::FSub>},
    {"v_sub_f32", "ff", binary<B::FSub>},
    {"v_subrev_f16", "hh", reversed<B::FSub>},
    {"v_subrev_f32", "ff", reversed<B::FSub>},
    {"v_mul_f16", "hh", binary<B::FMul>},
    {"v_mul_f32", "ff", binary<B::FMul>},
    {"v_mul_f64", "dd", binary<B::FMul>},
    {"v_mul_legacy_f32", "ff", plainDeviceCall<llvm::Intrinsic::amdgcn_fmul_legacy>},
    {"v_fma_f16", "hhh", ofOneType<I::fma>},
    {"v_fma_f32", "fff", ofOneType<I::fma>},
    {"v_fma_f64", "ddd", ofOneType<I::fma>},
    {"v_fmac_f32", "ff=", ofOneType<I::fma>},
    {"v_fmac_f64", "dd=", ofOneType<I::fma>},
    {"v_fmamk_f32", "fff", ofOneType<I::fma>},
    {"v_fmaak_f32", "fff", ofOneType<I::fma>},
    {"v_max_f16", "hh", ofOneType<I::maxnum>},
    {"v_max_f32", "ff", ofOneType<I::maxnum>},
    {"v_max_f64", "dd", ofOneType<I::maxnum>},
    {"v_min_f16", "hh", ofOneType<I::minnum>},
    {"v_min_f32", "ff", ofOneType<I::minnum>},
    {"v_min_f64", "dd", ofOneType<I::minnum>},
    {"v_max3_f16", "hhh", ofThree<I::maxnum>},
    {"v_max3_f32", "fff", ofThree<I::maxnum>},
    {"v_min3_f16", "hhh", ofThree<I::minnum>},
    {"v_min3_f32", "fff", ofThree<I::minnum>},
    {"v_med3_f16", "hhh", deviceCall<llvm::Intrinsic::amdgcn_fmed3>},
    {"v_med3_f32", "fff", deviceCall<llvm::Intrinsic::amdgcn_fmed3>},
    {"v_rcp_f16", "h", deviceCall<llvm::Intrinsic::amdgcn_rcp>},
    {"v_rcp_f32", "f", deviceCall<llvm::Intrinsic::amdgcn_rcp>},
    {"v_rcp_iflag_f32", "f", deviceCall<llvm::Intrinsic::amdgcn_rcp>},
    {"v_rcp_f64", "d", deviceCall<llvm::Intrinsic::amdgcn_rcp>},
    {"v_rsq_f16", "h", deviceCall<llvm::Intrinsic::amdgcn_rsq>},
    {"v_rsq_f32", "f", deviceCall<llvm::Intrinsic::amdgcn_rsq>},
    {"v_rsq_f64", "d", deviceCall<llvm::Intrinsic::amdgcn_rsq>},
    {"v_sqrt_f16", "h", deviceCall<llvm::Intrinsic::amdgcn_sqrt>},
    {"v_sqrt_f32", "f", deviceCall<llvm::Intrinsic::amdgcn_sqrt>},
    {"v_sqrt_f64", "d", deviceCall<llvm::Intrinsic::amdgcn_sqrt>},
    {"v_exp_f16", "h", deviceCall<llvm::Intrinsic::amdgcn_exp2>},
    {"v_exp_f32", "f", deviceCall<llvm::Intrinsic::amdgcn_exp2>},
    {"v_log_f16", "h", deviceCall<llvm::Intrinsic::amdgcn_log>},
    {"v_log_f32", "f", deviceCall<llvm::Intrinsic::amdgcn_log>},
    {"v_sin_f16", "h", deviceCall<llvm::Intrinsic::amdgcn_sin>},
    {"v_sin_f32", "f", deviceCall<llvm::Intrinsic::amdgcn_sin>},
    {"v_cos_f16", "h", deviceCall<llvm::Intrinsic::amdgcn_cos>},
    {"v_cos_f32", "f", deviceCall<llvm::Intrinsic::amdgcn_cos>},
    {"v_fract_f16", "h", deviceCall<llvm::Intrinsic::amdgcn_fract>},
    {"v_fract_f32", "f", deviceCall<llvm::Intrinsic::amdgcn_fract>},
    {"v_fract_f64", "d", deviceCall<llvm::Intrinsic::amdgcn_fract>},
    {"v_floor_f16", "h", ofOneType<I::floor>},
    {"v_floor_f32", "f", ofOneType<I::floor>},
    {"v_floor_f64", "d", ofOneType<I::floor>},
    {"v_ceil_f16", "h", ofOneType<I::ceil>},
    {"v_ceil_f32", "f", ofOneType<I::ceil>},
    {"v_ceil_f64", "d", ofOneType<I::ceil>},
    {"v_trunc_f16", "h", ofOneType<I::trunc>},
    {"v_trunc_f32", "f", ofOneType<I::trunc>},
    {"v_trunc_f64", "d", ofOneType<I::trunc>},
    {"v_rndne_f16", "h", ofOneType<I::rint>},
    {"v_rndne_f32", "f", ofOneType<I::rint>},
    {"v_rndne_f64", "d", ofOneType<I::rint>},
    // integers
    {"v_add_u32", "ii", binary<B::Add>},
    {"v_add_i32", "ii", binary<B::Add>},
    {"v_sub_u32", "ii", binary<B::Sub>},
    {"v_sub_i32", "ii", binary<B::Sub>},
    {"v_subrev_u32", "ii", reversed<B::Sub>},
    {"v_mul_lo_u32", "ii", binary<B::Mul>},
    {"v_mul_hi_u32", "ii", highProduct<false>},
    {"v_mul_hi_i32", "ii", highProduct<true>},
    {"v_mul_u32_u24", "ii", product24<false>},
    {"v_mul_i32_i24", "ii", product24<true>},
    {"v_mul_hi_u32_u24", "ii", plainDeviceCall<llvm::Intrinsic::amdgcn_mulhi_u24>},
    {"v_mul_hi_i32_i24", "ii", plainDeviceCall<llvm::Intrinsic::amdgcn_mulhi_i24>},
    {"v_mad_u32_u24", "iii", product24<false>},
    {"v_mad_i32_i24", "iii", product24<true>},
    {"v_add3_u32", "iii", twice<B::Add, B::Add>},
    {"v_lshl_add_u32", "iii", twice<B::Shl, B::Add>},
    {"v_add_lshl_u32", "iii", twice<B::Add, B::Shl>},
    {"v_lshl_or_b32", "iii", twice<B::Shl, B::Or>},
    {"v_and_or_b32", "iii", twice<B::And, B::Or>},
    {"v_or3_b32", "iii", twice<B::Or, B::Or>},
    {"v_xad_u32", "iii", twice<B::Xor, B::Add>},
    {"v_lshl_add_u64", "lil",
     [](AssemblyState& s, Values v) {
         llvm::Value* amount = s.ir.CreateAnd(s.ir.CreateZExt(v[1], s.ir.getInt64Ty()), 7);
         return s.ir.CreateAdd(s.ir.CreateShl(v[0], amount), v[2]);
     }},
    {"v_and_b32", "ii", binary<B::And>},
    {"v_or_b32", "ii", binary<B::Or>},
    {"v_xor_b32", "ii", binary<B::Xor>},
    {"v_xnor_b32", "ii", [](AssemblyState& s, Values v) { return s.ir.CreateNot(s.ir.CreateXor(v[0], v[1])); }},
    {"v_not_b32", "i", [](AssemblyState& s, Values v) { return s.ir.CreateNot(v[0]); }},
    {"v_lshlrev_b32", "ii", shifted<B::Shl>},
    {"v_lshlrev_b64", "il", shifted<B::Shl>},
    {"v_lshrrev_b32", "ii", shifted<B::LShr>},
    {"v_lshrrev_b64", "il", shifted<B::LShr>},
    {"v_ashrrev_i32", "ii", shifted<B::AShr>},
    {"v_ashrrev_i64", "il", shifted<B::AShr>},
    {"v_max_i32", "ii", ofOneType<I::smax>},
    {"v_max_u32", "ii", ofOneType<I::umax>},
    {"v_min_i32", "ii", ofOneType<I::smin>},
    {"v_min_u32", "ii", ofOneType<I::umin>},
    {"v_max3_i32", "iii", ofThree<I::smax>},
    {"v_max3_u32", "iii", ofThree<I::umax>},
    {"v_min3_i32", "iii", ofThree<I::smin>},
    {"v_min3_u32", "iii", ofThree<I::umin>},
    {"v_med3_i32", "iii", median<I::smin, I::smax>},
    {"v_med3_u32", "iii", median<I::umin, I::umax>},
    {"v_bfe_u32", "iii", deviceCall<llvm::Intrinsic::amdgcn_ubfe>},
    {"v_bfe_i32", "iii", deviceCall<llvm::Intrinsic::amdgcn_sbfe>},
    {"v_bfi_b32", "iii",
     [](AssemblyState& s, Values v) {
         return s.ir.CreateOr(s.ir.CreateAnd(v[0], v[1]), s.ir.CreateAnd(s.ir.CreateNot(v[0]), v[2]));
     }},
    {"v_bfm_b32", "ii",
     [](AssemblyState& s, Values v) {
         llvm::Value* ones = s.ir.CreateSub(s.ir.CreateShl(s.ir.getInt32(1), s.ir.CreateAnd(v[0], 31)), s.ir.getInt32(1));
         return s.ir.CreateShl(ones, s.ir.CreateAnd(v[1], 31));
     }},
    {"v_bfrev_b32", "i", ofOneType<I::bitreverse>},
    {"v_bcnt_u32_b32", "ii",
     [](AssemblyState& s, Values v) { return s.ir.CreateAdd(s.ir.CreateUnaryIntrinsic(I::ctpop, v[0]), v[1]); }},
    {"v_ffbh_u32", "i", firstOne<I::ctlz>},
    {"v_ffbl_b32", "i", firstOne<I::cttz>},
    {"v_ffbh_i32", "i", deviceCall<llvm::Intrinsic::amdgcn_sffbh>},
    {"v_perm_b32", "iii", plainDeviceCall<llvm::Intrinsic::amdgcn_perm>},
    {"v_alignbit_b32", "iii", ofOneType<I::fshr>},
    {"v_alignbyte_b32", "iii", plainDeviceCall<llvm::Intrinsic::amdgcn_alignbyte>},
    {"v_lerp_u8", "iii", plainDeviceCall<llvm::Intrinsic::amdgcn_lerp>},
});

} // namespace
} // namespace vectorArithmetic

namespace {

llvm::Type* sourceType(AssemblyState& state, char letter) {
    switch (letter) {
    case 'h':
        return state.ir.getHalfTy();
    case 'f':
        return state.ir.getFloatTy();
    case 'd':
        return state.ir.getDoubleTy();
    case 's':
        return state.ir.getInt16Ty();
    case 'l':
        return state.ir.getInt64Ty();
    default:
        return state.ir.getInt32Ty();
    }
}

const vectorArithmetic::ArithmeticRow* rowOf(std::string_view name) {
    using vectorArithmetic::ArithmeticRow;
    const std::span<const ArithmeticRow> tables[] = {vectorArithmetic::arithmeticRows, vectorArithmetic::conversions(),
                                                     vectorArithmetic::shortIntegers()};
    for (const std::span<const ArithmeticRow> table : tables) {
        const auto row =
            std::find_if(table.begin(), table.end(), [&](const ArithmeticRow& one) { return one.name == name; });
        if (row != table.end()) {
            return &*row;
        }
    }
    return nullptr;
}

} // namespace

bool translateArithmetic(AssemblyState& state, const AssemblyInstruction& instruction) {
    const vectorArithmetic::ArithmeticRow* row = rowOf(instruction.name);
    if (row == nullptr) {
        return false;
    }
    const std::size_t sources = row->sources.size() - (row->sources.ends_with('=') ? 1 : 0);
    if (instruction.operands.size() < sources + 1) {
        state.refuse("has fewer operands than expected");
        return true;
    }
    const AssemblyOperand& destination = instruction.operands[0];
    llvm::SmallVector<llvm::Value*, 4> values;
    for (unsigned i = 0; i < sources; ++i) {
        values.push_back(readSource(state, instruction, i, sourceType(state, row->sources[i])));
    }
    if (row->sources.ends_with('=')) {
        values.push_back(state.read(destination, values[0]->getType()));
    }
    const llvm::Intrinsic::ID saturating = instruction.has("clamp") ? saturation(instruction.name) : 0;
    writeResult(state, instruction,
                saturating != 0 ? state.call(saturating, {values[0]->getType()}, values) : row->make(state, values));
    return true;
}

} // namespace gks::hipcpu
