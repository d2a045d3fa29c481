// Reads two neighbours at once, at addresses that suit each of them alone
// SPDX-License-Identifier: GPL-3.0-or-later
#include "problem.h"

__global__ void affine(Problem p) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < p.rows * p.cols) {
        const float2 pair = *reinterpret_cast<const float2*>(p.x + (i > 0 ? i - 1 : 0));
        p.y[i] = (i > 0 ? pair.y : pair.x) * p.scale[i / p.cols] + 1;
    }
}

extern "C" hipError_t solve(const Problem& p, void* workspace, hipStream_t stream) {
    (void)workspace;
    const dim3 blocks((p.rows * p.cols + 255) / 256);
    affine<<<blocks, dim3(256), 0, stream>>>(p);
    return hipGetLastError();
}
