// SPDX-License-Identifier: GPL-3.0-or-later
// No barrier is between the writes and the reads of the tile.
#include <hip/hip_runtime.h>

__global__ void turn(int* y) {
    __shared__ int tile[256];
    tile[threadIdx.x] = int(threadIdx.x) + 1;
    y[threadIdx.x] = threadIdx.x >= 64 ? tile[threadIdx.x - 64] : 0;
}

int main() {
    int* y;
    (void)hipMalloc(&y, 256 * sizeof(int));
    turn<<<1, 256>>>(y);
    return hipDeviceSynchronize();
}
