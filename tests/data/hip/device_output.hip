// SPDX-License-Identifier: GPL-3.0-or-later
#include "check.h"

__global__ void say(int v) {
    if (threadIdx.x == 3) {
        printf("device says %d %.3f %s %c %llu, %d of %u\n", v, 1.5, "hello", 'x', 1ull << 40, threadIdx.x, blockDim.x);
    }
}

int main() {
    say<<<1, 64>>>(42);
    HIP_CHECK(hipDeviceSynchronize());
    return verdict();
}
