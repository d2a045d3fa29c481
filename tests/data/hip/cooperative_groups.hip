// SPDX-License-Identifier: GPL-3.0-or-later
#include <hip/hip_runtime.h>
#include <hip/hip_cooperative_groups.h>

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
    return verdict();
}
