// Split K: four blocks share an output tile, each sums a quarter of the blocks of 128 k, a second kernel rounds
// SPDX-License-Identifier: GPL-3.0-or-later
#include "problem.h"

#define SPLIT 4 // @tune SPLIT 2 4 8

__global__ void gemm_split_k(Problem p, float* sums) {
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= p.m || col >= p.n) {
        return;
    }
    const int scale_cols = (p.n + 127) / 128;
    float total = 0;
    for (int kb = blockIdx.z; kb < p.k / 128; kb += SPLIT) {
        float partial = 0;
        for (int k = kb * 128; k < (kb + 1) * 128; ++k) {
            partial += to_float(p.a[size_t(k) * p.m + row]) * to_float(p.b[size_t(k) * p.n + col]);
        }
        total += partial * p.a_scale[kb * p.m + row] * p.b_scale[kb * scale_cols + col / 128];
    }
    atomicAdd(&sums[size_t(row) * p.n + col], total);
}

__global__ void round_sums(const float* sums, bf16_t* c, size_t count) {
    const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < count) {
        c[i] = to_bf16(sums[i]);
    }
}

extern "C" size_t workspace_bytes(const Problem& shape) { return size_t(shape.m) * shape.n * sizeof(float); }

extern "C" hipError_t solve(const Problem& p, void* workspace, hipStream_t stream) {
    const size_t count = size_t(p.m) * p.n;
    const hipError_t cleared = hipMemsetAsync(workspace, 0, count * sizeof(float), stream);
    if (cleared != hipSuccess) {
        return cleared;
    }
    const dim3 threads(64, 4);
    const dim3 blocks((p.n + 63) / 64, (p.m + 3) / 4, SPLIT);
    gemm_split_k<<<blocks, threads, 0, stream>>>(p, static_cast<float*>(workspace));
    round_sums<<<dim3((count + 255) / 256), dim3(256), 0, stream>>>(static_cast<const float*>(workspace), p.c, count);
    return hipGetLastError();
}
