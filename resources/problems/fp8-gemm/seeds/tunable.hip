// Register-tiled, with tunables
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A block computes BLOCK_M x BLOCK_N outputs and goes along k in steps of BLOCK_K. A thread owns THREAD_M x THREAD_N outputs, so that each
// value read from LDS is used several times from registers. Each number below may be changed to any of the values beside it.
#include "problem.h"

#define BLOCK_M 32  // @tune BLOCK_M 32 64 128
#define BLOCK_N 32  // @tune BLOCK_N 32 64 128
#define BLOCK_K 16  // @tune BLOCK_K 8 16 32 64
#define THREAD_M 2  // @tune THREAD_M 1 2 4 8
#define THREAD_N 2  // @tune THREAD_N 2 4 8 16
#define LOAD_BYTES 4 // @tune LOAD_BYTES 1 4 8 16
#define LDS_PAD 1   // @tune LDS_PAD 0 1 4
#define UNROLL_K 1  // @tune UNROLL_K 1 2 4 8
// @tune-if BLOCK_M * BLOCK_N / (THREAD_M * THREAD_N) >= 32 && BLOCK_M * BLOCK_N / (THREAD_M * THREAD_N) <= 1024
// @tune-if BLOCK_K * (BLOCK_M + BLOCK_N + 2 * LDS_PAD) * 4 <= 65536
// @tune-if BLOCK_K % UNROLL_K == 0

constexpr int THREADS_X = BLOCK_N / THREAD_N;
constexpr int THREADS_Y = BLOCK_M / THREAD_M;
constexpr int THREADS = THREADS_X * THREADS_Y;
static_assert(THREADS >= 32 && THREADS <= 1024, "BLOCK_M * BLOCK_N / (THREAD_M * THREAD_N) must be 32 to 1024 threads");
static_assert(BLOCK_K * (BLOCK_M + BLOCK_N + 2 * LDS_PAD) * 4 <= 65536, "both tiles must fit into 64 KiB of LDS");
static_assert(BLOCK_K % UNROLL_K == 0, "UNROLL_K must divide BLOCK_K");

// LOAD_BYTES values of fp8, read at once. m and n are multiples of 32, so a chunk is aligned and lies inside the matrix or outside of it.
struct alignas(LOAD_BYTES) Chunk {
    fp8_t value[LOAD_BYTES];
};

// Stages rows k0 ... k0 + BLOCK_K of a matrix with `extent` columns, WIDTH of them from `first` on, as float.
template<int WIDTH>
__device__ void stage(float (&tile)[BLOCK_K][WIDTH + LDS_PAD], const fp8_t* matrix, int extent, int first, int k0) {
    constexpr int CHUNKS = WIDTH / LOAD_BYTES; // per row
    for (int i = threadIdx.x; i < BLOCK_K * CHUNKS; i += THREADS) {
        const int k = i / CHUNKS, x = i % CHUNKS * LOAD_BYTES;
        Chunk chunk = {};
        if (first + x < extent) {
            chunk = *reinterpret_cast<const Chunk*>(&matrix[size_t(k0 + k) * extent + first + x]);
        }
#pragma unroll
        for (int j = 0; j < LOAD_BYTES; ++j) {
            tile[k][x + j] = to_float(chunk.value[j]);
        }
    }
}

__global__ __launch_bounds__(THREADS) void gemm_register_tiled(Problem p) {
    __shared__ float a_tile[BLOCK_K][BLOCK_M + LDS_PAD];
    __shared__ float b_tile[BLOCK_K][BLOCK_N + LDS_PAD];
    const int m0 = blockIdx.y * BLOCK_M, n0 = blockIdx.x * BLOCK_N;
    const int ty = threadIdx.x / THREADS_X * THREAD_M, tx = threadIdx.x % THREADS_X * THREAD_N; // in the tile
    const int scale_cols = (p.n + 127) / 128;

    float acc[THREAD_M][THREAD_N] = {};
    for (int kb = 0; kb < p.k / 128; ++kb) {
        float partial[THREAD_M][THREAD_N] = {}; // of this block of 128 k, not yet scaled
        for (int k0 = kb * 128; k0 < (kb + 1) * 128; k0 += BLOCK_K) {
            stage<BLOCK_M>(a_tile, p.a, p.m, m0, k0);
            stage<BLOCK_N>(b_tile, p.b, p.n, n0, k0);
            __syncthreads();
#pragma unroll UNROLL_K
            for (int k = 0; k < BLOCK_K; ++k) {
                float a[THREAD_M], b[THREAD_N];
#pragma unroll
                for (int i = 0; i < THREAD_M; ++i) {
                    a[i] = a_tile[k][ty + i];
                }
#pragma unroll
                for (int j = 0; j < THREAD_N; ++j) {
                    b[j] = b_tile[k][tx + j];
                }
#pragma unroll
                for (int i = 0; i < THREAD_M; ++i) {
#pragma unroll
                    for (int j = 0; j < THREAD_N; ++j) {
                        partial[i][j] += a[i] * b[j];
                    }
                }
            }
            __syncthreads();
        }
        const float b_scale = p.b_scale[kb * scale_cols + n0 / 128]; // BLOCK_N divides 128: one scale for the whole tile
#pragma unroll
        for (int i = 0; i < THREAD_M; ++i) {
            const int row = m0 + ty + i;
            const float scale = row < p.m ? p.a_scale[kb * p.m + row] * b_scale : 0.0f;
#pragma unroll
            for (int j = 0; j < THREAD_N; ++j) {
                acc[i][j] += partial[i][j] * scale;
            }
        }
    }
#pragma unroll
    for (int i = 0; i < THREAD_M; ++i) {
#pragma unroll
        for (int j = 0; j < THREAD_N; ++j) {
            const int row = m0 + ty + i, col = n0 + tx + j;
            if (row < p.m && col < p.n) {
                p.c[size_t(row) * p.n + col] = to_bf16(acc[i][j]);
            }
        }
    }
}

extern "C" hipError_t solve(const Problem& p, void*, hipStream_t stream) {
    const dim3 blocks((p.n + BLOCK_N - 1) / BLOCK_N, (p.m + BLOCK_M - 1) / BLOCK_M);
    gemm_register_tiled<<<blocks, THREADS, 0, stream>>>(p);
    return hipGetLastError();
}
