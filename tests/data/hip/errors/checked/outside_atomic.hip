// SPDX-License-Identifier: GPL-3.0-or-later
// The last thread of 64 updates one element past the end of what the others update, where there may be no memory;
// KERNEL says how.
#include <cstdlib>
#include <cstring>
#include <hip/hip_runtime.h>

__global__ void adds(int* p) {
    atomicAdd(&p[threadIdx.x], 1);
}
__global__ void uses(int* p, int* q) {
    q[threadIdx.x] = atomicMax(&p[threadIdx.x], 1);
}
__global__ void exchanges(int* p) {
    atomicExch(&p[threadIdx.x], 1);
}
__global__ void compares(unsigned long long* p) {
    atomicCAS(&p[threadIdx.x], 0ULL, 1ULL);
}
__global__ void addsFloats(float* p) {
    unsafeAtomicAdd(&p[threadIdx.x], 1.0F);
}
__global__ void addsDoubles(double* p) {
    atomicAdd(&p[threadIdx.x], 1.0);
}
__global__ void alone(int* p) {
    if (threadIdx.x == 63) {
        atomicOr(&p[threadIdx.x], 1);
    }
}
__global__ void inAssembly(int* p) {
    int* const mine = p + threadIdx.x;
    asm volatile("global_atomic_add %0, %1, off" ::"v"(mine), "v"(1) : "memory");
}
__global__ void wideInAssembly(long* p) {
    long* const mine = p + threadIdx.x;
    long before;
    asm volatile("flat_atomic_swap_x2 %0, %1, %2 sc0\n s_waitcnt vmcnt(0)" : "=v"(before) : "v"(mine), "v"(1L));
}
__global__ void inAssemblyOfLds(int* q) {
    __shared__ int t[63];
    t[threadIdx.x % 63] = 0;
    __syncthreads();
    asm volatile("ds_add_u32 %0, %1" ::"v"(static_cast<unsigned>(threadIdx.x * sizeof(int))), "v"(1) : "memory");
    __syncthreads();
    q[threadIdx.x] = t[threadIdx.x % 63];
}
__global__ void ofLds(int* q) {
    __shared__ int t[63];
    t[threadIdx.x % 63] = 0;
    __syncthreads();
    atomicAdd(&t[threadIdx.x], 1);
    __syncthreads();
    q[threadIdx.x] = t[threadIdx.x % 63];
}
__global__ void ofDynamicLds(int* q) {
    extern __shared__ int tile[];
    tile[threadIdx.x % 63] = 0;
    __syncthreads();
    atomicAdd(&tile[threadIdx.x], 1);
    __syncthreads();
    q[threadIdx.x] = tile[threadIdx.x % 63];
}
__device__ int counts[63];
__global__ void ofVariable() {
    atomicSub(&counts[threadIdx.x], 1);
}
__global__ void volatileReads(const volatile int* p, int* q) {
    q[threadIdx.x] = p[threadIdx.x == 63 ? -1 : 0];
}

int main() {
    constexpr std::size_t bytes = 4096;
    char* p;
    int* q;
    (void)hipMalloc(&p, bytes);
    (void)hipMalloc(&q, bytes);
    (void)hipMemset(p, 0, bytes);
    const char* const kernel = std::getenv("KERNEL");
    const auto is = [&](const char* name) { return kernel != nullptr && std::strcmp(kernel, name) == 0; };
    const auto words = [&] { return reinterpret_cast<int*>(p + bytes) - 63; };
    if (is("adds")) {
        adds<<<1, 64>>>(words());
    } else if (is("uses")) {
        uses<<<1, 64>>>(words(), q);
    } else if (is("exchanges")) {
        exchanges<<<1, 64>>>(words());
    } else if (is("compares")) {
        compares<<<1, 64>>>(reinterpret_cast<unsigned long long*>(p + bytes) - 63);
    } else if (is("addsFloats")) {
        addsFloats<<<1, 64>>>(reinterpret_cast<float*>(p + bytes) - 63);
    } else if (is("addsDoubles")) {
        addsDoubles<<<1, 64>>>(reinterpret_cast<double*>(p + bytes) - 63);
    } else if (is("alone")) {
        alone<<<1, 64>>>(words());
    } else if (is("inAssembly")) {
        inAssembly<<<1, 64>>>(words());
    } else if (is("wideInAssembly")) {
        wideInAssembly<<<1, 64>>>(reinterpret_cast<long*>(p + bytes) - 63);
    } else if (is("inAssemblyOfLds")) {
        inAssemblyOfLds<<<1, 64>>>(q);
    } else if (is("ofLds")) {
        ofLds<<<1, 64>>>(q);
    } else if (is("ofDynamicLds")) {
        ofDynamicLds<<<1, 64, 63 * sizeof(int)>>>(q);
    } else if (is("ofVariable")) {
        ofVariable<<<1, 64>>>();
    } else if (is("volatileReads")) {
        volatileReads<<<1, 64>>>(reinterpret_cast<int*>(p), q);
    }
    return hipDeviceSynchronize();
}
