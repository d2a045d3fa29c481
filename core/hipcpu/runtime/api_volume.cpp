// SPDX-License-Identifier: GPL-3.0-or-later
// Memory in three dimensions: handed out, and filled plane by plane.
#include "core/hipcpu/runtime/hip_api.h"
#include "core/hipcpu/runtime/last_error.h"

using namespace gks::hipcpu;

namespace {

bool holds(const HipPitchedPointer& volume, const HipExtent& extent) {
    // One plane needs no height to be found in.
    return volume.data != nullptr && extent.width <= volume.pitch &&
           (extent.depth <= 1 || extent.height <= volume.height);
}

bool isEmpty(const HipExtent& extent) {
    return extent.width == 0 || extent.height == 0 || extent.depth == 0;
}

} // namespace

HipError hipMalloc3D(HipPitchedPointer* volume, HipExtent extent) {
    if (!volume) {
        return remember(hipErrorInvalidValue);
    }
    std::size_t rows = 0;
    if (__builtin_mul_overflow(extent.height, extent.depth, &rows)) {
        return remember(hipErrorOutOfMemory);
    }
    HipPitchedPointer made = {nullptr, 0, extent.width, extent.height};
    const HipError error = hipMallocPitch(&made.data, &made.pitch, extent.width, rows);
    if (error == hipSuccess) {
        *volume = made;
    }
    return error;
}

HipError hipMemset3DAsync(HipPitchedPointer volume, int value, HipExtent extent, HipStream stream) {
    if (isEmpty(extent)) {
        return hipSuccess;
    }
    if (!holds(volume, extent)) {
        return remember(hipErrorInvalidValue);
    }
    for (std::size_t plane = 0; plane < extent.depth; ++plane) {
        char* const begin = static_cast<char*>(volume.data) + plane * volume.height * volume.pitch;
        const HipError error = hipMemset2DAsync(begin, volume.pitch, value, extent.width, extent.height, stream);
        if (error != hipSuccess) {
            return error;
        }
    }
    return hipSuccess;
}

HipError hipMemset3D(HipPitchedPointer volume, int value, HipExtent extent) {
    const HipError error = hipMemset3DAsync(volume, value, extent, nullptr);
    return error == hipSuccess ? hipStreamSynchronize(nullptr) : error;
}
