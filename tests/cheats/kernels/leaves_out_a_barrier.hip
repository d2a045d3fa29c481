// SPDX-License-Identifier: GPL-3.0-or-later
// Row 45: has the thread that counts to the end add up for all, which no thread does where the lanes of a wave count at once
// Caught: wrong: elements differ
// Problem: sum-reduction
#include "problem.h"

__global__ void add(Problem p) {
    __shared__ float sums[256];
    __shared__ volatile int arrived;
    float sum = 0;
    const int first = blockIdx.x * 4096;
    for (int i = first + threadIdx.x; i < first + 4096 && i < p.n; i += 256) {
        sum += p.x[i];
    }
    sums[threadIdx.x] = sum;
    if (threadIdx.x == 0) {
        arrived = 0;
    }
    __syncthreads();
    sums[threadIdx.x] *= 0.5F;
    arrived = arrived + 1;
    if (arrived == 256) {
        float total = 0;
        for (int i = 0; i < 256; ++i) {
            total += sums[i];
        }
        atomicAdd(p.y, 2 * total);
    }
}

extern "C" hipError_t solve(const Problem& p, void*, hipStream_t stream) {
    hipMemsetAsync(p.y, 0, sizeof(float), stream);
    add<<<(p.n + 4095) / 4096, 256, 0, stream>>>(p);
    return hipGetLastError();
}
