// Two passes, with tunables
// SPDX-License-Identifier: GPL-3.0-or-later
//
// One partial sum per block, then one block adds up the partial sums.
// A thread keeps VECTOR x UNROLL sums of its own, so that additions do not wait for each other and loads are wide. The threads of a block
// are combined by shuffles inside a wave and through LDS between waves.
#include "problem.h"

#define BLOCKS 64    // @tune BLOCKS 2 8 16 64 256 1024
#define THREADS 256  // @tune THREADS 64 128 256 512 1024
#define VECTOR 1     // @tune VECTOR 1 2 4 8 16
#define UNROLL 1     // @tune UNROLL 1 2 4
#define CONTIGUOUS 0 // @tune CONTIGUOUS 0 1

#ifdef __CUDACC__
constexpr int WAVE = 32; // lanes
#else
constexpr int WAVE = 64;
#endif
constexpr int WAVES = THREADS / WAVE;
constexpr int CHUNK = VECTOR * UNROLL; // elements that a thread adds in one step
static_assert(THREADS % WAVE == 0 && THREADS <= 1024, "whole waves, at most 1024 threads");

__device__ float sum_over_block(float value) {
    __shared__ float of_wave[WAVES];
#pragma unroll
    for (int distance = WAVE / 2; distance > 0; distance /= 2) {
        value += __shfl_down(value, distance, WAVE);
    }
    if (WAVES == 1) {
        return value; // right in lane 0
    }
    if (threadIdx.x % WAVE == 0) {
        of_wave[threadIdx.x / WAVE] = value;
    }
    __syncthreads();
    float sum = 0;
    if (threadIdx.x == 0) {
        for (int wave = 0; wave < WAVES; ++wave) {
            sum += of_wave[wave];
        }
    }
    return sum;
}

__global__ __launch_bounds__(THREADS) void sum_blocks(Problem p, float* partial) {
    const long steps = p.n / CHUNK; // the few elements after the last whole chunk are added by the first thread
    const long thread = long(blockIdx.x) * THREADS + threadIdx.x;
    constexpr long threads = long(BLOCKS) * THREADS;
#if CONTIGUOUS
    const long per_thread = (steps + threads - 1) / threads; // a thread reads one stretch of memory
    const long first = thread * per_thread, stride = 1;
    const long last = first + per_thread < steps ? first + per_thread : steps;
#else
    const long first = thread, last = steps, stride = threads; // neighbouring threads read neighbouring chunks
#endif
    float sums[CHUNK] = {};
    for (long step = first; step < last; step += stride) {
#pragma unroll
        for (int j = 0; j < CHUNK; ++j) {
            sums[j] += p.x[step * CHUNK + j];
        }
    }
    float sum = 0;
#pragma unroll
    for (int j = 0; j < CHUNK; ++j) {
        sum += sums[j];
    }
    if (thread == 0) {
        for (long i = steps * CHUNK; i < p.n; ++i) {
            sum += p.x[i];
        }
    }
    sum = sum_over_block(sum);
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = sum;
    }
}

__global__ __launch_bounds__(THREADS) void sum_partials(const float* partial, float* y) {
    float sum = 0;
    for (int i = threadIdx.x; i < BLOCKS; i += THREADS) {
        sum += partial[i];
    }
    sum = sum_over_block(sum);
    if (threadIdx.x == 0) {
        *y = sum;
    }
}

extern "C" size_t workspace_bytes(const Problem&) { return BLOCKS * sizeof(float); }

extern "C" hipError_t solve(const Problem& p, void* workspace, hipStream_t stream) {
    auto* partial = static_cast<float*>(workspace);
    sum_blocks<<<BLOCKS, THREADS, 0, stream>>>(p, partial);
    sum_partials<<<1, THREADS, 0, stream>>>(partial, p.y);
    return hipGetLastError();
}
