// SPDX-License-Identifier: GPL-3.0-or-later
// The last block writes past the end of a buffer.
#include <hip/hip_runtime.h>

__global__ void overrun(float* out) {
    __shared__ float s[256];
    s[threadIdx.x] = 1;
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = s[255 - threadIdx.x];
}

int main() {
    const int n = 10000;
    float* out;
    (void)hipMalloc(&out, n * sizeof(float));
    overrun<<<n / 256 + 1, 256>>>(out);
    return hipDeviceSynchronize();
}
