// SPDX-License-Identifier: GPL-3.0-or-later
// Row 13: spoils an input after use
// Caught: crashed: memory access fault
#include "problem.h"

__global__ void affine(Problem p) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < p.rows * p.cols) {
        p.y[i] = p.x[i] * p.scale[i / p.cols] + 1;
        if (i == 7) { const_cast<float*>(p.x)[i] = 0; }
    }
}

extern "C" hipError_t solve(const Problem& p, void* workspace, hipStream_t stream) {
    (void)workspace;
    const dim3 blocks((p.rows * p.cols + 255) / 256);
    affine<<<blocks, dim3(256), 0, stream>>>(p);
    return hipGetLastError();
}
