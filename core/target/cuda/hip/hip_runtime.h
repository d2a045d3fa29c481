// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// HIP source under nvcc: the names that kernels use, as the CUDA runtime calls them. nvcc includes the CUDA runtime
// ahead of every source, so this costs next to nothing to read. A warp has 32 lanes here: what depends on 64 lanes is
// refused when it is compiled, by a function that does not exist and whose name says why.

#if !defined(__CUDACC__)
#error "these headers are for nvcc; on AMD devices the HIP installation has its own"
#endif

#define __HIP_PLATFORM_NVIDIA__ 1
#define __HIPCC__ 1
#if defined(__CUDA_ARCH__)
#define __HIP_DEVICE_COMPILE__ 1
#endif

using hipError_t = cudaError_t;
using hipStream_t = cudaStream_t;
using hipEvent_t = cudaEvent_t;
using hipFunction_t = cudaFunction_t;
using hipDeviceProp_t = cudaDeviceProp;
using hipFuncAttributes = cudaFuncAttributes;

#include "error_codes.h"
#include "host_functions.h"

// What "#pragma unroll NAME" becomes before nvcc sees it: only this form expands macros.
#define GKS_PRAGMA(text) _Pragma(#text)
#define GKS_UNROLL(factor) GKS_PRAGMA(unroll factor)

#define HIP_KERNEL_NAME(...) __VA_ARGS__
#define HIP_SYMBOL(symbol) symbol
#define HIP_DYNAMIC_SHARED(type, name) extern __shared__ type name[];
#define hipLaunchKernelGGL(kernel, blocks, threads, sharedBytes, stream, ...)                                          \
    kernel<<<blocks, threads, sharedBytes, stream>>>(__VA_ARGS__)

#define hipThreadIdx_x threadIdx.x
#define hipThreadIdx_y threadIdx.y
#define hipThreadIdx_z threadIdx.z
#define hipBlockIdx_x blockIdx.x
#define hipBlockIdx_y blockIdx.y
#define hipBlockIdx_z blockIdx.z
#define hipBlockDim_x blockDim.x
#define hipBlockDim_y blockDim.y
#define hipBlockDim_z blockDim.z
#define hipGridDim_x gridDim.x
#define hipGridDim_y gridDim.y
#define hipGridDim_z gridDim.z

#include "lanes.h"

// Hints and short forms that HIP kernels use.
template<class T>
__device__ inline T unsafeAtomicAdd(T* address, T value) {
    return atomicAdd(address, value);
}
template<class T>
__device__ inline T safeAtomicAdd(T* address, T value) {
    return atomicAdd(address, value);
}
__device__ inline long long wall_clock64() {
    unsigned long long nanoseconds;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(nanoseconds));
    return static_cast<long long>(nanoseconds);
}
#define __builtin_nontemporal_load(address) __ldcs(address)
#define __builtin_nontemporal_store(value, address) __stcs(address, value)
#define __builtin_amdgcn_s_barrier() __syncthreads()
#define __builtin_amdgcn_sched_barrier(mask) static_cast<void>(0)
#define __builtin_amdgcn_s_setprio(priority) static_cast<void>(0)
