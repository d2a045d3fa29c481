// SPDX-License-Identifier: GPL-3.0-or-later
#include <hip/cooperative_groups/hip_scan.h>
#include <hip/hip_cooperative_groups.h>
#include <hip/hip_runtime.h>

#include "check.h"

#include <algorithm>
#include <limits>

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

// Reductions and scans of ROCm 7, of a type that no shuffle takes as well.
struct Sum {
    double value;
    int count;
};
__global__ void scansOfGroups(const int* in, int* out) {
    const cg::thread_block_tile<32> tile = cg::tiled_partition<32>(cg::this_thread_block());
    const int value = in[threadIdx.x], i = threadIdx.x;
    int* const own = out + 8 * i;
    own[0] = cg::reduce(tile, value, cg::plus<int>());
    own[1] = cg::reduce(tile, value, cg::less<int>());
    own[2] = cg::inclusive_scan(tile, value);
    own[3] = cg::exclusive_scan(tile, value);
    own[4] = cg::exclusive_scan(tile, value, cg::greater<int>());
    const Sum all = cg::reduce(tile, Sum{0.5 * value, 1},
                               [](const Sum& a, const Sum& b) { return Sum{a.value + b.value, a.count + b.count}; });
    own[5] = static_cast<int>(2 * all.value) + all.count;
    if (i % 2 == 1) {
        const cg::coalesced_group odd = cg::coalesced_threads();
        own[6] = cg::inclusive_scan(odd, value, cg::bit_xor<int>());
        own[7] = cg::reduce(odd, static_cast<unsigned char>(value), cg::bit_or<unsigned char>());
    }
}
void scans() {
    std::vector<int> in(64);
    for (int i = 0; i < 64; ++i) {
        in[i] = i * 37 % 101 - 20;
    }
    const Device<int> numbers(in);
    Device<int> out(8 * 64);
    scansOfGroups<<<1, 64>>>(numbers.get(), out.get());
    const auto got = out.read();
    bool reduced = true, scanned = true, coalesced = true;
    int before = 0, parity = 0, bits = 0;
    for (int i = 1; i < 64; i += 2) {
        bits |= in[i] & 0xff;
    }
    for (int i = 0; i < 64; ++i) {
        const int first = i / 32 * 32;
        int sum = 0, least = in[first], most = std::numeric_limits<int>::lowest();
        for (int k = first; k < first + 32; ++k) {
            sum += in[k];
            least = std::min(least, in[k]);
            most = k < i ? std::max(most, in[k]) : most;
        }
        before = i == first ? 0 : before;
        const int* const own = got.data() + 8 * i;
        reduced = reduced && own[0] == sum && own[1] == least && own[5] == sum + 32;
        scanned = scanned && own[2] == before + in[i] && own[3] == before && own[4] == most;
        before += in[i];
        if (i % 2 == 1) {
            parity ^= in[i];
            coalesced = coalesced && own[6] == parity && own[7] == bits;
        }
    }
    expect("reductions of a tile", reduced);
    expect("scans of a tile", scanned);
    expect("of a coalesced group", coalesced);
}

int main() {
    scans();
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
