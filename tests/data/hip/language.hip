// SPDX-License-Identifier: GPL-3.0-or-later
// What C++ brings into kernels: templates, functors, lambdas, recursion, function pointers, structures as arguments.
#include "check.h"

#include <algorithm>

template<class T, class Operation, int Block>
__global__ void __launch_bounds__(Block) apply(const T* in, T* out, int n, Operation operation) {
    const int i = blockIdx.x * Block + threadIdx.x;
    if (i < n) {
        out[i] = operation(in[i]);
    }
}

struct Gelu {
    float k;
    __device__ __forceinline__ float operator()(float x) const { return 0.5f * x * (1.f + tanhf(k * (x + 0.044715f * x * x * x))); }
};

struct Parameters {
    const float* in;
    float* out;
    int n;
    float weights[5];
    char tag;
};
struct Small {
    short a, b;
};
struct Tiny {
    float x, y, z;
};

__global__ void convolve(Parameters p, Small s, Tiny t, bool flag, double d, char c) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < p.n) {
        float sum = 0;
        for (int k = -2; k <= 2; ++k) {
            sum += p.weights[k + 2] * p.in[min(max(i + k, 0), p.n - 1)];
        }
        p.out[i] = sum + s.a * 10 + s.b + t.x + t.y * t.z + (flag ? 1 : 0) + static_cast<float>(d) + c;
    }
}

template<int N> struct Unroll {
    template<class F> __device__ static void run(F&& f) {
        Unroll<N - 1>::run(f);
        f(N - 1);
    }
};
template<> struct Unroll<0> {
    template<class F> __device__ static void run(F&&) {}
};

__global__ void unrolled(float* out) {
    float a[8];
    Unroll<8>::run([&](int k) { a[k] = k * 0.5f; });
    float sum = 0;
    for (int k = 0; k < 8; ++k) {
        sum += a[(k + threadIdx.x) & 7];
    }
    out[threadIdx.x] = sum;
}

__device__ int factorial(int n) { return n <= 1 ? 1 : n * factorial(n - 1); }
__global__ void recursion(int* out) { out[threadIdx.x] = factorial(threadIdx.x % 10); }

// Recursion that synchronises and uses LDS: nothing of it can be inlined into the kernel.
__shared__ int depthReached[64];
__device__ int descend(int depth) {
    __syncthreads();
    depthReached[threadIdx.x] = depth;
    __syncthreads();
    return depth == 0 ? depthReached[63 - threadIdx.x] + 100 : descend(depth - 1);
}
__global__ void deepBarriers(int* out) {
    __shared__ int own[64];
    own[threadIdx.x] = threadIdx.x;
    const int result = descend(5);
    out[threadIdx.x] = result + own[63 - threadIdx.x];
}

using Function = float (*)(float);
__device__ float increment(float x) { return x + 1; }
__device__ float twice(float x) { return x * 2; }
__device__ Function functions[2] = {increment, twice};
__global__ void pointers(float* out) { out[threadIdx.x] = functions[threadIdx.x & 1](threadIdx.x); }

int main() {
    const int n = 1000;
    std::vector<float> x(n);
    for (int i = 0; i < n; ++i) {
        x[i] = std::sin(static_cast<float>(i)) * 2;
    }
    Device<float> dx(x), dy(n);
    const Gelu gelu{0.7978845608f};
    apply<float, Gelu, 256><<<4, 256>>>(dx.get(), dy.get(), n, gelu);
    auto y = dy.read();
    bool ok = true;
    for (int i = 0; i < n; ++i) {
        ok = ok && near(y[i], 0.5f * x[i] * (1 + std::tanh(gelu.k * (x[i] + 0.044715f * x[i] * x[i] * x[i]))), 1e-5);
    }
    expect("functor", ok);
    const float w = 2.5f;
    const auto lambda = [=] __device__(float v) { return v * w + 1; };
    apply<float, decltype(lambda), 128><<<8, 128>>>(dx.get(), dy.get(), n, lambda);
    y = dy.read();
    ok = true;
    for (int i = 0; i < n; ++i) {
        ok = ok && near(y[i], x[i] * w + 1, 1e-5);
    }
    expect("device lambda", ok);

    const Parameters p{dx.get(), dy.get(), n, {1, 2, 3, 2, 1}, 't'};
    convolve<<<4, 256>>>(p, Small{1, 2}, Tiny{1, 2, 3}, true, 0.5, 3);
    y = dy.read();
    ok = true;
    for (int i = 0; i < n; ++i) {
        float sum = 0;
        for (int k = -2; k <= 2; ++k) {
            sum += p.weights[k + 2] * x[std::min(std::max(i + k, 0), n - 1)];
        }
        ok = ok && near(y[i], sum + 10 + 2 + 1 + 6 + 1 + 0.5 + 3, 1e-5);
    }
    expect("structures by value", ok);

    unrolled<<<1, 64>>>(dy.get());
    expect("template recursion", dy.read()[17] == 14);
    Device<int> di(64);
    recursion<<<1, 64>>>(di.get());
    expect("recursion", di.read()[5] == 120 && di.read()[39] == 362880);
    deepBarriers<<<1, 64>>>(di.get());
    const auto deep = di.read();
    ok = true;
    for (int i = 0; i < 64; ++i) {
        ok = ok && deep[i] == 100 + 63 - i;
    }
    expect("barriers and LDS in a recursion", ok);
    pointers<<<1, 64>>>(dy.get());
    expect("function pointers", dy.read()[4] == 5 && dy.read()[5] == 10);
    return verdict();
}
