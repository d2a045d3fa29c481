// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The types of hip/hip_ext_ocp.h for HIP installations that lack it (before ROCm 7): how code stores numbers of 8, 6
// and 4 bits in the formats of the OCP, and vectors of them.
#include <cstddef>
#include <cstdint>

#define GKS_OCP_VECTOR(type, count) typedef type __attribute__((ext_vector_type(count)))

typedef uint8_t __amd_fp8_storage_t;
typedef uint16_t __amd_fp8x2_storage_t;
GKS_OCP_VECTOR(uint8_t, 8) __amd_fp8x8_storage_t;
GKS_OCP_VECTOR(uint32_t, 6) __amd_fp6x32_storage_t; // number 0 in the lowest bits of word 0
typedef uint8_t __amd_fp4x2_storage_t;              // number 0 in the lower half
typedef uint32_t __amd_fp4x8_storage_t;

typedef _Float16 __amd_fp16_storage_t;
GKS_OCP_VECTOR(_Float16, 2) __amd_fp16x2_storage_t;
GKS_OCP_VECTOR(_Float16, 8) __amd_fp16x8_storage_t;
GKS_OCP_VECTOR(_Float16, 32) __amd_fp16x32_storage_t;
typedef __bf16 __amd_bf16_storage_t;
GKS_OCP_VECTOR(__bf16, 2) __amd_bf16x2_storage_t;
GKS_OCP_VECTOR(__bf16, 8) __amd_bf16x8_storage_t;
GKS_OCP_VECTOR(__bf16, 32) __amd_bf16x32_storage_t;
GKS_OCP_VECTOR(float, 2) __amd_floatx2_storage_t;
GKS_OCP_VECTOR(float, 8) __amd_floatx8_storage_t;
GKS_OCP_VECTOR(float, 16) __amd_floatx16_storage_t;
GKS_OCP_VECTOR(float, 32) __amd_floatx32_storage_t;
GKS_OCP_VECTOR(short, 2) __amd_shortx2_storage_t;
GKS_OCP_VECTOR(unsigned int, 2) __amd_uintx2_storage_t;

typedef int8_t __amd_scale_t; // numbers count 2 to the power of this each; -128: none of them is a number

#undef GKS_OCP_VECTOR

enum __amd_fp8_interpretation_t { __AMD_OCP_E4M3 = 0, __AMD_OCP_E5M2 = 1 };
enum __amd_fp6_interpretation_t { __AMD_OCP_E2M3 = 0, __AMD_OCP_E3M2 = 1 };
enum __amd_fp4_interpretation_t { __AMD_OCP_E2M1 = 0 };
