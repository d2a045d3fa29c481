// SPDX-License-Identifier: GPL-3.0-or-later
// The four best experts of every token, one wave a token, and the places of tokens in their experts' lists: ballots,
// permutations of lanes, packed keys, half scores.
#include <hip/hip_runtime.h>
#include <hip/hip_fp16.h>

#include "../check.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>

constexpr int Experts = 128, Best = 4, Wave = 64;

__device__ __forceinline__ std::uint32_t fromLane(std::uint32_t value, int lane) {
    return static_cast<std::uint32_t>(__builtin_amdgcn_ds_bpermute(lane << 2, static_cast<int>(value)));
}
template<int Pattern> __device__ __forceinline__ std::uint32_t swizzled(std::uint32_t value) {
    return static_cast<std::uint32_t>(__builtin_amdgcn_ds_swizzle(static_cast<int>(value), Pattern));
}
__device__ __forceinline__ std::uint32_t ordered(std::uint16_t half) { return half & 0x8000u ? 0xffffu - half : half | 0x8000u; }

__device__ __forceinline__ std::uint32_t waveMaximum(std::uint32_t key, int lane) {
    key = std::max(key, swizzled<0x041f>(key)); // exchange with the neighbour, then 2, 4, 8, 16 lanes away
    key = std::max(key, swizzled<0x081f>(key));
    key = std::max(key, swizzled<0x101f>(key));
    key = std::max(key, swizzled<0x201f>(key));
    key = std::max(key, swizzled<0x401f>(key));
    return std::max(key, fromLane(key, lane ^ 32));
}

__global__ void __launch_bounds__(256) route(const __half2* __restrict__ scores, std::uint32_t* __restrict__ chosen, unsigned* __restrict__ counts,
                                             unsigned* __restrict__ places, int tokens) {
    const int lane = __lane_id(), token = blockIdx.x * (blockDim.x / Wave) + threadIdx.x / Wave;
    if (token >= tokens) {
        return;
    }
    const __half2 both = scores[token * (Experts / 2) + lane];
    std::uint32_t low = ordered(__half_as_ushort(__low2half(both))) << 8 | (255 - 2 * lane);
    std::uint32_t high = ordered(__half_as_ushort(__high2half(both))) << 8 | (254 - 2 * lane);
#pragma unroll
    for (int i = 0; i < Best; ++i) {
        const std::uint32_t best = waveMaximum(__builtin_elementwise_max(low, high), lane);
        const std::uint64_t who = __ballot(low == best || high == best);
        if (__popcll(who) == 1 && lane == __ffsll(static_cast<unsigned long long>(who)) - 1) {
            const unsigned expert = 255 - (best & 255);
            chosen[token * Best + i] = expert;
            places[token * Best + i] = atomicAdd(&counts[expert], 1u);
            (low == best ? low : high) = 0;
        }
        __builtin_amdgcn_wave_barrier();
    }
}

int main() {
    constexpr int tokens = 37;
    std::vector<__half2> scores(tokens * Experts / 2);
    std::vector<float> plain(tokens * Experts);
    for (int i = 0; i < tokens * Experts; ++i) {
        plain[i] = static_cast<float>(i * 7919 % 2003 - 1000) / 256;
    }
    for (int i = 0; i < tokens * Experts / 2; ++i) {
        scores[i] = __floats2half2_rn(plain[2 * i], plain[2 * i + 1]);
    }
    Device<__half2> ds(scores);
    Device<std::uint32_t> chosen(tokens * Best);
    Device<unsigned> counts(Experts), places(tokens * Best);
    route<<<(tokens + 3) / 4, 256>>>(ds.get(), chosen.get(), counts.get(), places.get(), tokens);
    const auto c = chosen.read();
    const auto p = places.read(), n = counts.read();
    bool right = true, counted = std::accumulate(n.begin(), n.end(), 0u) == tokens * Best;
    for (int t = 0; t < tokens; ++t) {
        std::vector<int> order(Experts);
        std::iota(order.begin(), order.end(), 0);
        std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
            return __half2float(__float2half(plain[t * Experts + a])) > __half2float(__float2half(plain[t * Experts + b]));
        });
        for (int i = 0; i < Best; ++i) {
            right = right && static_cast<int>(c[t * Best + i]) == order[i];
            counted = counted && p[t * Best + i] < n[c[t * Best + i]];
        }
    }
    expect("best four of every token", right);
    expect("places in the lists", counted);
    return verdict();
}
