// SPDX-License-Identifier: GPL-3.0-or-later
// The lanes of one wave wait at two barriers.
#include <hip/hip_runtime.h>

__global__ void part(int* y) {
    __shared__ int tile[64];
    if (threadIdx.x < 32) {
        tile[threadIdx.x] = 1;
        __syncthreads();
    } else {
        tile[threadIdx.x] = 2;
        __syncthreads();
    }
    y[threadIdx.x] = tile[63 - threadIdx.x];
}

int main() {
    int* y;
    (void)hipMalloc(&y, 64 * sizeof(int));
    part<<<1, 64>>>(y);
    return hipDeviceSynchronize();
}
