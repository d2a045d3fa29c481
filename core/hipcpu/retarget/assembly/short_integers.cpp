// SPDX-License-Identifier: GPL-3.0-or-later
// Vector instructions on integers of 16 bits and less, and those that sum up what a register holds of them.
#include "core/hipcpu/retarget/assembly/arithmetic_rows.h"

#include <array>

namespace gks::hipcpu::vectorArithmetic {
namespace {

template<bool isSigned>
llvm::Value* wideProductSum(AssemblyState& state, Values v) {
    llvm::IRBuilder<>& ir = state.ir;
    const auto wide = [&](llvm::Value* one) {
        return isSigned ? ir.CreateSExt(one, ir.getInt32Ty()) : ir.CreateZExt(one, ir.getInt32Ty());
    };
    return ir.CreateAdd(ir.CreateMul(wide(v[0]), wide(v[1])), v[2]);
}
llvm::Value* productSum(AssemblyState& state, Values v) {
    return state.ir.CreateAdd(state.ir.CreateMul(v[0], v[1]), v[2]);
}
llvm::Value* difference(AssemblyState& state, Values v) {
    llvm::Type* type = v[0]->getType();
    return state.ir.CreateAdd(
        state.ir.CreateSub(state.call(I::umax, {type}, {v[0], v[1]}), state.call(I::umin, {type}, {v[0], v[1]})), v[2]);
}
llvm::Value* saturatedBytes(AssemblyState& state, Values v) {
    llvm::IRBuilder<>& ir = state.ir;
    llvm::Type* pair = llvm::FixedVectorType::get(ir.getInt16Ty(), 2);
    llvm::Value* both = ir.CreateBitCast(v[0], pair);
    both = state.call(I::smax, {pair}, {both, llvm::Constant::getNullValue(pair)});
    both = state.call(I::smin, {pair}, {both, llvm::ConstantInt::get(pair, 255)});
    return ir.CreateOr(ir.CreateExtractElement(both, std::uint64_t{0}),
                       ir.CreateShl(ir.CreateExtractElement(both, std::uint64_t{1}), 8));
}
template<llvm::Intrinsic::AMDGCNIntrinsics id>
llvm::Value* sumOfIntegers(AssemblyState& state, Values v) {
    return state.call(id, {}, {v[0], v[1], v[2], state.ir.getFalse()});
}
llvm::Value* pairOf(AssemblyState& state, llvm::Type* element, llvm::Value* word) {
    return state.ir.CreateBitCast(word, llvm::FixedVectorType::get(element, 2));
}

constexpr auto shortRows = std::to_array<ArithmeticRow>({
    {"v_add_u16", "ss", binary<B::Add>},
    {"v_sub_u16", "ss", binary<B::Sub>},
    {"v_subrev_u16", "ss", reversed<B::Sub>},
    {"v_mul_lo_u16", "ss", binary<B::Mul>},
    {"v_lshlrev_b16", "ss", shifted<B::Shl>},
    {"v_lshrrev_b16", "ss", shifted<B::LShr>},
    {"v_ashrrev_i16", "ss", shifted<B::AShr>},
    {"v_max_i16", "ss", ofOneType<I::smax>},
    {"v_max_u16", "ss", ofOneType<I::umax>},
    {"v_min_i16", "ss", ofOneType<I::smin>},
    {"v_min_u16", "ss", ofOneType<I::umin>},
    {"v_add_i16", "ss", binary<B::Add>},
    {"v_sub_i16", "ss", binary<B::Sub>},
    {"v_mad_u16", "sss", productSum},
    {"v_mad_i16", "sss", productSum},
    {"v_mad_u32_u16", "ssi", wideProductSum<false>},
    {"v_mad_i32_i16", "ssi", wideProductSum<true>},
    {"v_max3_i16", "sss", ofThree<I::smax>},
    {"v_max3_u16", "sss", ofThree<I::umax>},
    {"v_min3_i16", "sss", ofThree<I::smin>},
    {"v_min3_u16", "sss", ofThree<I::umin>},
    {"v_med3_i16", "sss", median<I::smin, I::smax>},
    {"v_med3_u16", "sss", median<I::umin, I::umax>},
    {"v_sat_pk_u8_i16", "i", saturatedBytes},
    {"v_sad_u8", "iii", plainDeviceCall<llvm::Intrinsic::amdgcn_sad_u8>},
    {"v_sad_u16", "iii", plainDeviceCall<llvm::Intrinsic::amdgcn_sad_u16>},
    {"v_sad_u32", "iii", difference},
    {"v_sad_hi_u8", "iii", plainDeviceCall<llvm::Intrinsic::amdgcn_sad_hi_u8>},
    {"v_msad_u8", "iii", plainDeviceCall<llvm::Intrinsic::amdgcn_msad_u8>},
    {"v_dot4c_i32_i8", "ii=", sumOfIntegers<llvm::Intrinsic::amdgcn_sdot4>},
    {"v_dot8c_i32_i4", "ii=", sumOfIntegers<llvm::Intrinsic::amdgcn_sdot8>},
    {"v_dot2c_i32_i16", "ii=",
     [](AssemblyState& s, Values v) {
         llvm::Type* element = s.ir.getInt16Ty();
         return s.call(llvm::Intrinsic::amdgcn_sdot2, {},
                       {pairOf(s, element, v[0]), pairOf(s, element, v[1]), v[2], s.ir.getFalse()});
     }},
    {"v_dot2c_f32_f16", "ii=",
     [](AssemblyState& s, Values v) {
         llvm::Type* element = s.ir.getHalfTy();
         return s.call(llvm::Intrinsic::amdgcn_fdot2, {},
                       {pairOf(s, element, v[0]), pairOf(s, element, v[1]), s.ir.CreateBitCast(v[2], s.ir.getFloatTy()),
                        s.ir.getFalse()});
     }},
    {"v_pk_fmac_f16", "ii=",
     [](AssemblyState& s, Values v) {
         llvm::Type* element = s.ir.getHalfTy();
         return s.call(I::fma, {llvm::FixedVectorType::get(element, 2)},
                       {pairOf(s, element, v[0]), pairOf(s, element, v[1]), pairOf(s, element, v[2])});
     }},
});

} // namespace

std::span<const ArithmeticRow> shortIntegers() {
    return shortRows;
}

} // namespace gks::hipcpu::vectorArithmetic
