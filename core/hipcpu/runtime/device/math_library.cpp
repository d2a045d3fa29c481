// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/device/device.h"

#include <cmath>
#include <limits>

using namespace gks::hipcpu;
using namespace gks::hipcpu::device;

// OCML on libm. Half precision computes in single precision and rounds once.

namespace {

constexpr double pi = 3.14159265358979323846;

template<class T>
ALWAYS_INLINE T exp10Of(T x) {
    return std::pow(T(10), x);
}
template<class T>
ALWAYS_INLINE T rsqrtOf(T x) {
    return T(1) / std::sqrt(x);
}
template<class T>
ALWAYS_INLINE T rcbrtOf(T x) {
    return T(1) / std::cbrt(x);
}
// Reduced to one turn first, where a multiple of pi would lose all digits.
template<class T>
ALWAYS_INLINE T turnOf(T x) {
    return x - T(2) * std::floor(x / T(2));
}
template<class T>
ALWAYS_INLINE T sinpiOf(T x) {
    return static_cast<T>(std::sin(static_cast<double>(turnOf(x)) * pi));
}
template<class T>
ALWAYS_INLINE T cospiOf(T x) {
    return static_cast<T>(std::cos(static_cast<double>(turnOf(x)) * pi));
}
template<class T>
ALWAYS_INLINE T erfcxOf(T x) {
    const auto wide = static_cast<double>(x);
    // Past this erfc underflows; the first terms of the asymptotic series are exact to double precision there.
    constexpr double asymptotic = 25.0;
    if (wide > asymptotic) {
        return static_cast<T>((1.0 - 0.5 / (wide * wide)) / (wide * std::sqrt(pi)));
    }
    return static_cast<T>(std::exp(wide * wide) * std::erfc(wide));
}
// Winitzki's approximation, then Newton steps on erf; the result is good to the last bits of a double except in the far
// tails.
ALWAYS_INLINE double inverseErf(double x) {
    if (!(std::fabs(x) < 1.0)) {
        return x == 1.0 ? INFINITY : x == -1.0 ? -INFINITY : NAN;
    }
    constexpr double a = 0.147;
    const double logarithm = std::log1p(-x * x);
    const double middle = 2.0 / (pi * a) + logarithm / 2.0;
    double y = std::copysign(std::sqrt(std::sqrt(middle * middle - logarithm / a) - middle), x);
    for (int step = 0; step < 4; ++step) {
        // erf(y) - x, from erfc where erf is close to 1.
        const double error = x > 0.5    ? (1.0 - x) - std::erfc(y)
                             : x < -0.5 ? std::erfc(-y) - (1.0 + x)
                                        : std::erf(y) - x;
        y -= error / (2.0 / std::sqrt(pi) * std::exp(-y * y));
    }
    return y;
}
ALWAYS_INLINE double inverseErfc(double x) {
    if (x <= 0.0 || x >= 2.0) {
        return x == 0.0 ? INFINITY : x == 2.0 ? -INFINITY : NAN;
    }
    // Newton on the logarithm, which is nearly a parabola in the tail.
    const double tail = x > 1.0 ? 2.0 - x : x;
    double y = tail < 1e-12 ? std::sqrt(-std::log(tail)) : inverseErf(1.0 - tail);
    for (int step = 0; step < 8; ++step) {
        const double value = std::erfc(y);
        y += (std::log(value) - std::log(tail)) * value / (2.0 / std::sqrt(pi) * std::exp(-y * y));
    }
    return x > 1.0 ? -y : y;
}
template<class T>
ALWAYS_INLINE T erfinvOf(T x) {
    return static_cast<T>(inverseErf(static_cast<double>(x)));
}
template<class T>
ALWAYS_INLINE T erfcinvOf(T x) {
    return static_cast<T>(inverseErfc(static_cast<double>(x)));
}
template<class T>
ALWAYS_INLINE T ncdfOf(T x) {
    return static_cast<T>(0.5 * std::erfc(-static_cast<double>(x) / std::sqrt(2.0)));
}
template<class T>
ALWAYS_INLINE T ncdfinvOf(T x) {
    return static_cast<T>(-std::sqrt(2.0) * inverseErfc(2.0 * static_cast<double>(x)));
}
// Modified Bessel functions by their power series, which converges for every finite argument.
template<class T>
ALWAYS_INLINE T modifiedBessel(T x, int order) {
    const double half = static_cast<double>(x) / 2.0;
    double term = order ? half : 1.0;
    double sum = term;
    for (int k = 1; k < 500 && std::fabs(term) > std::fabs(sum) * 1e-17; ++k) {
        term *= half * half / (static_cast<double>(k) * (k + order));
        sum += term;
    }
    return static_cast<T>(sum);
}
template<class T>
ALWAYS_INLINE T i0Of(T x) {
    return modifiedBessel(x, 0);
}
template<class T>
ALWAYS_INLINE T i1Of(T x) {
    return modifiedBessel(x, 1);
}
template<class T>
ALWAYS_INLINE T rhypotOf(T x, T y) {
    return T(1) / std::hypot(x, y);
}
template<class T>
ALWAYS_INLINE T scalbOf(T x, T e) {
    return std::ldexp(x, static_cast<int>(e));
}
template<class T>
ALWAYS_INLINE T length(T a, T b, T c, T d) {
    const double sum = static_cast<double>(a) * a + static_cast<double>(b) * b + static_cast<double>(c) * c +
                       static_cast<double>(d) * d;
    return static_cast<T>(std::sqrt(sum));
}
template<class T>
ALWAYS_INLINE T powerOf(T x, int n) {
    return static_cast<T>(std::pow(static_cast<double>(x), static_cast<double>(n)));
}
template<class T>
ALWAYS_INLINE T j0Of(T x) {
    return static_cast<T>(::j0(static_cast<double>(x)));
}
template<class T>
ALWAYS_INLINE T j1Of(T x) {
    return static_cast<T>(::j1(static_cast<double>(x)));
}
template<class T>
ALWAYS_INLINE T y0Of(T x) {
    return static_cast<T>(::y0(static_cast<double>(x)));
}
template<class T>
ALWAYS_INLINE T y1Of(T x) {
    return static_cast<T>(::y1(static_cast<double>(x)));
}

} // namespace

#define UNARY(NAME, FUNCTION)                                                                                          \
    DEVICE_FUNCTION float __ocml_##NAME##_f32(float x) {                                                               \
        return FUNCTION(x);                                                                                            \
    }                                                                                                                  \
    DEVICE_FUNCTION double __ocml_##NAME##_f64(double x) {                                                             \
        return FUNCTION(x);                                                                                            \
    }                                                                                                                  \
    DEVICE_FUNCTION Half __ocml_##NAME##_f16(Half x) {                                                                 \
        return static_cast<Half>(FUNCTION(static_cast<float>(x)));                                                     \
    }                                                                                                                  \
    DEVICE_FUNCTION void hipcpu_v_ocml_##NAME##_2f16(Half* result, const Half* x) {                                    \
        result[0] = __ocml_##NAME##_f16(x[0]);                                                                         \
        result[1] = __ocml_##NAME##_f16(x[1]);                                                                         \
    }
UNARY(acos, std::acos)
UNARY(acosh, std::acosh)
UNARY(asin, std::asin)
UNARY(asinh, std::asinh)
UNARY(atan, std::atan)
UNARY(atanh, std::atanh)
UNARY(cbrt, std::cbrt)
UNARY(ceil, std::ceil)
UNARY(cos, std::cos)
UNARY(cosh, std::cosh)
UNARY(cospi, cospiOf)
UNARY(erf, std::erf)
UNARY(erfc, std::erfc)
UNARY(erfcinv, erfcinvOf)
UNARY(erfcx, erfcxOf)
UNARY(erfinv, erfinvOf)
UNARY(exp, std::exp)
UNARY(exp10, exp10Of)
UNARY(exp2, std::exp2)
UNARY(expm1, std::expm1)
UNARY(fabs, std::fabs)
UNARY(floor, std::floor)
UNARY(i0, i0Of)
UNARY(i1, i1Of)
UNARY(j0, j0Of)
UNARY(j1, j1Of)
UNARY(lgamma, std::lgamma)
UNARY(log, std::log)
UNARY(log10, std::log10)
UNARY(log1p, std::log1p)
UNARY(log2, std::log2)
UNARY(logb, std::logb)
UNARY(native_cos, std::cos)
UNARY(native_exp, std::exp)
UNARY(native_exp10, exp10Of)
UNARY(native_exp2, std::exp2)
UNARY(native_log, std::log)
UNARY(native_log10, std::log10)
UNARY(native_log2, std::log2)
UNARY(native_recip, 1 /)
UNARY(native_rsqrt, rsqrtOf)
UNARY(native_sin, std::sin)
UNARY(native_sqrt, std::sqrt)
UNARY(ncdf, ncdfOf)
UNARY(ncdfinv, ncdfinvOf)
UNARY(nearbyint, std::rint)
UNARY(rcbrt, rcbrtOf)
UNARY(rint, std::rint)
UNARY(round, std::round)
UNARY(rsqrt, rsqrtOf)
UNARY(sin, std::sin)
UNARY(sinh, std::sinh)
UNARY(sinpi, sinpiOf)
UNARY(sqrt, std::sqrt)
UNARY(tan, std::tan)
UNARY(tanh, std::tanh)
UNARY(tgamma, std::tgamma)
UNARY(trunc, std::trunc)
UNARY(y0, y0Of)
UNARY(y1, y1Of)

#define BINARY(NAME, FUNCTION)                                                                                         \
    DEVICE_FUNCTION float __ocml_##NAME##_f32(float x, float y) {                                                      \
        return FUNCTION(x, y);                                                                                         \
    }                                                                                                                  \
    DEVICE_FUNCTION double __ocml_##NAME##_f64(double x, double y) {                                                   \
        return FUNCTION(x, y);                                                                                         \
    }                                                                                                                  \
    DEVICE_FUNCTION Half __ocml_##NAME##_f16(Half x, Half y) {                                                         \
        return static_cast<Half>(FUNCTION(static_cast<float>(x), static_cast<float>(y)));                              \
    }                                                                                                                  \
    DEVICE_FUNCTION void hipcpu_v_ocml_##NAME##_2f16(Half* result, const Half* x, const Half* y) {                     \
        result[0] = __ocml_##NAME##_f16(x[0], y[0]);                                                                   \
        result[1] = __ocml_##NAME##_f16(x[1], y[1]);                                                                   \
    }
BINARY(atan2, std::atan2)
BINARY(copysign, std::copysign)
BINARY(fdim, std::fdim)
BINARY(fmax, std::fmax)
BINARY(fmin, std::fmin)
BINARY(fmod, std::fmod)
BINARY(hypot, std::hypot)
BINARY(nextafter, std::nextafter)
BINARY(pow, std::pow)
BINARY(powr, std::pow)
BINARY(remainder, std::remainder)
BINARY(rhypot, rhypotOf)
BINARY(scalb, scalbOf)

#define WITH_INTEGER(NAME, FUNCTION)                                                                                   \
    DEVICE_FUNCTION float __ocml_##NAME##_f32(float x, int n) {                                                        \
        return FUNCTION(x, n);                                                                                         \
    }                                                                                                                  \
    DEVICE_FUNCTION double __ocml_##NAME##_f64(double x, int n) {                                                      \
        return FUNCTION(x, n);                                                                                         \
    }                                                                                                                  \
    DEVICE_FUNCTION Half __ocml_##NAME##_f16(Half x, int n) {                                                          \
        return static_cast<Half>(FUNCTION(static_cast<float>(x), n));                                                  \
    }
WITH_INTEGER(ldexp, std::ldexp)
WITH_INTEGER(scalbn, std::ldexp)
WITH_INTEGER(pown, powerOf)
DEVICE_FUNCTION void hipcpu_v_ocml_pown_2f16(Half* result, const Half* x, const std::int16_t* n) {
    result[0] = __ocml_pown_f16(x[0], n[0]);
    result[1] = __ocml_pown_f16(x[1], n[1]);
}

DEVICE_FUNCTION float __ocml_fma_f32(float a, float b, float c) {
    return __builtin_fmaf(a, b, c);
}
DEVICE_FUNCTION double __ocml_fma_f64(double a, double b, double c) {
    return __builtin_fma(a, b, c);
}
// As bitcode one operation, which the retargeter lowers for hosts without an instruction for it (half.h); else exact in
// double precision before the one rounding.
DEVICE_FUNCTION Half __ocml_fma_f16(Half a, Half b, Half c) {
#if __has_builtin(__builtin_elementwise_fma)
    return __builtin_elementwise_fma(a, b, c);
#else
    return static_cast<Half>(static_cast<double>(a) * static_cast<double>(b) + static_cast<double>(c));
#endif
}
DEVICE_FUNCTION void hipcpu_v_ocml_fma_2f16(Half* result, const Half* a, const Half* b, const Half* c) {
    const Half first = __ocml_fma_f16(a[0], b[0], c[0]);
    result[1] = __ocml_fma_f16(a[1], b[1], c[1]);
    result[0] = first;
}
DEVICE_FUNCTION float __ocml_mad_f32(float a, float b, float c) {
    return a * b + c;
}
DEVICE_FUNCTION double __ocml_mad_f64(double a, double b, double c) {
    return a * b + c;
}

#define PER_TYPE(T, SUFFIX)                                                                                            \
    DEVICE_FUNCTION T __ocml_len3_##SUFFIX(T a, T b, T c) {                                                            \
        return length(a, b, c, T(0));                                                                                  \
    }                                                                                                                  \
    DEVICE_FUNCTION T __ocml_len4_##SUFFIX(T a, T b, T c, T d) {                                                       \
        return length(a, b, c, d);                                                                                     \
    }                                                                                                                  \
    DEVICE_FUNCTION T __ocml_rlen3_##SUFFIX(T a, T b, T c) {                                                           \
        return T(1) / length(a, b, c, T(0));                                                                           \
    }                                                                                                                  \
    DEVICE_FUNCTION T __ocml_rlen4_##SUFFIX(T a, T b, T c, T d) {                                                      \
        return T(1) / length(a, b, c, d);                                                                              \
    }                                                                                                                  \
    DEVICE_FUNCTION T __ocml_frexp_##SUFFIX(T x, int* exponent) {                                                      \
        return std::frexp(x, exponent);                                                                                \
    }                                                                                                                  \
    DEVICE_FUNCTION T __ocml_modf_##SUFFIX(T x, T* whole) {                                                            \
        return std::modf(x, whole);                                                                                    \
    }                                                                                                                  \
    DEVICE_FUNCTION T __ocml_remquo_##SUFFIX(T x, T y, int* quotient) {                                                \
        return std::remquo(x, y, quotient);                                                                            \
    }                                                                                                                  \
    DEVICE_FUNCTION T __ocml_sincos_##SUFFIX(T x, T* cosine) {                                                         \
        *cosine = std::cos(x);                                                                                         \
        return std::sin(x);                                                                                            \
    }                                                                                                                  \
    DEVICE_FUNCTION T __ocml_sincospi_##SUFFIX(T x, T* cosine) {                                                       \
        *cosine = cospiOf(x);                                                                                          \
        return sinpiOf(x);                                                                                             \
    }                                                                                                                  \
    DEVICE_FUNCTION int __ocml_ilogb_##SUFFIX(T x) {                                                                   \
        return std::ilogb(x);                                                                                          \
    }                                                                                                                  \
    DEVICE_FUNCTION int __ocml_isnan_##SUFFIX(T x) {                                                                   \
        return __builtin_isnan(x);                                                                                     \
    }                                                                                                                  \
    DEVICE_FUNCTION int __ocml_isinf_##SUFFIX(T x) {                                                                   \
        return __builtin_isinf(x) != 0;                                                                                \
    }                                                                                                                  \
    DEVICE_FUNCTION int __ocml_isfinite_##SUFFIX(T x) {                                                                \
        return __builtin_isfinite(x);                                                                                  \
    }                                                                                                                  \
    DEVICE_FUNCTION int __ocml_isnormal_##SUFFIX(T x) {                                                                \
        return __builtin_isnormal(x);                                                                                  \
    }                                                                                                                  \
    DEVICE_FUNCTION int __ocml_signbit_##SUFFIX(T x) {                                                                 \
        return __builtin_signbit(x) != 0;                                                                              \
    }
PER_TYPE(float, f32)
PER_TYPE(double, f64)

DEVICE_FUNCTION int __ocml_isnan_f16(Half x) {
    return x != x;
}
DEVICE_FUNCTION int __ocml_isinf_f16(Half x) {
    return __builtin_isinf(static_cast<float>(x)) != 0;
}
DEVICE_FUNCTION int __ocml_isfinite_f16(Half x) {
    return __builtin_isfinite(static_cast<float>(x));
}
// Vector predicates answer with all bits of the element.
DEVICE_FUNCTION void hipcpu_v_ocml_isnan_2f16(std::int16_t* result, const Half* x) {
    result[0] = static_cast<std::int16_t>(-__ocml_isnan_f16(x[0]));
    result[1] = static_cast<std::int16_t>(-__ocml_isnan_f16(x[1]));
}
DEVICE_FUNCTION void hipcpu_v_ocml_isinf_2f16(std::int16_t* result, const Half* x) {
    result[0] = static_cast<std::int16_t>(-__ocml_isinf_f16(x[0]));
    result[1] = static_cast<std::int16_t>(-__ocml_isinf_f16(x[1]));
}
