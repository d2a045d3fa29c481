// SPDX-License-Identifier: GPL-3.0-or-later
#include <hip/hip_runtime.h>

#ifndef GREATER
#define GREATER 1
#endif

__global__ void k(int* out) {
    __shared__ float big[20000 * GREATER];
    big[threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = static_cast<int>(big[63 - threadIdx.x]);
}

int main() { k<<<1, 64>>>(nullptr); }
