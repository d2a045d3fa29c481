// SPDX-License-Identifier: GPL-3.0-or-later
// Every block adds to the same sum without an atomic.
#include <hip/hip_runtime.h>

__global__ void add(float* sum) {
    if (threadIdx.x == 0) {
        *sum += float(blockIdx.x) + 1;
    }
}

int main() {
    float* sum;
    (void)hipMalloc(&sum, sizeof(float));
    (void)hipMemset(sum, 0, sizeof(float));
    add<<<4, 64>>>(sum);
    return hipDeviceSynchronize();
}
