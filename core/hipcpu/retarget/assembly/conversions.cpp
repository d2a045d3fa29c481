// SPDX-License-Identifier: GPL-3.0-or-later
// Vector instructions that convert numbers, take floats apart, and the steps of a division.
#include "core/hipcpu/retarget/assembly/arithmetic_rows.h"

#include <array>

namespace gks::hipcpu::vectorArithmetic {
namespace {

template<unsigned byte>
llvm::Value* floatOfByte(AssemblyState& state, Values v) {
    return state.ir.CreateUIToFP(state.ir.CreateAnd(state.ir.CreateLShr(v[0], 8 * byte), 255), state.ir.getFloatTy());
}
template<bool isSigned, unsigned width>
llvm::Value* toInteger(AssemblyState& state, Values v) {
    llvm::Type* type = state.ir.getIntNTy(width);
    return state.call(isSigned ? I::fptosi_sat : I::fptoui_sat, {type, v[0]->getType()}, {v[0]});
}
template<I rounding>
llvm::Value* toIntegerRounded(AssemblyState& state, Values v) {
    llvm::Value* rounded = state.ir.CreateUnaryIntrinsic(rounding, v[0]);
    return state.call(I::fptosi_sat, {state.ir.getInt32Ty(), v[0]->getType()}, {rounded});
}
template<bool isSigned, char to>
llvm::Value* toFloat(AssemblyState& state, Values v) {
    llvm::Type* type = to == 'd' ? state.ir.getDoubleTy() : to == 'h' ? state.ir.getHalfTy() : state.ir.getFloatTy();
    return isSigned ? state.ir.CreateSIToFP(v[0], type) : state.ir.CreateUIToFP(v[0], type);
}
template<char to>
llvm::Value* otherFloat(AssemblyState& state, Values v) {
    llvm::Type* type = to == 'd' ? state.ir.getDoubleTy() : to == 'h' ? state.ir.getHalfTy() : state.ir.getFloatTy();
    return state.ir.CreateFPCast(v[0], type);
}
// A fraction of the largest integer of 16 bits, rounded to the nearest.
template<bool isSigned>
llvm::Value* normalised(AssemblyState& state, Values v) {
    llvm::IRBuilder<>& ir = state.ir;
    llvm::Type* type = ir.getFloatTy();
    llvm::Value* wide = ir.CreateFPExt(v[0], type);
    wide = ir.CreateMaxNum(wide, llvm::ConstantFP::get(type, isSigned ? -1.0 : 0.0));
    wide = ir.CreateMinNum(wide, llvm::ConstantFP::get(type, 1.0));
    wide = ir.CreateUnaryIntrinsic(I::rint, ir.CreateFMul(wide, llvm::ConstantFP::get(type, isSigned ? 32767 : 65535)));
    return state.call(isSigned ? I::fptosi_sat : I::fptoui_sat, {ir.getInt16Ty(), type}, {wide});
}
template<bool isSigned>
llvm::Value* normalisedPair(AssemblyState& state, Values v) {
    llvm::Value* low = state.bits(normalised<isSigned>(state, v[0]), 32);
    llvm::Value* high = state.bits(normalised<isSigned>(state, v[1]), 32);
    return state.ir.CreateOr(low, state.ir.CreateShl(high, 16));
}
template<unsigned width>
llvm::Value* exponentOf(AssemblyState& state, Values v) {
    return state.call(llvm::Intrinsic::amdgcn_frexp_exp, {state.ir.getIntNTy(width), v[0]->getType()}, v);
}
llvm::Value* scaledByPower(AssemblyState& state, Values v) {
    llvm::Value* power = state.ir.CreateSExtOrTrunc(v[1], state.ir.getInt32Ty());
    return state.call(I::ldexp, {v[0]->getType(), state.ir.getInt32Ty()}, {v[0], power});
}
// A sixteenth of four bits with a sign.
llvm::Value* sixteenths(AssemblyState& state, Values v) {
    llvm::IRBuilder<>& ir = state.ir;
    llvm::Value* integer = ir.CreateAShr(ir.CreateShl(v[0], 28), 28);
    return ir.CreateFMul(ir.CreateSIToFP(integer, ir.getFloatTy()), llvm::ConstantFP::get(ir.getFloatTy(), 1.0 / 16));
}
// Whether the quotient was scaled stands in vcc.
llvm::Value* unscaled(AssemblyState& state, Values v) {
    AssemblyOperand vcc;
    vcc.kind = AssemblyOperand::Kind::scalar;
    vcc.first = scalarRegister::vcc;
    vcc.count = 2;
    return state.call(llvm::Intrinsic::amdgcn_div_fmas, {v[0]->getType()}, {v[0], v[1], v[2], state.readLaneMask(vcc)});
}

constexpr auto conversionRows = std::to_array<ArithmeticRow>({
    {"v_cvt_f32_f16", "h", otherFloat<'f'>},
    {"v_cvt_f16_f32", "f", otherFloat<'h'>},
    {"v_cvt_f64_f32", "f", otherFloat<'d'>},
    {"v_cvt_f32_f64", "d", otherFloat<'f'>},
    {"v_cvt_f32_i32", "i", toFloat<true, 'f'>},
    {"v_cvt_f32_u32", "i", toFloat<false, 'f'>},
    {"v_cvt_f64_i32", "i", toFloat<true, 'd'>},
    {"v_cvt_f64_u32", "i", toFloat<false, 'd'>},
    {"v_cvt_f16_i16", "s", toFloat<true, 'h'>},
    {"v_cvt_f16_u16", "s", toFloat<false, 'h'>},
    {"v_cvt_i32_f32", "f", toInteger<true, 32>},
    {"v_cvt_u32_f32", "f", toInteger<false, 32>},
    {"v_cvt_i32_f64", "d", toInteger<true, 32>},
    {"v_cvt_u32_f64", "d", toInteger<false, 32>},
    {"v_cvt_i16_f16", "h", toInteger<true, 16>},
    {"v_cvt_u16_f16", "h", toInteger<false, 16>},
    {"v_cvt_flr_i32_f32", "f", toIntegerRounded<I::floor>},
    {"v_cvt_rpi_i32_f32", "f",
     [](AssemblyState& s, Values v) {
         llvm::Value* up = s.ir.CreateFAdd(v[0], llvm::ConstantFP::get(v[0]->getType(), 0.5));
         return toIntegerRounded<I::floor>(s, {up});
     }},
    {"v_cvt_f32_ubyte0", "i", floatOfByte<0>},
    {"v_cvt_f32_ubyte1", "i", floatOfByte<1>},
    {"v_cvt_f32_ubyte2", "i", floatOfByte<2>},
    {"v_cvt_f32_ubyte3", "i", floatOfByte<3>},
    {"v_cvt_pkrtz_f16_f32", "ff", plainDeviceCall<llvm::Intrinsic::amdgcn_cvt_pkrtz>},
    {"v_cvt_pknorm_i16_f32", "ff", plainDeviceCall<llvm::Intrinsic::amdgcn_cvt_pknorm_i16>},
    {"v_cvt_pknorm_u16_f32", "ff", plainDeviceCall<llvm::Intrinsic::amdgcn_cvt_pknorm_u16>},
    {"v_cvt_pk_i16_i32", "ii", plainDeviceCall<llvm::Intrinsic::amdgcn_cvt_pk_i16>},
    {"v_cvt_pk_u16_u32", "ii", plainDeviceCall<llvm::Intrinsic::amdgcn_cvt_pk_u16>},
    {"v_cvt_pk_u8_f32", "fii", plainDeviceCall<llvm::Intrinsic::amdgcn_cvt_pk_u8_f32>},
    {"v_cvt_pkaccum_u8_f32", "fi=",
     [](AssemblyState& s, Values v) {
         return s.call(llvm::Intrinsic::amdgcn_cvt_pk_u8_f32, {}, {v[0], v[1], s.bits(v[2], 32)});
     }},
    {"v_cvt_norm_i16_f16", "h", normalised<true>},
    {"v_cvt_norm_u16_f16", "h", normalised<false>},
    {"v_cvt_pknorm_i16_f16", "hh", normalisedPair<true>},
    {"v_cvt_pknorm_u16_f16", "hh", normalisedPair<false>},
    {"v_cvt_off_f32_i4", "i", sixteenths},
    {"v_frexp_exp_i16_f16", "h", exponentOf<16>},
    {"v_frexp_exp_i32_f32", "f", exponentOf<32>},
    {"v_frexp_exp_i32_f64", "d", exponentOf<32>},
    {"v_frexp_mant_f16", "h", deviceCall<llvm::Intrinsic::amdgcn_frexp_mant>},
    {"v_frexp_mant_f32", "f", deviceCall<llvm::Intrinsic::amdgcn_frexp_mant>},
    {"v_frexp_mant_f64", "d", deviceCall<llvm::Intrinsic::amdgcn_frexp_mant>},
    {"v_ldexp_f16", "hs", scaledByPower},
    {"v_ldexp_f32", "fi", scaledByPower},
    {"v_ldexp_f64", "di", scaledByPower},
    {"v_div_fixup_f16", "hhh", deviceCall<llvm::Intrinsic::amdgcn_div_fixup>},
    {"v_div_fixup_f32", "fff", deviceCall<llvm::Intrinsic::amdgcn_div_fixup>},
    {"v_div_fixup_f64", "ddd", deviceCall<llvm::Intrinsic::amdgcn_div_fixup>},
    {"v_div_fmas_f32", "fff", unscaled},
    {"v_div_fmas_f64", "ddd", unscaled},
});

} // namespace

std::span<const ArithmeticRow> conversions() {
    return conversionRows;
}

} // namespace gks::hipcpu::vectorArithmetic
