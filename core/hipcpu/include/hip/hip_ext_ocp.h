// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Small floating-point numbers in the formats of the OCP, for HIP installations that lack this header (before ROCm 7):
// the functions that convert them, and each format as a type.

#include <hip/amd_detail/amd_hip_ocp_fp.hpp>
#include <hip/amd_detail/amd_hip_ocp_types.h>

// One number of 8 bits, and two of them.
#define GKS_OCP_FP8(name, pairName, kind)                                                                              \
    struct name {                                                                                                      \
        __amd_fp8_storage_t __x;                                                                                       \
        static const __amd_fp8_interpretation_t __default_interpret = kind;                                            \
        __host__ __device__ name() = default;                                                                          \
        __host__ __device__ explicit name(const float in) : __x(__amd_cvt_float_to_fp8_scale(in, kind, 0)) {}          \
        __host__ __device__ name(const float in, const unsigned int seed)                                              \
            : __x(__amd_cvt_float_to_fp8_sr_scale(in, kind, seed, 0)) {}                                               \
        __host__ __device__ name(const float in, const unsigned int seed, const __amd_scale_t scale)                   \
            : __x(__amd_cvt_float_to_fp8_sr_scale(in, kind, seed, scale)) {}                                           \
        __host__ __device__ name(const __amd_fp16_storage_t in, const unsigned int seed, const __amd_scale_t scale)    \
            : __x(__amd_cvt_fp16_to_fp8_sr_scale(in, kind, seed, scale)) {}                                            \
        __host__ __device__ name(const __amd_bf16_storage_t in, const unsigned int seed, const __amd_scale_t scale)    \
            : __x(__amd_cvt_bf16_to_fp8_sr_scale(in, kind, seed, scale)) {}                                            \
        __host__ __device__ float get_scaled_float(const __amd_scale_t scale) const {                                  \
            return __amd_cvt_fp8_to_float_scale(__x, kind, scale);                                                     \
        }                                                                                                              \
        __host__ __device__ __amd_fp16_storage_t get_scaled_fp16(const __amd_scale_t scale) const {                    \
            return __amd_cvt_fp8_to_fp16_scale(__x, kind, scale);                                                      \
        }                                                                                                              \
        __host__ __device__ __amd_bf16_storage_t get_scaled_bf16(const __amd_scale_t scale) const {                    \
            return __amd_cvt_fp8_to_bf16_scale(__x, kind, scale);                                                      \
        }                                                                                                              \
        __host__ __device__ operator float() const {                                                                   \
            return get_scaled_float(0);                                                                                \
        }                                                                                                              \
    };                                                                                                                 \
    struct pairName {                                                                                                  \
        __amd_fp8x2_storage_t __x;                                                                                     \
        static const __amd_fp8_interpretation_t __default_interpret = kind;                                            \
        __host__ __device__ pairName() = default;                                                                      \
        __host__ __device__ pairName(const float a, const float b, const __amd_scale_t scale = 0)                      \
            : pairName(__amd_floatx2_storage_t{a, b}, scale) {}                                                        \
        __host__ __device__ explicit pairName(const __amd_floatx2_storage_t in, const __amd_scale_t scale = 0)         \
            : __x(__amd_cvt_floatx2_to_fp8x2_scale(in, kind, scale)) {}                                                \
        __host__ __device__ pairName(const __amd_fp16x2_storage_t in, const __amd_scale_t scale)                       \
            : __x(__amd_cvt_fp16x2_to_fp8x2_scale(in, kind, scale)) {}                                                 \
        __host__ __device__ pairName(const __amd_bf16x2_storage_t in, const __amd_scale_t scale)                       \
            : __x(__amd_cvt_bf16x2_to_fp8x2_scale(in, kind, scale)) {}                                                 \
        __host__ __device__ __amd_floatx2_storage_t get_scaled_floatx2(const __amd_scale_t scale) const {              \
            return __amd_cvt_fp8x2_to_floatx2_scale(__x, kind, scale);                                                 \
        }                                                                                                              \
        __host__ __device__ __amd_fp16x2_storage_t get_scaled_fp16x2(const __amd_scale_t scale) const {                \
            return __amd_cvt_fp8x2_to_fp16x2_scale(__x, kind, scale);                                                  \
        }                                                                                                              \
        __host__ __device__ __amd_bf16x2_storage_t get_scaled_bf16x2(const __amd_scale_t scale) const {                \
            return __amd_cvt_fp8x2_to_bf16x2_scale(__x, kind, scale);                                                  \
        }                                                                                                              \
        __host__ __device__ operator __amd_floatx2_storage_t() const {                                                 \
            return get_scaled_floatx2(0);                                                                              \
        }                                                                                                              \
    };

GKS_OCP_FP8(__hipext_ocp_fp8_e4m3, __hipext_ocp_fp8x2_e4m3, __AMD_OCP_E4M3)
GKS_OCP_FP8(__hipext_ocp_fp8_e5m2, __hipext_ocp_fp8x2_e5m2, __AMD_OCP_E5M2)
#undef GKS_OCP_FP8
