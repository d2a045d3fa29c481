// SPDX-License-Identifier: GPL-3.0-or-later
// A loop that touches no memory and comes back to where it was.
#include <hip/hip_runtime.h>

__global__ void collatz(unsigned* y) {
    unsigned value = threadIdx.x + 3;
    unsigned rounds = 0;
    while (value != 0) {
        value = value % 2 == 0 ? value / 2 : 3 * value + 1;
        ++rounds;
    }
    y[threadIdx.x] = rounds;
}

int main() {
    unsigned* y;
    (void)hipMalloc(&y, 64 * sizeof(unsigned));
    collatz<<<1, 64>>>(y);
    return hipDeviceSynchronize();
}
