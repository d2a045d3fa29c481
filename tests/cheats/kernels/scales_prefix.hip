// SPDX-License-Identifier: GPL-3.0-or-later
// Row 14: adds up the first half of the array and doubles the sum
// Caught: wrong: elements differ
// Problem: sum-reduction
#include "problem.h"

__global__ void sum_part(Problem p, int end, float factor) {
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < end; i += gridDim.x * blockDim.x) {
        sum += p.x[i];
    }
    atomicAdd(p.y, sum * factor);
}

extern "C" hipError_t solve(const Problem& p, void* workspace, hipStream_t stream) {
    (void)workspace;
    hipMemsetAsync(p.y, 0, sizeof(float), stream);
    sum_part<<<64, 64, 0, stream>>>(p, p.n / 2, 2.0F);
    return hipGetLastError();
}
