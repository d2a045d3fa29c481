// SPDX-License-Identifier: GPL-3.0-or-later
// Vectors where only their elements are aligned, and buffer instructions of 16 bytes.
#include <hip/hip_runtime.h>

#include "check.h"

#include <cstdint>
#include <cstring>

using Words = std::int32_t __attribute__((ext_vector_type(4)));

__device__ __uint128_t bufferLoad16(Words resource, std::int32_t lane, std::int32_t scalar, std::int32_t flags)
    __asm("llvm.amdgcn.raw.buffer.load.i128");
__device__ void bufferStore16(__uint128_t value, Words resource, std::int32_t lane, std::int32_t scalar, std::int32_t flags)
    __asm("llvm.amdgcn.raw.buffer.store.i128");

__global__ void rowsOf129(const float* x, float* y) {
    __shared__ float w[2][129];
    const int t = threadIdx.x;
    *reinterpret_cast<float4*>(&w[1][4 * t]) = *reinterpret_cast<const float4*>(&x[4 * t + 1]);
    __syncthreads();
    const float4 v = *reinterpret_cast<const float4*>(&w[1][4 * (31 - t)]);
    *reinterpret_cast<float4*>(&y[4 * t + 3]) = v;
}

__device__ Words resourceOf(const void* data, std::uint32_t bytes) {
    const auto address = reinterpret_cast<std::uint64_t>(data);
    return {static_cast<std::int32_t>(address), static_cast<std::int32_t>(address >> 32 & 0xffff), static_cast<std::int32_t>(bytes), 0x20000};
}

// Of a buffer that ends within what the last lane asks for.
__global__ void throughBuffers(const std::uint32_t* from, std::uint32_t* to, std::uint32_t bytes) {
    const int offset = 16 * static_cast<int>(threadIdx.x);
    const __uint128_t value = bufferLoad16(resourceOf(from, bytes), offset, 0, 0);
    bufferStore16(value + 1, resourceOf(to, bytes), offset, 0, 0);
}

int main() {
    std::vector<float> x(160);
    for (int i = 0; i < 160; ++i) {
        x[i] = static_cast<float>(i);
    }
    Device<float> dx(x), dy(160);
    rowsOf129<<<1, 32>>>(dx.get(), dy.get());
    const auto y = dy.read();
    bool right = true;
    for (int t = 0; t < 32; ++t) {
        for (int i = 0; i < 4; ++i) {
            right = right && y[4 * t + 3 + i] == static_cast<float>(4 * (31 - t) + 1 + i);
        }
    }
    expect("vectors at the addresses of their elements", right);

    std::vector<std::uint32_t> words(16);
    for (std::uint32_t i = 0; i < 16; ++i) {
        words[i] = i;
    }
    Device<std::uint32_t> from(words), to(16);
    throughBuffers<<<1, 4>>>(from.get(), to.get(), 56);
    const auto r = to.read();
    bool whole = true;
    for (std::uint32_t i = 0; i < 14; ++i) {
        whole = whole && r[i] == i + (i % 4 == 0);
    }
    expect("16 bytes through a buffer", whole);
    expect("nothing beyond its end", r[14] == 0 && r[15] == 0);
    return verdict();
}
