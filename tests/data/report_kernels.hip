// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels whose static report is known: tests/core/target_static_report.cpp.
#include <hip/hip_runtime.h>

typedef float float4v __attribute__((ext_vector_type(4)));

__global__ void __launch_bounds__(256) add(const float* a, const float* b, float* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        c[i] = a[i] + b[i];
    }
}

template<int size>
__global__ void __launch_bounds__(256) transpose(const float* in, float* out, int n) {
    __shared__ float tile[size][size];
    int x = threadIdx.x % size;
    int y = threadIdx.x / size;
    for (int row = y; row < size; row += 256 / size) {
        tile[row][x] = in[row * n + x];
    }
    __syncthreads();
    for (int row = y; row < size; row += 256 / size) {
        out[row * n + x] = tile[x][row];
    }
}
template __global__ void transpose<64>(const float*, float*, int);

__global__ void __launch_bounds__(64) multiply(const long* a, const long* b, float4v* c) {
    float4v sum = {0, 0, 0, 0};
    for (int i = 0; i < 4; ++i) {
        sum = __builtin_amdgcn_mfma_f32_16x16x32_fp8_fp8(a[threadIdx.x + i * 64], b[threadIdx.x + i * 64], sum, 0, 0, 0);
    }
    c[threadIdx.x] = sum;
}

// More values alive at once than 1024 threads per workgroup leave registers for.
__global__ void __launch_bounds__(1024) spill(const float* in, float* out) {
    float values[256];
#pragma unroll
    for (int i = 0; i < 256; ++i) {
        values[i] = in[i * 1024 + threadIdx.x];
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 256; ++i) {
        out[i * 1024 + threadIdx.x] = values[255 - i] * values[(i * 7) % 256];
    }
}

__global__ void __launch_bounds__(256) accumulate(const float* in, float* out, int n) {
    for (int i = threadIdx.x; i < n; i += 256) {
        atomicAdd(out, in[i]);
    }
}
