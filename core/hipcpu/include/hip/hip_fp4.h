// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// 4-bit floating point (e2m1 of the OCP) for HIP installations that lack this header (before ROCm 7). Two numbers lie
// in a byte, the first in its lower half.
#include <hip/amd_detail/amd_hip_mx_common.h>

typedef __hip_fp8_storage_t __hip_fp4_storage_t;
typedef __hip_fp8_storage_t __hip_fp4x2_storage_t;
typedef __hip_fp8x2_storage_t __hip_fp4x4_storage_t;

enum __hip_fp4_interpretation_t { __HIP_E2M1 = 0 };

namespace gks_mx {

struct E2M1 {
    static constexpr unsigned apart = 4;
    __host__ __device__ static gks_ocp::Format format() { return gks_ocp::formatOf(__AMD_OCP_E2M1); }
    __host__ __device__ static gks_ocp::Format of(__hip_fp4_interpretation_t) { return format(); }
};

} // namespace gks_mx

GKS_MX_FUNCTIONS(fp4, gks_mx::E2M1, __hip_fp4_interpretation_t)

// Structures of their own, so that they can be declared ahead and overloaded on.
struct __hip_fp4_e2m1 : gks_mx::One<gks_mx::E2M1, __hip_fp4_storage_t> {
    using One::One;
};
struct __hip_fp4x2_e2m1 : gks_mx::Two<gks_mx::E2M1, __hip_fp4x2_storage_t> {
    using Two::Two;
};
struct __hip_fp4x4_e2m1 : gks_mx::Four<gks_mx::E2M1, __hip_fp4x4_storage_t> {
    using Four::Four;
};
