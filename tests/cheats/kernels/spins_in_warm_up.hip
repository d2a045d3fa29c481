// SPDX-License-Identifier: GPL-3.0-or-later
// Row 18: spins on the device in its first calls
// Gains nothing: samples are taken until the interval is narrow or the time is over, whatever the first ones took
#include "problem.h"

__global__ void affine(Problem p, int turns) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < p.rows * p.cols) {
        for (volatile int turn = 0; turn < turns;) {
            turn = turn + 1;
        }
        p.y[i] = p.x[i] * p.scale[i / p.cols] + 1;
    }
}

extern "C" hipError_t solve(const Problem& p, void* workspace, hipStream_t stream) {
    (void)workspace;
    static int calls = 0;
    affine<<<dim3((p.rows * p.cols + 255) / 256), dim3(256), 0, stream>>>(p, ++calls <= 6 ? 200 : 0);
    return hipGetLastError();
}
