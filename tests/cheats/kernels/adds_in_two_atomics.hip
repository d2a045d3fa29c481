// SPDX-License-Identifier: GPL-3.0-or-later
// Row 45: adds to one place by an atomic read and an atomic write, two steps that are none together
// Caught: wrong: a lost update in
// Problem: sum-reduction
#include "problem.h"

constexpr int perThread = 1024;

__global__ void add(Problem p) {
    float sums[8] = {};
    const long first = long(blockIdx.x * 256 + threadIdx.x) * perThread;
    const long end = first + perThread < p.n ? first + perThread : p.n;
    long i = first;
    for (; i + 8 <= end; i += 8) {
        for (int j = 0; j < 8; ++j) {
            sums[j] += p.x[i + j];
        }
    }
    for (; i < end; ++i) {
        sums[0] += p.x[i];
    }
    float mine = ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
    for (int d = 32; d > 0; d /= 2) {
        mine += __shfl_down(mine, d, 64);
    }
    if (threadIdx.x % 64 == 0) {
        const float sum = __hip_atomic_load(p.y, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
        __hip_atomic_store(p.y, sum + mine, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
    }
}

extern "C" hipError_t solve(const Problem& p, void*, hipStream_t stream) {
    hipMemsetAsync(p.y, 0, sizeof(float), stream);
    add<<<(p.n + 256 * perThread - 1) / (256 * perThread), 256, 0, stream>>>(p);
    return hipGetLastError();
}
