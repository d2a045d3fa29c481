// SPDX-License-Identifier: GPL-3.0-or-later
// All threads write one value to one place, and what a later launch makes of it
#include "problem.h"

__device__ int anything;

__global__ void look(Problem p) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < p.rows * p.cols && p.x[i] == p.x[i]) {
        anything = 1;
    }
}

__global__ void affine(Problem p) {
    __shared__ float one;
    one = float(anything);
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < p.rows * p.cols) {
        p.y[i] = p.x[i] * p.scale[i / p.cols] + one;
    }
}

extern "C" hipError_t solve(const Problem& p, void*, hipStream_t stream) {
    const dim3 blocks((p.rows * p.cols + 255) / 256);
    look<<<blocks, dim3(256), 0, stream>>>(p);
    affine<<<blocks, dim3(256), 0, stream>>>(p);
    return hipGetLastError();
}
