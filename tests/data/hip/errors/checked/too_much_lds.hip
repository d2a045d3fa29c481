// SPDX-License-Identifier: GPL-3.0-or-later
// A block has 64 KiB of LDS.
#include <hip/hip_runtime.h>

__global__ void fill(int* y) {
    extern __shared__ int tile[];
    tile[threadIdx.x] = 1;
    y[threadIdx.x] = tile[threadIdx.x];
}

int main() {
    int* y;
    (void)hipMalloc(&y, 64 * sizeof(int));
    fill<<<1, 64, 70000>>>(y);
    return hipDeviceSynchronize();
}
