// Slow: stores every element two hundred times, and must be measured as slow
// SPDX-License-Identifier: GPL-3.0-or-later
#include "problem.h"
__global__ void affine(Problem p) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < p.rows * p.cols) {
        volatile float* y = p.y + i;
        for (int again = 0; again < 200; ++again) {
            *y = p.x[i] * p.scale[i / p.cols] + 1;
        }
    }
}

extern "C" hipError_t solve(const Problem& p, void* workspace, hipStream_t stream) {
    (void)workspace;
    const dim3 blocks((p.rows * p.cols + 255) / 256);
    affine<<<blocks, dim3(256), 0, stream>>>(p);
    return hipGetLastError();
}
