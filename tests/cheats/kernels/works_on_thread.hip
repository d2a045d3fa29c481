// SPDX-License-Identifier: GPL-3.0-or-later
// Row 10: works on a thread of the host
// Gains nothing: host code runs where no time is taken
#include "problem.h"
#include <thread>
__global__ void affine(Problem p) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < p.rows * p.cols) {
        p.y[i] = p.x[i] * p.scale[i / p.cols] + 1;
    }
}

extern "C" hipError_t solve(const Problem& p, void* workspace, hipStream_t stream) {
    (void)workspace;
    const dim3 blocks((p.rows * p.cols + 255) / 256);
    static std::thread worker; worker = std::thread([] {}); worker.join(); affine<<<blocks, dim3(256), 0, stream>>>(p);
    return hipGetLastError();
}
