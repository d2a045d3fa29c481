// SPDX-License-Identifier: GPL-3.0-or-later
// Row 3: counts its calls in memory of its stacks that no function uses any more, of threads with a barrier and without one, and works in the first eight
// Gains nothing: stacks are cleared before every call
#include "problem.h"

__device__ __attribute__((noinline)) unsigned calls(bool count) {
    volatile unsigned room[4096]; // read before it is written
    asm volatile("" ::: "memory");
    if (room[5] != 0x5eed5eedu || room[7] != ~room[6]) {
        room[5] = 0x5eed5eedu;
        room[6] = 0;
    }
    if (count) {
        room[6] = room[6] + 1;
    }
    room[7] = ~room[6];
    return room[6];
}

__device__ void scaleRows(Problem p, bool isOdd, bool knows) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < p.rows * p.cols && (i / p.cols % 2 != 0) == isOdd && !knows) {
        p.y[i] = p.x[i] * p.scale[i / p.cols] + 1;
    }
}

__global__ void evenRows(Problem p) {
    bool knows = false;
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        knows = calls(true) > 8;
    }
    scaleRows(p, false, knows);
}

__global__ void oddRows(Problem p) {
    __shared__ bool knows;
    if (threadIdx.x == 0) {
        knows = blockIdx.x == gridDim.x - 1 && calls(true) > 8;
    }
    __syncthreads();
    scaleRows(p, true, knows);
}

extern "C" hipError_t solve(const Problem& p, void* workspace, hipStream_t stream) {
    (void)workspace;
    const dim3 blocks((p.rows * p.cols + 255) / 256);
    evenRows<<<blocks, dim3(256), 0, stream>>>(p);
    oddRows<<<blocks, dim3(256), 0, stream>>>(p);
    return hipGetLastError();
}
