// SPDX-License-Identifier: GPL-3.0-or-later
// What kernels of one source share though each is compiled by itself: variables, tables, functions that call themselves, functions
// that are called through a pointer, classes with virtual functions.
#include "check.h"

static __device__ int calls = 0;
__constant__ int weights[4] = {1, 10, 100, 1000};
static __device__ const char words[] = "shared";

__device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__device__ int doubled(int x) { return 2 * x; }
__device__ int squared(int x) { return x * x; }
using Function = int (*)(int);
__device__ Function functions[2] = {doubled, squared};

__global__ void first(int* out, int which) {
    __shared__ int own[64];
    own[threadIdx.x] = functions[which](static_cast<int>(threadIdx.x));
    __syncthreads();
    out[threadIdx.x] = own[63 - threadIdx.x] + fibonacci(threadIdx.x % 8) + weights[threadIdx.x % 4] + words[threadIdx.x % 6];
    if (threadIdx.x == 0) {
        atomicAdd(&calls, 1);
    }
}

__global__ void second(int* out, int which) {
    __shared__ int own[64];
    own[threadIdx.x] = functions[which](static_cast<int>(threadIdx.x) + 1);
    __syncthreads();
    out[threadIdx.x] = own[threadIdx.x ^ 1] - fibonacci(threadIdx.x % 6) * weights[threadIdx.x % 3] + words[threadIdx.x % 5];
    if (threadIdx.x == 0) {
        atomicAdd(&calls, 100);
    }
}

__global__ void counts(int* out) { *out = calls; }

struct Shape {
    __device__ virtual ~Shape() { atomicAdd(&calls, 1000); }
    __device__ virtual int area() const = 0;
};
struct Square final : Shape {
    int side;
    __device__ explicit Square(int of) : side(of) {}
    __device__ int area() const override { return side * side; }
};
struct Strip final : Shape {
    int length;
    __device__ explicit Strip(int of) : length(of) {}
    __device__ int area() const override { return 3 * length; }
};

__global__ void makes(Shape** shapes) {
    const int t = static_cast<int>(threadIdx.x);
    shapes[t] = t % 2 == 0 ? static_cast<Shape*>(new Square(t)) : new Strip(t);
}
__global__ void measures(Shape** shapes, int* out) { out[threadIdx.x] = shapes[threadIdx.x]->area(); }
__global__ void deletes(Shape** shapes) { delete shapes[threadIdx.x]; }

int main() {
    const int weight[4] = {1, 10, 100, 1000};
    const int numbers[8] = {0, 1, 1, 2, 3, 5, 8, 13};
    Device<int> out(64);
    for (int which = 0; which < 2; ++which) {
        const auto apply = [&](int x) { return which == 0 ? 2 * x : x * x; };
        first<<<1, 64>>>(out.get(), which);
        const std::vector<int> a = out.read();
        second<<<1, 64>>>(out.get(), which);
        const std::vector<int> b = out.read();
        int wrong = 0;
        for (int t = 0; t < 64; ++t) {
            wrong += a[t] != apply(63 - t) + numbers[t % 8] + weight[t % 4] + "shared"[t % 6];
            wrong += b[t] != apply((t ^ 1) + 1) - numbers[t % 6] * weight[t % 3] + "shared"[t % 5];
        }
        expect(which == 0 ? "doubled" : "squared", wrong == 0);
    }
    counts<<<1, 1>>>(out.get());
    expect("a variable of several kernels", out.read()[0] == 202);
    Device<Shape*> shapes(64);
    makes<<<1, 64>>>(shapes.get());
    measures<<<1, 64>>>(shapes.get(), out.get());
    const std::vector<int> areas = out.read();
    int wrong = 0;
    for (int t = 0; t < 64; ++t) {
        wrong += areas[t] != (t % 2 == 0 ? t * t : 3 * t);
    }
    deletes<<<1, 64>>>(shapes.get());
    counts<<<1, 1>>>(out.get());
    expect("virtual functions", wrong == 0 && out.read()[0] == 64202);
    return verdict();
}
