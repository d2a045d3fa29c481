// SPDX-License-Identifier: GPL-3.0-or-later
// Half of the threads fill the tile that all of them read.
#include <hip/hip_runtime.h>

__global__ void sum(float* y) {
    __shared__ float tile[128];
    if (threadIdx.x < 64) {
        tile[threadIdx.x] = 1;
    }
    __syncthreads();
    y[threadIdx.x] = tile[127 - threadIdx.x];
}

int main() {
    float* y;
    (void)hipMalloc(&y, 128 * sizeof(float));
    sum<<<1, 128>>>(y);
    return hipDeviceSynchronize();
}
