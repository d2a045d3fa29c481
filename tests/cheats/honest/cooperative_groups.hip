// SPDX-License-Identifier: GPL-3.0-or-later
// Works in groups of the cooperative groups interface
#include "problem.h"
#include <hip/hip_cooperative_groups.h>

__global__ void affine(Problem p) {
    namespace cg = cooperative_groups;
    __shared__ float staged[256];
    const cg::thread_block block = cg::this_thread_block();
    const int i = blockIdx.x * 256 + block.thread_rank();
    const bool inside = i < p.rows * p.cols;
    staged[block.thread_rank()] = inside ? p.x[i] : 0;
    block.sync();
    if (inside) {
        p.y[i] = staged[block.thread_rank()] * p.scale[i / p.cols] + 1;
    }
}

extern "C" hipError_t solve(const Problem& p, void* workspace, hipStream_t stream) {
    (void)workspace;
    affine<<<dim3((p.rows * p.cols + 255) / 256), dim3(256), 0, stream>>>(p);
    return hipGetLastError();
}
