// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/checked_program.h"
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

struct Rows {
    std::size_t toPitch;
    std::size_t fromPitch;
    std::size_t widthBytes;
    std::size_t height;
};

void copyRows(void* to, const void* from, const Rows& rows) {
    for (std::size_t row = 0; row < rows.height; ++row) {
        std::memmove(static_cast<char*>(to) + row * rows.toPitch, static_cast<const char*>(from) + row * rows.fromPitch,
                     rows.widthBytes);
        CheckedProgram::copied(static_cast<char*>(to) + row * rows.toPitch,
                               static_cast<const char*>(from) + row * rows.fromPitch, rows.widthBytes);
    }
}

HipError checkCopy(const void* to, const void* from, std::size_t sizeBytes, int kind) {
    if (kind < hipMemcpyHostToHost || kind > hipMemcpyDefault) {
        return hipErrorInvalidMemcpyDirection;
    }
    return sizeBytes != 0 && (!to || !from) ? hipErrorInvalidValue : hipSuccess;
}

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

HipError copySynchronously(void* to, const void* from, const Rows& rows, HipMemcpyKind kind, Ticket after) {
    if (const HipError error = checkCopy(to, from, rows.widthBytes * rows.height, kind); error != hipSuccess) {
        return remember(error);
    }
    installFaultHandler();
    DeviceQueue::instance().waitFor(after);
    copyRows(to, from, rows);
    return hipSuccess;
}

// What a command of this stream has to wait for: its own work, and across the null stream as far as it takes part in
// that.
Ticket workBefore(Stream& stream) {
    if (&stream == &Stream::null()) {
        return Stream::lastBlocking();
    }
    return stream.isBlocking() ? std::max(stream.last(), Stream::null().last()) : stream.last();
}

HipError copyAsynchronously(void* to, const void* from, const Rows& rows, HipMemcpyKind kind, HipStream handle) {
    Stream* stream = Stream::find(handle);
    if (!stream) {
        return remember(hipErrorInvalidHandle);
    }
    if (const HipError error = checkCopy(to, from, rows.widthBytes * rows.height, kind); error != hipSuccess) {
        return remember(error);
    }
    if (touchesPageable(to, from, kind)) {
        return copySynchronously(to, from, rows, kind, workBefore(*stream));
    }
    stream->submit([to, from, rows](WorkerPool&) { copyRows(to, from, rows); });
    return hipSuccess;
}

template<class Value>
HipError fillAsynchronously(void* to, Value value, std::size_t count, HipStream handle) {
    Stream* stream = Stream::find(handle);
    if (!stream || (!to && count)) {
        return remember(stream ? hipErrorInvalidValue : hipErrorInvalidHandle);
    }
    stream->submit([to, value, count](WorkerPool&) {
        if constexpr (sizeof(Value) == 1) {
            std::memset(to, value, count);
        } else {
            for (std::size_t i = 0; i < count; ++i) {
                std::memcpy(static_cast<char*>(to) + i * sizeof value, &value, sizeof value);
            }
        }
        CheckedProgram::written(to, count * sizeof value);
    });
    return hipSuccess;
}

// As documented: asynchronous unless the host can see the memory.
template<class Value>
HipError fill(void* to, Value value, std::size_t count) {
    const HipError error = fillAsynchronously(to, value, count, nullptr);
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
    return copySynchronously(to, from, {sizeBytes, sizeBytes, sizeBytes, 1}, kind, Stream::lastBlocking());
}

HipError hipMemcpyWithStream(void* to, const void* from, std::size_t sizeBytes, HipMemcpyKind kind, HipStream stream) {
    const HipError error = hipMemcpyAsync(to, from, sizeBytes, kind, stream);
    return error == hipSuccess ? hipStreamSynchronize(stream) : error;
}

HipError hipMemcpyAsync(void* to, const void* from, std::size_t sizeBytes, HipMemcpyKind kind, HipStream stream) {
    return copyAsynchronously(to, from, {sizeBytes, sizeBytes, sizeBytes, 1}, kind, stream);
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
    return copySynchronously(to, from, {toPitch, fromPitch, widthBytes, height}, kind, Stream::lastBlocking());
}

HipError hipMemcpy2DAsync(void* to, std::size_t toPitch, const void* from, std::size_t fromPitch,
                          std::size_t widthBytes, std::size_t height, HipMemcpyKind kind, HipStream stream) {
    if (widthBytes > toPitch || widthBytes > fromPitch) {
        return remember(hipErrorInvalidValue);
    }
    return copyAsynchronously(to, from, {toPitch, fromPitch, widthBytes, height}, kind, stream);
}

HipError hipMemset(void* to, int value, std::size_t sizeBytes) {
    return fill(to, static_cast<unsigned char>(value), sizeBytes);
}

HipError hipMemsetAsync(void* to, int value, std::size_t sizeBytes, HipStream stream) {
    return fillAsynchronously(to, static_cast<unsigned char>(value), sizeBytes, stream);
}

HipError hipMemsetD8(void* to, unsigned char value, std::size_t count) {
    return fill(to, value, count);
}

HipError hipMemsetD16(void* to, unsigned short value, std::size_t count) {
    return fill(to, value, count);
}

HipError hipMemsetD32(void* to, int value, std::size_t count) {
    return fill(to, value, count);
}

HipError hipMemset2D(void* to, std::size_t pitch, int value, std::size_t widthBytes, std::size_t height) {
    const HipError error = hipMemset2DAsync(to, pitch, value, widthBytes, height, nullptr);
    return error == hipSuccess ? hipStreamSynchronize(nullptr) : error;
}

HipError hipMemset2DAsync(void* to, std::size_t pitch, int value, std::size_t widthBytes, std::size_t height,
                          HipStream handle) {
    Stream* stream = Stream::find(handle);
    if (!stream || widthBytes > pitch || (!to && widthBytes * height != 0)) {
        return remember(stream ? hipErrorInvalidValue : hipErrorInvalidHandle);
    }
    stream->submit([=](WorkerPool&) {
        for (std::size_t row = 0; row < height; ++row) {
            std::memset(static_cast<char*>(to) + row * pitch, value, widthBytes);
            CheckedProgram::written(static_cast<char*>(to) + row * pitch, widthBytes);
        }
    });
    return hipSuccess;
}

HipError hipMemsetD8Async(void* to, unsigned char value, std::size_t count, HipStream stream) {
    return fillAsynchronously(to, value, count, stream);
}

HipError hipMemsetD16Async(void* to, unsigned short value, std::size_t count, HipStream stream) {
    return fillAsynchronously(to, value, count, stream);
}

HipError hipMemsetD32Async(void* to, int value, std::size_t count, HipStream stream) {
    return fillAsynchronously(to, value, count, stream);
}
