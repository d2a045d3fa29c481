// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The device library: what llvm.amdgcn.* intrinsics, __ockl_* and __ocml_* become on a CPU. Compiled to bitcode and
// linked into every module, where most of it is inlined into the kernels. Names and signatures are those of
// core/hipcpu/abi.h: vectors go through memory, results first.

#include "core/hipcpu/abi.h"

#define DEVICE_FUNCTION extern "C" __attribute__((visibility("default")))
// Waits for the other lanes of the wave: never merged, split or moved; its return address tells the lanes where they
// meet.
#define LANE_FUNCTION extern "C" __attribute__((visibility("default"), noinline, convergent))
#define ALWAYS_INLINE inline __attribute__((always_inline))

namespace gks::hipcpu::device {

using Half = _Float16;
using Word = std::uint32_t;
using DoubleWord = std::uint64_t;

template<class To, class From>
ALWAYS_INLINE To bitsAs(From value) {
    static_assert(sizeof(To) == sizeof(From));
    return __builtin_bit_cast(To, value);
}

} // namespace gks::hipcpu::device
