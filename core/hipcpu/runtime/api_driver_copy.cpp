// SPDX-License-Identifier: GPL-3.0-or-later
// Copies as the driver interface asks for them: each side is host memory, device memory or an array, of which there
// are none.
#include "core/hipcpu/runtime/hip_api.h"
#include "core/hipcpu/runtime/last_error.h"

using namespace gks::hipcpu;

namespace {

struct RowsSide { // of hip_Memcpy2D
    std::size_t x;
    std::size_t y;
    int memoryType;
    void* host;
    void* device;
    void* array;
    std::size_t pitch;
};
struct RowsCopy {
    RowsSide from;
    RowsSide to;
    std::size_t widthBytes;
    std::size_t height;
};

struct VolumeSide { // of HIP_MEMCPY3D since HIP 6
    std::size_t x;
    std::size_t y;
    std::size_t z;
    std::size_t level;
    int memoryType;
    void* host;
    void* device;
    void* array;
    std::size_t pitch;
    std::size_t height;
};
struct VolumeCopy {
    VolumeSide from;
    VolumeSide to;
    HipExtent extent;
};

// HIP 5 and HIP 6 number the types of memory otherwise, so the address that is there says which one is meant.
template<class Side>
void* addressOf(const Side& side) {
    return side.device ? side.device : side.host;
}

HipPitchedPointer memoryOf(const RowsSide& side, const RowsCopy& asked) {
    return {addressOf(side), side.pitch != 0 ? side.pitch : asked.widthBytes, asked.widthBytes, side.y + asked.height};
}

HipPitchedPointer memoryOf(const VolumeSide& side, const VolumeCopy& asked) {
    return {addressOf(side), side.pitch != 0 ? side.pitch : asked.extent.width, asked.extent.width,
            side.height != 0 ? side.height : asked.extent.height};
}

template<class Copy>
HipError paramsOf(const Copy* asked, HipExtent extent, HipMemcpy3DParams& params) {
    if (!addressOf(asked->from) || !addressOf(asked->to)) {
        return asked->from.array || asked->to.array ? hipErrorNotSupported : hipErrorInvalidValue;
    }
    params = {};
    params.from = memoryOf(asked->from, *asked);
    params.to = memoryOf(asked->to, *asked);
    params.extent = extent;
    params.kind = hipMemcpyDefault;
    return hipSuccess;
}

HipError paramsOf(const RowsCopy* asked, HipMemcpy3DParams& params) {
    if (!asked) {
        return hipErrorInvalidValue;
    }
    const HipError error = paramsOf(asked, {asked->widthBytes, asked->height, 1}, params);
    params.fromPlace[0] = asked->from.x;
    params.fromPlace[1] = asked->from.y;
    params.toPlace[0] = asked->to.x;
    params.toPlace[1] = asked->to.y;
    return error;
}

HipError paramsOf(const VolumeCopy* asked, HipMemcpy3DParams& params) {
    if (!asked) {
        return hipErrorInvalidValue;
    }
    const HipError error = paramsOf(asked, asked->extent, params);
    const auto place = [](const VolumeSide& side, std::size_t(&to)[3]) {
        to[0] = side.x;
        to[1] = side.y;
        to[2] = side.z;
    };
    place(asked->from, params.fromPlace);
    place(asked->to, params.toPlace);
    return error;
}

template<class Copy>
HipError copyNow(const Copy* asked) {
    HipMemcpy3DParams params;
    const HipError error = paramsOf(asked, params);
    return error == hipSuccess ? hipMemcpy3D(&params) : remember(error);
}

template<class Copy>
HipError copyOn(const Copy* asked, HipStream stream) {
    HipMemcpy3DParams params;
    const HipError error = paramsOf(asked, params);
    return error == hipSuccess ? hipMemcpy3DAsync(&params, stream) : remember(error);
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

HipError hipMemcpyParam2D(const RowsCopy* asked) {
    return copyNow(asked);
}

HipError hipMemcpyParam2DAsync(const RowsCopy* asked, HipStream stream) {
    return copyOn(asked, stream);
}

HipError hipDrvMemcpy2DUnaligned(const RowsCopy* asked) {
    return copyNow(asked);
}

HipError hipDrvMemcpy3D(const VolumeCopy* asked) {
    return copyNow(asked);
}

HipError hipDrvMemcpy3DAsync(const VolumeCopy* asked, HipStream stream) {
    return copyOn(asked, stream);
}

// Rows of bytes are hipMemset2D's.
HipError hipMemsetD2D8(void* to, std::size_t pitch, unsigned char value, std::size_t width, std::size_t height) {
    return hipMemset2D(to, pitch, value, width, height);
}

HipError hipMemsetD2D8Async(void* to, std::size_t pitch, unsigned char value, std::size_t width, std::size_t height,
                            HipStream stream) {
    return hipMemset2DAsync(to, pitch, value, width, height, stream);
}
}
#pragma GCC visibility pop
