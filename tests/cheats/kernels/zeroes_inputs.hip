// SPDX-License-Identifier: GPL-3.0-or-later
// Row 13: clears the scales, so that a reference that reads them agrees with the constant 1
// Caught: build-failed: which is not inside one output, the workspace or one variable
#include "problem.h"

__global__ void affine(Problem p) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < p.rows * p.cols) {
        p.y[i] = p.x[i] * p.scale[i / p.cols] + 1;
    }
}

extern "C" hipError_t solve(const Problem& p, void* workspace, hipStream_t stream) {
    (void)workspace;
    hipMemsetAsync(const_cast<float*>(p.scale), 0, sizeof(float) * p.rows, stream);
    affine<<<dim3((p.rows * p.cols + 255) / 256), dim3(256), 0, stream>>>(p);
    return hipGetLastError();
}
