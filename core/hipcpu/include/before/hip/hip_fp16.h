// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What hip_fp16.h has had since HIP 6.
#include_next <hip/hip_fp16.h>
#include <hip/hip_runtime.h>

#define HIPRT_ONE_FP16 __gks_half_of(0x3c00)
#define HIPRT_ZERO_FP16 __gks_half_of(0x0000)
#define HIPRT_INF_FP16 __gks_half_of(0x7c00)
#define HIPRT_MAX_NORMAL_FP16 __gks_half_of(0x7bff)
#define HIPRT_MIN_DENORM_FP16 __gks_half_of(0x0001)
#define HIPRT_NAN_FP16 __gks_half_of(0x7fff)
#define HIPRT_NEG_ZERO_FP16 __gks_half_of(0x8000)

#define GKS_FP16 __host__ __device__ inline

GKS_FP16 __half __gks_half_of(unsigned short bits) {
    __half_raw raw;
    raw.x = bits;
    return raw;
}
GKS_FP16 float __gks_half_value(__half from) {
    return static_cast<float>(static_cast<__half_raw>(from).data);
}
GKS_FP16 bool __gks_half_is_nan(__half from) {
    return __gks_half_value(from) != __gks_half_value(from);
}
// The other operand where one is no number, as the device's v_max and v_min.
GKS_FP16 __half __hmax(__half a, __half b) {
    return __gks_half_is_nan(a) || __gks_half_value(b) > __gks_half_value(a) ? b : a;
}
GKS_FP16 __half __hmin(__half a, __half b) {
    return __gks_half_is_nan(a) || __gks_half_value(b) < __gks_half_value(a) ? b : a;
}
GKS_FP16 __half __hmax_nan(__half a, __half b) {
    return __gks_half_is_nan(a) ? a : __gks_half_is_nan(b) ? b : __hmax(a, b);
}
GKS_FP16 __half __hmin_nan(__half a, __half b) {
    return __gks_half_is_nan(a) ? a : __gks_half_is_nan(b) ? b : __hmin(a, b);
}

// Rounded once, and never part of a fused product.
#define GKS_FP16_ROUNDED(name, op)                                                                                     \
    GKS_FP16 __half __h##name##_rn(__half a, __half b) {                                                               \
        _Pragma("clang fp contract(off)") return __half_raw{                                                           \
            static_cast<__half_raw>(a).data op static_cast<__half_raw>(b).data};                                       \
    }                                                                                                                  \
    GKS_FP16 __half2 __h##name##2_rn(__half2 a, __half2 b) {                                                           \
        _Pragma("clang fp contract(off)") return __half2{a.data op b.data};                                            \
    }
GKS_FP16_ROUNDED(add, +)
GKS_FP16_ROUNDED(sub, -)
GKS_FP16_ROUNDED(mul, *)
#undef GKS_FP16_ROUNDED

#define GKS_FP16_SHUFFLE(name, type)                                                                                   \
    __device__ inline __half name(__half value, type lane, int width = warpSize) {                                     \
        __half_raw raw = value;                                                                                        \
        raw.x = static_cast<unsigned short>(name(static_cast<int>(raw.x), lane, width));                               \
        return raw;                                                                                                    \
    }                                                                                                                  \
    __device__ inline __half2 name(__half2 value, type lane, int width = warpSize) {                                   \
        return __builtin_bit_cast(__half2, name(__builtin_bit_cast(int, value), lane, width));                         \
    }
GKS_FP16_SHUFFLE(__shfl, int)
GKS_FP16_SHUFFLE(__shfl_xor, int)
GKS_FP16_SHUFFLE(__shfl_down, unsigned)
GKS_FP16_SHUFFLE(__shfl_up, unsigned)
#undef GKS_FP16_SHUFFLE

__device__ inline __half2 unsafeAtomicAdd(__half2* address, __half2 value) {
    typedef _Float16 Pair __attribute__((ext_vector_type(2)));
    return __builtin_bit_cast(__half2, __builtin_amdgcn_flat_atomic_fadd_v2f16(reinterpret_cast<Pair*>(address),
                                                                               __builtin_bit_cast(Pair, value)));
}
// A card adds to the pair that the half lies in.
__device__ inline __half unsafeAtomicAdd(__half* address, __half value) {
    auto* const bits = reinterpret_cast<unsigned short*>(address);
    unsigned short before = __hip_atomic_load(bits, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
    while (!__hip_atomic_compare_exchange_strong(bits, &before,
                                                 __half_as_ushort(__hadd(__ushort_as_half(before), value)),
                                                 __ATOMIC_RELAXED, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT)) {
    }
    return __ushort_as_half(before);
}

#undef GKS_FP16
