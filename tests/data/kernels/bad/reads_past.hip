// Reads up to 4000 bytes past the end of its input and uses nothing of it
// SPDX-License-Identifier: GPL-3.0-or-later
#include "problem.h"

__global__ void affine(Problem p) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < p.rows * p.cols) {
        (void)static_cast<const volatile float*>(p.x)[i + 1000];
        p.y[i] = p.x[i] * p.scale[i / p.cols] + 1;
    }
}

extern "C" hipError_t solve(const Problem& p, void* workspace, hipStream_t stream) {
    (void)workspace;
    const dim3 blocks((p.rows * p.cols + 255) / 256);
    affine<<<blocks, dim3(256), 0, stream>>>(p);
    return hipGetLastError();
}
