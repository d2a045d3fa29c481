// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// HIP before 6 has no meta_group_rank() and meta_group_size() of tiles. Its classes are taken under other names, and
// those that kernels see are derived from them.
#define thread_block_tile hip5_thread_block_tile
#define tiled_partition hip5_tiled_partition
#include_next <hip/hip_cooperative_groups.h>
#undef thread_block_tile
#undef tiled_partition

namespace cooperative_groups {

template<unsigned int tileSize, class Parent = void>
class thread_block_tile : public hip5_thread_block_tile<tileSize, Parent> {
public:
    __device__ explicit thread_block_tile(const Parent& parent) : hip5_thread_block_tile<tileSize, Parent>(parent) {}

    // Which of the block's tiles this is, and how many there are.
    __device__ unsigned int meta_group_rank() const { return internal::workgroup::thread_rank() / tileSize; }
    __device__ unsigned int meta_group_size() const { return (internal::workgroup::size() + tileSize - 1) / tileSize; }
};

template<unsigned int tileSize>
class thread_block_tile<tileSize, void> : public hip5_thread_block_tile<tileSize, void> {
public:
    template<class Parent>
    __device__ thread_block_tile(const thread_block_tile<tileSize, Parent>& tile)
        : hip5_thread_block_tile<tileSize, void>(tile) {}

    __device__ unsigned int meta_group_rank() const { return internal::workgroup::thread_rank() / tileSize; }
    __device__ unsigned int meta_group_size() const { return (internal::workgroup::size() + tileSize - 1) / tileSize; }
};

template<unsigned int tileSize, class Parent>
__device__ thread_block_tile<tileSize, Parent> tiled_partition(const Parent& parent) {
    return thread_block_tile<tileSize, Parent>(parent);
}
template<class Group>
__device__ auto tiled_partition(const Group& parent, unsigned int tileSize) {
    return hip5_tiled_partition(parent, tileSize);
}

} // namespace cooperative_groups
