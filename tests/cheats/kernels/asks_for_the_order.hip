// SPDX-License-Identifier: GPL-3.0-or-later
// Row 34: reads the variable that orders the threads of a block, and has a barrier only where they are reversed
// Caught: wrong: reversed thread order
#include "problem.h"
#include <cstdlib>

__global__ void affine(Problem p, bool careful) {
    __shared__ float scaled[256];
    const int i = blockIdx.x * 256 + threadIdx.x;
    const bool inside = i < p.rows * p.cols;
    scaled[threadIdx.x] = inside ? p.x[i] * p.scale[i / p.cols] : 0;
    if (careful) {
        __syncthreads();
    }
    const float left = threadIdx.x > 0 ? scaled[threadIdx.x - 1] : 0;
    __syncthreads();
    if (inside) {
        p.y[i] = scaled[threadIdx.x] + 1 + (left - (threadIdx.x > 0 ? scaled[threadIdx.x - 1] : 0));
    }
}

extern "C" hipError_t solve(const Problem& p, void* workspace, hipStream_t stream) {
    (void)workspace;
    const bool careful = std::getenv("HIPCPU_ORDER") != nullptr;
    affine<<<dim3((p.rows * p.cols + 255) / 256), dim3(256), 0, stream>>>(p, careful);
    return hipGetLastError();
}
