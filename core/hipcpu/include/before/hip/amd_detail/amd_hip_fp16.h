// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <hip/amd_detail/amd_hip_vector_types.h>
#include <hip/amd_detail/hip_fp16_math_fwd.h>

// What arithmetic of halves calls of the device library, for the host.
#if !defined(__HIP_DEVICE_COMPILE__)
extern "C" {
__host__ inline _Float16 __ocml_fabs_f16(_Float16 x) {
    return __builtin_signbit(static_cast<float>(x)) ? -x : x;
}
__host__ inline int __ocml_isnan_f16(_Float16 x) {
    return x != x;
}
__host__ inline int __ocml_isinf_f16(_Float16 x) {
    return __builtin_isinf(static_cast<float>(x));
}
__host__ inline __2f16 __ocml_fabs_2f16(__2f16 pair) {
    return __2f16{__ocml_fabs_f16(pair.x), __ocml_fabs_f16(pair.y)};
}
}
#endif

// In HIP 5.2 the halves of a __half2 are unsigned numbers of 16 bits: h.x = __float2half(1.5f) makes a 1 of it. Later
// they are halves, as here; what works on pairs takes and gives these. Arithmetic of halves is for the device alone
// there, later for the host as well.
#define __half2 hip5_half2
#define half2 hip5_half2_name
#pragma push_macro("__device__")
#undef __device__
#define __device__ __attribute__((host)) __attribute__((device))
#include_next <hip/amd_detail/amd_hip_fp16.h>
#pragma pop_macro("__device__")
#undef __half2
#undef half2

#define GKS_HALF2 __host__ __device__ inline

struct __half2 {
    union {
        struct {
            __half x;
            __half y;
        };
        _Float16_2 data;
    };

    __half2() = default;
    __host__ __device__ __half2(_Float16_2 pair) : data{pair} {}
    __host__ __device__ __half2(const __half2_raw& raw) : data{raw.data} {}
    __host__ __device__ __half2(const __half& first, const __half& second)
        : data{static_cast<__half_raw>(first).data, static_cast<__half_raw>(second).data} {}

    __host__ __device__ operator _Float16_2() const { return data; }
    __host__ __device__ operator __half2_raw() const { return __half2_raw{data}; }

#if !defined(__HIP_NO_HALF_OPERATORS__)
#define GKS_HALF2_OPERATOR(sign)                                                                                       \
    __host__ __device__ __half2& operator sign##=(const __half2 & other) {                                             \
        data sign## = other.data;                                                                                      \
        return *this;                                                                                                  \
    }                                                                                                                  \
    friend __host__ __device__ inline __half2 operator sign(const __half2& a, const __half2& b) {                      \
        return __half2{a.data sign b.data};                                                                            \
    }
    GKS_HALF2_OPERATOR(+)
    GKS_HALF2_OPERATOR(-)
    GKS_HALF2_OPERATOR(*)
    GKS_HALF2_OPERATOR(/)
#undef GKS_HALF2_OPERATOR
    // Of both halves, as later HIP has it.
#define GKS_HALF2_COMPARISON(sign)                                                                                     \
    friend __host__ __device__ inline bool operator sign(const __half2& a, const __half2& b) {                         \
        return a.data.x sign b.data.x && a.data.y sign b.data.y;                                                       \
    }
    GKS_HALF2_COMPARISON(==)
    GKS_HALF2_COMPARISON(<)
    GKS_HALF2_COMPARISON(>)
    GKS_HALF2_COMPARISON(<=)
    GKS_HALF2_COMPARISON(>=)
#undef GKS_HALF2_COMPARISON
    friend __host__ __device__ inline bool operator!=(const __half2& a, const __half2& b) { return !(a == b); }
    __host__ __device__ __half2& operator++() { return *this += __half2{_Float16_2{1, 1}}; }
    __host__ __device__ __half2& operator--() { return *this -= __half2{_Float16_2{1, 1}}; }
    __host__ __device__ __half2 operator++(int) {
        const __half2 before = *this;
        ++*this;
        return before;
    }
    __host__ __device__ __half2 operator--(int) {
        const __half2 before = *this;
        --*this;
        return before;
    }
    __host__ __device__ __half2 operator+() const { return *this; }
    __host__ __device__ __half2 operator-() const { return __half2{-data}; }
#endif
};
static_assert(sizeof(__half2) == 4, "two halves");

#if !defined(HIP_NO_HALF)
using half2 = __half2;
#endif

GKS_HALF2 hip5_half2 __gks_hip5(__half2 pair) {
    return hip5_half2{pair.data};
}
GKS_HALF2 __half2 __gks_half2(hip5_half2 pair) {
    return __half2{pair.data};
}

#define GKS_OF_ONE(name)                                                                                               \
    GKS_HALF2 __half2 name(__half2 a) {                                                                                \
        return __gks_half2(name(__gks_hip5(a)));                                                                       \
    }
#define GKS_OF_TWO(name)                                                                                               \
    GKS_HALF2 __half2 name(__half2 a, __half2 b) {                                                                     \
        return __gks_half2(name(__gks_hip5(a), __gks_hip5(b)));                                                        \
    }
#define GKS_OF_THREE(name)                                                                                             \
    GKS_HALF2 __half2 name(__half2 a, __half2 b, __half2 c) {                                                          \
        return __gks_half2(name(__gks_hip5(a), __gks_hip5(b), __gks_hip5(c)));                                         \
    }
#define GKS_OF_BOTH(name)                                                                                              \
    GKS_HALF2 bool name(__half2 a, __half2 b) {                                                                        \
        return name(__gks_hip5(a), __gks_hip5(b));                                                                     \
    }
#define GKS_COMPARED(name)                                                                                             \
    GKS_OF_TWO(__h##name##2) GKS_OF_TWO(__h##name##u2) GKS_OF_BOTH(__hb##name##2) GKS_OF_BOTH(__hb##name##u2)
GKS_COMPARED(eq)
GKS_COMPARED(ne)
GKS_COMPARED(le)
GKS_COMPARED(ge)
GKS_COMPARED(lt)
GKS_COMPARED(gt)
GKS_OF_TWO(__hadd2)
GKS_OF_TWO(__hsub2)
GKS_OF_TWO(__hmul2)
GKS_OF_TWO(__hadd2_sat)
GKS_OF_TWO(__hsub2_sat)
GKS_OF_TWO(__hmul2_sat)
GKS_OF_TWO(__h2div)
GKS_OF_TWO(__lows2half2)
GKS_OF_TWO(__highs2half2)
GKS_OF_THREE(__hfma2)
GKS_OF_THREE(__hfma2_sat)
GKS_OF_ONE(__habs2)
GKS_OF_ONE(__hneg2)
GKS_OF_ONE(__low2half2)
GKS_OF_ONE(__high2half2)
GKS_OF_ONE(__lowhigh2highlow)
GKS_OF_ONE(h2trunc)
GKS_OF_ONE(h2ceil)
GKS_OF_ONE(h2floor)
GKS_OF_ONE(h2rint)
GKS_OF_ONE(h2sin)
GKS_OF_ONE(h2cos)
GKS_OF_ONE(h2exp)
GKS_OF_ONE(h2exp2)
GKS_OF_ONE(h2exp10)
GKS_OF_ONE(h2log2)
GKS_OF_ONE(h2log)
GKS_OF_ONE(h2log10)
GKS_OF_ONE(h2rcp)
GKS_OF_ONE(h2rsqrt)
GKS_OF_ONE(h2sqrt)
#undef GKS_COMPARED
#undef GKS_OF_BOTH
#undef GKS_OF_THREE
#undef GKS_OF_TWO
#undef GKS_OF_ONE

// One or zero for each.
GKS_HALF2 __half2 __hisnan2(__half2 pair) {
    return __half2{_Float16_2{static_cast<_Float16>(__hisnan(pair.x)), static_cast<_Float16>(__hisnan(pair.y))}};
}
GKS_HALF2 __half2 __hisinf2(__half2 pair) {
    return __half2{_Float16_2{static_cast<_Float16>(__hisinf(pair.x)), static_cast<_Float16>(__hisinf(pair.y))}};
}
GKS_HALF2 __half __low2half(__half2 pair) {
    return pair.x;
}
GKS_HALF2 __half __high2half(__half2 pair) {
    return pair.y;
}
GKS_HALF2 float __low2float(__half2 pair) {
    return __low2float(__gks_hip5(pair));
}
GKS_HALF2 float __high2float(__half2 pair) {
    return __high2float(__gks_hip5(pair));
}
GKS_HALF2 float2 __half22float2(__half2 pair) {
    return __half22float2(__gks_hip5(pair));
}
GKS_HALF2 __half2 __ldg(const __half2* from) {
    return *from;
}
GKS_HALF2 __half2 __ldcg(const __half2* from) {
    return *from;
}
GKS_HALF2 __half2 __ldca(const __half2* from) {
    return *from;
}
GKS_HALF2 __half2 __ldcs(const __half2* from) {
    return *from;
}
__device__ inline float amd_mixed_dot(__half2 a, __half2 b, float c, bool saturate) {
    return amd_mixed_dot(__gks_hip5(a), __gks_hip5(b), c, saturate);
}

// Those that no argument tells from the older ones.
GKS_HALF2 __half2 __gks_make_half2(__half x, __half y) {
    return __half2{x, y};
}
GKS_HALF2 __half2 __gks_half2half2(__half both) {
    return __half2{both, both};
}
GKS_HALF2 __half2 __gks_float2half2_rn(float both) {
    return __gks_half2(__float2half2_rn(both));
}
GKS_HALF2 __half2 __gks_floats2half2_rn(float x, float y) {
    return __gks_half2(__floats2half2_rn(x, y));
}
GKS_HALF2 __half2 __gks_float22half2_rn(float2 pair) {
    return __gks_half2(__float22half2_rn(pair));
}
#define make_half2 __gks_make_half2
#define __halves2half2 __gks_make_half2
#define __half2half2 __gks_half2half2
#define __float2half2_rn __gks_float2half2_rn
#define __floats2half2_rn __gks_floats2half2_rn
#define __float22half2_rn __gks_float22half2_rn

#undef GKS_HALF2
