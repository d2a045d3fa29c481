// SPDX-License-Identifier: GPL-3.0-or-later
// The launch gives LDS for one element less.
#include <hip/hip_runtime.h>

__global__ void fill(int* y) {
    extern __shared__ int tile[];
    tile[threadIdx.x + 1] = 1;
    y[threadIdx.x] = tile[threadIdx.x + 1];
}

int main() {
    int* y;
    (void)hipMalloc(&y, 64 * sizeof(int));
    fill<<<1, 64, 64 * sizeof(int)>>>(y);
    return hipDeviceSynchronize();
}
