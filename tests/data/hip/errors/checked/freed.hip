// SPDX-License-Identifier: GPL-3.0-or-later
// The buffer is freed before the kernel that uses it is launched.
#include <hip/hip_runtime.h>

__global__ void fill(int* y) { y[threadIdx.x] = 1; }

int main() {
    int *x, *y;
    (void)hipMalloc(&x, 256);
    (void)hipMalloc(&y, 400);
    (void)hipFree(y);
    fill<<<1, 64>>>(y);
    return hipDeviceSynchronize();
}
