// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// bfloat16 for HIP installations older than 6: the types and functions of the later hip_bf16.h, in plain C++ on the
// bits, so that host, device and cpu target agree exactly. Arithmetic is done in float and rounded once, to nearest
// even.

#include <hip/hip_runtime.h>

#include <math.h>
#include <type_traits>

#define GKS_BF16 __host__ __device__ inline

struct __attribute__((aligned(2))) __hip_bfloat16_raw {
    unsigned short x;
};
struct __attribute__((aligned(4))) __hip_bfloat162_raw {
    unsigned short x, y;
};
typedef __bf16 __bf16_2 __attribute__((ext_vector_type(2)));

namespace gks_bf16 {

GKS_BF16 unsigned bits(float value) {
    unsigned result;
    __builtin_memcpy(&result, &value, sizeof result);
    return result;
}
GKS_BF16 float value(unsigned bits) {
    float result;
    __builtin_memcpy(&result, &bits, sizeof result);
    return result;
}
GKS_BF16 bool isNan(unsigned bits) {
    return (bits & 0x7fffffffu) > 0x7f800000u;
}
GKS_BF16 unsigned short quiet(unsigned bits) {
    return static_cast<unsigned short>((bits >> 16) | 0x40u);
}

// As ROCm: what is no number keeps its upper bits and stays no number.
GKS_BF16 unsigned short nearest(float from) {
    const unsigned b = bits(from);
    return isNan(b) ? static_cast<unsigned short>((b >> 16) | ((b & 0xffffu) != 0 ? 1u : 0u))
                    : static_cast<unsigned short>((b + 0x7fffu + ((b >> 16) & 1u)) >> 16);
}
// As ROCm: a float that was rounded away from zero is made odd before it is rounded again.
GKS_BF16 unsigned short nearest(double from) {
    const float once = static_cast<float>(from);
    const double back = static_cast<double>(once);
    const bool away = from > 0.0 ? back > from : back < from && from < 0.0;
    return nearest(away ? value((bits(once) - 1u) | 1u) : once);
}
GKS_BF16 unsigned short towardsZero(float from) {
    const unsigned b = bits(from);
    return isNan(b) ? quiet(b) : static_cast<unsigned short>(b >> 16);
}
// Away from zero when any bit is lost and the sign is the wanted one.
GKS_BF16 unsigned short directed(float from, unsigned sign) {
    const unsigned b = bits(from);
    const bool away = (b >> 31) == sign && (b & 0xffffu) != 0 && (b & 0x7f800000u) != 0x7f800000u;
    return isNan(b) ? quiet(b) : static_cast<unsigned short>((b >> 16) + (away ? 1u : 0u));
}

} // namespace gks_bf16

struct __hip_bfloat16 {
    union {
        unsigned short data; // the name of HIP 6.0
        unsigned short __x;
    };

    __hip_bfloat16() = default;
    GKS_BF16 __hip_bfloat16(const __hip_bfloat16_raw& raw) : data(raw.x) {}
    GKS_BF16 __hip_bfloat16(float from) : data(gks_bf16::nearest(from)) {}
    GKS_BF16 __hip_bfloat16(double from) : data(gks_bf16::nearest(from)) {}
    GKS_BF16 __hip_bfloat16(int from) : data(gks_bf16::nearest(static_cast<double>(from))) {}
    GKS_BF16 __hip_bfloat16(unsigned from) : data(gks_bf16::nearest(static_cast<double>(from))) {}
    GKS_BF16 __hip_bfloat16(short from) : data(gks_bf16::nearest(static_cast<float>(from))) {}
    GKS_BF16 __hip_bfloat16(unsigned short from) : data(gks_bf16::nearest(static_cast<float>(from))) {}
    GKS_BF16 __hip_bfloat16(long from) : data(gks_bf16::nearest(static_cast<double>(from))) {}
    GKS_BF16 __hip_bfloat16(unsigned long from) : data(gks_bf16::nearest(static_cast<double>(from))) {}
    GKS_BF16 __hip_bfloat16(long long from) : data(gks_bf16::nearest(static_cast<double>(from))) {}
    GKS_BF16 __hip_bfloat16(unsigned long long from) : data(gks_bf16::nearest(static_cast<double>(from))) {}

    GKS_BF16 __hip_bfloat16(__bf16 from) : data(__builtin_bit_cast(unsigned short, from)) {}

    // For this type alone, lest there be two ways to each other one.
    template<class T, class = typename std::enable_if<std::is_same<T, __bf16>::value>::type>
    GKS_BF16 operator T() const {
        return __builtin_bit_cast(T, data);
    }
    GKS_BF16 operator float() const { return gks_bf16::value(static_cast<unsigned>(data) << 16); }
    GKS_BF16 operator __hip_bfloat16_raw() const { return {data}; }
    GKS_BF16 operator __hip_bfloat16_raw() const volatile { return {data}; }
    __hip_bfloat16(const __hip_bfloat16&) = default;
    __hip_bfloat16& operator=(const __hip_bfloat16&) = default;
    GKS_BF16 __hip_bfloat16& operator=(const __hip_bfloat16_raw& raw) {
        data = raw.x;
        return *this;
    }
    GKS_BF16 volatile __hip_bfloat16& operator=(const __hip_bfloat16_raw& raw) volatile {
        data = raw.x;
        return *this;
    }
    GKS_BF16 explicit operator bool() const { return (data & 0x7fffu) != 0; }
};
typedef __hip_bfloat16 hip_bfloat16_t;

#define HIPRT_ONE_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x3f80u))
#define HIPRT_ZERO_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x0000u))
#define HIPRT_INF_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x7f80u))
#define HIPRT_MAX_NORMAL_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x7f7fu))
#define HIPRT_MIN_DENORM_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x0001u))
#define HIPRT_NAN_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x7fffu))
#define HIPRT_NEG_ZERO_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x8000u))

GKS_BF16 float __bfloat162float(__hip_bfloat16 from) {
    return static_cast<float>(from);
}
GKS_BF16 __hip_bfloat16 __float2bfloat16(float from) {
    return __hip_bfloat16(from);
}
GKS_BF16 __hip_bfloat16 __float2bfloat16_rn(float from) {
    return __hip_bfloat16(from);
}
GKS_BF16 __hip_bfloat16 __float2bfloat16_rz(float from) {
    return __hip_bfloat16_raw{gks_bf16::towardsZero(from)};
}
GKS_BF16 __hip_bfloat16 __float2bfloat16_ru(float from) {
    return __hip_bfloat16_raw{gks_bf16::directed(from, 0)};
}
GKS_BF16 __hip_bfloat16 __float2bfloat16_rd(float from) {
    return __hip_bfloat16_raw{gks_bf16::directed(from, 1)};
}
GKS_BF16 __hip_bfloat16 __double2bfloat16(double from) {
    return __hip_bfloat16(from);
}
GKS_BF16 __hip_bfloat16 __int2bfloat16_rn(int from) {
    return __hip_bfloat16(from);
}
GKS_BF16 __hip_bfloat16 __uint2bfloat16_rn(unsigned from) {
    return __hip_bfloat16(from);
}
GKS_BF16 int __bfloat162int_rz(__hip_bfloat16 from) {
    return static_cast<int>(__bfloat162float(from));
}
GKS_BF16 unsigned __bfloat162uint_rz(__hip_bfloat16 from) {
    return static_cast<unsigned>(__bfloat162float(from));
}
GKS_BF16 short __bfloat16_as_short(__hip_bfloat16 from) {
    return static_cast<short>(from.data);
}
GKS_BF16 unsigned short __bfloat16_as_ushort(__hip_bfloat16 from) {
    return from.data;
}
GKS_BF16 __hip_bfloat16 __short_as_bfloat16(short from) {
    return __hip_bfloat16_raw{static_cast<unsigned short>(from)};
}
GKS_BF16 __hip_bfloat16 __ushort_as_bfloat16(unsigned short from) {
    return __hip_bfloat16_raw{from};
}

GKS_BF16 __hip_bfloat16 __hneg(__hip_bfloat16 a) {
    return __ushort_as_bfloat16(static_cast<unsigned short>(a.data ^ 0x8000u));
}
GKS_BF16 __hip_bfloat16 __habs(__hip_bfloat16 a) {
    return __ushort_as_bfloat16(static_cast<unsigned short>(a.data & 0x7fffu));
}
GKS_BF16 bool __hisnan(__hip_bfloat16 a) {
    return (a.data & 0x7fffu) > 0x7f80u;
}
GKS_BF16 int __hisinf(__hip_bfloat16 a) {
    return (a.data & 0x7fffu) == 0x7f80u ? 1 : 0;
}

#define GKS_BF16_ARITHMETIC(name, op)                                                                                  \
    GKS_BF16 __hip_bfloat16 operator op(const __hip_bfloat16& a, const __hip_bfloat16& b) {                            \
        return __float2bfloat16(__bfloat162float(a) op __bfloat162float(b));                                           \
    }                                                                                                                  \
    GKS_BF16 __hip_bfloat16& operator op##=(__hip_bfloat16 & a, const __hip_bfloat16 & b) {                            \
        return a = a op b;                                                                                             \
    }                                                                                                                  \
    GKS_BF16 __hip_bfloat16 name(__hip_bfloat16 a, __hip_bfloat16 b) {                                                 \
        return a op b;                                                                                                 \
    }
GKS_BF16_ARITHMETIC(__hadd, +)
GKS_BF16_ARITHMETIC(__hsub, -)
GKS_BF16_ARITHMETIC(__hmul, *)
GKS_BF16_ARITHMETIC(__hdiv, /)
#undef GKS_BF16_ARITHMETIC

#define GKS_BF16_COMPARISON(name, op)                                                                                  \
    GKS_BF16 bool operator op(const __hip_bfloat16& a, const __hip_bfloat16& b) {                                      \
        return __bfloat162float(a) op __bfloat162float(b);                                                             \
    }                                                                                                                  \
    GKS_BF16 bool name(__hip_bfloat16 a, __hip_bfloat16 b) {                                                           \
        return a op b;                                                                                                 \
    }
GKS_BF16_COMPARISON(__heq, ==)
GKS_BF16_COMPARISON(__hne, !=)
GKS_BF16_COMPARISON(__hlt, <)
GKS_BF16_COMPARISON(__hle, <=)
GKS_BF16_COMPARISON(__hgt, >)
GKS_BF16_COMPARISON(__hge, >=)
#undef GKS_BF16_COMPARISON

// Unordered ones hold where an operand is no number.
GKS_BF16 bool __hequ(__hip_bfloat16 a, __hip_bfloat16 b) {
    return !(a < b) && !(a > b);
}
GKS_BF16 bool __hneu(__hip_bfloat16 a, __hip_bfloat16 b) {
    return !(a == b);
}
GKS_BF16 bool __hltu(__hip_bfloat16 a, __hip_bfloat16 b) {
    return !(a >= b);
}
GKS_BF16 bool __hleu(__hip_bfloat16 a, __hip_bfloat16 b) {
    return !(a > b);
}
GKS_BF16 bool __hgtu(__hip_bfloat16 a, __hip_bfloat16 b) {
    return !(a <= b);
}
GKS_BF16 bool __hgeu(__hip_bfloat16 a, __hip_bfloat16 b) {
    return !(a < b);
}

// Mixed arithmetic with built-in numbers goes through float, as on the device.
#define GKS_BF16_NUMBER template<class T, class = typename std::enable_if<std::is_arithmetic<T>::value>::type>
#define GKS_BF16_MIXED(op)                                                                                             \
    GKS_BF16_NUMBER GKS_BF16 float operator op(const __hip_bfloat16& a, T b) {                                         \
        return __bfloat162float(a) op static_cast<float>(b);                                                           \
    }                                                                                                                  \
    GKS_BF16_NUMBER GKS_BF16 float operator op(T a, const __hip_bfloat16& b) {                                         \
        return static_cast<float>(a) op __bfloat162float(b);                                                           \
    }
GKS_BF16_MIXED(+)
GKS_BF16_MIXED(-)
GKS_BF16_MIXED(*)
GKS_BF16_MIXED(/)
#undef GKS_BF16_MIXED
#define GKS_BF16_MIXED_COMPARISON(op)                                                                                  \
    GKS_BF16_NUMBER GKS_BF16 bool operator op(const __hip_bfloat16& a, T b) {                                          \
        return __bfloat162float(a) op static_cast<float>(b);                                                           \
    }                                                                                                                  \
    GKS_BF16_NUMBER GKS_BF16 bool operator op(T a, const __hip_bfloat16& b) {                                          \
        return static_cast<float>(a) op __bfloat162float(b);                                                           \
    }
GKS_BF16_MIXED_COMPARISON(==)
GKS_BF16_MIXED_COMPARISON(!=)
GKS_BF16_MIXED_COMPARISON(<)
GKS_BF16_MIXED_COMPARISON(<=)
GKS_BF16_MIXED_COMPARISON(>)
GKS_BF16_MIXED_COMPARISON(>=)
#undef GKS_BF16_MIXED_COMPARISON
#undef GKS_BF16_NUMBER

GKS_BF16 __hip_bfloat16 operator-(const __hip_bfloat16& a) {
    return __hneg(a);
}
GKS_BF16 __hip_bfloat16 operator+(const __hip_bfloat16& a) {
    return a;
}
GKS_BF16 __hip_bfloat16& operator++(__hip_bfloat16& a) {
    return a = __hadd(a, __float2bfloat16(1.0f));
}
GKS_BF16 __hip_bfloat16& operator--(__hip_bfloat16& a) {
    return a = __hsub(a, __float2bfloat16(1.0f));
}
GKS_BF16 __hip_bfloat16 operator++(__hip_bfloat16& a, int) {
    const __hip_bfloat16 before = a;
    ++a;
    return before;
}
GKS_BF16 __hip_bfloat16 operator--(__hip_bfloat16& a, int) {
    const __hip_bfloat16 before = a;
    --a;
    return before;
}
GKS_BF16 __hip_bfloat16 __hfma(__hip_bfloat16 a, __hip_bfloat16 b, __hip_bfloat16 c) {
    return __float2bfloat16(fmaf(__bfloat162float(a), __bfloat162float(b), __bfloat162float(c)));
}
GKS_BF16 __hip_bfloat16 __hmax(__hip_bfloat16 a, __hip_bfloat16 b) {
    return __float2bfloat16(fmaxf(__bfloat162float(a), __bfloat162float(b)));
}
GKS_BF16 __hip_bfloat16 __hmin(__hip_bfloat16 a, __hip_bfloat16 b) {
    return __float2bfloat16(fminf(__bfloat162float(a), __bfloat162float(b)));
}

#define GKS_BF16_FUNCTION(name, expression)                                                                            \
    __device__ inline __hip_bfloat16 name(__hip_bfloat16 a) {                                                          \
        const float x = __bfloat162float(a);                                                                           \
        return __float2bfloat16(expression);                                                                           \
    }
GKS_BF16_FUNCTION(hexp, expf(x))
GKS_BF16_FUNCTION(hexp2, exp2f(x))
GKS_BF16_FUNCTION(hexp10, exp10f(x))
GKS_BF16_FUNCTION(hlog, logf(x))
GKS_BF16_FUNCTION(hlog2, log2f(x))
GKS_BF16_FUNCTION(hlog10, log10f(x))
GKS_BF16_FUNCTION(hsqrt, sqrtf(x))
GKS_BF16_FUNCTION(hrsqrt, 1.0f / sqrtf(x))
GKS_BF16_FUNCTION(hrcp, 1.0f / x)
GKS_BF16_FUNCTION(hsin, sinf(x))
GKS_BF16_FUNCTION(hcos, cosf(x))
GKS_BF16_FUNCTION(hfloor, floorf(x))
GKS_BF16_FUNCTION(hceil, ceilf(x))
GKS_BF16_FUNCTION(hrint, rintf(x))
GKS_BF16_FUNCTION(htrunc, truncf(x))
#undef GKS_BF16_FUNCTION

// Two of them in one 32-bit register.
struct __attribute__((aligned(4))) __hip_bfloat162 {
    union {
        struct {
            __hip_bfloat16 x, y;
        };
        __bf16_2 __xy_bf162;
    };

    __hip_bfloat162() = default;
    GKS_BF16 __hip_bfloat162(const __hip_bfloat16& low, const __hip_bfloat16& high) : x(low), y(high) {}
    GKS_BF16 __hip_bfloat162(const __hip_bfloat162_raw& raw)
        : x(__hip_bfloat16_raw{raw.x}), y(__hip_bfloat16_raw{raw.y}) {}
    GKS_BF16 __hip_bfloat162(__bf16_2 pair) : __xy_bf162(pair) {}
    GKS_BF16 operator __bf16_2() const { return __xy_bf162; }
    GKS_BF16 __hip_bfloat162(const float2& from) : x(from.x), y(from.y) {}
    GKS_BF16 operator float2() const { return make_float2(static_cast<float>(x), static_cast<float>(y)); }
    GKS_BF16 operator __hip_bfloat162_raw() const { return {x.data, y.data}; }
};

GKS_BF16 __hip_bfloat162 make_bfloat162(__hip_bfloat16 low, __hip_bfloat16 high) {
    return {low, high};
}
GKS_BF16 __hip_bfloat162 __halves2bfloat162(__hip_bfloat16 low, __hip_bfloat16 high) {
    return {low, high};
}
GKS_BF16 __hip_bfloat162 __bfloat162bfloat162(__hip_bfloat16 both) {
    return {both, both};
}
GKS_BF16 __hip_bfloat162 __float2bfloat162_rn(float both) {
    return __bfloat162bfloat162(__float2bfloat16(both));
}
GKS_BF16 __hip_bfloat162 __floats2bfloat162_rn(float low, float high) {
    return {__float2bfloat16(low), __float2bfloat16(high)};
}
GKS_BF16 __hip_bfloat162 __float22bfloat162_rn(float2 from) {
    return __floats2bfloat162_rn(from.x, from.y);
}
GKS_BF16 float2 __bfloat1622float2(__hip_bfloat162 from) {
    return from;
}
GKS_BF16 float __low2float(__hip_bfloat162 from) {
    return __bfloat162float(from.x);
}
GKS_BF16 float __high2float(__hip_bfloat162 from) {
    return __bfloat162float(from.y);
}
GKS_BF16 __hip_bfloat16 __low2bfloat16(__hip_bfloat162 from) {
    return from.x;
}
GKS_BF16 __hip_bfloat16 __high2bfloat16(__hip_bfloat162 from) {
    return from.y;
}
GKS_BF16 __hip_bfloat162 __low2bfloat162(__hip_bfloat162 from) {
    return {from.x, from.x};
}
GKS_BF16 __hip_bfloat162 __high2bfloat162(__hip_bfloat162 from) {
    return {from.y, from.y};
}
GKS_BF16 __hip_bfloat162 __lows2bfloat162(__hip_bfloat162 a, __hip_bfloat162 b) {
    return {a.x, b.x};
}
GKS_BF16 __hip_bfloat162 __highs2bfloat162(__hip_bfloat162 a, __hip_bfloat162 b) {
    return {a.y, b.y};
}
GKS_BF16 __hip_bfloat162 __lowhigh2highlow(__hip_bfloat162 from) {
    return {from.y, from.x};
}

#define GKS_BF16_PAIRWISE(name, one, op)                                                                               \
    GKS_BF16 __hip_bfloat162 name(__hip_bfloat162 a, __hip_bfloat162 b) {                                              \
        return {one(a.x, b.x), one(a.y, b.y)};                                                                         \
    }                                                                                                                  \
    GKS_BF16 __hip_bfloat162 operator op(const __hip_bfloat162& a, const __hip_bfloat162& b) {                         \
        return name(a, b);                                                                                             \
    }                                                                                                                  \
    GKS_BF16 __hip_bfloat162& operator op##=(__hip_bfloat162 & a, const __hip_bfloat162 & b) {                         \
        return a = name(a, b);                                                                                         \
    }
GKS_BF16_PAIRWISE(__hadd2, __hadd, +)
GKS_BF16_PAIRWISE(__hsub2, __hsub, -)
GKS_BF16_PAIRWISE(__hmul2, __hmul, *)
GKS_BF16_PAIRWISE(__h2div, __hdiv, /)
#undef GKS_BF16_PAIRWISE

// Rounded once, and never part of a fused product.
#define GKS_BF16_ROUNDED(name, op)                                                                                     \
    GKS_BF16 __hip_bfloat16 __h##name##_rn(__hip_bfloat16 a, __hip_bfloat16 b) {                                       \
        _Pragma("clang fp contract(off)") return __float2bfloat16(__bfloat162float(a) op __bfloat162float(b));         \
    }                                                                                                                  \
    GKS_BF16 __hip_bfloat162 __h##name##2_rn(__hip_bfloat162 a, __hip_bfloat162 b) {                                   \
        return {__h##name##_rn(a.x, b.x), __h##name##_rn(a.y, b.y)};                                                   \
    }
GKS_BF16_ROUNDED(add, +)
GKS_BF16_ROUNDED(sub, -)
GKS_BF16_ROUNDED(mul, *)
#undef GKS_BF16_ROUNDED
GKS_BF16 __hip_bfloat162 __hfma2(__hip_bfloat162 a, __hip_bfloat162 b, __hip_bfloat162 c) {
    return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};
}
GKS_BF16 __hip_bfloat162 __hmax2(__hip_bfloat162 a, __hip_bfloat162 b) {
    return {__hmax(a.x, b.x), __hmax(a.y, b.y)};
}
GKS_BF16 __hip_bfloat162 __hmin2(__hip_bfloat162 a, __hip_bfloat162 b) {
    return {__hmin(a.x, b.x), __hmin(a.y, b.y)};
}
GKS_BF16 __hip_bfloat162 __hneg2(__hip_bfloat162 a) {
    return {__hneg(a.x), __hneg(a.y)};
}
GKS_BF16 __hip_bfloat162 __habs2(__hip_bfloat162 a) {
    return {__habs(a.x), __habs(a.y)};
}
GKS_BF16 __hip_bfloat162 operator-(const __hip_bfloat162& a) {
    return __hneg2(a);
}
GKS_BF16 __hip_bfloat162 operator+(const __hip_bfloat162& a) {
    return a;
}
GKS_BF16 __hip_bfloat162& operator++(__hip_bfloat162& a) {
    return a = {__hadd(a.x, __float2bfloat16(1.0f)), __hadd(a.y, __float2bfloat16(1.0f))};
}
GKS_BF16 __hip_bfloat162& operator--(__hip_bfloat162& a) {
    return a = {__hsub(a.x, __float2bfloat16(1.0f)), __hsub(a.y, __float2bfloat16(1.0f))};
}
GKS_BF16 __hip_bfloat162 operator++(__hip_bfloat162& a, int) {
    const __hip_bfloat162 before = a;
    ++a;
    return before;
}
GKS_BF16 __hip_bfloat162 operator--(__hip_bfloat162& a, int) {
    const __hip_bfloat162 before = a;
    --a;
    return before;
}
GKS_BF16 __hip_bfloat162 __hisnan2(__hip_bfloat162 a) {
    return {__float2bfloat16(__hisnan(a.x) ? 1.0f : 0.0f), __float2bfloat16(__hisnan(a.y) ? 1.0f : 0.0f)};
}

// "b": of both at once; without: one or zero for each.
#define GKS_BF16_PAIR_COMPARISON(op)                                                                                   \
    GKS_BF16 bool __hb##op##2(__hip_bfloat162 a, __hip_bfloat162 b) {                                                  \
        return __h##op(a.x, b.x) && __h##op(a.y, b.y);                                                                 \
    }                                                                                                                  \
    GKS_BF16 bool __hb##op##u2(__hip_bfloat162 a, __hip_bfloat162 b) {                                                 \
        return __h##op##u(a.x, b.x) && __h##op##u(a.y, b.y);                                                           \
    }                                                                                                                  \
    GKS_BF16 __hip_bfloat162 __h##op##2(__hip_bfloat162 a, __hip_bfloat162 b) {                                        \
        return {__float2bfloat16(__h##op(a.x, b.x) ? 1.0f : 0.0f), __float2bfloat16(__h##op(a.y, b.y) ? 1.0f : 0.0f)}; \
    }
GKS_BF16_PAIR_COMPARISON(eq)
GKS_BF16_PAIR_COMPARISON(lt)
GKS_BF16_PAIR_COMPARISON(le)
GKS_BF16_PAIR_COMPARISON(gt)
GKS_BF16_PAIR_COMPARISON(ge)
#undef GKS_BF16_PAIR_COMPARISON
// As ROCm: both are unequal; of unordered ones either.
GKS_BF16 bool __hbne2(__hip_bfloat162 a, __hip_bfloat162 b) {
    return __hne(a.x, b.x) && __hne(a.y, b.y);
}
GKS_BF16 bool __hbneu2(__hip_bfloat162 a, __hip_bfloat162 b) {
    return __hneu(a.x, b.x) || __hneu(a.y, b.y);
}
GKS_BF16 __hip_bfloat162 __hne2(__hip_bfloat162 a, __hip_bfloat162 b) {
    return {__float2bfloat16(__hne(a.x, b.x) ? 1.0f : 0.0f), __float2bfloat16(__hne(a.y, b.y) ? 1.0f : 0.0f)};
}
GKS_BF16 bool operator==(const __hip_bfloat162& a, const __hip_bfloat162& b) {
    return __hbeq2(a, b);
}
GKS_BF16 bool operator!=(const __hip_bfloat162& a, const __hip_bfloat162& b) {
    return !__hbeq2(a, b);
}
// As ROCm: the first of `a` against both of `b`.
#define GKS_BF16_PAIR_ORDER(op)                                                                                        \
    GKS_BF16 bool operator op(const __hip_bfloat162& a, const __hip_bfloat162& b) {                                    \
        return a.x op b.x && a.x op b.y;                                                                               \
    }
GKS_BF16_PAIR_ORDER(<)
GKS_BF16_PAIR_ORDER(<=)
GKS_BF16_PAIR_ORDER(>)
GKS_BF16_PAIR_ORDER(>=)
#undef GKS_BF16_PAIR_ORDER

#define GKS_BF16_PAIR_FUNCTION(name)                                                                                   \
    __device__ inline __hip_bfloat162 h2##name(__hip_bfloat162 a) {                                                    \
        return {h##name(a.x), h##name(a.y)};                                                                           \
    }
GKS_BF16_PAIR_FUNCTION(exp)
GKS_BF16_PAIR_FUNCTION(exp2)
GKS_BF16_PAIR_FUNCTION(exp10)
GKS_BF16_PAIR_FUNCTION(log)
GKS_BF16_PAIR_FUNCTION(log2)
GKS_BF16_PAIR_FUNCTION(log10)
GKS_BF16_PAIR_FUNCTION(sqrt)
GKS_BF16_PAIR_FUNCTION(rsqrt)
GKS_BF16_PAIR_FUNCTION(rcp)
GKS_BF16_PAIR_FUNCTION(sin)
GKS_BF16_PAIR_FUNCTION(cos)
GKS_BF16_PAIR_FUNCTION(floor)
GKS_BF16_PAIR_FUNCTION(ceil)
GKS_BF16_PAIR_FUNCTION(rint)
GKS_BF16_PAIR_FUNCTION(trunc)
#undef GKS_BF16_PAIR_FUNCTION

#if defined(__HIPCC__) || defined(__HIP__)
#define GKS_BF16_SHUFFLE(name, type)                                                                                   \
    __device__ inline __hip_bfloat16 name(__hip_bfloat16 a, type lane, int width = warpSize) {                         \
        return __ushort_as_bfloat16(static_cast<unsigned short>(name(static_cast<int>(a.data), lane, width)));         \
    }                                                                                                                  \
    __device__ inline __hip_bfloat162 name(__hip_bfloat162 a, type lane, int width = warpSize) {                       \
        return __builtin_bit_cast(__hip_bfloat162, name(__builtin_bit_cast(int, a), lane, width));                     \
    }
GKS_BF16_SHUFFLE(__shfl, int)
GKS_BF16_SHUFFLE(__shfl_xor, int)
GKS_BF16_SHUFFLE(__shfl_down, unsigned)
GKS_BF16_SHUFFLE(__shfl_up, unsigned)
#undef GKS_BF16_SHUFFLE

__device__ inline __hip_bfloat162 unsafeAtomicAdd(__hip_bfloat162* address, __hip_bfloat162 value) {
    typedef short Pair __attribute__((ext_vector_type(2)));
    return __builtin_bit_cast(__hip_bfloat162, __builtin_amdgcn_flat_atomic_fadd_v2bf16(
                                                   reinterpret_cast<Pair*>(address), __builtin_bit_cast(Pair, value)));
}
// A card adds to the pair that the number lies in.
__device__ inline __hip_bfloat16 unsafeAtomicAdd(__hip_bfloat16* address, __hip_bfloat16 value) {
    auto* const bits = reinterpret_cast<unsigned short*>(address);
    unsigned short before = __hip_atomic_load(bits, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
    while (!__hip_atomic_compare_exchange_strong(bits, &before, __hadd(__ushort_as_bfloat16(before), value).data,
                                                 __ATOMIC_RELAXED, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT)) {
    }
    return __ushort_as_bfloat16(before);
}
#endif

#undef GKS_BF16
