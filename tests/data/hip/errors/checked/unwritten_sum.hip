// SPDX-License-Identifier: GPL-3.0-or-later
// Nobody sets the sum before the threads add to it.
#include <hip/hip_runtime.h>

__global__ void count(int* sum) { atomicAdd(sum, 1); }

int main() {
    int* sum;
    (void)hipMalloc(&sum, sizeof(int));
    count<<<1, 64>>>(sum);
    return hipDeviceSynchronize();
}
