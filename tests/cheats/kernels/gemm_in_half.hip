// SPDX-License-Identifier: GPL-3.0-or-later
// Row 15: accumulates the products of a GEMM in half precision, which is not enough for its sums
// Caught: wrong: elements differ
// Problem: fp8-gemm
#include "problem.h"

__global__ void gemm(Problem p) {
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= p.m || col >= p.n) {
        return;
    }
    const int scale_cols = (p.n + 127) / 128;
    _Float16 sum = 0;
    for (int k = 0; k < p.k; ++k) {
        const float scale = p.a_scale[k / 128 * p.m + row] * p.b_scale[k / 128 * scale_cols + col / 128];
        sum += _Float16(to_float(p.a[size_t(k) * p.m + row]) * to_float(p.b[size_t(k) * p.n + col]) * scale);
    }
    p.c[size_t(row) * p.n + col] = to_bf16(float(sum));
}

extern "C" hipError_t solve(const Problem& p, void* workspace, hipStream_t stream) {
    (void)workspace;
    const dim3 threads(64, 4);
    gemm<<<dim3((p.n + 63) / 64, (p.m + 3) / 4), threads, 0, stream>>>(p);
    return hipGetLastError();
}
