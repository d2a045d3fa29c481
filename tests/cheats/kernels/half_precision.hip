// SPDX-License-Identifier: GPL-3.0-or-later
// Row 15: computes in half precision where the problem says f32
// Caught: wrong: elements differ
#include "problem.h"

__global__ void affine(Problem p) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < p.rows * p.cols) {
        p.y[i] = _Float16(p.x[i]) * _Float16(p.scale[i / p.cols]) + _Float16(1);
    }
}

extern "C" hipError_t solve(const Problem& p, void* workspace, hipStream_t stream) {
    (void)workspace;
    affine<<<dim3((p.rows * p.cols + 255) / 256), dim3(256), 0, stream>>>(p);
    return hipGetLastError();
}
