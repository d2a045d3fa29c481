// Keys and values in LDS, with tunables
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Several threads share a query.
// A block owns QUERIES queries of one head. SPLIT lanes share a query: each keeps 1/SPLIT of its dim in registers, as float, and a score is
// their sum by shuffles. Keys and values come in tiles of KEYS through LDS. The maximum is looked at once per STEP keys, so that the output
// is rescaled less often.
#include "problem.h"

#define QUERIES 32 // @tune QUERIES 16 32 64 128 256
#define SPLIT 4    // @tune SPLIT 1 2 4 8
#define KEYS 16    // @tune KEYS 8 16 32 64
#define STEP 1     // @tune STEP 1 2 4 8
#define LDS_AS_BF16 1 // @tune LDS_AS_BF16 0 1
#define LDS_PAD 0  // @tune LDS_PAD 0 2 4 8
// @tune-if QUERIES * SPLIT >= 32 && QUERIES * SPLIT <= 1024
// @tune-if KEYS % STEP == 0
// @tune-if 2 * KEYS * (128 + LDS_PAD) * (4 - 2 * LDS_AS_BF16) <= 65536

constexpr int THREADS = QUERIES * SPLIT;
static_assert(THREADS >= 32 && THREADS <= 1024, "QUERIES * SPLIT must be 32 to 1024 threads");
static_assert(KEYS % STEP == 0, "STEP must divide KEYS");

#if LDS_AS_BF16
using Staged = bf16_t;
__device__ Staged staged(bf16_t x) { return x; }
__device__ float value_of(Staged x) { return to_float(x); }
#else
using Staged = float;
__device__ Staged staged(bf16_t x) { return to_float(x); }
__device__ float value_of(Staged x) { return x; }
#endif

constexpr int lds_bytes(int dim) { return 2 * KEYS * (dim + LDS_PAD) * int(sizeof(Staged)); }
static_assert(lds_bytes(128) <= 65536, "both tiles must fit into 64 KiB of LDS");

template<int DIM>
__global__ __launch_bounds__(THREADS) void attention_tiled(Problem p) {
    constexpr int OWN = DIM / SPLIT; // values of dim that this lane keeps
    __shared__ Staged k_tile[KEYS][DIM + LDS_PAD];
    __shared__ Staged v_tile[KEYS][DIM + LDS_PAD];
    const int query = blockIdx.x * QUERIES + threadIdx.x / SPLIT;
    const int first_dim = threadIdx.x % SPLIT * OWN;
    const size_t head = size_t(blockIdx.y) * p.seq * DIM;
    const bool inside = query < p.seq; // others stay for barriers and shuffles
    const float scale = 1.44269504f / sqrtf(float(DIM)); // scores in powers of two

    float q[OWN], out[OWN];
#pragma unroll
    for (int d = 0; d < OWN; ++d) {
        q[d] = inside ? to_float(p.q[head + size_t(query) * DIM + first_dim + d]) * scale : 0.0f;
        out[d] = 0;
    }
    float largest = -3.0e38f, sum = 0;

    for (int j0 = 0; j0 < p.seq; j0 += KEYS) {
        const int keys = min(KEYS, p.seq - j0);
        for (int i = threadIdx.x; i < KEYS * DIM; i += THREADS) {
            const int j = i / DIM, d = i % DIM;
            const size_t from = head + size_t(j0 + j) * DIM + d;
            k_tile[j][d] = staged(j < keys ? p.k[from] : bf16_t{0});
            v_tile[j][d] = staged(j < keys ? p.v[from] : bf16_t{0});
        }
        __syncthreads();
        for (int j = 0; j < keys; j += STEP) {
            float score[STEP], step_max = largest;
#pragma unroll
            for (int s = 0; s < STEP; ++s) {
                float products[8] = {}; // eight sums, so that additions do not wait for each other
#pragma unroll
                for (int d = 0; d < OWN; ++d) {
                    products[d % 8] += q[d] * value_of(k_tile[j + s][first_dim + d]);
                }
                score[s] = ((products[0] + products[1]) + (products[2] + products[3])) +
                           ((products[4] + products[5]) + (products[6] + products[7]));
#pragma unroll
                for (int distance = SPLIT / 2; distance > 0; distance /= 2) {
                    score[s] += __shfl_xor(score[s], distance, 64);
                }
                score[s] = j + s < keys ? score[s] : -3.0e38f;
                step_max = fmaxf(step_max, score[s]);
            }
            const float fade = exp2f(largest - step_max);
            largest = step_max;
            sum *= fade;
#pragma unroll
            for (int d = 0; d < OWN; ++d) {
                out[d] *= fade;
            }
#pragma unroll
            for (int s = 0; s < STEP; ++s) {
                const float weight = exp2f(score[s] - step_max);
                sum += weight;
#pragma unroll
                for (int d = 0; d < OWN; ++d) {
                    out[d] += weight * value_of(v_tile[j + s][first_dim + d]);
                }
            }
        }
        __syncthreads();
    }
    if (inside) {
        const float factor = 1.0f / sum;
#pragma unroll
        for (int d = 0; d < OWN; ++d) {
            p.o[head + size_t(query) * DIM + first_dim + d] = to_bf16(out[d] * factor);
        }
    }
}

extern "C" hipError_t solve(const Problem& p, void*, hipStream_t stream) {
    const dim3 blocks((p.seq + QUERIES - 1) / QUERIES, p.heads);
    if (p.dim == 32) {
        attention_tiled<32><<<blocks, THREADS, 0, stream>>>(p);
    } else if (p.dim == 64) {
        attention_tiled<64><<<blocks, THREADS, 0, stream>>>(p);
    } else if (p.dim == 128) {
        attention_tiled<128><<<blocks, THREADS, 0, stream>>>(p);
    } else {
        return hipErrorInvalidValue;
    }
    return hipGetLastError();
}
