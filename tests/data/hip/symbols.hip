// SPDX-License-Identifier: GPL-3.0-or-later
// Variables that live on the device and are known to the host by name; kernels and variables of internal linkage.
#include "check.h"

__constant__ float coefficients[8];
__constant__ const int fixed[3] = {10, 20, 30};
__device__ int counter = 7;
__device__ float table[4] = {1.f, 2.f, 3.f, 4.f};
static __device__ int hidden = 40;

__global__ void polynomial(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float r = 0;
        for (int k = 7; k >= 0; --k) {
            r = r * x[i] + coefficients[k];
        }
        y[i] = r + table[i & 3] + fixed[i % 3];
        if (i == 0) {
            atomicAdd(&counter, 5);
        }
    }
}

namespace {
__global__ void internalKernel() { hidden += 2; }
} // namespace
static __global__ void staticKernel() { hidden *= 2; }

int main() {
    const int n = 100;
    std::vector<float> x(n);
    for (int i = 0; i < n; ++i) {
        x[i] = i * 0.01f;
    }
    const float c[8] = {1, -1, .5f, .25f, 0, 0, .125f, 2};
    HIP_CHECK(hipMemcpyToSymbol(HIP_SYMBOL(coefficients), c, sizeof c));
    Device<float> dx(x), dy(n);
    polynomial<<<1, 128>>>(dx.get(), dy.get(), n);
    const auto y = dy.read();
    bool ok = true;
    for (int i = 0; i < n; ++i) {
        float r = 0;
        for (int k = 7; k >= 0; --k) {
            r = r * x[i] + c[k];
        }
        ok = ok && near(y[i], r + (i & 3) + 1 + 10 * (i % 3 + 1), 1e-5);
    }
    expect("constant memory", ok);
    int value = 0;
    HIP_CHECK(hipMemcpyFromSymbol(&value, HIP_SYMBOL(counter), sizeof value));
    expect("device variable", value == 12);
    internalKernel<<<1, 1>>>();
    staticKernel<<<1, 1>>>();
    HIP_CHECK(hipMemcpyFromSymbol(&value, HIP_SYMBOL(hidden), sizeof value));
    expect("internal linkage", value == 84);
    return verdict();
}
