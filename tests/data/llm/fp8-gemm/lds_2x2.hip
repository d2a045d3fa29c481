// LDS tile of 32 x 32 outputs, 2 x 2 of them per thread
// SPDX-License-Identifier: GPL-3.0-or-later
#include "problem.h"

#define STEP 16 // @tune STEP 8 16 32

constexpr int TILE = 32;

__global__ __launch_bounds__(256) void gemm_lds_2x2(Problem p) {
    __shared__ float a_tile[STEP][TILE + 1];
    __shared__ float b_tile[STEP][TILE + 1];
    const int tx = threadIdx.x, ty = threadIdx.y, thread = ty * 16 + tx;
    const int row0 = blockIdx.y * TILE, col0 = blockIdx.x * TILE;
    const int scale_cols = (p.n + 127) / 128;
    float total[2][2] = {};
    for (int kb = 0; kb < p.k / 128; ++kb) {
        float partial[2][2] = {};
        for (int k0 = kb * 128; k0 < (kb + 1) * 128; k0 += STEP) {
            for (int i = thread; i < STEP * TILE; i += 256) {
                const int k = i / TILE, x = i % TILE;
                a_tile[k][x] = to_float(p.a[size_t(k0 + k) * p.m + row0 + x]);
                b_tile[k][x] = to_float(p.b[size_t(k0 + k) * p.n + col0 + x]);
            }
            __syncthreads();
            for (int k = 0; k < STEP; ++k) {
                const float a0 = a_tile[k][ty], a1 = a_tile[k][ty + 16];
                const float b0 = b_tile[k][tx], b1 = b_tile[k][tx + 16];
                partial[0][0] += a0 * b0;
                partial[0][1] += a0 * b1;
                partial[1][0] += a1 * b0;
                partial[1][1] += a1 * b1;
            }
            __syncthreads();
        }
        for (int i = 0; i < 2; ++i) {
            for (int j = 0; j < 2; ++j) {
                const int row = row0 + ty + 16 * i, col = col0 + tx + 16 * j;
                total[i][j] += partial[i][j] * p.a_scale[kb * p.m + row] * p.b_scale[kb * scale_cols + col / 128];
            }
        }
    }
    for (int i = 0; i < 2; ++i) {
        for (int j = 0; j < 2; ++j) {
            p.c[size_t(row0 + ty + 16 * i) * p.n + col0 + tx + 16 * j] = to_bf16(total[i][j]);
        }
    }
}

extern "C" hipError_t solve(const Problem& p, void*, hipStream_t stream) {
    gemm_lds_2x2<<<dim3(p.n / TILE, p.m / TILE), dim3(16, 16), 0, stream>>>(p);
    return hipGetLastError();
}
