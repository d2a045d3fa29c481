// SPDX-License-Identifier: GPL-3.0-or-later
// Copies and fills in three dimensions, plane by plane. Arrays belong to textures, which there are none of.
#include "core/hipcpu/runtime/hip_api.h"
#include "core/hipcpu/runtime/last_error.h"

using namespace gks::hipcpu;

namespace {

char* placeIn(const HipPitchedPointer& volume, const HipPosition& position, std::size_t plane) {
    return static_cast<char*>(volume.data) + ((position.z + plane) * volume.height + position.y) * volume.pitch +
           position.x;
}

bool holds(const HipPitchedPointer& volume, const HipPosition& position, const HipExtent& extent) {
    // One plane needs no height to be found in.
    return volume.data != nullptr && position.x + extent.widthBytes <= volume.pitch &&
           (position.z + extent.depth <= 1 || position.y + extent.height <= volume.height);
}

bool isEmpty(const HipExtent& extent) {
    return extent.widthBytes == 0 || extent.height == 0 || extent.depth == 0;
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
    HipPitchedPointer made = {nullptr, 0, extent.widthBytes, extent.height};
    const HipError error = hipMallocPitch(&made.data, &made.pitch, extent.widthBytes, rows);
    if (error == hipSuccess) {
        *volume = made;
    }
    return error;
}

HipError hipMemcpy3DAsync(const HipVolumeCopy* copy, HipStream stream) {
    if (!copy) {
        return remember(hipErrorInvalidValue);
    }
    if (copy->fromArray || copy->toArray) {
        return remember(hipErrorNotSupported);
    }
    if (isEmpty(copy->extent)) {
        return hipSuccess;
    }
    if (!holds(copy->from, copy->fromPosition, copy->extent) || !holds(copy->to, copy->toPosition, copy->extent)) {
        return remember(hipErrorInvalidValue);
    }
    for (std::size_t plane = 0; plane < copy->extent.depth; ++plane) {
        const HipError error = hipMemcpy2DAsync(placeIn(copy->to, copy->toPosition, plane), copy->to.pitch,
                                                placeIn(copy->from, copy->fromPosition, plane), copy->from.pitch,
                                                copy->extent.widthBytes, copy->extent.height, copy->kind, stream);
        if (error != hipSuccess) {
            return error;
        }
    }
    return hipSuccess;
}

HipError hipMemcpy3D(const HipVolumeCopy* copy) {
    const HipError error = hipMemcpy3DAsync(copy, nullptr);
    return error == hipSuccess ? hipStreamSynchronize(nullptr) : error;
}

HipError hipMemset3DAsync(HipPitchedPointer volume, int value, HipExtent extent, HipStream stream) {
    if (isEmpty(extent)) {
        return hipSuccess;
    }
    if (!holds(volume, {}, extent)) {
        return remember(hipErrorInvalidValue);
    }
    for (std::size_t plane = 0; plane < extent.depth; ++plane) {
        const HipError error =
            hipMemset2DAsync(placeIn(volume, {}, plane), volume.pitch, value, extent.widthBytes, extent.height, stream);
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
