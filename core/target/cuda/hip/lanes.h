// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Shuffles and votes of HIP, which take no mask: all 32 lanes of the warp take part. A width of 64 is that of another
// machine: only an exchange that stays inside of 32 lanes anyway means the same here.

// Not defined anywhere: the assembler refuses what still calls it.
extern "C" __device__ void shuffle_is_wider_than_the_32_lanes_of_a_CUDA_warp();

namespace gks_lanes {

constexpr int count = 32;
constexpr unsigned all = 0xffffffffu;

__device__ inline int checkedWidth(int width) {
    if (width > count) {
        shuffle_is_wider_than_the_32_lanes_of_a_CUDA_warp();
    }
    return width;
}

__device__ inline int xorWidth(int laneMask, int width) {
    if (width <= count) {
        return width;
    }
    if (laneMask >= count) {
        shuffle_is_wider_than_the_32_lanes_of_a_CUDA_warp();
    }
    return count;
}

template<class T>
__device__ inline T shuffle(T value, int lane, int width = count) {
    return __shfl_sync(all, value, lane, checkedWidth(width));
}
template<class T>
__device__ inline T shuffleUp(T value, unsigned distance, int width = count) {
    return __shfl_up_sync(all, value, distance, checkedWidth(width));
}
template<class T>
__device__ inline T shuffleDown(T value, unsigned distance, int width = count) {
    return __shfl_down_sync(all, value, distance, checkedWidth(width));
}
template<class T>
__device__ inline T shuffleXor(T value, int laneMask, int width = count) {
    return __shfl_xor_sync(all, value, laneMask, xorWidth(laneMask, width));
}

// 64 bits wide as in HIP; the upper half is zero.
__device__ inline unsigned long long ballot(int predicate) {
    return __ballot_sync(all, predicate);
}
__device__ inline int anyLane(int predicate) {
    return __any_sync(all, predicate);
}
__device__ inline int allLanes(int predicate) {
    return __all_sync(all, predicate);
}

} // namespace gks_lanes

#include "lane_names.h"

__device__ inline unsigned __lane_id() {
    unsigned lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
}
