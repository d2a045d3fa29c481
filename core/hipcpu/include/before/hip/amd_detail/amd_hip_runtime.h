// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// In HIP 5.2 threadIdx.x is an object that turns into a number, which printf, templates and auto do not take for one.
// Later it is a number, as here.
#define threadIdx hip5_threadIdx
#define blockIdx hip5_blockIdx
#define blockDim hip5_blockDim
#define gridDim hip5_gridDim
#include_next <hip/amd_detail/amd_hip_runtime.h>
#undef threadIdx
#undef blockIdx
#undef blockDim
#undef gridDim

#define GKS_COORDINATE(name, axis, function)                                                                           \
    __declspec(property(get = __get_##name)) unsigned int name;                                                        \
    static __device__ __attribute__((always_inline)) unsigned int __get_##name() {                                     \
        return static_cast<unsigned int>(function(axis));                                                              \
    }
#define GKS_COORDINATES(name, function)                                                                                \
    struct __gks_##name {                                                                                              \
        GKS_COORDINATE(x, 0, function)                                                                                 \
        GKS_COORDINATE(y, 1, function)                                                                                 \
        GKS_COORDINATE(z, 2, function)                                                                                 \
        __device__ operator dim3() const {                                                                             \
            return dim3(__get_x(), __get_y(), __get_z());                                                              \
        }                                                                                                              \
    };                                                                                                                 \
    static constexpr __gks_##name name{};
GKS_COORDINATES(threadIdx, __ockl_get_local_id)
GKS_COORDINATES(blockIdx, __ockl_get_group_id)
GKS_COORDINATES(blockDim, __ockl_get_local_size)
GKS_COORDINATES(gridDim, __ockl_get_num_groups)
#undef GKS_COORDINATES
#undef GKS_COORDINATE
