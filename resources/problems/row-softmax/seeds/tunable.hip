// Shuffle reductions, with tunables
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Several threads per row, maximum and sum by shuffles.
// THREADS_PER_ROW threads, at most a wave, share a row and go along it in chunks of VECTOR neighbours. Each keeps VECTOR running values of
// its own, which are combined at the end of a pass: first inside the thread, then between the lanes of a wave. Any number below may be
// changed to one beside it.
#include "problem.h"

#define THREADS 256        // @tune THREADS 64 128 256 512
#define THREADS_PER_ROW 64 // @tune THREADS_PER_ROW 1 4 16 32 64
#define VECTOR 1           // @tune VECTOR 1 2 4 8 16
#define ONE_PASS 0         // @tune ONE_PASS 0 1
#define EXP_BY_POLYNOMIAL 0 // @tune EXP_BY_POLYNOMIAL 0 1
#define KEEP_EXPONENTIALS 0 // @tune KEEP_EXPONENTIALS 0 1
// @tune-if ONE_PASS + KEEP_EXPONENTIALS <= 1

#ifdef __CUDACC__
constexpr int WAVE = 32; // lanes
#else
constexpr int WAVE = 64;
#endif
constexpr int SHARE = THREADS_PER_ROW < WAVE ? THREADS_PER_ROW : WAVE; // threads that share a row
constexpr int ROWS_PER_BLOCK = THREADS / SHARE;
constexpr float SMALLEST = -3.0e38f; // less than every input; finite, so that differences of it are numbers
static_assert(THREADS % SHARE == 0 && WAVE % SHARE == 0, "a row belongs to lanes of one wave");

// 2^i from the exponent bits, 2^f with |f| <= 1/2 from the series: about 1e-7 relative, and no call that stops vectorisation.
__device__ float exponential(float x) {
#if EXP_BY_POLYNOMIAL
    const float scaled = fmaxf(x * 1.44269504f, -126.0f);
    const float whole = rintf(scaled);
    const float f = scaled - whole;
    float power = 1.5403530e-4f;
    power = power * f + 1.3333558e-3f;
    power = power * f + 9.6181291e-3f;
    power = power * f + 5.5504109e-2f;
    power = power * f + 2.4022651e-1f;
    power = power * f + 6.9314718e-1f;
    power = power * f + 1.0f;
    return power * __int_as_float((int(whole) + 127) << 23);
#else
    return expf(x);
#endif
}

template<class Combine>
__device__ float over_row(float value, Combine combine) {
#pragma unroll
    for (int distance = SHARE / 2; distance > 0; distance /= 2) {
        value = combine(value, __shfl_xor(value, distance, WAVE));
    }
    return value;
}

__device__ float row_max(float value) {
    return over_row(value, [](float a, float b) { return fmaxf(a, b); });
}
__device__ float row_sum(float value) {
    return over_row(value, [](float a, float b) { return a + b; });
}

// Calls use(chunk, first column, valid values) for each chunk of this thread; full chunks without any test inside.
template<class Use>
__device__ void for_chunks(const float* x, int cols, int lane, Use use) {
    const int full = cols / VECTOR * VECTOR;
    int col = lane * VECTOR;
    for (; col < full; col += SHARE * VECTOR) {
        float chunk[VECTOR];
#pragma unroll
        for (int j = 0; j < VECTOR; ++j) {
            chunk[j] = x[col + j];
        }
        use(chunk, col, VECTOR);
    }
    if (col == full && col < cols) { // the thread whose turn it is takes the rest
        float chunk[VECTOR];
        for (int j = 0; j < VECTOR; ++j) {
            chunk[j] = col + j < cols ? x[col + j] : SMALLEST;
        }
        use(chunk, col, cols - col);
    }
}

__global__ __launch_bounds__(THREADS) void softmax_cooperative(Problem p) {
    const int lane = threadIdx.x % SHARE;
    const int row = blockIdx.x * ROWS_PER_BLOCK + threadIdx.x / SHARE;
    const bool inside = row < p.rows;
    const int cols = inside ? p.cols : 0; // threads beyond the last row stay for the shuffles
    const float* x = p.x + size_t(inside ? row : 0) * p.cols;
    float* y = p.y + size_t(inside ? row : 0) * p.cols;

    float largest[VECTOR], sum[VECTOR];
#pragma unroll
    for (int j = 0; j < VECTOR; ++j) {
        largest[j] = SMALLEST;
        sum[j] = 0;
    }
    for_chunks(x, cols, lane, [&](const float(&chunk)[VECTOR], int, int) {
#pragma unroll
        for (int j = 0; j < VECTOR; ++j) {
            const float next = fmaxf(largest[j], chunk[j]);
#if ONE_PASS
            // The sum so far belongs to the old maximum.
            sum[j] = sum[j] * exponential(largest[j] - next) + (chunk[j] == SMALLEST ? 0.0f : exponential(chunk[j] - next));
#endif
            largest[j] = next;
        }
    });
    float thread_max = largest[0];
#pragma unroll
    for (int j = 1; j < VECTOR; ++j) {
        thread_max = fmaxf(thread_max, largest[j]);
    }
    const float maximum = row_max(thread_max);

#if ONE_PASS
#pragma unroll
    for (int j = 0; j < VECTOR; ++j) {
        sum[j] *= exponential(largest[j] - maximum);
    }
#else
    for_chunks(x, cols, lane, [&](const float(&chunk)[VECTOR], [[maybe_unused]] int col, int valid) {
        float powers[VECTOR];
#pragma unroll
        for (int j = 0; j < VECTOR; ++j) {
            powers[j] = j < valid ? exponential(chunk[j] - maximum) : 0.0f;
            sum[j] += powers[j];
        }
#if KEEP_EXPONENTIALS
        for (int j = 0; j < valid; ++j) {
            y[col + j] = powers[j]; // read again below instead of computed again
        }
#endif
    });
#endif
    float thread_sum = 0;
#pragma unroll
    for (int j = 0; j < VECTOR; ++j) {
        thread_sum += sum[j];
    }
    const float factor = 1.0f / row_sum(thread_sum);

    constexpr bool kept = KEEP_EXPONENTIALS && !ONE_PASS;
    for_chunks(kept ? y : x, cols, lane, [&](const float(&chunk)[VECTOR], int col, int valid) {
        float result[VECTOR];
#pragma unroll
        for (int j = 0; j < VECTOR; ++j) {
            result[j] = (kept ? chunk[j] : exponential(chunk[j] - maximum)) * factor;
        }
        if (valid == VECTOR) {
#pragma unroll
            for (int j = 0; j < VECTOR; ++j) {
                y[col + j] = result[j];
            }
        } else {
            for (int j = 0; j < valid; ++j) {
                y[col + j] = result[j];
            }
        }
    });
}

extern "C" hipError_t solve(const Problem& p, void*, hipStream_t stream) {
    softmax_cooperative<<<(p.rows + ROWS_PER_BLOCK - 1) / ROWS_PER_BLOCK, THREADS, 0, stream>>>(p);
    return hipGetLastError();
}
