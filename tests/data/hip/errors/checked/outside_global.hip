// SPDX-License-Identifier: GPL-3.0-or-later
// The last thread writes one element behind the buffer.
#include <hip/hip_runtime.h>

__global__ void scale(float* y, const float* x, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n) {
        y[i] = 2 * x[i % n];
    }
}

int main() {
    constexpr int n = 100;
    const float values[n] = {};
    float *x, *y;
    (void)hipMalloc(&x, sizeof values);
    (void)hipMalloc(&y, sizeof values);
    (void)hipMemcpy(x, values, sizeof values, hipMemcpyHostToDevice);
    scale<<<2, 64>>>(y, x, n);
    return hipDeviceSynchronize();
}
