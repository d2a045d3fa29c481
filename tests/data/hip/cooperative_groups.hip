// SPDX-License-Identifier: GPL-3.0-or-later
#include <hip/hip_cooperative_groups.h>
#include <hip/hip_runtime.h>

#include "check.h"

namespace cg = cooperative_groups;

__global__ void sumByTiles(const int* x, int* out) {
    __shared__ int sum;
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<16> tile = cg::tiled_partition<16>(block);
    if (block.thread_rank() == 0) {
        sum = 0;
    }
    block.sync();
    int v = x[blockIdx.x * blockDim.x + block.thread_rank()];
    for (int offset = tile.size() / 2; offset > 0; offset /= 2) {
        v += tile.shfl_down(v, offset);
    }
    if (tile.thread_rank() == 0) {
        atomicAdd(&sum, v);
    }
    block.sync();
    if (block.thread_rank() == 0) {
        out[blockIdx.x] = sum;
    }
}

// Which tile of the block a thread is in, also of tiles whose type does not name the block.
__global__ void placesOfTiles(unsigned* rank, unsigned* count) {
    const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    const cg::thread_block_tile<32> any = tile;
    rank[threadIdx.x] = tile.meta_group_rank() * 1000 + any.meta_group_rank();
    count[threadIdx.x] = tile.meta_group_size() * 1000 + any.meta_group_size();
}

// A function for groups of any kind.
__device__ unsigned placeIn(const cg::thread_group& group) {
    group.sync();
    return group.thread_rank() * 1000 + group.size();
}
__global__ void groupsOfAnyKind(unsigned* places) {
    const cg::thread_block block = cg::this_thread_block();
    places[threadIdx.x] = placeIn(block);
    places[96 + threadIdx.x] = placeIn(cg::tiled_partition(block, 16));
}

// What HIP 6 added to groups: sizes of blocks, places of coalesced groups, a group of one.
__global__ void laterNames(unsigned* values) {
    cg::thread_block block = cg::this_thread_block();
    if (threadIdx.x % 2 == 0) {
        const cg::coalesced_group active = cg::coalesced_threads();
        const cg::coalesced_group part = cg::tiled_partition(active, 8);
        if (threadIdx.x == 36) {
            values[0] = active.size() * 100 + active.meta_group_rank() * 10 + active.meta_group_size();
            values[1] = part.meta_group_rank() * 10 + part.meta_group_size();
            values[2] = block.group_dim().x * 100 + block.group_dim().y * 10 + cg::this_thread().size();
            values[3] = cg::this_grid().group_dim().x + cg::this_thread().thread_rank();
        }
    }
}

// Groups of those that say the same, and of so many in a row, which reach over lanes 31 and 32.
__global__ void partsOfGroups(unsigned* places) {
    const cg::thread_block_tile<16> tile = cg::tiled_partition<16>(cg::this_thread_block());
    const cg::coalesced_group thirds = cg::binary_partition(tile, threadIdx.x % 3 == 0);
    places[threadIdx.x] = thirds.thread_rank() * 100 + thirds.num_threads();
    if (threadIdx.x % 2 == 1) {
        const cg::coalesced_group odd = cg::coalesced_threads();
        const cg::coalesced_group some = cg::binary_partition(odd, threadIdx.x > 40);
        const cg::coalesced_group four = cg::tiled_partition(odd, 4);
        places[64 + threadIdx.x] = some.thread_rank() * 100 + some.size();
        places[128 + threadIdx.x] =
            four.thread_rank() * 100 + four.meta_group_rank() * 10 + four.size() + 1000 * four.shfl(threadIdx.x, 3);
    }
}

int main() {
    std::vector<int> x(512);
    for (int i = 0; i < 512; ++i) {
        x[i] = i;
    }
    Device<int> dx(x), out(2);
    sumByTiles<<<2, 256>>>(dx.get(), out.get());
    const auto r = out.read();
    expect("tiles of 16 in two blocks", r[0] == 255 * 128 && r[1] == 256 * 256 + 255 * 128);
    Device<unsigned> rank(96), count(96);
    placesOfTiles<<<1, 96>>>(rank.get(), count.get());
    const auto ranks = rank.read(), counts = count.read();
    bool placed = true;
    for (unsigned i = 0; i < 96; ++i) {
        placed = placed && ranks[i] == i / 32 * 1001 && counts[i] == 3003;
    }
    expect("rank and number of tiles", placed);
    Device<unsigned> places(192);
    groupsOfAnyKind<<<1, 96>>>(places.get());
    const auto all = places.read();
    bool inPlace = true;
    for (unsigned i = 0; i < 96; ++i) {
        inPlace = inPlace && all[i] == i * 1000 + 96 && all[96 + i] == i % 16 * 1000 + 16;
    }
    expect("groups of any kind", inPlace);
    Device<unsigned> values(4);
    laterNames<<<1, 64>>>(values.get());
    expect("names of HIP 6", values.read() == std::vector<unsigned>{3201, 24, 6411, 64});
    Device<unsigned> parts(192);
    partsOfGroups<<<1, 64>>>(parts.get());
    const auto part = parts.read();
    bool parted = true, inRows = true;
    for (unsigned i = 0; i < 64; ++i) {
        unsigned rank = 0, size = 0;
        for (unsigned k = i / 16 * 16; k < i / 16 * 16 + 16; ++k) {
            const bool isSame = (k % 3 == 0) == (i % 3 == 0);
            size += isSame;
            rank += isSame && k < i;
        }
        parted = parted && part[i] == rank * 100 + size;
        if (i % 2 == 1) {
            parted = parted && part[64 + i] == (i > 40 ? (i - 41) / 2 * 100 + 12 : i / 2 * 100 + 20);
            inRows = inRows && part[128 + i] == i / 2 % 4 * 100 + i / 8 * 10 + 4 + 1000 * (i / 8 * 8 + 7);
        }
    }
    expect("groups that a predicate parts", parted);
    expect("groups in rows", inRows);
    return verdict();
}
