// SPDX-License-Identifier: GPL-3.0-or-later
// One launch: the block that ends last adds up the parts, and leaves the counter as it found it
// Problem: sum-reduction
#include "problem.h"

__device__ unsigned blocks_done = 0;

extern "C" size_t workspace_bytes(const Problem&) { return 64 * sizeof(float); }

__global__ void sum_once(Problem p, float* partial) {
    __shared__ bool last;
    float sum = 0;
    for (int i = blockIdx.x * 64 + threadIdx.x; i < p.n; i += gridDim.x * 64) {
        sum += p.x[i];
    }
    for (int distance = 32; distance > 0; distance /= 2) {
        sum += __shfl_down(sum, distance, 64);
    }
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = sum;
        __threadfence();
        last = atomicAdd(&blocks_done, 1U) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        float total = 0;
        for (unsigned block = 0; block < gridDim.x; ++block) {
            total += static_cast<volatile float*>(partial)[block];
        }
        *p.y = total;
        blocks_done = 0;
    }
}

extern "C" hipError_t solve(const Problem& p, void* workspace, hipStream_t stream) {
    (void)workspace;
    sum_once<<<64, 64, 0, stream>>>(p, static_cast<float*>(workspace));
    return hipGetLastError();
}
