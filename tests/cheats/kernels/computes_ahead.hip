// SPDX-License-Identifier: GPL-3.0-or-later
// Row 2: claims to have computed the next call as well and returns at once every second time
// Caught: build-failed: the first call of solve() does a launch that the second does not do
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
    if (calls++ % 2 == 1) {
        return hipSuccess; // "done with the last launch"
    }
    affine<<<dim3((p.rows * p.cols + 255) / 256), dim3(256), 0, stream>>>(p);
    return hipGetLastError();
}
