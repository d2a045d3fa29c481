// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of a softmax, one for each wave: sums over the wave by data-parallel primitives, loads that leave the cache
// alone, exponentials and quotients of the hardware.
#include <hip/hip_runtime.h>

#include "../check.h"

#include <cstdint>

#define DEVICE __device__ __forceinline__

using float4v = float __attribute__((ext_vector_type(4)));
constexpr float log2e = 1.44269504f;

template<int Control, int Rows = 0xf> DEVICE float moved(float value, float otherwise) {
    return __builtin_bit_cast(float, __builtin_amdgcn_update_dpp(__builtin_bit_cast(int, otherwise), __builtin_bit_cast(int, value),
                                                                 Control, Rows, 0xf, false));
}
struct Sum {
    static constexpr float neutral = 0;
    DEVICE static float of(float a, float b) { return a + b; }
};
struct Max {
    static constexpr float neutral = -__builtin_huge_valf();
    DEVICE static float of(float a, float b) { return __builtin_fmaxf(a, b); }
};
// Within rows of 16 lanes to the right, then from row to row; the last lane has all.
template<class Op> DEVICE float overWave(float value) {
    value = Op::of(value, moved<0x111>(value, Op::neutral));
    value = Op::of(value, moved<0x112>(value, Op::neutral));
    value = Op::of(value, moved<0x114>(value, Op::neutral));
    value = Op::of(value, moved<0x118>(value, Op::neutral));
    value = Op::of(value, moved<0x142, 0xa>(value, Op::neutral));
    value = Op::of(value, moved<0x143, 0xc>(value, Op::neutral));
    return __builtin_bit_cast(float, __builtin_amdgcn_readlane(__builtin_bit_cast(int, value), 63));
}
// Neighbours first: quads, then the mirrors of half a row and of a row.
DEVICE float overRow(float value) {
    value += moved<0xb1>(value, 0);
    value += moved<0x4e>(value, 0);
    value += moved<0x141>(value, 0);
    value += moved<0x140>(value, 0);
    return value;
}

template<int Columns>
__global__ __launch_bounds__(256) __attribute__((amdgpu_waves_per_eu(2, 4))) void softmax(const float* __restrict__ x, float* __restrict__ y,
                                                                                        float* __restrict__ parts, int rows) {
    static_assert(Columns % 256 == 0);
    const int lane = __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0u));
    const int row = __builtin_amdgcn_readfirstlane(static_cast<int>(blockIdx.x * 4 + threadIdx.x / 64));
    if (row >= rows) {
        return;
    }
    float4v values[Columns / 256];
    float most = Max::neutral;
#pragma unroll
    for (int i = 0; i < Columns / 256; ++i) {
        values[i] = __builtin_nontemporal_load(reinterpret_cast<const float4v*>(x + static_cast<std::size_t>(row) * Columns) + i * 64 + lane);
        most = Max::of(most, Max::of(Max::of(values[i].x, values[i].y), Max::of(values[i].z, values[i].w)));
    }
    most = overWave<Max>(most);
    float sum = 0;
#pragma unroll
    for (float4v& four : values) {
        for (int k = 0; k < 4; ++k) {
            four[k] = __builtin_amdgcn_exp2f((four[k] - most) * log2e);
            sum += four[k];
        }
    }
    const float part = overRow(sum);
    if (lane % 16 == 0) {
        parts[row * 4 + lane / 16] = part;
    }
    const float scale = __builtin_amdgcn_rcpf(overWave<Sum>(sum));
#pragma unroll
    for (int i = 0; i < Columns / 256; ++i) {
        __builtin_nontemporal_store(values[i] * scale, reinterpret_cast<float4v*>(y + static_cast<std::size_t>(row) * Columns) + i * 64 + lane);
    }
}

int main() {
    constexpr int rows = 10, columns = 512;
    std::vector<float> x(rows * columns);
    for (int i = 0; i < rows * columns; ++i) {
        x[i] = std::sin(static_cast<float>(i * 7 % 1000)) * 4;
    }
    Device<float> dx(x), dy(rows * columns), parts(rows * 4);
    softmax<columns><<<dim3((rows + 3) / 4), dim3(256)>>>(dx.get(), dy.get(), parts.get(), rows);
    const auto y = dy.read(), p = parts.read();
    bool right = true, quarters = true;
    for (int r = 0; r < rows; ++r) {
        double sum = 0, most = -1e30, ofParts = 0;
        for (int c = 0; c < columns; ++c) {
            most = std::max<double>(most, x[r * columns + c]);
        }
        for (int c = 0; c < columns; ++c) {
            sum += std::exp(x[r * columns + c] - most);
        }
        for (int c = 0; c < columns; ++c) {
            right = right && near(y[r * columns + c], std::exp(x[r * columns + c] - most) / sum, 1e-5);
        }
        for (int k = 0; k < 4; ++k) {
            ofParts += p[r * 4 + k];
        }
        quarters = quarters && near(ofParts, sum, 1e-5);
    }
    expect("sums over waves", right);
    expect("sums over rows of lanes", quarters);
    return verdict();
}
