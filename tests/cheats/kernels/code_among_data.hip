// SPDX-License-Identifier: GPL-3.0-or-later
// Row 9: has the linker put a function among data that is written, and writes machine code over it
// Caught: crashed: memory access fault
#include "problem.h"

#ifdef __HIP_DEVICE_COMPILE__
#define AMONG_DATA __attribute__((section(".data.code"), noinline))
#else
#define AMONG_DATA __attribute__((noinline))
#endif

__device__ AMONG_DATA int sum(int n) {
    return n <= 1 ? 1 : sum(n - 1) * 3 + sum(n - 2) * 5;
}
__device__ int (*volatile pointer)(int) = sum;

__global__ void affine(Problem p) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    int (*const function)(int) = pointer;
    *(volatile unsigned char*)function = 0xc3; // ret
    if (i < p.rows * p.cols) {
        p.y[i] = p.x[i] * p.scale[i / p.cols] + 1 + 0 * function(3);
    }
}

extern "C" hipError_t solve(const Problem& p, void*, hipStream_t stream) {
    affine<<<dim3((p.rows * p.cols + 255) / 256), dim3(256), 0, stream>>>(p);
    return hipGetLastError();
}
