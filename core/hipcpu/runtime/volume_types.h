// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The types of HIP's copies in three dimensions, as hip_types.h has the others.

#include "core/hipcpu/runtime/hip_types.h"

namespace gks::hipcpu {

struct HipPosition {
    std::size_t x, y, z; // x in bytes where no array is involved
};

struct HipExtent {
    std::size_t widthBytes, height, depth;
};

struct HipPitchedPointer {
    void* data;
    std::size_t pitch;
    std::size_t width;
    std::size_t height; // rows of a plane
};

struct HipVolumeCopy {
    void* fromArray;
    HipPosition fromPosition;
    HipPitchedPointer from;
    void* toArray;
    HipPosition toPosition;
    HipPitchedPointer to;
    HipExtent extent;
    HipMemcpyKind kind;
};

} // namespace gks::hipcpu
