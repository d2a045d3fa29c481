// Cost of a barrier among 256 threads
// SPDX-License-Identifier: GPL-3.0-or-later
//
// probe: without
// probe: with_barriers ops=256 less=without
#include "problem.h"

constexpr int THREADS = 256;
constexpr int ROUNDS = 256;

template<bool BARRIERS>
__global__ void rounds(Problem p) {
    __shared__ float words[THREADS];
    const int t = threadIdx.x;
    float value = p.x[t];
    // A round writes and reads the thread's own word: without barriers there is no race. Volatile, or the compiler would
    // leave memory out where no barrier asks for it, and the difference would be more than the barrier.
    volatile float* own = &words[t];
    for (int i = 0; i < ROUNDS; ++i) {
        *own = value;
        if (BARRIERS) {
            __syncthreads();
        }
        value = *own * 0.5f;
    }
    if (t < p.variant) {
        p.y[t] = value == 12345.0f ? value : p.x[t]; // the compiler cannot know that it never is
    }
}

extern "C" hipError_t solve(const Problem& p, void*, hipStream_t stream) {
    if (p.variant == 1) {
        rounds<false><<<1, THREADS, 0, stream>>>(p);
    } else {
        rounds<true><<<1, THREADS, 0, stream>>>(p);
    }
    return hipGetLastError();
}
