// SPDX-License-Identifier: GPL-3.0-or-later
// What HIP has had since 5.3, 6 and 7, also where the installed one is older: coordinates that are numbers, pairs of
// halves that are halves, votes and shuffles with a mask, votes of groups, types and traits of HIP's own.
#include <hip/hip_cooperative_groups.h>
#include <hip/hip_fp16.h>
#include <hip/hip_math_constants.h>

#include "check.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <type_traits>

namespace cg = cooperative_groups;
using Lanes = std::uint64_t;

template<class T>
__device__ T larger(T a, T b) {
    return a < b ? b : a;
}

__global__ void coordinates(unsigned* out) {
    const auto i = threadIdx.x;
    static_assert(std::is_same_v<decltype(i), const unsigned>);
    const dim3 block = blockDim, thread = threadIdx;
    unsigned moved = 0;
    asm("v_mov_b32 %0, %1" : "=v"(moved) : "v"(threadIdx.x));
    out[blockIdx.x * blockDim.x + i] =
        larger(threadIdx.x, 5u) + 1000 * block.x + 100000 * (moved == thread.x) + gridDim.x;
}

// As sources write that hipRTC compiles too, which has no header of the standard library.
template<__hip_internal::uint32_t Bits, class T>
__device__ typename __hip_internal::enable_if<__hip_internal::is_integral<T>::value, T>::type turned(T value) {
    using Word = typename __hip_internal::conditional<sizeof(T) == 8, __hip_internal::uint64_t, __hip_uint32_t>::type;
    const Word word = static_cast<Word>(value);
    return static_cast<T>(word << Bits | word >> (8 * sizeof(Word) - Bits));
}
__global__ void ownNames(const int* in, __hip_uint64_t* out) {
    static_assert(__hip_internal::is_floating_point<_Float16>::value && !__hip_internal::is_same<int, float>::value);
    const double first = __hip_readfirstlane(in[threadIdx.x] + 3.25);
    out[threadIdx.x] = turned<8>(static_cast<__hip_internal::int64_t>(in[threadIdx.x])) +
                       static_cast<__hip_internal::uint64_t>(4 * first) +
                       __hip_readfirstlane(turned<4>(in[threadIdx.x] + 3));
}

__host__ __device__ __half2 swapped(__half2 pair) {
    __half2 other;
    other.x = pair.y;
    other.y = pair.x;
    return other;
}
__global__ void pairs(const __half2* in, __half2* out, float* sums) {
    const int i = threadIdx.x;
    out[i] = __hfma2(swapped(in[i]), __half2half2(__float2half(2)), in[i]);
    out[i].x += __float2half(0.5f);
    const auto difference = __hsub2(in[i], swapped(in[i]));
    sums[i] = static_cast<float>(difference.x) - __half2float(difference.y) + (__hbgt2(in[i], in[i]) ? 100.0f : 0.0f);
}

struct Said {
    Lanes ballot, same, all, tile, tileSame, active, group;
    int any, every, isAll, sum, least, bits, fromFirst, fromUpper, tileAny, tileAll, isTileAll, groupAny, groupAll;
};
constexpr Lanes even = 0x5555555555555555;

__global__ void votes(const int* in, Said* out) {
    const int i = threadIdx.x, value = in[i];
    Said said = {};
    said.active = __activemask();
    if (i % 2 == 0) {
        said.ballot = __ballot_sync(even, value > 2);
        said.any = __any_sync(even, value > 9);
        said.every = __all_sync(even, value < 9);
        said.same = __match_any_sync(even, value);
        said.all = __match_all_sync(even, value / 100, &said.isAll);
        said.sum = __reduce_add_sync(even, value);
        said.least = __reduce_min_sync(even, value - 4);
        said.bits = static_cast<int>(__reduce_or_sync(even, 1u << value));
        said.fromFirst = __shfl_sync(even, value, 6);
        said.fromUpper = __shfl_xor_sync(even, value, 32);
        const cg::coalesced_group half = cg::coalesced_threads();
        said.group = half.ballot(value > 2);
        said.groupAny = half.any(value == 3);
        said.groupAll = half.all(value < 7);
    }
    __syncwarp();
    const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    said.tile = tile.ballot(value > 2);
    said.tileAny = tile.any(i == 20);
    said.tileAll = tile.all(i != 20);
    said.tileSame = tile.match_any(value);
    tile.match_all(i / 32, said.isTileAll);
    out[i] = said;
}

// Of floats, negative ones too; the n-th lane that is set in a mask.
__global__ void extremesOfFloats(float* f, double* d, int* lanes) {
    const float value = 0.5f * threadIdx.x - 20;
    unsafeAtomicMax(&f[0], value);
    safeAtomicMin(&f[1], value);
    safeAtomicMax(&d[0], static_cast<double>(-value));
    unsafeAtomicMin(&d[1], static_cast<double>(-value));
    lanes[threadIdx.x] = threadIdx.x < 32 ? __fns(0xf0f0a001u, threadIdx.x, 2) : HIP_PI_F > HIP_LN2;
}
__global__ void extremes(long long* least, long long* most) {
    atomicMin(least, -5000000000ll * threadIdx.x);
    atomicMax(most, 5000000000ll * threadIdx.x);
}

int main() {
    Device<unsigned> places(192);
    coordinates<<<2, 96>>>(places.get());
    const auto place = places.read();
    expect("coordinates are numbers", place[0] == 196007 && place[95] == 196097 && place[96 + 7] == 196009);

    std::vector<__half2> halves(64);
    for (int i = 0; i < 64; ++i) {
        halves[i].x = __float2half(i * 0.25f);
        halves[i].y = __float2half(3.0f - i);
    }
    Device<__half2> in(halves), out(64);
    Device<float> sums(64);
    pairs<<<1, 64>>>(in.get(), out.get(), sums.get());
    const auto pair = out.read();
    const auto sum = sums.read();
    bool isRight = __half2float(swapped(halves[4]).x) == -1.0f;
    for (int i = 0; i < 64; ++i) {
        const float x = i * 0.25f, y = 3.0f - i;
        isRight = isRight && __half2float(pair[i].x) == 2 * y + x + 0.5f && __half2float(pair[i].y) == 2 * x + y &&
                  sum[i] == 2 * (x - y);
    }
    expect("halves of a pair", isRight);

    std::vector<int> values(64);
    for (int i = 0; i < 64; ++i) {
        values[i] = i * 5 % 7;
    }
    Device<int> din(values);
    Device<__hip_uint64_t> dnames(64);
    ownNames<<<1, 64>>>(din.get(), dnames.get());
    const auto turnedValues = dnames.read();
    bool isTurned = true;
    for (int i = 0; i < 64; ++i) {
        isTurned = isTurned && turnedValues[i] == static_cast<unsigned long long>(values[i] * 256 + 13 + 48);
    }
    expect("types and traits of HIP's own", isTurned);

    Device<Said> said(64);
    votes<<<1, 64>>>(din.get(), said.get());
    const auto lanes = said.read();
    bool isMasked = true, isOfTile = true, isOfGroup = true;
    for (int i = 0; i < 64; ++i) {
        Lanes greater = 0, same = 0, tile = 0, tileSame = 0, group = 0;
        int total = 0, least = 100, bits = 0;
        for (int k = 0; k < 64; ++k) {
            const Lanes bit = Lanes{1} << k;
            if (k % 2 == 0) {
                greater |= values[k] > 2 ? bit : 0;
                group |= values[k] > 2 ? Lanes{1} << k / 2 : 0;
                same |= values[k] == values[i] ? bit : 0;
                total += values[k];
                least = std::min(least, values[k] - 4);
                bits |= 1 << values[k];
            }
            if (k / 16 == i / 16) {
                tile |= values[k] > 2 ? Lanes{1} << k % 16 : 0;
                tileSame |= values[k] == values[i] ? Lanes{1} << k % 16 : 0;
            }
        }
        const Said& one = lanes[i];
        isMasked = isMasked && one.active == ~Lanes{0};
        if (i % 2 == 0) {
            isMasked = isMasked && one.ballot == greater && one.any == 0 && one.every == 1 && one.same == same &&
                       one.all == even && one.isAll == 1 && one.sum == total && one.least == least &&
                       one.bits == bits && one.fromFirst == values[6] && one.fromUpper == values[i ^ 32];
            isOfGroup = isOfGroup && one.group == group && one.groupAny == 1 && one.groupAll == 1;
        }
        isOfTile = isOfTile && one.tile == tile && one.tileSame == tileSame && one.tileAny == (i / 16 == 1) &&
                   one.tileAll == (i / 16 != 1) && one.isTileAll == 1;
    }
    expect("lanes that a mask names", isMasked);
    expect("votes of a tile", isOfTile);
    expect("votes of a group", isOfGroup);

    Device<long long> least(1), most(1);
    extremes<<<2, 64>>>(least.get(), most.get());
    expect("extremes of 64 bits with a sign",
           least.read()[0] == -5000000000ll * 63 && most.read()[0] == 5000000000ll * 63);
    Device<float> floats(2);
    Device<double> doubles(2);
    Device<int> lanesOf(64);
    extremesOfFloats<<<2, 64>>>(floats.get(), doubles.get(), lanesOf.get());
    expect("extremes of floats",
           floats.read() == std::vector<float>{11.5f, -20} && doubles.read() == std::vector<double>{20, -11.5});
    bool isNth = true;
    const std::vector<int> nth = lanesOf.read();
    for (int i = 0; i < 32; ++i) {
        int left = 2, lane = i;
        while (lane < 32 && (left -= 0xf0f0a001u >> lane & 1) > 0) {
            ++lane;
        }
        isNth = isNth && nth[i] == (lane < 32 ? lane : -1);
    }
    expect("the second lane from each on", isNth && nth[40] == 1);
    return verdict();
}
