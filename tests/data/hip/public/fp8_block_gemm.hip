// SPDX-License-Identifier: GPL-3.0-or-later
// A kernel as people hand them in to competitions for the MI300: C++20, AMD's own header names, matrix instructions on
// LDS tiles, reads that run over the last tile's edge, and host code of an extension that is compiled inline. Built
// with the options that such extensions have.
#include <hip/amd_detail/amd_hip_bf16.h>
#include <hip/amd_detail/amd_hip_fp8.h>
#include <hip/hip_runtime.h>

#include "../check.h"

#include <concepts>
#include <cstdint>

constexpr int Block = 128; // elements of k (and columns of b) that share a scale
constexpr int Tile = 64;
constexpr int Depth = 32;
constexpr int Row = Depth + 4; // of bytes: rows lie in other banks, and their words are aligned to 4 only

using fp8 = __hip_fp8_e4m3_fnuz;
using floatx16 = float __attribute__((ext_vector_type(16)));

template<std::integral T> __host__ __device__ constexpr T tiles(T whole, T part) { return (whole + part - 1) / part; }

// a is k x m, b is k x n, both with k outside; a row of scales for each 128 of k.
template<int Threads> requires(Threads == 256)
__global__ __launch_bounds__(Threads) void blockScaledGemm(const fp8* __restrict__ a, const fp8* __restrict__ b,
                                                           const float* __restrict__ aScale, const float* __restrict__ bScale,
                                                           __hip_bfloat16* __restrict__ c, int m, int n, int k) {
    __shared__ fp8 as[Tile * Row], bs[Tile * Row];
    const int t = threadIdx.x, lane = t % 64, wave = t / 64;
    const int m0 = blockIdx.y * Tile, n0 = blockIdx.x * Tile;
    const int row = wave / 2 * 32, column = wave % 2 * 32;
    const int scaleBlocks = tiles(n, Block);
    floatx16 total = {};
    for (int block = 0; block < k / Block; ++block) {
        floatx16 sum = {};
        for (int k0 = block * Block; k0 < (block + 1) * Block; k0 += Depth) {
            // Four columns of one row of k each; nobody looks whether they are still in the matrix.
            for (int i = t; i < Depth * Tile / 4; i += Threads) {
                const int kk = i / (Tile / 4), x = i % (Tile / 4) * 4;
                const auto wordA = *reinterpret_cast<const std::uint32_t*>(&a[static_cast<std::size_t>(k0 + kk) * m + m0 + x]);
                const auto wordB = *reinterpret_cast<const std::uint32_t*>(&b[static_cast<std::size_t>(k0 + kk) * n + n0 + x]);
                for (int j = 0; j < 4; ++j) {
                    as[(x + j) * Row + kk].__x = static_cast<__hip_fp8_storage_t>(wordA >> 8 * j);
                    bs[(x + j) * Row + kk].__x = static_cast<__hip_fp8_storage_t>(wordB >> 8 * j);
                }
            }
            __syncthreads();
#pragma unroll
            for (int kk = 0; kk < Depth; kk += 16) {
                const long av = *reinterpret_cast<const long*>(&as[(row + lane % 32) * Row + kk + lane / 32 * 8]);
                const long bv = *reinterpret_cast<const long*>(&bs[(column + lane % 32) * Row + kk + lane / 32 * 8]);
                sum = __builtin_amdgcn_mfma_f32_32x32x16_fp8_fp8(av, bv, sum, 0, 0, 0);
            }
            __syncthreads();
        }
        for (int i = 0; i < 16; ++i) {
            const int y = m0 + row + 8 * (i / 4) + 4 * (lane / 32) + i % 4;
            const float scale = y < m ? aScale[block * m + y] * bScale[block * scaleBlocks + n0 / Block] : 0.0f;
            total[i] += sum[i] * scale;
        }
    }
    for (int i = 0; i < 16; ++i) {
        const int y = m0 + row + 8 * (i / 4) + 4 * (lane / 32) + i % 4, x = n0 + column + lane % 32;
        if (y < m && x < n) {
            c[static_cast<std::size_t>(y) * n + x] = static_cast<__hip_bfloat16>(total[i]);
        }
    }
}

// What such an extension gets: tensors that know their sizes and their memory.
template<class T> struct Tensor {
    std::vector<T> values;
    Device<T> memory;
    std::vector<std::int64_t> sizes;

    Tensor(std::vector<T> of, std::vector<std::int64_t> shape) : values(std::move(of)), memory(values), sizes(std::move(shape)) {}
    std::int64_t size(int i) const { return sizes[static_cast<std::size_t>(i)]; }
    void* data_ptr() const { return memory.get(); }
};

void fp8_mm(const Tensor<fp8>& a, const Tensor<fp8>& b, const Tensor<float>& as, const Tensor<float>& bs, Tensor<__hip_bfloat16>& c) {
    const int k = static_cast<int>(a.size(0)), m = static_cast<int>(a.size(1)), n = static_cast<int>(b.size(1));
    const dim3 grid(static_cast<unsigned>(tiles(n, Tile)), static_cast<unsigned>(tiles(m, Tile)));
    blockScaledGemm<256><<<grid, 256>>>(static_cast<const fp8*>(a.data_ptr()), static_cast<const fp8*>(b.data_ptr()),
                                        static_cast<const float*>(as.data_ptr()), static_cast<const float*>(bs.data_ptr()),
                                        static_cast<__hip_bfloat16*>(c.data_ptr()), m, n, k);
    HIP_CHECK(hipGetLastError());
}

int main() {
    const int m = 96, n = 192, k = 256, scaleBlocks = tiles(n, Block);
    const auto numbers = [](int count, float step) {
        std::vector<float> x(static_cast<std::size_t>(count));
        for (int i = 0; i < count; ++i) {
            x[static_cast<std::size_t>(i)] = std::sin(static_cast<float>(i) * step) * 2 + 0.25f;
        }
        return x;
    };
    const auto coded = [](const std::vector<float>& x) { return std::vector<fp8>(x.begin(), x.end()); };
    const Tensor<fp8> a(coded(numbers(k * m, 0.37f)), {k, m}), b(coded(numbers(k * n, 0.11f)), {k, n});
    const Tensor<float> as(numbers(k / Block * m, 0.7f), {k / Block, m}), bs(numbers(k / Block * scaleBlocks, 0.9f), {k / Block, scaleBlocks});
    Tensor<__hip_bfloat16> c(std::vector<__hip_bfloat16>(m * n), {m, n});
    fp8_mm(a, b, as, bs, c);
    const auto result = c.memory.read();
    bool right = true;
    for (int y = 0; y < m; ++y) {
        for (int x = 0; x < n; ++x) {
            double sum = 0;
            for (int i = 0; i < k; ++i) {
                const double scale = as.values[i / Block * m + y] * bs.values[i / Block * scaleBlocks + x / Block];
                sum += scale * static_cast<float>(a.values[i * m + y]) * static_cast<float>(b.values[i * n + x]);
            }
            right = right && near(static_cast<float>(result[y * n + x]), sum, 0.01);
        }
    }
    expect("block-scaled product", right);
    return verdict();
}
