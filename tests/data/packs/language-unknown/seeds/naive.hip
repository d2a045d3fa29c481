// Naive: one thread per element
// SPDX-License-Identifier: GPL-3.0-or-later
#include "problem.h"

__global__ void scale(Problem p) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < p.rows * (p.cols / 4)) {
        p.y[i] = 2 * p.x[i];
    }
}

extern "C" hipError_t solve(const Problem& p, void*, hipStream_t stream) {
    scale<<<(p.rows * (p.cols / 4) + 255) / 256, 256, 0, stream>>>(p);
    return hipGetLastError();
}
