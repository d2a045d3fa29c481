// SPDX-License-Identifier: GPL-3.0-or-later
// One thread waits for another of the same block without giving way: it never ends.
#include <hip/hip_runtime.h>

__global__ void k(volatile int* flag) {
    if (threadIdx.x == 0) {
        while (flag[0] == 0) {
        }
    } else if (threadIdx.x == 1) {
        flag[0] = 1;
    }
}

int main() {
    int* flag;
    (void)hipMalloc(&flag, 256);
    (void)hipMemset(flag, 0, 256);
    k<<<1, 64>>>(flag);
    return hipDeviceSynchronize();
}
