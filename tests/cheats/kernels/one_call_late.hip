// SPDX-License-Identifier: GPL-3.0-or-later
// Row 11: does the work of each call at the beginning of the next one
// Caught: build-failed: the second call of solve() does a launch that the first has not done
#include "problem.h"

__global__ void affine(Problem p) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < p.rows * p.cols) {
        p.y[i] = p.x[i] * p.scale[i / p.cols] + 1;
    }
}

extern "C" hipError_t solve(const Problem& p, void* workspace, hipStream_t stream) {
    (void)workspace;
    static Problem before;
    static bool waits = false;
    if (waits && before.rows == p.rows) {
        affine<<<dim3((p.rows * p.cols + 255) / 256), dim3(256), 0, stream>>>(before);
    }
    before = p;
    waits = true;
    return hipGetLastError();
}
