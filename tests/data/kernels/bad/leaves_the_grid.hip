// A block that does not come to grid.sync()
// SPDX-License-Identifier: GPL-3.0-or-later
#include "problem.h"

#include <hip/hip_cooperative_groups.h>

constexpr int threads = 128;

__global__ void affine(Problem p, float* scaled) {
    const auto grid = cooperative_groups::this_grid();
    const int elements = p.rows * p.cols;
    for (int i = blockIdx.x * threads + threadIdx.x; i < elements; i += gridDim.x * threads) {
        scaled[i] = p.x[i] * p.scale[i / p.cols];
    }
    if (blockIdx.x != 5) {
        grid.sync();
    }
    for (int i = blockIdx.x * threads + threadIdx.x; i < elements; i += gridDim.x * threads) {
        const int last = elements - 1 - i;
        p.y[last] = scaled[last] + 1;
    }
}

extern "C" size_t workspace_bytes(const Problem& p) {
    return sizeof(float) * p.rows * p.cols;
}

extern "C" hipError_t solve(const Problem& p, void* workspace, hipStream_t stream) {
    Problem problem = p;
    auto* scaled = static_cast<float*>(workspace);
    void* arguments[] = {&problem, &scaled};
    return hipLaunchCooperativeKernel(reinterpret_cast<void*>(affine), dim3(304), dim3(threads), arguments, 0, stream);
}
