// Compiles with the options that it is handed in with alone: -std=c++20 -DFACTOR=1
// SPDX-License-Identifier: GPL-3.0-or-later
#include "problem.h"

template<class T> requires(sizeof(T) == 4)
__global__ void affine(T* y, const T* x, const T* scale, int count, int cols) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) {
        y[i] = FACTOR * x[i] * scale[i / cols] + 1;
    }
}

extern "C" hipError_t solve(const Problem& p, void* workspace, hipStream_t stream) {
    (void)workspace;
    const int count = p.rows * p.cols;
    affine<<<dim3((count + 255) / 256), dim3(256), 0, stream>>>(p.y, p.x, p.scale, count, p.cols);
    return hipGetLastError();
}
