// SPDX-License-Identifier: GPL-3.0-or-later
// Row 20: asks for an absurd workspace
// Caught: wrong: workspace_bytes() asked for
#include "problem.h"

extern "C" size_t workspace_bytes(const Problem&) { return size_t(1) << 50; }

__global__ void affine(Problem p) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < p.rows * p.cols) {
        p.y[i] = p.x[i] * p.scale[i / p.cols] + 1;
    }
}

extern "C" hipError_t solve(const Problem& p, void* workspace, hipStream_t stream) {
    (void)workspace;
    const dim3 blocks((p.rows * p.cols + 255) / 256);
    affine<<<blocks, dim3(256), 0, stream>>>(p);
    return hipGetLastError();
}
