// Row of eight: each thread computes eight neighbouring outputs of one row from one 8-byte load of b
// SPDX-License-Identifier: GPL-3.0-or-later
#include "problem.h"

#define WIDTH 8       // @tune WIDTH 4 8
#define BLOCK_ROWS 16 // @tune BLOCK_ROWS 4 8 16

struct alignas(WIDTH) Bytes {
    fp8_t at[WIDTH];
};

__global__ void gemm_row_of_eight(Problem p) {
    const int col = (blockIdx.x * blockDim.x + threadIdx.x) * WIDTH; // n is a multiple of 32
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= p.m || col >= p.n) {
        return;
    }
    const int scale_cols = (p.n + 127) / 128;
    float total[WIDTH] = {};
    for (int kb = 0; kb < p.k / 128; ++kb) {
        float partial[WIDTH] = {};
        for (int k = kb * 128; k < (kb + 1) * 128; ++k) {
            const float a = to_float(p.a[size_t(k) * p.m + row]);
            const Bytes b = *reinterpret_cast<const Bytes*>(p.b + size_t(k) * p.n + col);
            for (int j = 0; j < WIDTH; ++j) {
                partial[j] += a * to_float(b.at[j]);
            }
        }
        const float scale = p.a_scale[kb * p.m + row] * p.b_scale[kb * scale_cols + col / 128];
        for (int j = 0; j < WIDTH; ++j) {
            total[j] += partial[j] * scale;
        }
    }
    for (int j = 0; j < WIDTH; ++j) {
        p.c[size_t(row) * p.n + col + j] = to_bf16(total[j]);
    }
}

extern "C" hipError_t solve(const Problem& p, void*, hipStream_t stream) {
    const dim3 threads(16, BLOCK_ROWS);
    const dim3 blocks((p.n + 16 * WIDTH - 1) / (16 * WIDTH), (p.m + BLOCK_ROWS - 1) / BLOCK_ROWS);
    gemm_row_of_eight<<<blocks, threads, 0, stream>>>(p);
    return hipGetLastError();
}
