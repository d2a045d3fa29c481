// Only a is staged in LDS, for 128 k at once; each thread computes a column of eight outputs
// SPDX-License-Identifier: GPL-3.0-or-later
#include "problem.h"

#define ROWS 8     // @tune ROWS 4 8 16
#define THREADS 64 // @tune THREADS 32 64 128

__global__ __launch_bounds__(THREADS) void gemm_lds_only_a(Problem p) {
    __shared__ float a_panel[128][ROWS];
    const int col = blockIdx.x * THREADS + threadIdx.x;
    const int row0 = blockIdx.y * ROWS; // m is a multiple of 32
    const int scale_cols = (p.n + 127) / 128;
    float total[ROWS] = {};
    for (int kb = 0; kb < p.k / 128; ++kb) {
        for (int i = threadIdx.x; i < 128 * ROWS; i += THREADS) {
            a_panel[i / ROWS][i % ROWS] = to_float(p.a[size_t(kb * 128 + i / ROWS) * p.m + row0 + i % ROWS]);
        }
        __syncthreads();
        if (col < p.n) {
            float partial[ROWS] = {};
            for (int k = 0; k < 128; ++k) {
                const float b = to_float(p.b[size_t(kb * 128 + k) * p.n + col]);
                for (int i = 0; i < ROWS; ++i) {
                    partial[i] += a_panel[k][i] * b;
                }
            }
            const float b_scale = p.b_scale[kb * scale_cols + col / 128];
            for (int i = 0; i < ROWS; ++i) {
                total[i] += partial[i] * p.a_scale[kb * p.m + row0 + i] * b_scale;
            }
        }
        __syncthreads();
    }
    if (col < p.n) {
        for (int i = 0; i < ROWS; ++i) {
            p.c[size_t(row0 + i) * p.n + col] = to_bf16(total[i]);
        }
    }
}

extern "C" hipError_t solve(const Problem& p, void*, hipStream_t stream) {
    gemm_lds_only_a<<<dim3((p.n + THREADS - 1) / THREADS, p.m / ROWS), dim3(THREADS), 0, stream>>>(p);
    return hipGetLastError();
}
