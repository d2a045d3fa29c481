// Forgets a barrier: right only when threads happen to run in the usual order
// SPDX-License-Identifier: GPL-3.0-or-later
#include "problem.h"

__global__ void affine(Problem p) {
    __shared__ float scaled[256];
    const int i = blockIdx.x * 256 + threadIdx.x;
    const bool inside = i < p.rows * p.cols;
    scaled[threadIdx.x] = inside ? p.x[i] * p.scale[i / p.cols] : 0;
    // __syncthreads() belongs here
    const float left = threadIdx.x > 0 ? scaled[threadIdx.x - 1] : 0;
    __syncthreads();
    if (inside) {
        p.y[i] = scaled[threadIdx.x] + 1 + (left - (threadIdx.x > 0 ? scaled[threadIdx.x - 1] : 0));
    }
}

extern "C" hipError_t solve(const Problem& p, void*, hipStream_t stream) {
    affine<<<dim3((p.rows * p.cols + 255) / 256), dim3(256), 0, stream>>>(p);
    return hipGetLastError();
}
