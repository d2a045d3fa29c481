// SPDX-License-Identifier: GPL-3.0-or-later
// Allocates without end
#include "problem.h"
#include <cstdlib>

__global__ void affine(Problem p) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < p.rows * p.cols) {
        p.y[i] = p.x[i] * p.scale[i / p.cols] + 1;
    }
}

extern "C" hipError_t solve(const Problem& p, void*, hipStream_t stream) {
    void* volatile taken = nullptr; // or the compiler knows that nobody looks
    for (int count = 0; (taken = std::malloc(size_t(1) << 30)) != nullptr; ++count) {
        if (count > 64) {
            return hipErrorUnknown;
        }
    }
    affine<<<dim3((p.rows * p.cols + 255) / 256), dim3(256), 0, stream>>>(p);
    return hipGetLastError();
}
