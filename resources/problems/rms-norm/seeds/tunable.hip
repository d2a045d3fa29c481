// Shuffle reduction, with tunables
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Several threads per token, the sum of squares by shuffles.
// THREADS_PER_TOKEN threads, at most a wave, share a token and go along it in steps of VECTOR x UNROLL neighbours each, with as many sums of
// their own.
#include "problem.h"

#define THREADS 256          // @tune THREADS 64 128 256 512
#define THREADS_PER_TOKEN 64 // @tune THREADS_PER_TOKEN 1 2 8 16 32 64
#define VECTOR 2             // @tune VECTOR 1 2 4 8 16
#define UNROLL 1             // @tune UNROLL 1 2 4
#define FOLD_WEIGHT 0        // @tune FOLD_WEIGHT 0 1

#ifdef __CUDACC__
constexpr int WAVE = 32; // lanes
#else
constexpr int WAVE = 64;
#endif
constexpr int SHARE = THREADS_PER_TOKEN < WAVE ? THREADS_PER_TOKEN : WAVE; // threads that share a token
constexpr int TOKENS_PER_BLOCK = THREADS / SHARE;
constexpr int CHUNK = VECTOR * UNROLL;
static_assert(THREADS % SHARE == 0 && WAVE % SHARE == 0, "a token belongs to lanes of one wave");

__global__ __launch_bounds__(THREADS) void rms_norm_cooperative(Problem p) {
    const int lane = threadIdx.x % SHARE;
    const int token = blockIdx.x * TOKENS_PER_BLOCK + threadIdx.x / SHARE;
    const bool inside = token < p.tokens; // threads beyond the last token stay for the shuffles
    const bf16_t* x = p.x + size_t(inside ? token : 0) * p.hidden;
    bf16_t* y = p.y + size_t(inside ? token : 0) * p.hidden;
    const int hidden = inside ? p.hidden : 0;
    const int full = hidden / CHUNK * CHUNK; // whole chunks; the rest is shared out one by one

    float squares[CHUNK] = {};
    for (int at = lane * CHUNK; at < full; at += SHARE * CHUNK) {
#pragma unroll
        for (int j = 0; j < CHUNK; ++j) {
            const float value = to_float(x[at + j]);
            squares[j] += value * value;
        }
    }
    for (int at = full + lane; at < hidden; at += SHARE) {
        squares[0] += to_float(x[at]) * to_float(x[at]);
    }
    float sum = 0;
#pragma unroll
    for (int j = 0; j < CHUNK; ++j) {
        sum += squares[j];
    }
#pragma unroll
    for (int distance = SHARE / 2; distance > 0; distance /= 2) {
        sum += __shfl_xor(sum, distance, WAVE);
    }
    const float factor = 1.0f / sqrtf(sum / p.hidden + 1e-5f);

    const auto normalised = [&](int at) {
#if FOLD_WEIGHT
        return to_bf16(to_float(x[at]) * (factor * to_float(p.weight[at])));
#else
        return to_bf16(to_float(x[at]) * factor * to_float(p.weight[at]));
#endif
    };
    for (int at = lane * CHUNK; at < full; at += SHARE * CHUNK) {
        bf16_t result[CHUNK]; // computed before the first store, so that loads of x need not wait for stores to y
#pragma unroll
        for (int j = 0; j < CHUNK; ++j) {
            result[j] = normalised(at + j);
        }
#pragma unroll
        for (int j = 0; j < CHUNK; ++j) {
            y[at + j] = result[j];
        }
    }
    for (int at = full + lane; at < hidden; at += SHARE) {
        y[at] = normalised(at);
    }
}

extern "C" hipError_t solve(const Problem& p, void*, hipStream_t stream) {
    rms_norm_cooperative<<<(p.tokens + TOKENS_PER_BLOCK - 1) / TOKENS_PER_BLOCK, THREADS, 0, stream>>>(p);
    return hipGetLastError();
}
