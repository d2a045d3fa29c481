// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <hip/hip_runtime.h>

// HIP before 6 has no meta_group_rank() and meta_group_size() of tiles and coalesced groups, no group_dim() and no
// this_thread(). Its classes are taken under other names, and those that kernels see are derived from them.
#define thread_block hip5_thread_block
#define this_thread_block hip5_this_thread_block
#define grid_group hip5_grid_group
#define this_grid hip5_this_grid
#define coalesced_group hip5_coalesced_group
#define coalesced_threads hip5_coalesced_threads
#define thread_block_tile hip5_thread_block_tile
#define tiled_partition hip5_tiled_partition
#include_next <hip/hip_cooperative_groups.h>
#undef thread_block
#undef this_thread_block
#undef grid_group
#undef this_grid
#undef coalesced_group
#undef coalesced_threads
#undef thread_block_tile
#undef tiled_partition

namespace cooperative_groups {

// What the lanes of a group say together: bit i is that of the group's lane i.
class __gks_votes {
public:
    __device__ explicit __gks_votes(unsigned long long members) : m_members(members) {}

    __device__ unsigned long long ballot(int predicate) const { return inGroup(__ballot(predicate)); }
    __device__ int any(int predicate) const { return (__ballot(predicate) & m_members) != 0; }
    __device__ int all(int predicate) const { return (__ballot(predicate) & m_members) == m_members; }
    template<class T>
    __device__ unsigned long long match_any(T value) const {
        return inGroup(__match_any_sync(__ballot(1), value) & m_members);
    }
    template<class T>
    __device__ unsigned long long match_all(T value, int& areAll) const {
        areAll = all((__match_any_sync(__ballot(1), value) & m_members) == m_members);
        return areAll != 0 ? inGroup(m_members) : 0;
    }

private:
    __device__ unsigned long long inGroup(unsigned long long lanes) const {
        unsigned long long result = 0;
        unsigned int rank = 0;
        for (unsigned long long left = m_members; left != 0; left &= left - 1, ++rank) {
            result |= (lanes & left & -left) != 0 ? 1ull << rank : 0;
        }
        return result;
    }

    unsigned long long m_members; // lanes of the wave
};
template<unsigned int size>
class __gks_tile_votes {
public:
    __device__ unsigned long long ballot(int predicate) const { return (__ballot(predicate) & members()) >> first(); }
    __device__ int any(int predicate) const { return ballot(predicate) != 0; }
    __device__ int all(int predicate) const { return (__ballot(!predicate) & members()) == 0; }
    template<class T>
    __device__ unsigned long long match_any(T value) const {
        return (__match_any_sync(__ballot(1), value) & members()) >> first();
    }
    template<class T>
    __device__ unsigned long long match_all(T value, int& areAll) const {
        const unsigned long long present = __ballot(1) & members();
        areAll = all((__match_any_sync(__ballot(1), value) & members()) == present);
        return areAll != 0 ? present >> first() : 0;
    }

protected:
    __device__ static unsigned int first() { return __lane_id() & ~(size - 1); }
    __device__ static unsigned long long members() { return (size == 64 ? ~0ull : (1ull << size % 64) - 1) << first(); }
};

class thread_block : public hip5_thread_block {
public:
    __device__ explicit thread_block(const hip5_thread_block& block) : hip5_thread_block(block) {}

    __device__ dim3 group_dim() const { return dim3(blockDim.x, blockDim.y, blockDim.z); }
    __device__ dim3 dim_threads() const { return group_dim(); }
    __device__ unsigned int num_threads() const { return size(); }
};
__device__ inline thread_block this_thread_block() {
    return thread_block(hip5_this_thread_block());
}

class grid_group : public hip5_grid_group {
public:
    __device__ explicit grid_group(const hip5_grid_group& grid) : hip5_grid_group(grid) {}

    __device__ dim3 group_dim() const { return dim3(blockDim.x, blockDim.y, blockDim.z); } // as HIP 6: of a block
    __device__ dim3 block_index() const { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
    __device__ dim3 dim_blocks() const { return dim3(gridDim.x, gridDim.y, gridDim.z); }
    __device__ unsigned int num_blocks() const { return gridDim.x * gridDim.y * gridDim.z; }
    __device__ unsigned int block_rank() const {
        return (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    }
    __device__ unsigned int num_threads() const { return size(); }
};
__device__ inline grid_group this_grid() {
    return grid_group(hip5_this_grid());
}

template<unsigned int tileSize, class Parent = void>
class thread_block_tile;

class coalesced_group : public hip5_coalesced_group {
public:
    __device__ explicit coalesced_group(const hip5_coalesced_group& group, unsigned int rank = 0,
                                        unsigned int count = 1)
        : hip5_coalesced_group(group), m_rank(rank), m_count(count) {}

    __device__ unsigned int num_threads() const { return size(); }
    __device__ unsigned int meta_group_rank() const { return m_rank; }
    __device__ unsigned int meta_group_size() const { return m_count; }

    __device__ unsigned long long ballot(int predicate) const { return votes().ballot(predicate); }
    __device__ int any(int predicate) const { return votes().any(predicate); }
    __device__ int all(int predicate) const { return votes().all(predicate); }
    template<class T>
    __device__ unsigned long long match_any(T value) const {
        return votes().match_any(value);
    }
    template<class T>
    __device__ unsigned long long match_all(T value, int& areAll) const {
        return votes().match_all(value, areAll);
    }

    __device__ unsigned long long __gks_members() const { return coalesced_info.member_mask; }
    // Those of the group that say the same.
    __device__ coalesced_group parted(bool predicate) const { return partOf(coalesced_info.member_mask, predicate); }
    // So many of the group in a row, of lanes above 31 too. None where that is no power of two.
    __device__ coalesced_group tiled(unsigned int tileSize) const {
        if (tileSize == 0 || (tileSize & (tileSize - 1)) != 0) {
            return coalesced_group(0ull);
        }
        const unsigned int tile = thread_rank() / tileSize;
        unsigned long long lanes = 0;
        unsigned int rank = 0;
        for (unsigned long long left = coalesced_info.member_mask; left != 0; left &= left - 1, ++rank) {
            lanes |= rank / tileSize == tile ? left & -left : 0;
        }
        return coalesced_group(lanes, tile, (size() + tileSize - 1) / tileSize);
    }

private:
    template<unsigned int tileSize, class Parent>
    friend __device__ coalesced_group binary_partition(const thread_block_tile<tileSize, Parent>& tile, bool predicate);

    __device__ explicit coalesced_group(unsigned long long lanes, unsigned int rank = 0, unsigned int count = 1)
        : hip5_coalesced_group(lanes), m_rank(rank), m_count(count) {}
    __device__ static coalesced_group partOf(unsigned long long lanes, bool predicate) {
        const unsigned long long such = __ballot(predicate) & lanes;
        return coalesced_group(predicate ? such : lanes ^ such);
    }
    __device__ __gks_votes votes() const { return __gks_votes(coalesced_info.member_mask); }

    unsigned int m_rank, m_count;
};
__device__ inline coalesced_group coalesced_threads() {
    return coalesced_group(hip5_coalesced_threads());
}

class hip5_single_thread : public thread_group {
public:
    __device__ hip5_single_thread() : thread_group(internal::cg_coalesced_group, 1) {
        coalesced_info.member_mask = 1ull << __lane_id();
        coalesced_info.size = 1;
        coalesced_info.tiled_info.is_tiled = false;
    }
};
__device__ inline thread_group this_thread() {
    return hip5_single_thread();
}

template<unsigned int tileSize, class Parent>
class thread_block_tile : public hip5_thread_block_tile<tileSize, Parent>, public __gks_tile_votes<tileSize> {
public:
    __device__ explicit thread_block_tile(const Parent& parent) : hip5_thread_block_tile<tileSize, Parent>(parent) {}

    __device__ static constexpr unsigned int num_threads() { return tileSize; }
    using __gks_tile_votes<tileSize>::members;
    __device__ unsigned long long __gks_members() const { return members() & __ballot(1); }
    // Which of the block's tiles this is, and how many there are.
    __device__ unsigned int meta_group_rank() const { return internal::workgroup::thread_rank() / tileSize; }
    __device__ unsigned int meta_group_size() const { return (internal::workgroup::size() + tileSize - 1) / tileSize; }
};

template<unsigned int tileSize>
class thread_block_tile<tileSize, void> : public hip5_thread_block_tile<tileSize, void>,
                                          public __gks_tile_votes<tileSize> {
public:
    template<class Parent>
    __device__ thread_block_tile(const thread_block_tile<tileSize, Parent>& tile)
        : hip5_thread_block_tile<tileSize, void>(tile) {}

    __device__ static constexpr unsigned int num_threads() { return tileSize; }
    using __gks_tile_votes<tileSize>::members;
    __device__ unsigned long long __gks_members() const { return members() & __ballot(1); }
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
__device__ inline coalesced_group tiled_partition(const coalesced_group& parent, unsigned int tileSize) {
    return parent.tiled(tileSize);
}

// Those of a group for which the predicate is the same, as a group.
__device__ inline coalesced_group binary_partition(const coalesced_group& group, bool predicate) {
    return group.parted(predicate);
}
template<unsigned int tileSize, class Parent>
__device__ coalesced_group binary_partition(const thread_block_tile<tileSize, Parent>& tile, bool predicate) {
    return coalesced_group::partOf(tile.members(), predicate);
}

} // namespace cooperative_groups
