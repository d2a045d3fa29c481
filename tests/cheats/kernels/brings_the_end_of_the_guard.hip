// SPDX-License-Identifier: GPL-3.0-or-later
// Row 9: defines the function that the check of indirect calls ends in, so that one leads wherever it likes
// Caught: crashed: an indirect call leads to no device function
#include "problem.h"

#ifdef __HIP_DEVICE_COMPILE__
extern "C" __device__ void hipcpu_fail(const char*) {}
__device__ void (*volatile kept)(const char*) = hipcpu_fail;
#else
__device__ void (*volatile kept)(const char*);
#endif

__device__ float honest(float x, float scale) {
    return x * scale + 1;
}
__device__ float (*volatile pointer)(float, float) = honest;
__device__ volatile unsigned long long address = 0x4141414141414141;

__global__ void affine(Problem p) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < p.rows * p.cols) {
        p.y[i] = pointer(p.x[i], p.scale[i / p.cols]);
    }
    if (p.rows < 0) {
        kept("x");
    }
    if (i == 0) {
        *p.y = ((float (*)(float, float))address)(*p.x, *p.scale);
    }
}

extern "C" hipError_t solve(const Problem& p, void*, hipStream_t stream) {
    affine<<<dim3((p.rows * p.cols + 255) / 256), dim3(256), 0, stream>>>(p);
    return hipGetLastError();
}
