// LDS-tiled with 64 k between barriers instead of 16
// SPDX-License-Identifier: GPL-3.0-or-later
#include "problem.h"

#define STEP 64 // @tune STEP 16 32 64 128

constexpr int TILE = 16;

__global__ __launch_bounds__(TILE * TILE) void gemm_lds_deep_step(Problem p) {
    __shared__ float a_tile[STEP][TILE + 1]; // [k][m]
    __shared__ float b_tile[STEP][TILE + 1]; // [k][n]
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty;
    const int col = blockIdx.x * TILE + tx;
    const int scale_cols = (p.n + 127) / 128;
    float total = 0;
    for (int kb = 0; kb < p.k / 128; ++kb) {
        float partial = 0;
        for (int k0 = kb * 128; k0 < (kb + 1) * 128; k0 += STEP) {
            for (int k = ty; k < STEP; k += TILE) {
                a_tile[k][tx] = to_float(p.a[size_t(k0 + k) * p.m + blockIdx.y * TILE + tx]);
                b_tile[k][tx] = to_float(p.b[size_t(k0 + k) * p.n + col]);
            }
            __syncthreads();
            for (int k = 0; k < STEP; ++k) {
                partial += a_tile[k][ty] * b_tile[k][tx];
            }
            __syncthreads();
        }
        total += partial * p.a_scale[kb * p.m + row] * p.b_scale[kb * scale_cols + col / 128];
    }
    p.c[size_t(row) * p.n + col] = to_bf16(total);
}

extern "C" hipError_t solve(const Problem& p, void*, hipStream_t stream) {
    gemm_lds_deep_step<<<dim3(p.n / TILE, p.m / TILE), dim3(TILE, TILE), 0, stream>>>(p);
    return hipGetLastError();
}
