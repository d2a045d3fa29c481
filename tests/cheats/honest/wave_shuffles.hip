// SPDX-License-Identifier: GPL-3.0-or-later
// Adds up by shuffles inside a wave, then in two passes through its workspace
// Problem: sum-reduction
#include "problem.h"

extern "C" size_t workspace_bytes(const Problem&) { return 32 * sizeof(float); }

__global__ void sum_waves(const float* from, int n, float* into) {
    float sum = 0;
    for (int i = blockIdx.x * 64 + threadIdx.x; i < n; i += gridDim.x * 64) {
        sum += from[i];
    }
    for (int distance = 32; distance > 0; distance /= 2) {
        sum += __shfl_down(sum, distance, 64);
    }
    if (threadIdx.x == 0) {
        into[blockIdx.x] = sum;
    }
}

extern "C" hipError_t solve(const Problem& p, void* workspace, hipStream_t stream) {
    (void)workspace;
    float* partial = static_cast<float*>(workspace);
    sum_waves<<<32, 64, 0, stream>>>(p.x, p.n, partial);
    sum_waves<<<1, 64, 0, stream>>>(partial, 32, p.y);
    return hipGetLastError();
}
