// SPDX-License-Identifier: GPL-3.0-or-later
// Row 14: computes three rows of four and repeats the neighbour in the fourth
// Caught: wrong: elements differ
#include "problem.h"

__global__ void affine(Problem p) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < p.rows * p.cols) {
        const int from = i / p.cols % 4 == 3 ? i - p.cols : i;
        p.y[i] = p.x[from] * p.scale[from / p.cols] + 1;
    }
}

extern "C" hipError_t solve(const Problem& p, void* workspace, hipStream_t stream) {
    (void)workspace;
    affine<<<dim3((p.rows * p.cols + 255) / 256), dim3(256), 0, stream>>>(p);
    return hipGetLastError();
}
