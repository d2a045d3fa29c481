// SPDX-License-Identifier: GPL-3.0-or-later
// Row 20: writes a file without end
// Caught: crashed: File size limit exceeded
#include "problem.h"
#include <cstdio>

__global__ void affine(Problem p) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < p.rows * p.cols) {
        p.y[i] = p.x[i] * p.scale[i / p.cols] + 1;
    }
}

extern "C" hipError_t solve(const Problem& p, void* workspace, hipStream_t stream) {
    (void)workspace;
    static const char block[4096] = {};
    if (std::FILE* file = std::fopen("/tmp/filled", "w")) {
        while (std::fwrite(block, sizeof block, 1, file) == 1) {
        }
        std::fclose(file);
    }
    affine<<<dim3((p.rows * p.cols + 255) / 256), dim3(256), 0, stream>>>(p);
    return hipGetLastError();
}
