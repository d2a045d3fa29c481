// SPDX-License-Identifier: GPL-3.0-or-later
// Atomics on LDS and global memory, scopes, fences between blocks, blocks that wait for those before them.
#include "check.h"

#include <numeric>

__global__ void histogram(const int* x, unsigned* bins, int n) {
    __shared__ unsigned local[64];
    if (threadIdx.x < 64) {
        local[threadIdx.x] = 0;
    }
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        atomicAdd(&local[x[i] & 63], 1u);
    }
    __syncthreads();
    if (threadIdx.x < 64) {
        atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
    }
}

__device__ void atomicMaxFloat(float* address, float value) {
    int* bits = reinterpret_cast<int*>(address);
    int old = *bits, assumed;
    do {
        assumed = old;
        if (__int_as_float(assumed) >= value) {
            break;
        }
        old = atomicCAS(bits, assumed, __float_as_int(value));
    } while (assumed != old);
}

__global__ void largest(const float* x, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        atomicMaxFloat(out, fabsf(x[i]));
    }
}

__global__ void kinds(double* d, unsigned long long* u, int* i, float* f) {
    atomicAdd(d, 0.5);
    unsafeAtomicAdd(d + 1, 1.0);
    atomicAdd(u, 3ull);
    atomicMin(i, static_cast<int>(threadIdx.x) - 5);
    __hip_atomic_fetch_max(i + 1, static_cast<int>(threadIdx.x), __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
    __hip_atomic_fetch_add(f, 1.5f, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
    atomicAdd(f + 1, 2.f);
}

__device__ unsigned finishedBlocks;

__global__ void lastBlockSums(const float* x, float* partial, float* out, int n) {
    __shared__ float s[256];
    __shared__ bool last;
    float v = 0;
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) {
        v += x[i];
    }
    s[threadIdx.x] = v;
    __syncthreads();
    for (int offset = 128; offset > 0; offset >>= 1) {
        if (static_cast<int>(threadIdx.x) < offset) {
            s[threadIdx.x] += s[threadIdx.x + offset];
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = s[0];
        __threadfence();
        last = atomicAdd(&finishedBlocks, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        float total = 0;
        for (unsigned i = 0; i < gridDim.x; ++i) {
            total += partial[i];
        }
        *out = total;
    }
}

// As cards begin blocks in their order, each may wait for the one before it.
__global__ void sumOfBlocksBefore(const int* x, int* sums, unsigned* done) {
    if (threadIdx.x != 0) {
        return;
    }
    int sum = x[blockIdx.x];
    if (blockIdx.x > 0) {
        while (__hip_atomic_load(&done[blockIdx.x - 1], __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT) == 0) {
        }
        sum += sums[blockIdx.x - 1];
    }
    sums[blockIdx.x] = sum;
    __hip_atomic_store(&done[blockIdx.x], 1U, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
}

int main() {
    const int m = 50'000;
    std::vector<int> values(m);
    std::vector<unsigned> bins(64);
    for (int i = 0; i < m; ++i) {
        values[i] = static_cast<int>((i * 2654435761u) >> 7);
        ++bins[values[i] & 63];
    }
    Device<int> dv(values);
    Device<unsigned> db(64);
    histogram<<<16, 256>>>(dv.get(), db.get(), m);
    expect("histogram in LDS", db.read() == bins);

    const int n = 1000;
    std::vector<float> x(n);
    float most = 0;
    double sum = 0;
    for (int i = 0; i < n; ++i) {
        x[i] = std::sin(static_cast<float>(i)) * 2;
        most = std::fmax(most, std::fabs(x[i]));
        sum += x[i];
    }
    Device<float> dx(x), df(2), partial(10), out(1);
    largest<<<4, 256>>>(dx.get(), out.get(), n);
    expect("maximum by compare and swap", out.read()[0] == most);

    Device<double> dd(2);
    Device<unsigned long long> du(1);
    Device<int> di(2);
    kinds<<<3, 100>>>(dd.get(), du.get(), di.get(), df.get());
    expect("double", dd.read()[0] == 150 && dd.read()[1] == 300);
    expect("64-bit, minimum, maximum", du.read()[0] == 900 && di.read()[0] == -5 && di.read()[1] == 99);
    expect("float", df.read()[0] == 450 && df.read()[1] == 600);

    lastBlockSums<<<10, 256>>>(dx.get(), partial.get(), out.get(), n);
    expect("the last block sums up", near(out.read()[0], sum, 1e-3));

    const int blocks = 300;
    std::vector<int> before(values.begin(), values.begin() + blocks);
    Device<int> ds(blocks);
    Device<unsigned> done(blocks);
    sumOfBlocksBefore<<<blocks, 64>>>(dv.get(), ds.get(), done.get());
    std::partial_sum(before.begin(), before.end(), before.begin());
    expect("each block waits for the one before it", ds.read() == before);
    return verdict();
}
