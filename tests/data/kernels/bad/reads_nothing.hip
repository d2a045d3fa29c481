// Half of the tile that a block reads is filled; what is read beyond is not used
// SPDX-License-Identifier: GPL-3.0-or-later
#include "problem.h"

__global__ void affine(Problem p) {
    __shared__ float tile[512];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x] = i < p.rows * p.cols ? p.x[i] : 0.0F;
    __syncthreads();
    volatile float unused = tile[threadIdx.x + 256];
    (void)unused;
    if (i < p.rows * p.cols) {
        p.y[i] = tile[threadIdx.x] * p.scale[i / p.cols] + 1;
    }
}

extern "C" hipError_t solve(const Problem& p, void* workspace, hipStream_t stream) {
    (void)workspace;
    const dim3 blocks((p.rows * p.cols + 255) / 256);
    affine<<<blocks, dim3(256), 0, stream>>>(p);
    return hipGetLastError();
}
