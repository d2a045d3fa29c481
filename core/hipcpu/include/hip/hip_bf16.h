// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// bfloat16 for HIP installations older than 6: the types and functions of the later hip_bf16.h, in plain C++ on the
// bits, so that host, device and cpu target agree exactly. Arithmetic is done in float and rounded once, to nearest
// even.

#include <hip/hip_runtime.h>

#include <math.h>
#include <type_traits>

#define GKS_BF16 __host__ __device__ inline

struct __hip_bfloat16_raw {
    unsigned short x;
};
struct __hip_bfloat162_raw {
    unsigned short x, y;
};

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

GKS_BF16 unsigned short nearest(float from) {
    const unsigned b = bits(from);
    return isNan(b) ? quiet(b) : static_cast<unsigned short>((b + 0x7fffu + ((b >> 16) & 1u)) >> 16);
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
    unsigned short data;

    __hip_bfloat16() = default;
    GKS_BF16 __hip_bfloat16(const __hip_bfloat16_raw& raw) : data(raw.x) {}
    GKS_BF16 __hip_bfloat16(float from) : data(gks_bf16::nearest(from)) {}
    GKS_BF16 __hip_bfloat16(double from) : data(gks_bf16::nearest(static_cast<float>(from))) {}
    GKS_BF16 __hip_bfloat16(int from) : data(gks_bf16::nearest(static_cast<float>(from))) {}
    GKS_BF16 __hip_bfloat16(unsigned from) : data(gks_bf16::nearest(static_cast<float>(from))) {}
    GKS_BF16 __hip_bfloat16(long from) : data(gks_bf16::nearest(static_cast<float>(from))) {}
    GKS_BF16 __hip_bfloat16(unsigned long from) : data(gks_bf16::nearest(static_cast<float>(from))) {}
    GKS_BF16 __hip_bfloat16(long long from) : data(gks_bf16::nearest(static_cast<float>(from))) {}
    GKS_BF16 __hip_bfloat16(unsigned long long from) : data(gks_bf16::nearest(static_cast<float>(from))) {}

    GKS_BF16 operator float() const { return gks_bf16::value(static_cast<unsigned>(data) << 16); }
    GKS_BF16 operator __hip_bfloat16_raw() const { return {data}; }
    GKS_BF16 explicit operator bool() const { return (data & 0x7fffu) != 0; }
};
typedef __hip_bfloat16 hip_bfloat16_t;

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
    return (a.data & 0x7fffu) != 0x7f80u ? 0 : (a.data & 0x8000u) != 0 ? -1 : 1;
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
struct __hip_bfloat162 {
    __hip_bfloat16 x, y;

    __hip_bfloat162() = default;
    GKS_BF16 __hip_bfloat162(const __hip_bfloat16& low, const __hip_bfloat16& high) : x(low), y(high) {}
    GKS_BF16 __hip_bfloat162(const __hip_bfloat162_raw& raw)
        : x(__hip_bfloat16_raw{raw.x}), y(__hip_bfloat16_raw{raw.y}) {}
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
GKS_BF16 bool __hbeq2(__hip_bfloat162 a, __hip_bfloat162 b) {
    return a.x == b.x && a.y == b.y;
}
GKS_BF16 bool operator==(const __hip_bfloat162& a, const __hip_bfloat162& b) {
    return __hbeq2(a, b);
}
GKS_BF16 bool operator!=(const __hip_bfloat162& a, const __hip_bfloat162& b) {
    return !__hbeq2(a, b);
}

#if defined(__HIPCC__) || defined(__HIP__)
__device__ inline __hip_bfloat16 __shfl(__hip_bfloat16 a, int lane, int width = warpSize) {
    return __ushort_as_bfloat16(static_cast<unsigned short>(__shfl(static_cast<int>(a.data), lane, width)));
}
__device__ inline __hip_bfloat16 __shfl_xor(__hip_bfloat16 a, int mask, int width = warpSize) {
    return __ushort_as_bfloat16(static_cast<unsigned short>(__shfl_xor(static_cast<int>(a.data), mask, width)));
}
__device__ inline __hip_bfloat16 __shfl_down(__hip_bfloat16 a, unsigned delta, int width = warpSize) {
    return __ushort_as_bfloat16(static_cast<unsigned short>(__shfl_down(static_cast<int>(a.data), delta, width)));
}
__device__ inline __hip_bfloat16 __shfl_up(__hip_bfloat16 a, unsigned delta, int width = warpSize) {
    return __ushort_as_bfloat16(static_cast<unsigned short>(__shfl_up(static_cast<int>(a.data), delta, width)));
}
#endif

#undef GKS_BF16
