// SPDX-License-Identifier: GPL-3.0-or-later
// Blocks of one thread
#include "problem.h"

__global__ void affine(Problem p) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < p.rows * p.cols) {
        p.y[i] = p.x[i] * p.scale[i / p.cols] + 1;
    }
}

extern "C" hipError_t solve(const Problem& p, void* workspace, hipStream_t stream) {
    (void)workspace;
    affine<<<dim3(p.rows * p.cols), dim3(1), 0, stream>>>(p);
    return hipGetLastError();
}
