// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// 6-bit floating point (e2m3 and e3m2 of the OCP) for HIP installations that lack this header (before ROCm 7). Each
// number lies in a byte of its own.
#include <hip/amd_detail/amd_hip_mx_common.h>

typedef __hip_fp8_storage_t __hip_fp6_storage_t;
typedef __hip_fp8x2_storage_t __hip_fp6x2_storage_t;
typedef __hip_fp8x4_storage_t __hip_fp6x4_storage_t;

enum __hip_fp6_interpretation_t { __HIP_E3M2 = 0, __HIP_E2M3 = 1 };

namespace gks_mx {

struct Fp6 {
    static constexpr unsigned apart = 8;
    __host__ __device__ static gks_ocp::Format of(__hip_fp6_interpretation_t kind) {
        return gks_ocp::formatOf(kind == __HIP_E2M3 ? __AMD_OCP_E2M3 : __AMD_OCP_E3M2);
    }
};
template<__hip_fp6_interpretation_t kind>
struct Fp6Kind : Fp6 {
    __host__ __device__ static gks_ocp::Format format() { return of(kind); }
};
using E2M3 = Fp6Kind<__HIP_E2M3>;
using E3M2 = Fp6Kind<__HIP_E3M2>;

} // namespace gks_mx

GKS_MX_FUNCTIONS(fp6, gks_mx::Fp6, __hip_fp6_interpretation_t)

// Structures of their own, so that they can be declared ahead and overloaded on.
#define GKS_FP6_TYPES(kind, Format)                                                                                    \
    struct __hip_fp6_##kind : gks_mx::One<Format, __hip_fp6_storage_t> {                                               \
        using One::One;                                                                                                \
    };                                                                                                                 \
    struct __hip_fp6x2_##kind : gks_mx::Two<Format, __hip_fp6x2_storage_t> {                                           \
        using Two::Two;                                                                                                \
    };                                                                                                                 \
    struct __hip_fp6x4_##kind : gks_mx::Four<Format, __hip_fp6x4_storage_t> {                                          \
        using Four::Four;                                                                                              \
    };
GKS_FP6_TYPES(e2m3, gks_mx::E2M3)
GKS_FP6_TYPES(e3m2, gks_mx::E3M2)
#undef GKS_FP6_TYPES
