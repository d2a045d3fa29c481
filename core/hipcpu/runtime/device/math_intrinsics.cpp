// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/device/device.h"

#include <cmath>

using namespace gks::hipcpu;
using namespace gks::hipcpu::device;

// Arithmetic instructions. Where hardware approximates (rcp, rsq, exp, log: within 1 ulp), these are correctly rounded
// or nearly so.

namespace {

template<class T>
ALWAYS_INLINE T median(T a, T b, T c) {
    return std::fmax(std::fmin(a, b), std::fmin(std::fmax(a, b), c));
}

// x - floor(x), held below 1 as the instruction does for tiny negative x.
template<class T>
ALWAYS_INLINE T fraction(T x, T belowOne) {
    return std::fmin(x - std::floor(x), belowOne);
}

// Bits of v_cmp_class: NaN (signalling, quiet), then -inf, -normal, -subnormal, -0, +0, +subnormal, +normal, +inf.
template<class T, class Bits>
ALWAYS_INLINE bool isOfClass(T x, Word mask, Bits quietBit) {
    const bool negative = __builtin_signbit(static_cast<double>(x));
    if (x != x) {
        return mask & (bitsAs<Bits>(x) & quietBit ? 2u : 1u);
    }
    Word fromZero = 0; // 0 zero, 1 subnormal, 2 normal, 3 infinite
    if (__builtin_isinf(static_cast<double>(x))) {
        fromZero = 3;
    } else if (x != T(0)) {
        const Bits magnitude = static_cast<Bits>(bitsAs<Bits>(x) << 1);
        fromZero = magnitude < static_cast<Bits>(quietBit << 2) ? 1 : 2;
    }
    return mask >> (negative ? 5 - fromZero : 6 + fromZero) & 1;
}

constexpr float twoPi = 6.28318530717958647692f;

} // namespace

DEVICE_FUNCTION float hipcpu_amdgcn_rcp_f32(float x) {
    return 1.0f / x;
}
DEVICE_FUNCTION double hipcpu_amdgcn_rcp_f64(double x) {
    return 1.0 / x;
}
DEVICE_FUNCTION Half hipcpu_amdgcn_rcp_f16(Half x) {
    return static_cast<Half>(1.0f / static_cast<float>(x));
}
DEVICE_FUNCTION float hipcpu_amdgcn_rcp_legacy_f32(float x) {
    return 1.0f / x;
}
DEVICE_FUNCTION float hipcpu_amdgcn_rsq_f32(float x) {
    return 1.0f / std::sqrt(x);
}
DEVICE_FUNCTION double hipcpu_amdgcn_rsq_f64(double x) {
    return 1.0 / std::sqrt(x);
}
DEVICE_FUNCTION Half hipcpu_amdgcn_rsq_f16(Half x) {
    return static_cast<Half>(1.0f / std::sqrt(static_cast<float>(x)));
}
// The clamping forms hold infinities at the largest finite number.
ALWAYS_INLINE float clampFinite(float x) {
    constexpr float most = 3.40282346638528859812e+38f;
    return x > most ? most : x < -most ? -most : x;
}
DEVICE_FUNCTION float hipcpu_amdgcn_rsq_clamp_f32(float x) {
    return clampFinite(1.0f / std::sqrt(x));
}
DEVICE_FUNCTION double hipcpu_amdgcn_rsq_clamp_f64(double x) {
    constexpr double most = 1.79769313486231570815e+308;
    const double root = 1.0 / std::sqrt(x);
    return root > most ? most : root < -most ? -most : root;
}
DEVICE_FUNCTION float hipcpu_amdgcn_log_clamp_f32(float x) {
    return clampFinite(std::log2(x));
}
DEVICE_FUNCTION float hipcpu_amdgcn_sqrt_f32(float x) {
    return std::sqrt(x);
}
DEVICE_FUNCTION double hipcpu_amdgcn_sqrt_f64(double x) {
    return std::sqrt(x);
}
DEVICE_FUNCTION Half hipcpu_amdgcn_sqrt_f16(Half x) {
    return static_cast<Half>(std::sqrt(static_cast<float>(x)));
}
DEVICE_FUNCTION float hipcpu_amdgcn_exp2_f32(float x) {
    return std::exp2(x);
}
DEVICE_FUNCTION Half hipcpu_amdgcn_exp2_f16(Half x) {
    return static_cast<Half>(std::exp2(static_cast<float>(x)));
}
DEVICE_FUNCTION float hipcpu_amdgcn_log_f32(float x) {
    return std::log2(x);
}
DEVICE_FUNCTION Half hipcpu_amdgcn_log_f16(Half x) {
    return static_cast<Half>(std::log2(static_cast<float>(x)));
}
// The argument counts full turns.
DEVICE_FUNCTION float hipcpu_amdgcn_sin_f32(float x) {
    return std::sin((x - std::floor(x)) * twoPi);
}
DEVICE_FUNCTION float hipcpu_amdgcn_cos_f32(float x) {
    return std::cos((x - std::floor(x)) * twoPi);
}
DEVICE_FUNCTION Half hipcpu_amdgcn_sin_f16(Half x) {
    return static_cast<Half>(hipcpu_amdgcn_sin_f32(static_cast<float>(x)));
}
DEVICE_FUNCTION Half hipcpu_amdgcn_cos_f16(Half x) {
    return static_cast<Half>(hipcpu_amdgcn_cos_f32(static_cast<float>(x)));
}
DEVICE_FUNCTION float hipcpu_amdgcn_fract_f32(float x) {
    return fraction(x, 0x1.fffffep-1f);
}
DEVICE_FUNCTION double hipcpu_amdgcn_fract_f64(double x) {
    return fraction(x, 0x1.fffffffffffffp-1);
}
DEVICE_FUNCTION Half hipcpu_amdgcn_fract_f16(Half x) {
    return static_cast<Half>(fraction(static_cast<float>(x), 0x1.ffcp-1f));
}
DEVICE_FUNCTION float hipcpu_amdgcn_fmed3_f32(float a, float b, float c) {
    return median(a, b, c);
}
DEVICE_FUNCTION Half hipcpu_amdgcn_fmed3_f16(Half a, Half b, Half c) {
    return static_cast<Half>(median(static_cast<float>(a), static_cast<float>(b), static_cast<float>(c)));
}
DEVICE_FUNCTION float hipcpu_amdgcn_fmul_legacy(float a, float b) {
    return a == 0 || b == 0 ? 0 : a * b;
}
DEVICE_FUNCTION float hipcpu_amdgcn_ldexp_f32(float x, int e) {
    return std::ldexp(x, e);
}
DEVICE_FUNCTION double hipcpu_amdgcn_ldexp_f64(double x, int e) {
    return std::ldexp(x, e);
}
DEVICE_FUNCTION Half hipcpu_amdgcn_ldexp_f16(Half x, int e) {
    return static_cast<Half>(std::ldexp(static_cast<float>(x), e));
}

template<class T>
ALWAYS_INLINE T mantissaOf(T x) {
    int exponent = 0;
    return std::isfinite(x) ? std::frexp(x, &exponent) : x;
}
template<class T>
ALWAYS_INLINE int exponentOf(T x) {
    int exponent = 0;
    if (std::isfinite(x)) {
        std::frexp(x, &exponent);
    }
    return exponent;
}
DEVICE_FUNCTION float hipcpu_amdgcn_frexp_mant_f32(float x) {
    return mantissaOf(x);
}
DEVICE_FUNCTION double hipcpu_amdgcn_frexp_mant_f64(double x) {
    return mantissaOf(x);
}
DEVICE_FUNCTION Half hipcpu_amdgcn_frexp_mant_f16(Half x) {
    return static_cast<Half>(mantissaOf(static_cast<float>(x)));
}
DEVICE_FUNCTION int hipcpu_amdgcn_frexp_exp_i32_f32(float x) {
    return exponentOf(x);
}
DEVICE_FUNCTION int hipcpu_amdgcn_frexp_exp_i32_f64(double x) {
    return exponentOf(x);
}
DEVICE_FUNCTION std::int16_t hipcpu_amdgcn_frexp_exp_i16_f16(Half x) {
    return static_cast<std::int16_t>(exponentOf(static_cast<float>(x)));
}

DEVICE_FUNCTION bool hipcpu_amdgcn_class_f32(float x, Word mask) {
    return isOfClass<float, Word>(x, mask, 1u << 22);
}
DEVICE_FUNCTION bool hipcpu_amdgcn_class_f64(double x, Word mask) {
    return isOfClass<double, DoubleWord>(x, mask, DoubleWord{1} << 51);
}
DEVICE_FUNCTION bool hipcpu_amdgcn_class_f16(Half x, Word mask) {
    return isOfClass<Half, std::uint16_t>(x, mask, std::uint16_t{1} << 9);
}

// The steps of AMD's division sequence: scaling is not needed here, the last step divides.
DEVICE_FUNCTION float hipcpu_amdgcn_div_fmas_f32(float a, float b, float c, bool) {
    return std::fma(a, b, c);
}
DEVICE_FUNCTION double hipcpu_amdgcn_div_fmas_f64(double a, double b, double c, bool) {
    return std::fma(a, b, c);
}
DEVICE_FUNCTION float hipcpu_amdgcn_div_fixup_f32(float, float denominator, float numerator) {
    return numerator / denominator;
}
DEVICE_FUNCTION double hipcpu_amdgcn_div_fixup_f64(double, double denominator, double numerator) {
    return numerator / denominator;
}
DEVICE_FUNCTION Half hipcpu_amdgcn_div_fixup_f16(Half, Half denominator, Half numerator) {
    return static_cast<Half>(static_cast<float>(numerator) / static_cast<float>(denominator));
}
