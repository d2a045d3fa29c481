// SPDX-License-Identifier: GPL-3.0-or-later

// Macros, because CUDA's own functions without a mask, long useless, still have those names. They are off while its
// headers are read (lane_names_off.h), so this file has no guard.

// A constant, so that code for other widths is dropped before it is looked at.
#define warpSize gks_lanes::count

#define __shfl(...) gks_lanes::shuffle(__VA_ARGS__)
#define __shfl_up(...) gks_lanes::shuffleUp(__VA_ARGS__)
#define __shfl_down(...) gks_lanes::shuffleDown(__VA_ARGS__)
#define __shfl_xor(...) gks_lanes::shuffleXor(__VA_ARGS__)
#define __ballot(predicate) gks_lanes::ballot(predicate)
#define __any(predicate) gks_lanes::anyLane(predicate)
#define __all(predicate) gks_lanes::allLanes(predicate)
