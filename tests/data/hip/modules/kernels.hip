// SPDX-License-Identifier: GPL-3.0-or-later
// Built with --genco, loaded by loads.hip.
#include <hip/hip_cooperative_groups.h>
#include <hip/hip_runtime.h>

__device__ int calls = 5;
__constant__ float factors[4];

struct Range {
    double low;
    int count;
};

extern "C" __global__ void scaled(const float* from, float* to, int n, char which) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) {
        to[i] = from[i] * factors[static_cast<int>(which)];
    }
    if (i == 0) {
        ++calls;
    }
}

extern "C" __global__ void filled(double* to, Range range, float add) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < range.count) {
        to[i] = range.low + i + add;
    }
}

template<class T>
__global__ void turned(T* values) {
    extern __shared__ char lds[];
    T* copy = reinterpret_cast<T*>(lds);
    copy[threadIdx.x] = values[threadIdx.x];
    __syncthreads();
    values[threadIdx.x] = copy[blockDim.x - 1 - threadIdx.x];
}
template __global__ void turned(long*);

extern "C" __global__ void shared(int* parts, int* sums) {
    parts[blockIdx.x] = static_cast<int>(blockIdx.x) + 1;
    cooperative_groups::this_grid().sync();
    int sum = 0;
    for (unsigned i = 0; i < gridDim.x; ++i) {
        sum += parts[i];
    }
    sums[blockIdx.x] = sum;
}
