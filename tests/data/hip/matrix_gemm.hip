// SPDX-License-Identifier: GPL-3.0-or-later
// Matrix-core GEMMs as they are written for gfx942: fp8 from LDS, and a double-buffered bf16 one.
#include <hip/hip_runtime.h>
#include <hip/hip_bf16.h>
#include <hip/hip_fp8.h>

#include "check.h"

typedef float floatx16 __attribute__((ext_vector_type(16)));
typedef short shortx4 __attribute__((__vector_size__(4 * sizeof(short))));

// C[m,n] = A[m,k] * B[n,k]^T. Four waves of 32 x 32, 64 x 64 per block.
__global__ __launch_bounds__(256) void gemmFp8(const __hip_fp8_storage_t* __restrict__ a, const __hip_fp8_storage_t* __restrict__ b,
                                               float* __restrict__ c, int n, int k) {
    __shared__ __align__(16) unsigned char as[64][64 + 8];
    __shared__ __align__(16) unsigned char bs[64][64 + 8];
    const int t = threadIdx.x, lane = t & 63, wave = t >> 6, row = wave >> 1, column = wave & 1;
    floatx16 sum = {0};
    for (int k0 = 0; k0 < k; k0 += 64) {
        for (int e = t * 8; e < 64 * 64; e += 256 * 8) {
            *reinterpret_cast<long*>(&as[e / 64][e % 64]) =
                *reinterpret_cast<const long*>(&a[static_cast<size_t>(blockIdx.y * 64 + e / 64) * k + k0 + e % 64]);
            *reinterpret_cast<long*>(&bs[e / 64][e % 64]) =
                *reinterpret_cast<const long*>(&b[static_cast<size_t>(blockIdx.x * 64 + e / 64) * k + k0 + e % 64]);
        }
        __syncthreads();
#pragma unroll
        for (int kk = 0; kk < 64; kk += 16) {
            const long av = *reinterpret_cast<const long*>(&as[row * 32 + (lane & 31)][kk + (lane >> 5) * 8]);
            const long bv = *reinterpret_cast<const long*>(&bs[column * 32 + (lane & 31)][kk + (lane >> 5) * 8]);
            sum = __builtin_amdgcn_mfma_f32_32x32x16_fp8_fp8(av, bv, sum, 0, 0, 0);
        }
        __syncthreads();
    }
    for (int i = 0; i < 16; ++i) {
        const int y = blockIdx.y * 64 + row * 32 + 8 * (i / 4) + 4 * (lane >> 5) + i % 4;
        c[static_cast<size_t>(y) * n + blockIdx.x * 64 + column * 32 + (lane & 31)] = sum[i];
    }
}

template<int Tile, int Depth>
__global__ __launch_bounds__(256, 2) void gemmBf16(const ushort* __restrict__ a, const ushort* __restrict__ b,
                                                   float* __restrict__ c, int n, int k) {
    constexpr int loads = Tile * Depth / 4 / 256;
    __shared__ __align__(16) ushort as[2][Tile][Depth + 4];
    __shared__ __align__(16) ushort bs[2][Tile][Depth + 4];
    const int t = threadIdx.x, lane = t & 63, wave = __builtin_amdgcn_readfirstlane(t >> 6), row = wave >> 1, column = wave & 1;
    const int y0 = blockIdx.y * Tile, x0 = blockIdx.x * Tile;
    floatx16 sum = {0};
    uint2 ra[loads], rb[loads];
    const auto load = [&](int k0) {
#pragma unroll
        for (int i = 0; i < loads; ++i) {
            const int e = (t + i * 256) * 4;
            ra[i] = *reinterpret_cast<const uint2*>(a + static_cast<size_t>(y0 + e / Depth) * k + k0 + e % Depth);
            rb[i] = *reinterpret_cast<const uint2*>(b + static_cast<size_t>(x0 + e / Depth) * k + k0 + e % Depth);
        }
    };
    const auto store = [&](int buffer) {
#pragma unroll
        for (int i = 0; i < loads; ++i) {
            const int e = (t + i * 256) * 4;
            *reinterpret_cast<uint2*>(&as[buffer][e / Depth][e % Depth]) = ra[i];
            *reinterpret_cast<uint2*>(&bs[buffer][e / Depth][e % Depth]) = rb[i];
        }
    };
    load(0);
    store(0);
    __syncthreads();
    int buffer = 0;
    for (int k0 = 0; k0 < k; k0 += Depth) {
        const bool more = k0 + Depth < k;
        if (more) {
            load(k0 + Depth);
        }
        __builtin_amdgcn_s_setprio(1);
#pragma unroll
        for (int kk = 0; kk < Depth; kk += 8) {
            const shortx4 av = *reinterpret_cast<const shortx4*>(&as[buffer][row * 32 + (lane & 31)][kk + (lane >> 5) * 4]);
            const shortx4 bv = *reinterpret_cast<const shortx4*>(&bs[buffer][column * 32 + (lane & 31)][kk + (lane >> 5) * 4]);
            sum = __builtin_amdgcn_mfma_f32_32x32x8bf16_1k(av, bv, sum, 0, 0, 0);
            __builtin_amdgcn_sched_group_barrier(0x8, 1, 0);
        }
        __builtin_amdgcn_s_setprio(0);
        if (more) {
            store(buffer ^ 1);
        }
        asm volatile("s_waitcnt lgkmcnt(0)" ::: "memory");
        __builtin_amdgcn_sched_barrier(0);
        __syncthreads();
        buffer ^= 1;
    }
#pragma unroll
    for (int i = 0; i < 16; ++i) {
        const int y = y0 + row * 32 + 8 * (i / 4) + 4 * (lane >> 5) + i % 4;
        __builtin_nontemporal_store(sum[i], &c[static_cast<size_t>(y) * n + x0 + column * 32 + (lane & 31)]);
    }
}

double worstError(const std::vector<float>& c, const std::vector<float>& a, const std::vector<float>& b, int m, int n, int k) {
    double worst = 0;
    for (int i = 0; i < m; ++i) {
        for (int j = 0; j < n; ++j) {
            double sum = 0;
            for (int x = 0; x < k; ++x) {
                sum += static_cast<double>(a[i * k + x]) * b[j * k + x];
            }
            worst = std::fmax(worst, std::fabs(sum - c[i * n + j]));
        }
    }
    return worst;
}

// With a size as argument (a multiple of 64) it prints the best time of an fp8 product of that size instead.
int main(int argumentCount, char** arguments) {
    if (argumentCount > 1) {
        const int size = std::atoi(arguments[1]);
        Device<__hip_fp8_storage_t> a(std::vector<__hip_fp8_storage_t>(size * size, 0x38)), b(size * size);
        Device<float> c(size * size);
        printBestTime("fp8", [&] { gemmFp8<<<dim3(size / 64, size / 64), 256>>>(a.get(), b.get(), c.get(), size, size); });
        return verdict();
    }
    const int m = 128, n = 192, k = 160;
    {
        const int depth = 128;
        std::vector<__hip_fp8_storage_t> a(m * depth), b(n * depth);
        std::vector<float> fa(a.size()), fb(b.size());
        const auto fill = [](std::vector<__hip_fp8_storage_t>& codes, std::vector<float>& values, float scale) {
            for (std::size_t i = 0; i < codes.size(); ++i) {
                const __hip_fp8_e4m3_fnuz q(std::sin(static_cast<float>(i) * 0.37f) * scale);
                codes[i] = q.__x;
                values[i] = static_cast<float>(q);
            }
        };
        fill(a, fa, 3.0f);
        fill(b, fb, 0.2f);
        Device<__hip_fp8_storage_t> da(a), db(b);
        Device<float> dc(m * n);
        gemmFp8<<<dim3(n / 64, m / 64), 256>>>(da.get(), db.get(), dc.get(), n, depth);
        expect("fp8 GEMM, 32x32x16", worstError(dc.read(), fa, fb, m, n, depth) < 1e-3);
    }
    {
        std::vector<ushort> a(m * k), b(n * k);
        std::vector<float> fa(a.size()), fb(b.size());
        for (std::size_t i = 0; i < a.size(); ++i) {
            fa[i] = (static_cast<int>(i * 7 % 17) - 8) / 8.f;
            a[i] = __bfloat16_as_ushort(__float2bfloat16(fa[i]));
        }
        for (std::size_t i = 0; i < b.size(); ++i) {
            fb[i] = (static_cast<int>(i * 5 % 13) - 6) / 4.f;
            b[i] = __bfloat16_as_ushort(__float2bfloat16(fb[i]));
        }
        Device<ushort> da(a), db(b);
        Device<float> dc(m * n);
        gemmBf16<64, 32><<<dim3(n / 64, m / 64), 256>>>(da.get(), db.get(), dc.get(), n, k);
        expect("bf16 GEMM, double-buffered, 32x32x8", worstError(dc.read(), fa, fb, m, n, k) < 1e-3);
    }
    return verdict();
}
