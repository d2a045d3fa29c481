// Register tile: each thread computes 4 x 4 outputs and uses every loaded value four times
// SPDX-License-Identifier: GPL-3.0-or-later
#include "problem.h"

#define ROWS 4       // @tune ROWS 2 4 8
#define COLS 4       // @tune COLS 2 4 8
#define THREADS_X 32 // @tune THREADS_X 16 32 64

__global__ void gemm_register_tile(Problem p) {
    // The columns of a thread are THREADS_X apart, so that neighbouring threads read neighbouring bytes.
    const int col0 = blockIdx.x * (THREADS_X * COLS) + threadIdx.x;
    const int row0 = (blockIdx.y * blockDim.y + threadIdx.y) * ROWS;
    if (row0 >= p.m) {
        return;
    }
    const int scale_cols = (p.n + 127) / 128;
    float total[ROWS][COLS] = {};
    for (int kb = 0; kb < p.k / 128; ++kb) {
        float partial[ROWS][COLS] = {};
        for (int k = kb * 128; k < (kb + 1) * 128; ++k) {
            float a[ROWS], b[COLS];
            for (int i = 0; i < ROWS; ++i) {
                a[i] = to_float(p.a[size_t(k) * p.m + row0 + i]); // m is a multiple of 32
            }
            for (int j = 0; j < COLS; ++j) {
                const int col = col0 + j * THREADS_X;
                b[j] = col < p.n ? to_float(p.b[size_t(k) * p.n + col]) : 0.0f;
            }
            for (int i = 0; i < ROWS; ++i) {
                for (int j = 0; j < COLS; ++j) {
                    partial[i][j] += a[i] * b[j];
                }
            }
        }
        for (int j = 0; j < COLS; ++j) {
            const int col = min(col0 + j * THREADS_X, p.n - 1);
            const float b_scale = p.b_scale[kb * scale_cols + col / 128];
            for (int i = 0; i < ROWS; ++i) {
                total[i][j] += partial[i][j] * p.a_scale[kb * p.m + row0 + i] * b_scale;
            }
        }
    }
    for (int i = 0; i < ROWS; ++i) {
        for (int j = 0; j < COLS; ++j) {
            const int col = col0 + j * THREADS_X;
            if (col < p.n) {
                p.c[size_t(row0 + i) * p.n + col] = to_bf16(total[i][j]);
            }
        }
    }
}

extern "C" hipError_t solve(const Problem& p, void*, hipStream_t stream) {
    const dim3 threads(THREADS_X, 4);
    const dim3 blocks((p.n + THREADS_X * COLS - 1) / (THREADS_X * COLS), (p.m + 4 * ROWS - 1) / (4 * ROWS));
    gemm_register_tile<<<blocks, threads, 0, stream>>>(p);
    return hipGetLastError();
}
