// LDS-tiled, 16 x 16 outputs per block
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Both operands are staged in LDS.
// Every byte of a and b is read from memory once per block instead of once per thread, and decoded to float on its way into LDS.
#include "problem.h"

constexpr int TILE = 16;

__global__ __launch_bounds__(TILE * TILE) void gemm_lds_tiled(Problem p) {
    __shared__ float a_tile[TILE][TILE + 1]; // [k][m]; one column of padding against bank conflicts
    __shared__ float b_tile[TILE][TILE + 1]; // [k][n]
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty; // m and n are multiples of 32: every tile is full
    const int col = blockIdx.x * TILE + tx;
    const int scale_cols = (p.n + 127) / 128;

    float acc = 0;
    for (int kb = 0; kb < p.k / 128; ++kb) {
        float partial = 0;
        for (int k0 = kb * 128; k0 < (kb + 1) * 128; k0 += TILE) {
            // m and n are the fast directions in memory, so x walks along them.
            a_tile[ty][tx] = to_float(p.a[size_t(k0 + ty) * p.m + blockIdx.y * TILE + tx]);
            b_tile[ty][tx] = to_float(p.b[size_t(k0 + ty) * p.n + col]);
            __syncthreads();
            for (int k = 0; k < TILE; ++k) {
                partial += a_tile[k][ty] * b_tile[k][tx];
            }
            __syncthreads();
        }
        acc += partial * p.a_scale[kb * p.m + row] * p.b_scale[kb * scale_cols + col / 128];
    }
    p.c[size_t(row) * p.n + col] = to_bf16(acc);
}

extern "C" hipError_t solve(const Problem& p, void*, hipStream_t stream) {
    gemm_lds_tiled<<<dim3(p.n / TILE, p.m / TILE), dim3(TILE, TILE), 0, stream>>>(p);
    return hipGetLastError();
}
