// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/device_commands.h"
#include "core/hipcpu/runtime/device_memory.h"
#include "core/hipcpu/runtime/fault_handler.h"
#include "core/hipcpu/runtime/hip_api.h"
#include "core/hipcpu/runtime/last_error.h"
#include "core/hipcpu/runtime/stream.h"

#include <algorithm>
#include <cstring>

// Synchronous copies wait for the null stream and copy on the calling thread. Asynchronous ones are commands of their
// stream, except those that touch pageable host memory: HIP stages these and returns when the host's side may be used
// again, which here means waiting for the stream and copying at once.

using namespace gks::hipcpu;

namespace {

bool isPageable(const void* address) {
    return !DeviceMemory::instance().find(address);
}

// Variables of a module are device memory that no allocation knows: the kind says which side is the host's.
bool touchesPageable(const void* to, const void* from, HipMemcpyKind kind) {
    switch (kind) {
    case hipMemcpyHostToDevice:
        return isPageable(from);
    case hipMemcpyDeviceToHost:
        return isPageable(to);
    case hipMemcpyDeviceToDevice:
        return false;
    default:
        return isPageable(to) || isPageable(from);
    }
}

CopiedBox rowOf(std::size_t sizeBytes) {
    CopiedBox row;
    row.widthBytes = sizeBytes;
    return row;
}

CopiedBox rowsOf(std::size_t toPitch, std::size_t fromPitch, std::size_t widthBytes, std::size_t height) {
    return {widthBytes, height, toPitch, fromPitch};
}

HipError copyNow(void* to, const void* from, const CopiedBox& box, Ticket after) {
    installFaultHandler();
    DeviceQueue::instance().waitFor(after);
    copyBox(to, from, box);
    return hipSuccess;
}

HipError copySynchronously(void* to, const void* from, const CopiedBox& box, HipMemcpyKind kind) {
    const HipError error = checkCopy(to, from, box, kind);
    const HipError entered = error == hipSuccess ? enterUnsafe() : error;
    return entered == hipSuccess ? copyNow(to, from, box, Stream::lastBlocking()) : remember(entered);
}

// What a command of this stream has to wait for: its own work, and across the null stream as far as it takes part in
// that.
Ticket workBefore(Stream& stream) {
    if (&stream == &Stream::null()) {
        return Stream::lastBlocking();
    }
    return stream.isBlocking() ? std::max(stream.last(), Stream::null().last()) : stream.last();
}

// A captured copy reads and writes host memory when its graph runs.
HipError copyAsynchronously(void* to, const void* from, const CopiedBox& box, HipMemcpyKind kind, HipStream handle) {
    Stream* stream = nullptr;
    const HipError error = checkCopy(to, from, box, kind);
    if (const HipError entered = error == hipSuccess ? enterStream(handle, stream) : error; entered != hipSuccess) {
        return remember(entered);
    }
    if (!stream->isCapturing() && touchesPageable(to, from, kind)) {
        return copyNow(to, from, box, workBefore(*stream));
    }
    stream->submit(copyOperation(to, from, box, kind));
    return hipSuccess;
}

HipError fillAsynchronously(void* to, const FilledRows& rows, HipStream handle) {
    Stream* stream = nullptr;
    const bool isThere = to || rows.count == 0 || rows.height == 0;
    if (const HipError error = isThere ? enterStream(handle, stream) : hipErrorInvalidValue; error != hipSuccess) {
        return remember(error);
    }
    stream->submit(fillOperation(to, rows));
    return hipSuccess;
}

template<class Value>
FilledRows rowOf(Value value, std::size_t count) {
    return {static_cast<std::uint32_t>(value), sizeof value, count};
}

// As documented: asynchronous unless the host can see the memory.
HipError fill(void* to, const FilledRows& rows) {
    const HipError error = fillAsynchronously(to, rows, nullptr);
    if (error == hipSuccess) {
        const auto target = DeviceMemory::instance().find(to);
        if (!target || target->kind != MemoryKind::device) {
            DeviceQueue::instance().waitFor(Stream::null().last());
        }
    }
    return error;
}

} // namespace

HipError hipMemcpy(void* to, const void* from, std::size_t sizeBytes, HipMemcpyKind kind) {
    return copySynchronously(to, from, rowOf(sizeBytes), kind);
}

HipError hipMemcpyWithStream(void* to, const void* from, std::size_t sizeBytes, HipMemcpyKind kind, HipStream stream) {
    const HipError error = hipMemcpyAsync(to, from, sizeBytes, kind, stream);
    return error == hipSuccess ? hipStreamSynchronize(stream) : error;
}

HipError hipMemcpyAsync(void* to, const void* from, std::size_t sizeBytes, HipMemcpyKind kind, HipStream stream) {
    return copyAsynchronously(to, from, rowOf(sizeBytes), kind, stream);
}

HipError hipMemcpyHtoD(void* to, void* from, std::size_t sizeBytes) {
    return hipMemcpy(to, from, sizeBytes, hipMemcpyHostToDevice);
}

HipError hipMemcpyDtoH(void* to, void* from, std::size_t sizeBytes) {
    return hipMemcpy(to, from, sizeBytes, hipMemcpyDeviceToHost);
}

HipError hipMemcpyDtoD(void* to, void* from, std::size_t sizeBytes) {
    return hipMemcpy(to, from, sizeBytes, hipMemcpyDeviceToDevice);
}

HipError hipMemcpyHtoDAsync(void* to, void* from, std::size_t sizeBytes, HipStream stream) {
    return hipMemcpyAsync(to, from, sizeBytes, hipMemcpyHostToDevice, stream);
}

HipError hipMemcpyDtoHAsync(void* to, void* from, std::size_t sizeBytes, HipStream stream) {
    return hipMemcpyAsync(to, from, sizeBytes, hipMemcpyDeviceToHost, stream);
}

HipError hipMemcpyDtoDAsync(void* to, void* from, std::size_t sizeBytes, HipStream stream) {
    return hipMemcpyAsync(to, from, sizeBytes, hipMemcpyDeviceToDevice, stream);
}

HipError hipMemcpyPeer(void* to, int toDevice, const void* from, int fromDevice, std::size_t sizeBytes) {
    if (toDevice != 0 || fromDevice != 0) {
        return remember(hipErrorInvalidDevice);
    }
    return hipMemcpy(to, from, sizeBytes, hipMemcpyDeviceToDevice);
}

HipError hipMemcpyPeerAsync(void* to, int toDevice, const void* from, int fromDevice, std::size_t sizeBytes,
                            HipStream stream) {
    if (toDevice != 0 || fromDevice != 0) {
        return remember(hipErrorInvalidDevice);
    }
    return hipMemcpyAsync(to, from, sizeBytes, hipMemcpyDeviceToDevice, stream);
}

HipError hipMemcpy2D(void* to, std::size_t toPitch, const void* from, std::size_t fromPitch, std::size_t widthBytes,
                     std::size_t height, HipMemcpyKind kind) {
    if (widthBytes > toPitch || widthBytes > fromPitch) {
        return remember(hipErrorInvalidValue);
    }
    return copySynchronously(to, from, rowsOf(toPitch, fromPitch, widthBytes, height), kind);
}

HipError hipMemcpy2DAsync(void* to, std::size_t toPitch, const void* from, std::size_t fromPitch,
                          std::size_t widthBytes, std::size_t height, HipMemcpyKind kind, HipStream stream) {
    if (widthBytes > toPitch || widthBytes > fromPitch) {
        return remember(hipErrorInvalidValue);
    }
    return copyAsynchronously(to, from, rowsOf(toPitch, fromPitch, widthBytes, height), kind, stream);
}

HipError hipMemset(void* to, int value, std::size_t sizeBytes) {
    return fill(to, rowOf(static_cast<unsigned char>(value), sizeBytes));
}

HipError hipMemsetAsync(void* to, int value, std::size_t sizeBytes, HipStream stream) {
    return fillAsynchronously(to, rowOf(static_cast<unsigned char>(value), sizeBytes), stream);
}

HipError hipMemsetD8(void* to, unsigned char value, std::size_t count) {
    return fill(to, rowOf(value, count));
}

HipError hipMemsetD16(void* to, unsigned short value, std::size_t count) {
    return fill(to, rowOf(value, count));
}

HipError hipMemsetD32(void* to, int value, std::size_t count) {
    return fill(to, rowOf(value, count));
}

HipError hipMemset2D(void* to, std::size_t pitch, int value, std::size_t widthBytes, std::size_t height) {
    const HipError error = hipMemset2DAsync(to, pitch, value, widthBytes, height, nullptr);
    return error == hipSuccess ? hipStreamSynchronize(nullptr) : error;
}

HipError hipMemset2DAsync(void* to, std::size_t pitch, int value, std::size_t widthBytes, std::size_t height,
                          HipStream handle) {
    if (widthBytes > pitch) {
        return remember(hipErrorInvalidValue);
    }
    return fillAsynchronously(to, {static_cast<unsigned char>(value), 1, widthBytes, height, pitch}, handle);
}

HipError hipMemcpy3D(const HipMemcpy3DParams* asked) {
    void* to = nullptr;
    const void* from = nullptr;
    CopiedBox box;
    const HipError error = boxOf(asked, to, from, box);
    return error == hipSuccess ? copySynchronously(to, from, box, asked->kind) : remember(error);
}

HipError hipMemcpy3DAsync(const HipMemcpy3DParams* asked, HipStream stream) {
    void* to = nullptr;
    const void* from = nullptr;
    CopiedBox box;
    const HipError error = boxOf(asked, to, from, box);
    return error == hipSuccess ? copyAsynchronously(to, from, box, asked->kind, stream) : remember(error);
}

HipError hipMemsetD8Async(void* to, unsigned char value, std::size_t count, HipStream stream) {
    return fillAsynchronously(to, rowOf(value, count), stream);
}

HipError hipMemsetD16Async(void* to, unsigned short value, std::size_t count, HipStream stream) {
    return fillAsynchronously(to, rowOf(value, count), stream);
}

HipError hipMemsetD32Async(void* to, int value, std::size_t count, HipStream stream) {
    return fillAsynchronously(to, rowOf(value, count), stream);
}
