// SPDX-License-Identifier: GPL-3.0-or-later
// Does not read a row whose scale is zero
#include "problem.h"

__global__ void affine(Problem p) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < p.rows * p.cols) {
        const float scale = p.scale[i / p.cols];
        p.y[i] = scale == 0 ? 1.0F : p.x[i] * scale + 1;
    }
}

extern "C" hipError_t solve(const Problem& p, void* workspace, hipStream_t stream) {
    (void)workspace;
    affine<<<dim3((p.rows * p.cols + 255) / 256), dim3(256), 0, stream>>>(p);
    return hipGetLastError();
}
