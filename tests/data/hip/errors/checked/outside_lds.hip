// SPDX-License-Identifier: GPL-3.0-or-later
// A row of LDS is one element short; behind it lies another variable.
#include <hip/hip_runtime.h>

__global__ void turn(float* y) {
    __shared__ float row[63];
    __shared__ float other[64];
    other[threadIdx.x] = 0;
    __syncthreads();
    row[threadIdx.x] = float(threadIdx.x);
    __syncthreads();
    y[threadIdx.x] = row[threadIdx.x / 2] + other[threadIdx.x];
}

int main() {
    float* y;
    (void)hipMalloc(&y, 64 * sizeof(float));
    turn<<<1, 64>>>(y);
    return hipDeviceSynchronize();
}
