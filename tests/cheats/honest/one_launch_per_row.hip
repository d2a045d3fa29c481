// SPDX-License-Identifier: GPL-3.0-or-later
// A launch for each row
// Caught: build-failed: is one operation too many
#include "problem.h"

__global__ void affine(Problem p, int row) {
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (col < p.cols) {
        p.y[row * p.cols + col] = p.x[row * p.cols + col] * p.scale[row] + 1;
    }
}

extern "C" hipError_t solve(const Problem& p, void* workspace, hipStream_t stream) {
    (void)workspace;
    for (int row = 0; row < p.rows; ++row) {
        affine<<<dim3((p.cols + 255) / 256), dim3(256), 0, stream>>>(p, row);
    }
    return hipGetLastError();
}
