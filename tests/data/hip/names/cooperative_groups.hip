// SPDX-License-Identifier: GPL-3.0-or-later
#include <hip/hip_cooperative_groups.h>
#include <hip/hip_runtime.h>
namespace cg = cooperative_groups;
__global__ void k(int* n) {
    cg::thread_block block = cg::this_thread_block();
    n[0] = block.size() + block.thread_rank() + block.group_index().x + block.thread_index().x + block.group_dim().x;
    n[20] = 0;
    auto tile = cg::tiled_partition<32>(block);
    n[1] = tile.meta_group_rank() + tile.meta_group_size() + tile.thread_rank() + tile.size();
    n[2] = tile.shfl(n[3], 1) + tile.shfl_down(n[3], 1) + tile.shfl_xor(n[3], 1) + tile.shfl_up(n[3], 1);
    n[3] = 0;
    tile.sync();
    cg::sync(block);
    cg::coalesced_group active = cg::coalesced_threads();
    n[5] = active.size() + active.thread_rank() + active.meta_group_rank() + active.meta_group_size() +
           active.shfl(n[1], 0);
    active.sync();
    cg::thread_group group = cg::tiled_partition(block, 16);
    n[6] = group.size() + group.thread_rank();
    group.sync();
    cg::thread_block_tile<64> wave = cg::tiled_partition<64>(cg::this_thread_block());
    n[8] = wave.thread_rank();
    auto one = cg::this_thread();
    n[9] = one.size();
    cg::grid_group grid = cg::this_grid();
    n[10] = grid.size() + grid.thread_rank() + grid.group_dim().x;
}
