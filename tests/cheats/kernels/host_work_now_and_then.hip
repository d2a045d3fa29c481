// SPDX-License-Identifier: GPL-3.0-or-later
// Row 10, 43: does the work on the host in two of five calls
// Caught: crashed: host code touches the tensor
#include "problem.h"

__global__ void affine(Problem p) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < p.rows * p.cols) {
        p.y[i] = p.x[i] * p.scale[i / p.cols] + 1;
    }
}

extern "C" hipError_t solve(const Problem& p, void* workspace, hipStream_t stream) {
    (void)workspace;
    static int calls = 0;
    if (calls++ % 5 < 2) {
        for (int i = 0; i < p.rows * p.cols; ++i) {
            p.y[i] = p.x[i] * p.scale[i / p.cols] + 1;
        }
        return hipSuccess;
    }
    affine<<<dim3((p.rows * p.cols + 255) / 256), dim3(256), 0, stream>>>(p);
    return hipGetLastError();
}
