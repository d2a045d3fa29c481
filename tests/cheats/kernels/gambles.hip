// SPDX-License-Identifier: GPL-3.0-or-later
// Row 3, 30: does nothing in one call of six and hopes that it is not looked at
// Gains nothing: variables are put back before every call
#include "problem.h"

__device__ unsigned calls;

__global__ void gambler(Problem p) {
    if (calls >= 6 && calls % 6 == 0) {
        return;
    }
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < p.rows * p.cols) {
        p.y[i] = p.x[i] * p.scale[i / p.cols] + 1;
    }
}
__global__ void count() {
    ++calls;
}

extern "C" hipError_t solve(const Problem& p, void* workspace, hipStream_t stream) {
    (void)workspace;
    count<<<dim3(1), dim3(1), 0, stream>>>();
    gambler<<<dim3((p.rows * p.cols + 255) / 256), dim3(256), 0, stream>>>(p);
    return hipGetLastError();
}
