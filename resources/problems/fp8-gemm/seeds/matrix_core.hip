// Matrix cores, 32 x 32 outputs per wave
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The instructions want consecutive k of one row per lane, but m and n are the fast directions of a and b. So a thread reads a patch of
// 4 k x 4 m bytes, turns it round in registers, and stores it k-fastest. The unscaled sum of 128 k stays in the accumulators of the matrix
// core; the scales are applied once per such block. A block has WAVES_M x WAVES_N waves of 64 lanes; each computes REPEAT_N tiles of
// 32 x 32 side by side, with v_mfma_f32_32x32x16_fp8_fp8 or, where two warps stand for a wave, with mma.m16n8k32.
#include "problem.h"

#define WAVES_M 2   // @tune WAVES_M 1 2 4
#define WAVES_N 2   // @tune WAVES_N 1 2 4
#define REPEAT_N 1  // @tune REPEAT_N 1 2 4
#define STAGE_K 128 // @tune STAGE_K 32 64 128
#define LDS_PAD 8   // @tune LDS_PAD 0 8 16
// @tune-if 32 * WAVES_N * REPEAT_N <= 128

constexpr int K_BLOCK = 128; // k per scale
constexpr int TILE_M = 32 * WAVES_M, TILE_N = 32 * WAVES_N * REPEAT_N; // outputs per block
constexpr int STRIDE = STAGE_K + LDS_PAD; // bytes per row in LDS; padded, so that the rows start in different banks
constexpr int THREADS = 64 * WAVES_M * WAVES_N;
static_assert(TILE_N <= 128, "32 * WAVES_N * REPEAT_N must be at most 128: a tile has one scale of b");

// tile[x][k] = matrix[k0 + k][first + x] for WIDTH x and STAGE_K k, zero outside of the matrix (whose extent is a multiple of 32).
template<int WIDTH>
__device__ void stage_transposed(unsigned char (&tile)[WIDTH][STRIDE], const fp8_t* matrix, int extent, int first, int k0) {
    for (int patch = threadIdx.x; patch < WIDTH / 4 * STAGE_K / 4; patch += THREADS) {
        const int x = patch % (WIDTH / 4) * 4, k = patch / (WIDTH / 4) * 4;
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

// A 32 x 32 tile of sums: 16 of them in each of 64 lanes. row_of and col_of say which. multiply_add adds the product of 32 rows of a_tile
// and of b_tile from `k` on, over K_STEP values of k.
#ifdef __CUDACC__
constexpr int K_STEP = 32;
struct Sums {
    float value[16] = {};
    __device__ float& operator[](int r) { return value[r]; }
};

// Two warps, one below the other, and four instructions of 8 columns each. Register r % 4 of an instruction is row lane / 4, eight further
// for the second two, and column lane % 4 * 2 + r % 2.
__device__ int row_of(int r, int lane) { return lane / 32 * 16 + lane % 32 / 4 + r / 2 % 2 * 8; }
__device__ int col_of(int r, int lane) { return r / 4 * 8 + lane % 4 * 2 + r % 2; }
__device__ unsigned four_k(const unsigned char* row, int k, int lane) {
    return *reinterpret_cast<const unsigned*>(row + k + lane % 4 * 4);
}
__device__ void multiply_add(Sums& sums, const unsigned char (*a_tile)[STRIDE], const unsigned char (*b_tile)[STRIDE], int k, int lane) {
    const unsigned char* upper = a_tile[lane / 32 * 16 + lane % 32 / 4];
    const unsigned char* lower = a_tile[lane / 32 * 16 + lane % 32 / 4 + 8];
    const unsigned a0 = four_k(upper, k, lane), a1 = four_k(lower, k, lane);
    const unsigned a2 = four_k(upper, k + 16, lane), a3 = four_k(lower, k + 16, lane);
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        const unsigned char* col = b_tile[8 * i + lane % 32 / 4];
        float* c = sums.value + 4 * i;
        asm("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
            : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
            : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(four_k(col, k, lane)), "r"(four_k(col, k + 16, lane)));
    }
}
#else
constexpr int K_STEP = 16;
using Sums = __attribute__((ext_vector_type(16))) float;

__device__ int row_of(int r, int lane) { return 8 * (r / 4) + 4 * (lane / 32) + r % 4; }
__device__ int col_of(int, int lane) { return lane % 32; }
__device__ void multiply_add(Sums& sums, const unsigned char (*a_tile)[STRIDE], const unsigned char (*b_tile)[STRIDE], int k, int lane) {
    // Lane l holds row l % 32 and the eight k from 8 * (l / 32) on, of both operands.
    const long a = *reinterpret_cast<const long*>(&a_tile[lane % 32][k + lane / 32 * 8]);
    const long b = *reinterpret_cast<const long*>(&b_tile[lane % 32][k + lane / 32 * 8]);
    sums = __builtin_amdgcn_mfma_f32_32x32x16_fp8_fp8(a, b, sums, 0, 0, 0);
}
#endif

__global__ __launch_bounds__(THREADS) void gemm_matrix_core(Problem p) {
    alignas(16) __shared__ unsigned char a_tile[TILE_M][STRIDE];
    alignas(16) __shared__ unsigned char b_tile[TILE_N][STRIDE];
    const int lane = threadIdx.x % 64, wave = threadIdx.x / 64;
    const int m0 = blockIdx.y * TILE_M, n0 = blockIdx.x * TILE_N;
    const int wave_m = wave / WAVES_N * 32, wave_n = wave % WAVES_N * 32 * REPEAT_N;
    const int scale_cols = (p.n + 127) / 128;

    Sums acc[REPEAT_N] = {};
    for (int kb = 0; kb < p.k / K_BLOCK; ++kb) {
        Sums partial[REPEAT_N] = {};
        for (int k0 = 0; k0 < K_BLOCK; k0 += STAGE_K) {
            stage_transposed(a_tile, p.a, p.m, m0, kb * K_BLOCK + k0);
            stage_transposed(b_tile, p.b, p.n, n0, kb * K_BLOCK + k0);
            __syncthreads();
#pragma unroll
            for (int k = 0; k < STAGE_K; k += K_STEP) {
#pragma unroll
                for (int i = 0; i < REPEAT_N; ++i) {
                    multiply_add(partial[i], a_tile + wave_m, b_tile + wave_n + 32 * i, k, lane);
                }
            }
            __syncthreads();
        }
        const float b_scale = p.b_scale[kb * scale_cols + n0 / 128]; // a tile lies inside one block of 128 n
#pragma unroll
        for (int r = 0; r < 16; ++r) {
            const int row = m0 + wave_m + row_of(r, lane);
            const float scale = row < p.m ? p.a_scale[kb * p.m + row] * b_scale : 0.0f;
#pragma unroll
            for (int i = 0; i < REPEAT_N; ++i) {
                acc[i][r] += partial[i][r] * scale;
            }
        }
    }
#pragma unroll
    for (int i = 0; i < REPEAT_N; ++i) {
#pragma unroll
        for (int r = 0; r < 16; ++r) {
            const int row = m0 + wave_m + row_of(r, lane);
            const int col = n0 + wave_n + 32 * i + col_of(r, lane);
            if (row < p.m && col < p.n) {
                p.c[size_t(row) * p.n + col] = to_bf16(acc[i][r]);
            }
        }
    }
}

extern "C" hipError_t solve(const Problem& p, void*, hipStream_t stream) {
    const dim3 blocks((p.n + TILE_N - 1) / TILE_N, (p.m + TILE_M - 1) / TILE_M);
    gemm_matrix_core<<<blocks, THREADS, 0, stream>>>(p);
    return hipGetLastError();
}
