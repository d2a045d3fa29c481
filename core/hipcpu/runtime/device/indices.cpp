// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/device/device.h"

using namespace gks::hipcpu;
using namespace gks::hipcpu::device;

// Which thread this is. The retargeter replaces the calls of workitem_id and workgroup_id in kernels by loads of its
// own.

namespace {

ALWAYS_INLINE const BlockContext& block() {
    return *hipcpu_this_thread()->block;
}

} // namespace

#define CONST_FUNCTION DEVICE_FUNCTION __attribute__((const))

CONST_FUNCTION Word hipcpu_amdgcn_workitem_id_x() {
    return hipcpu_this_thread()->threadIndex[0];
}
CONST_FUNCTION Word hipcpu_amdgcn_workitem_id_y() {
    return hipcpu_this_thread()->threadIndex[1];
}
CONST_FUNCTION Word hipcpu_amdgcn_workitem_id_z() {
    return hipcpu_this_thread()->threadIndex[2];
}
CONST_FUNCTION Word hipcpu_amdgcn_workgroup_id_x() {
    return block().blockIndex[0];
}
CONST_FUNCTION Word hipcpu_amdgcn_workgroup_id_y() {
    return block().blockIndex[1];
}
CONST_FUNCTION Word hipcpu_amdgcn_workgroup_id_z() {
    return block().blockIndex[2];
}

DEVICE_FUNCTION DoubleWord __ockl_get_local_id(Word d) {
    switch (d) {
    case 0:
        return hipcpu_amdgcn_workitem_id_x();
    case 1:
        return hipcpu_amdgcn_workitem_id_y();
    case 2:
        return hipcpu_amdgcn_workitem_id_z();
    default:
        return 0;
    }
}

DEVICE_FUNCTION DoubleWord __ockl_get_group_id(Word d) {
    switch (d) {
    case 0:
        return hipcpu_amdgcn_workgroup_id_x();
    case 1:
        return hipcpu_amdgcn_workgroup_id_y();
    case 2:
        return hipcpu_amdgcn_workgroup_id_z();
    default:
        return 0;
    }
}

DEVICE_FUNCTION DoubleWord __ockl_get_local_size(Word d) {
    return d < 3 ? block().blockSize[d] : 1;
}
DEVICE_FUNCTION DoubleWord __ockl_get_enqueued_local_size(Word d) {
    return d < 3 ? block().blockSize[d] : 1;
}
DEVICE_FUNCTION DoubleWord __ockl_get_num_groups(Word d) {
    return d < 3 ? block().gridSize[d] : 1;
}
DEVICE_FUNCTION DoubleWord __ockl_get_global_size(Word d) {
    return d < 3 ? DoubleWord{block().gridSize[d]} * block().blockSize[d] : 1;
}
DEVICE_FUNCTION DoubleWord __ockl_get_global_id(Word d) {
    return d < 3 ? __ockl_get_group_id(d) * block().blockSize[d] + __ockl_get_local_id(d) : 0;
}
DEVICE_FUNCTION DoubleWord __ockl_get_global_offset(Word) {
    return 0;
}
DEVICE_FUNCTION Word __ockl_get_work_dim() {
    return 3;
}

// What AMD's queue packet and hidden arguments say of the launch; made by the runtime when a block asks.
extern "C" const void* hipcpu_dispatch_packet();
extern "C" const void* hipcpu_implicit_arguments();
DEVICE_FUNCTION const void* hipcpu_amdgcn_dispatch_ptr() {
    return hipcpu_dispatch_packet();
}
DEVICE_FUNCTION const void* hipcpu_amdgcn_implicitarg_ptr() {
    return hipcpu_implicit_arguments();
}
DEVICE_FUNCTION DoubleWord hipcpu_amdgcn_dispatch_id() {
    return 0;
}

DEVICE_FUNCTION Word hipcpu_amdgcn_wavefrontsize() {
    return waveSize;
}
DEVICE_FUNCTION Word hipcpu_amdgcn_groupstaticsize() {
    return block().staticLdsBytes;
}

DEVICE_FUNCTION Word hipcpu_amdgcn_mbcnt_lo(Word mask, Word add) {
    const Word lane = hipcpu_this_thread()->lane;
    const Word below = lane >= 32 ? ~Word{0} : (Word{1} << lane) - 1;
    return add + static_cast<Word>(__builtin_popcount(mask & below));
}

DEVICE_FUNCTION Word hipcpu_amdgcn_mbcnt_hi(Word mask, Word add) {
    const Word lane = hipcpu_this_thread()->lane;
    const Word below = lane < 32 ? 0 : (Word{1} << (lane - 32)) - 1;
    return add + static_cast<Word>(__builtin_popcount(mask & below));
}

DEVICE_FUNCTION Word __ockl_lane_u32() {
    return hipcpu_this_thread()->lane;
}

// The executing wave's place in the machine: of each of MI300X's eight dies (XCC), which take the blocks in turns, one
// compute unit, whose four SIMDs take the waves in turns. `what`, as in the instruction: the register, the first of its
// bits and how many but one.
DEVICE_FUNCTION Word hipcpu_amdgcn_s_getreg(Word what) {
    constexpr Word mode = 1, placeOfWave = 4, die = 20; // HW_REG_MODE, _HW_ID and _XCC_ID; the others are 0
    constexpr Word modeOfKernels = 0x3f0;               // to nearest, with denormals, IEEE_MODE, DX10_CLAMP
    constexpr Word simds = 4, dies = 8;
    Word value = 0;
    if ((what & 0x3f) == placeOfWave) {
        const ThreadContext& thread = *hipcpu_this_thread();
        const BlockContext& b = *thread.block;
        const Word linear =
            thread.threadIndex[0] + b.blockSize[0] * (thread.threadIndex[1] + b.blockSize[1] * thread.threadIndex[2]);
        const Word wave = linear / waveSize;
        value = (wave % simds) << 4 | wave / simds;
    } else if ((what & 0x3f) == mode) {
        value = modeOfKernels;
    } else if ((what & 0x3f) == die) {
        const BlockContext& b = block();
        value = (b.blockIndex[0] + b.gridSize[0] * (b.blockIndex[1] + b.gridSize[1] * b.blockIndex[2])) % dies;
    }
    const Word bits = (what >> 11 & 0x1f) + 1;
    return value >> (what >> 6 & 0x1f) & ~Word{0} >> (32 - bits);
}

DEVICE_FUNCTION bool hipcpu_amdgcn_is_shared(const void* address) {
    const auto offset = reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(hipcpu_lds_base());
    return offset < greatestLdsBytes;
}

// Private memory is the thread's stack: what lies a stack's size above the current frame.
DEVICE_FUNCTION __attribute__((noinline)) bool hipcpu_amdgcn_is_private(const void* address) {
    constexpr std::uintptr_t stackBytes = 32 * 4096;
    const auto frame = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
    return reinterpret_cast<std::uintptr_t>(address) - frame < stackBytes;
}
