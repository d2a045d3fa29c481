// SPDX-License-Identifier: GPL-3.0-or-later
// Puts parameters into constant memory before the launch
#include "problem.h"

__constant__ float offset[2];

__global__ void affine(Problem p) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < p.rows * p.cols) {
        p.y[i] = p.x[i] * p.scale[i / p.cols] + offset[0] + offset[1];
    }
}

extern "C" hipError_t solve(const Problem& p, void* workspace, hipStream_t stream) {
    (void)workspace;
    const float offsets[2] = {1.0F, 0.0F};
    hipMemcpyToSymbolAsync(HIP_SYMBOL(offset), offsets, sizeof offsets, 0, hipMemcpyHostToDevice, stream);
    affine<<<dim3((p.rows * p.cols + 255) / 256), dim3(256), 0, stream>>>(p);
    return hipGetLastError();
}
