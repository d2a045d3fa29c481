// SPDX-License-Identifier: GPL-3.0-or-later
// The flag is never set.
#include <hip/hip_runtime.h>

__global__ void wait(volatile int* flag) {
    while (*flag == 0) {
    }
}

int main() {
    int* flag;
    (void)hipMalloc(&flag, sizeof(int));
    (void)hipMemset(flag, 0, sizeof(int));
    wait<<<1, 1>>>(flag);
    return hipDeviceSynchronize();
}
