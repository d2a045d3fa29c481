// SPDX-License-Identifier: GPL-3.0-or-later
// A table of the device has four entries.
#include <hip/hip_runtime.h>

__device__ int table[4] = {1, 2, 3, 4};
__device__ int beside[4];

__global__ void look(int* y) {
    beside[threadIdx.x % 4] = 1;
    y[threadIdx.x] = table[threadIdx.x];
}

int main() {
    int* y;
    (void)hipMalloc(&y, 8 * sizeof(int));
    look<<<1, 5>>>(y);
    return hipDeviceSynchronize();
}
