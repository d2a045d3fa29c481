// SPDX-License-Identifier: GPL-3.0-or-later
// fp8 products through buffers that know their size: what lies beyond a matrix is read as zero, so that no tile asks
// where it ends. Rows in LDS are 16 bytes and 4 apart; two tiles in turn; hints for the scheduler everywhere.
#include <hip/hip_runtime.h>
#include <hip/hip_fp8.h>
#include <hip/hip_bf16.h>

#include "../check.h"

#include <bit>
#include <cstdint>

using float4v = float __attribute__((ext_vector_type(4)));
using uint4v = unsigned __attribute__((ext_vector_type(4)));
using fp8 = __hip_fp8_e4m3_fnuz;

struct Buffer {
    __amdgpu_buffer_rsrc_t resource;

    __device__ Buffer(const void* data, std::uint32_t bytes)
        : resource(__builtin_amdgcn_make_buffer_rsrc(const_cast<void*>(data), 0, static_cast<int>(bytes), 0x00027000)) {}
    __device__ uint4v load16(int offset, int scalar = 0) const {
        return std::bit_cast<uint4v>(__builtin_amdgcn_raw_buffer_load_b128(resource, offset, scalar, 0));
    }
    __device__ float loadFloat(int offset) const { return std::bit_cast<float>(__builtin_amdgcn_raw_buffer_load_b32(resource, offset, 0, 0)); }
    __device__ void store2(std::uint16_t value, int offset) const { __builtin_amdgcn_raw_buffer_store_b16(value, resource, offset, 0, 0); }
};

struct Shape {
    int tile = 64, depth = 64, row = 68;
};

// a is m x k and b is n x k, both with k inside.
template<Shape S> requires(S.row % 4 == 0)
__global__ __launch_bounds__(256, 2) void gemm(const fp8* a, const fp8* b, const float* scale, __hip_bfloat16* c, int m, int n, int k) {
    extern __shared__ unsigned char lds[];
    constexpr int half = S.tile * S.row;
    const Buffer bufferA(a, m * k), bufferB(b, n * k), bufferC(c, m * n * 2), bufferS(scale, 4 * m);
    const int t = threadIdx.x, lane = t & 63, wave = t >> 6;
    const int m0 = blockIdx.y * S.tile, n0 = blockIdx.x * S.tile;
    const auto fill = [&](int k0, int which) {
        const int row = t / 4, column = t % 4 * 16;
        unsigned char* const at = lds + which * 2 * half + row * S.row + column;
        *reinterpret_cast<uint4v*>(at) = bufferA.load16((m0 + row) * k + k0 + column);
        *reinterpret_cast<uint4v*>(at + half) = bufferB.load16((n0 + row) * k + column, k0);
    };
    float4v sums[4] = {};
    fill(0, 0);
    __syncthreads();
    for (int k0 = 0, which = 0; k0 < k; k0 += S.depth, which ^= 1) {
        if (k0 + S.depth < k) {
            fill(k0 + S.depth, which ^ 1);
        }
        __builtin_amdgcn_s_setprio(1);
#pragma unroll
        for (int kk = 0; kk < S.depth; kk += 32) {
            const unsigned char* const from = lds + which * 2 * half + kk + lane / 16 * 8;
            long av;
            __builtin_memcpy(&av, from + (wave * 16 + lane % 16) * S.row, 8);
#pragma unroll
            for (int j = 0; j < 4; ++j) {
                long bv;
                __builtin_memcpy(&bv, from + half + (j * 16 + lane % 16) * S.row, 8);
                sums[j] = __builtin_amdgcn_mfma_f32_16x16x32_fp8_fp8(av, bv, sums[j], 0, 0, 0);
            }
            __builtin_amdgcn_sched_group_barrier(0x008, 4, 0);
            __builtin_amdgcn_sched_group_barrier(0x100, 5, 0);
        }
        __builtin_amdgcn_s_setprio(0);
        __builtin_amdgcn_sched_barrier(0);
        asm volatile("s_waitcnt vmcnt(0) lgkmcnt(0)\n\ts_barrier ; both tiles change hands" ::: "memory");
    }
#pragma unroll
    for (int j = 0; j < 4; ++j) {
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            const int y = m0 + wave * 16 + lane / 16 * 4 + i, x = n0 + j * 16 + lane % 16;
            const __hip_bfloat16 value(sums[j][i] * bufferS.loadFloat(4 * y));
            bufferC.store2(std::bit_cast<__hip_bfloat16_raw>(value).x, x < n ? (y * n + x) * 2 : 0x7fffffff);
        }
    }
}

extern "C" void launch(const fp8* a, const fp8* b, const float* scale, __hip_bfloat16* c, int m, int n, int k) {
    constexpr Shape shape;
    constexpr int bytes = 4 * shape.tile * shape.row;
    HIP_CHECK(hipFuncSetAttribute(reinterpret_cast<const void*>(&gemm<shape>), hipFuncAttributeMaxDynamicSharedMemorySize, bytes));
    hipLaunchKernelGGL(gemm<shape>, dim3((n + 63) / 64, (m + 63) / 64), dim3(256), bytes, nullptr, a, b, scale, c, m, n, k);
}

int main() {
    constexpr int m = 80, n = 100, k = 192;
    std::vector<fp8> a(m * k), b(n * k);
    std::vector<float> scale(m);
    for (int i = 0; i < m * k; ++i) {
        a[i] = fp8(static_cast<float>(i * 37 % 17 - 8) / 4);
    }
    for (int i = 0; i < n * k; ++i) {
        b[i] = fp8(static_cast<float>(i * 29 % 13 - 6) / 2);
    }
    for (int i = 0; i < m; ++i) {
        scale[i] = 1 + static_cast<float>(i % 4) / 4;
    }
    Device<fp8> da(a), db(b);
    Device<float> ds(scale);
    Device<__hip_bfloat16> dc(m * n);
    launch(da.get(), db.get(), ds.get(), dc.get(), m, n, k);
    const auto c = dc.read();
    bool right = true;
    for (int y = 0; y < m; ++y) {
        for (int x = 0; x < n; ++x) {
            double sum = 0;
            for (int i = 0; i < k; ++i) {
                sum += static_cast<double>(static_cast<float>(a[y * k + i])) * static_cast<float>(b[x * k + i]);
            }
            right = right && near(static_cast<float>(c[y * n + x]), sum * scale[y], 1e-2);
        }
    }
    expect("products through buffers", right);
    return verdict();
}
