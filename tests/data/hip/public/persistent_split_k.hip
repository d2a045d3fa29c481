// SPDX-License-Identifier: GPL-3.0-or-later
// As many blocks as there are compute units take pieces of the work from a counter, split along k; the last one to
// finish a tile rounds it. Conversions two at a time, results packed by bytes, the glue of an extension compiled inline.
#include <hip/hip_runtime.h>
#include <hip/amd_detail/amd_hip_bf16.h>
#include <hip/amd_detail/amd_hip_fp8.h>

#include "../check.h"

#include <array>
#include <cstdint>
#include <iostream>
#include <stdexcept>

#define CHECKED(call)                                                                                                  \
    do {                                                                                                               \
        if (const hipError_t status = (call); status != hipSuccess) {                                                  \
            std::cerr << "HIP: " << hipGetErrorString(status) << " in " << __func__ << std::endl;                      \
            throw std::runtime_error(#call);                                                                           \
        }                                                                                                              \
    } while (0)

using float2v = float __attribute__((ext_vector_type(2)));
constexpr int Pieces = 3, Tile = 32;

struct Work {
    unsigned next;
    unsigned finished[64];
};

template<bool Upper> __device__ __forceinline__ float2v two(std::uint32_t codes) { return __builtin_amdgcn_cvt_pk_f32_fp8(codes, Upper); }

__device__ __forceinline__ float dot4(std::uint32_t a, std::uint32_t b, float sum) {
    const float2v a0 = two<false>(a), a1 = two<true>(a), b0 = two<false>(b), b1 = two<true>(b);
    sum = __builtin_fmaf(a0.x, b0.x, sum);
    sum = __builtin_fmaf(a0.y, b0.y, sum);
    sum = __builtin_fmaf(a1.x, b1.x, sum);
    return __builtin_fmaf(a1.y, b1.y, sum);
}

__global__ __launch_bounds__(256) __attribute__((amdgpu_flat_work_group_size(256, 256), amdgpu_num_vgpr(128))) void splitK(
    const std::uint32_t* __restrict__ a, const std::uint32_t* __restrict__ b, float* __restrict__ sums, std::uint32_t* __restrict__ c, Work* __restrict__ work,
    int m, int n, int words) {
    __shared__ unsigned piece, isLast;
    const int across = n / Tile, tiles = m / Tile * across;
    for (;;) {
        if (threadIdx.x == 0) {
            piece = __hip_atomic_fetch_add(&work->next, 1u, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
        }
        __syncthreads();
        const int mine = __builtin_amdgcn_readfirstlane(static_cast<int>(piece));
        if (mine >= tiles * Pieces) {
            return;
        }
        const int tile = mine / Pieces, part = mine % Pieces;
        const int from = words * part / Pieces, to = words * (part + 1) / Pieces;
        const int y = tile / across * Tile + threadIdx.x / 8, x = tile % across * Tile + threadIdx.x % 8 * 4;
        std::array<float, 4> sum{};
        for (int k = from; k < to; ++k) {
            for (int j = 0; j < 4; ++j) {
                sum[j] = dot4(a[y * words + k], b[(x + j) * words + k], sum[j]);
            }
        }
        for (int j = 0; j < 4; ++j) {
            unsafeAtomicAdd(&sums[y * n + x + j], sum[j]);
        }
        __threadfence();
        __syncthreads();
        if (threadIdx.x == 0) {
            isLast = __hip_atomic_fetch_add(&work->finished[tile], 1u, __ATOMIC_ACQ_REL, __HIP_MEMORY_SCOPE_AGENT) == Pieces - 1;
        }
        __syncthreads();
        if (isLast) {
            for (int j = 0; j < 4; j += 2) {
                const auto low = __builtin_bit_cast(std::uint32_t, __hip_atomic_load(&sums[y * n + x + j], __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT));
                const auto high = __builtin_bit_cast(std::uint32_t, __hip_atomic_load(&sums[y * n + x + j + 1], __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT));
                c[(y * n + x + j) / 2] = __builtin_amdgcn_perm(high + 0x8000u, low + 0x8000u, 0x07060302u);
            }
        }
    }
}

// What such an extension gets from its framework.
struct Tensor {
    void* memory;
    std::array<std::int64_t, 2> sizes;
    template<class T> T* data_ptr() const { return static_cast<T*>(memory); }
    std::int64_t size(int i) const { return sizes[i]; }
};

void fp8_mm(const Tensor& a, const Tensor& b, const Tensor& sums, Tensor& c) {
    hipDeviceProp_t properties;
    CHECKED(hipGetDeviceProperties(&properties, 0));
    Work* work = nullptr;
    CHECKED(hipMallocAsync(reinterpret_cast<void**>(&work), sizeof(Work), nullptr));
    CHECKED(hipMemsetAsync(work, 0, sizeof(Work), nullptr));
    splitK<<<properties.multiProcessorCount, 256, 0, nullptr>>>(a.data_ptr<const std::uint32_t>(), b.data_ptr<const std::uint32_t>(), sums.data_ptr<float>(),
                                                              c.data_ptr<std::uint32_t>(), work, a.size(0), b.size(0), a.size(1) / 4);
    CHECKED(hipGetLastError());
    CHECKED(hipFreeAsync(work, nullptr));
}

int main() {
    constexpr int m = 64, n = 96, k = 100;
    std::vector<__hip_fp8_e4m3_fnuz> a(m * k), b(n * k);
    for (int i = 0; i < m * k; ++i) {
        a[i] = __hip_fp8_e4m3_fnuz(static_cast<float>(i * 37 % 17 - 8) / 4);
    }
    for (int i = 0; i < n * k; ++i) {
        b[i] = __hip_fp8_e4m3_fnuz(static_cast<float>(i * 29 % 13 - 6) / 2);
    }
    Device<__hip_fp8_e4m3_fnuz> da(a), db(b);
    Device<float> sums(m * n);
    Device<__hip_bfloat16> dc(m * n);
    Tensor c{dc.get(), {m, n}};
    fp8_mm({da.get(), {m, k}}, {db.get(), {n, k}}, {sums.get(), {m, n}}, c);
    HIP_CHECK(hipDeviceSynchronize());
    const auto r = dc.read();
    bool right = true;
    for (int y = 0; y < m; ++y) {
        for (int x = 0; x < n; ++x) {
            double sum = 0;
            for (int i = 0; i < k; ++i) {
                sum += static_cast<double>(static_cast<float>(a[y * k + i])) * static_cast<float>(b[x * k + i]);
            }
            right = right && near(__bfloat162float(r[y * n + x]), sum, 1e-2);
        }
    }
    expect("pieces of k from a counter", right);
    return verdict();
}
