// Matrix cores: four waves of 32 x 32 outputs per block, operands transposed on their way into LDS
// SPDX-License-Identifier: GPL-3.0-or-later
//
// v_mfma_f32_32x32x16_fp8_fp8 wants eight consecutive k of one row per lane, but m and n are the fast directions of a and b. So a thread
// reads a patch of 4 k x 4 m bytes, turns it round in registers, and stores it k-fastest. The unscaled sum of 128 k stays in the
// accumulators of the matrix core; the scales are applied once per such block.
#include "problem.h"

constexpr int TILE = 64;            // outputs per block in m and in n
constexpr int K_BLOCK = 128;        // k per scale
constexpr int STRIDE = K_BLOCK + 8; // bytes per row in LDS; padded, so that the rows start in different banks
constexpr int THREADS = 256;

using float16 = __attribute__((ext_vector_type(16))) float;

// tile[x][k] = matrix[k0 + k][first + x] for 64 x and 128 k, zero outside of the matrix (whose extent is a multiple of 32).
__device__ void stage_transposed(unsigned char (&tile)[TILE][STRIDE], const fp8_t* matrix, int extent, int first, int k0) {
    for (int patch = threadIdx.x; patch < TILE / 4 * K_BLOCK / 4; patch += THREADS) {
        const int x = patch % (TILE / 4) * 4, k = patch / (TILE / 4) * 4;
        unsigned in[4] = {}; // in[i]: four neighbours along x at k + i
        if (first + x < extent) {
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                in[i] = *reinterpret_cast<const unsigned*>(&matrix[size_t(k0 + k + i) * extent + first + x]);
            }
        }
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            const int shift = 8 * j;
            const unsigned out = (in[0] >> shift & 255u) | (in[1] >> shift & 255u) << 8 | (in[2] >> shift & 255u) << 16 |
                                 (in[3] >> shift & 255u) << 24;
            *reinterpret_cast<unsigned*>(&tile[x + j][k]) = out;
        }
    }
}

__global__ __launch_bounds__(THREADS) void gemm_matrix_core(Problem p) {
    alignas(16) __shared__ unsigned char a_tile[TILE][STRIDE];
    alignas(16) __shared__ unsigned char b_tile[TILE][STRIDE];
    const int lane = threadIdx.x % 64, wave = threadIdx.x / 64;
    const int m0 = blockIdx.y * TILE, n0 = blockIdx.x * TILE;
    const int wave_m = wave / 2 * 32, wave_n = wave % 2 * 32;
    const int scale_cols = (p.n + 127) / 128;

    float16 acc = {};
    for (int kb = 0; kb < p.k / K_BLOCK; ++kb) {
        stage_transposed(a_tile, p.a, p.m, m0, kb * K_BLOCK);
        stage_transposed(b_tile, p.b, p.n, n0, kb * K_BLOCK);
        __syncthreads();
        float16 partial = {};
#pragma unroll
        for (int k = 0; k < K_BLOCK; k += 16) {
            // Lane l holds row l % 32 and the eight k from 8 * (l / 32) on, of both operands.
            const long a = *reinterpret_cast<const long*>(&a_tile[wave_m + lane % 32][k + lane / 32 * 8]);
            const long b = *reinterpret_cast<const long*>(&b_tile[wave_n + lane % 32][k + lane / 32 * 8]);
            partial = __builtin_amdgcn_mfma_f32_32x32x16_fp8_fp8(a, b, partial, 0, 0, 0);
        }
        __syncthreads();
        const float b_scale = p.b_scale[kb * scale_cols + n0 / 128]; // a tile of 64 lies inside one block of 128 n
#pragma unroll
        for (int r = 0; r < 16; ++r) {
            // Register r of lane l is output row 8 * (r / 4) + 4 * (l / 32) + r % 4, column l % 32.
            const int row = m0 + wave_m + 8 * (r / 4) + 4 * (lane / 32) + r % 4;
            acc[r] += row < p.m ? partial[r] * p.a_scale[kb * p.m + row] * b_scale : 0.0f;
        }
    }
    const int col = n0 + wave_n + lane % 32;
#pragma unroll
    for (int r = 0; r < 16; ++r) {
        const int row = m0 + wave_m + 8 * (r / 4) + 4 * (lane / 32) + r % 4;
        if (row < p.m && col < p.n) {
            p.c[size_t(row) * p.n + col] = to_bf16(acc[r]);
        }
    }
}

extern "C" hipError_t solve(const Problem& p, void*, hipStream_t stream) {
    const dim3 blocks((p.n + TILE - 1) / TILE, (p.m + TILE - 1) / TILE);
    gemm_matrix_core<<<blocks, THREADS, 0, stream>>>(p);
    return hipGetLastError();
}
