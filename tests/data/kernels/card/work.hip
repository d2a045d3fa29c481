// SPDX-License-Identifier: GPL-3.0-or-later
// Honest; how long it takes is set by STEPS, so that one kernel can be made 1 % slower than another.
#include "problem.h"
#ifndef STEPS
#define STEPS 20000
#endif

__global__ void affine(Problem p, int steps) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < p.rows * p.cols) {
        const float value = p.x[i];
        float sink = value;
#pragma unroll 1
        for (int step = 0; step < steps; ++step) {
            sink = sink * 0.5F + value;
        }
        p.y[i] = value * p.scale[i / p.cols] + (sink == 12345.0F ? 2 : 1);
    }
}

extern "C" hipError_t solve(const Problem& p, void*, hipStream_t stream) {
    affine<<<dim3((p.rows * p.cols + 255) / 256), dim3(256), 0, stream>>>(p, STEPS);
    return hipGetLastError();
}
