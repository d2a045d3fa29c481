// SPDX-License-Identifier: GPL-3.0-or-later
// The program ends while its kernels are still queued.
#include "check.h"

__global__ void wait(int* out) {
    for (int i = 0; i < 2000; ++i) {
        __syncthreads();
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

int main() {
    int* out;
    HIP_CHECK(hipMalloc(&out, 64 * 256 * sizeof(int)));
    for (int i = 0; i < 4; ++i) {
        wait<<<64, 256>>>(out);
    }
    return verdict();
}
