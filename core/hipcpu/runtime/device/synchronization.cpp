// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/device/device.h"

#include <cstdlib>

using namespace gks::hipcpu;
using namespace gks::hipcpu::device;

// Barriers, clocks, and hints that have no meaning on a CPU.

DEVICE_FUNCTION __attribute__((convergent)) void hipcpu_amdgcn_s_barrier() {
    hipcpu_barrier();
}

DEVICE_FUNCTION void hipcpu_amdgcn_s_waitcnt(Word) {}
DEVICE_FUNCTION void hipcpu_amdgcn_s_setprio(std::int16_t) {}
DEVICE_FUNCTION void hipcpu_amdgcn_s_nop(std::int16_t) {}
DEVICE_FUNCTION void hipcpu_amdgcn_sched_barrier(Word) {}
DEVICE_FUNCTION void hipcpu_amdgcn_sched_group_barrier(Word, Word, Word) {}
DEVICE_FUNCTION void hipcpu_amdgcn_iglp_opt(Word) {}
DEVICE_FUNCTION void hipcpu_amdgcn_s_sendmsg(Word, Word) {}
DEVICE_FUNCTION void hipcpu_amdgcn_s_setreg(Word, Word) {}
DEVICE_FUNCTION void hipcpu_amdgcn_s_dcache_inv() {}
DEVICE_FUNCTION void hipcpu_amdgcn_s_dcache_wb() {}
DEVICE_FUNCTION void hipcpu_amdgcn_s_dcache_inv_vol() {}
DEVICE_FUNCTION void hipcpu_amdgcn_s_dcache_wb_vol() {}
DEVICE_FUNCTION void hipcpu_amdgcn_s_incperflevel(Word) {}
DEVICE_FUNCTION void hipcpu_amdgcn_s_decperflevel(Word) {}
DEVICE_FUNCTION void hipcpu_amdgcn_s_ttracedata(Word) {}
DEVICE_FUNCTION void hipcpu_amdgcn_buffer_wbinvl1() {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
DEVICE_FUNCTION void hipcpu_amdgcn_buffer_wbinvl1_vol() {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

// A kernel that sleeps waits for somebody: let the other threads of the block go on.
DEVICE_FUNCTION __attribute__((convergent)) void hipcpu_amdgcn_s_sleep(Word) {
    hipcpu_yield();
}
DEVICE_FUNCTION void hipcpu_amdgcn_s_sethalt(Word) {
    hipcpu_fail("the kernel halted itself (s_sethalt)");
}

// Behind a statement of inline assembly that writes exec.
DEVICE_FUNCTION void hipcpu_expect_lane(Word isOn) {
    if (!isOn) {
        hipcpu_fail("inline assembly has left a lane switched off (exec) that was on before");
    }
}

DEVICE_FUNCTION DoubleWord hipcpu_amdgcn_s_memtime() {
    return __builtin_readcyclecounter();
}
DEVICE_FUNCTION DoubleWord hipcpu_amdgcn_s_memrealtime() {
    return __builtin_readcyclecounter();
}
DEVICE_FUNCTION DoubleWord __ockl_memtime_u64() {
    return __builtin_readcyclecounter();
}
DEVICE_FUNCTION DoubleWord __ockl_memrealtime_u64() {
    return __builtin_readcyclecounter();
}
DEVICE_FUNCTION DoubleWord __ockl_steadyctr_u64() {
    return __builtin_readcyclecounter();
}
DEVICE_FUNCTION DoubleWord __ockl_cyclectr_u64() {
    return __builtin_readcyclecounter();
}

// Reductions over a whole block, behind __syncthreads_count, _and and _or.
extern "C" int hipcpu_block_reduce(int value, int operation);
enum BlockReduction { blockAdd, blockAnd, blockOr, blockGrid };
DEVICE_FUNCTION __attribute__((convergent)) int __ockl_wgred_add_i32(int value) {
    return hipcpu_block_reduce(value, blockAdd);
}
DEVICE_FUNCTION __attribute__((convergent)) int __ockl_wgred_and_i32(int value) {
    return hipcpu_block_reduce(value, blockAnd);
}
DEVICE_FUNCTION __attribute__((convergent)) int __ockl_wgred_or_i32(int value) {
    return hipcpu_block_reduce(value, blockOr);
}

DEVICE_FUNCTION DoubleWord __ockl_dm_alloc(DoubleWord sizeBytes) {
    return reinterpret_cast<DoubleWord>(std::malloc(sizeBytes));
}
DEVICE_FUNCTION void __ockl_dm_dealloc(DoubleWord address) {
    std::free(reinterpret_cast<void*>(address));
}

DEVICE_FUNCTION __attribute__((noreturn)) void hipcpu_amdgcn_endpgm() {
    hipcpu_fail("a thread ended its wave by __builtin_amdgcn_endpgm, which the CPU target does not support");
}

// What cooperative groups ask of a grid. All threads of a block meet as at a barrier, then the blocks.
DEVICE_FUNCTION bool __ockl_grid_is_valid() {
    return hipcpu_this_thread()->block->isCooperative != 0;
}
DEVICE_FUNCTION __attribute__((convergent)) void __ockl_grid_sync() {
    hipcpu_block_reduce(0, blockGrid);
}
// HIP 5 asks of any group whether it spans several devices: none does.
DEVICE_FUNCTION Word __ockl_multi_grid_num_grids() {
    return 1;
}
DEVICE_FUNCTION Word __ockl_multi_grid_grid_rank() {
    return 0;
}
DEVICE_FUNCTION Word __ockl_multi_grid_size() {
    return 1;
}
DEVICE_FUNCTION Word __ockl_multi_grid_thread_rank() {
    return 0;
}
DEVICE_FUNCTION bool __ockl_multi_grid_is_valid() {
    return false;
}
DEVICE_FUNCTION void __ockl_multi_grid_sync() {
    hipcpu_fail("synchronisation of several devices is not supported on the CPU target");
}
DEVICE_FUNCTION void __ockl_gws_init(Word, Word) {}
DEVICE_FUNCTION __attribute__((convergent)) void __ockl_gws_barrier(Word, Word) {
    __ockl_grid_sync();
}
