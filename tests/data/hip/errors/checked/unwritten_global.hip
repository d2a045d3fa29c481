// SPDX-License-Identifier: GPL-3.0-or-later
// The host copies half of what the kernel reads.
#include <hip/hip_runtime.h>

__global__ void twice(float* y, const float* x) { y[threadIdx.x] = 2 * x[threadIdx.x]; }

int main() {
    const float values[64] = {};
    float *x, *y;
    (void)hipMalloc(&x, sizeof values);
    (void)hipMalloc(&y, sizeof values);
    (void)hipMemcpy(x, values, sizeof values / 2, hipMemcpyHostToDevice);
    twice<<<1, 64>>>(y, x);
    return hipDeviceSynchronize();
}
