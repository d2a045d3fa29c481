// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/hip_api.h"
#include "core/hipcpu/runtime/last_error.h"
#include "core/judge/planner/capture/recorder.h"

#include <cstring>

// Copies and fills. Bytes of the host are taken when the copy is called: pageable memory may be changed as soon as the
// call has returned, and who changes pinned memory before the copy is over has a race.

using namespace gks;
using namespace gks::hipcpu;
using gks::capture::Call;
using gks::capture::StreamState;

namespace {

struct Rows {
    std::size_t toPitch;
    std::size_t fromPitch;
    std::size_t widthBytes;
    std::size_t height;
};

std::uint64_t number(const void* address) {
    return reinterpret_cast<std::uint64_t>(address);
}

PlanBytes bytesOfHost(const Call& call, const void* from, std::size_t sizeBytes) {
    if (!call->mayTake(sizeBytes)) {
        call.refuse("copies more than 256 KiB from the host in one call of solve()",
                    "Compute it on the device, or keep it in a variable that is initialised where it is declared");
    }
    const auto* const begin = static_cast<const std::uint8_t*>(from);
    return {begin, begin + sizeBytes};
}

[[noreturn]] void refuseReading(const Call& call) {
    call.refuse("reads results back to the host", "Decide on the device: the host's work is planned before it runs");
}

HipError copyFromHost(const Call& call, StreamState& stream, void* to, const void* from, const Rows& rows) {
    const auto* source = static_cast<const std::uint8_t*>(from);
    if (rows.height > 1 && (rows.toPitch != rows.widthBytes || rows.fromPitch != rows.widthBytes)) {
        for (std::size_t row = 0; row < rows.height; ++row) {
            call.add(stream, HostWrite{number(to) + row * rows.toPitch,
                                       bytesOfHost(call, source + row * rows.fromPitch, rows.widthBytes)});
        }
        return hipSuccess;
    }
    call.add(stream, HostWrite{number(to), bytesOfHost(call, from, rows.widthBytes * rows.height)});
    return hipSuccess;
}

HipError copy(const Call& call, void* to, const void* from, const Rows& rows, HipMemcpyKind kind, StreamState& stream) {
    if (kind < hipMemcpyHostToHost || kind > hipMemcpyDefault) {
        return hipErrorInvalidMemcpyDirection;
    }
    if (rows.widthBytes == 0 || rows.height == 0) {
        return hipSuccess;
    }
    if (to == nullptr || from == nullptr) {
        return hipErrorInvalidValue;
    }
    const bool toDevice = call->isDevice(to);
    const bool fromDevice = call->isDevice(from);
    // Addresses are of one space: what a copy calls a direction is a hint.
    if ((toDevice && fromDevice) || kind == hipMemcpyDeviceToDevice) {
        call.add(stream, DeviceCopy{number(to), number(from), rows.widthBytes, rows.height,
                                    rows.height > 1 ? rows.toPitch : 0, rows.height > 1 ? rows.fromPitch : 0});
        return hipSuccess;
    }
    if (fromDevice || kind == hipMemcpyDeviceToHost) {
        refuseReading(call);
    }
    if (toDevice || kind == hipMemcpyHostToDevice) {
        return copyFromHost(call, stream, to, from, rows);
    }
    for (std::size_t row = 0; row < rows.height; ++row) { // from host to host
        std::memmove(static_cast<char*>(to) + row * rows.toPitch, static_cast<const char*>(from) + row * rows.fromPitch,
                     rows.widthBytes);
    }
    return hipSuccess;
}

HipError copyAndWait(const Call& call, void* to, const void* from, const Rows& rows, HipMemcpyKind kind) {
    const HipError error = copy(call, to, from, rows, kind, call->legacyStream());
    if (error == hipSuccess) {
        call->hostWaits(call->legacyStream());
    }
    return remember(error);
}

HipError copyOn(const Call& call, void* to, const void* from, const Rows& rows, HipMemcpyKind kind, HipStream handle) {
    StreamState* const stream = call.stream(handle);
    return remember(stream != nullptr ? copy(call, to, from, rows, kind, *stream) : hipErrorInvalidHandle);
}

Rows oneRow(std::size_t sizeBytes) {
    return {sizeBytes, sizeBytes, sizeBytes, 1};
}

bool isRows(const Rows& rows) {
    return rows.widthBytes <= rows.toPitch && rows.widthBytes <= rows.fromPitch;
}

HipError fill(const Call& call, void* to, std::uint32_t value, std::uint32_t elementBytes, std::size_t count,
              HipStream handle) {
    StreamState* const stream = call.stream(handle);
    if (stream == nullptr || (to == nullptr && count != 0)) {
        return remember(stream != nullptr ? hipErrorInvalidValue : hipErrorInvalidHandle);
    }
    if (count != 0) {
        call.add(*stream, DeviceFill{number(to), value, elementBytes, count});
    }
    return hipSuccess;
}

HipError fillRows(const Call& call, void* to, std::size_t pitch, int value, std::size_t width, std::size_t height,
                  HipStream handle) {
    const auto byte = static_cast<std::uint8_t>(value);
    if (width > pitch) {
        return remember(hipErrorInvalidValue);
    }
    if (width == pitch) {
        return fill(call, to, byte, 1, width * height, handle);
    }
    HipError error = hipSuccess;
    for (std::size_t row = 0; row < height && error == hipSuccess; ++row) {
        error = fill(call, static_cast<char*>(to) + row * pitch, byte, 1, width, handle);
    }
    return error;
}

// A copy between a variable and memory.
HipError copySymbol(const Call& call, const void* symbol, const void* memory, std::size_t sizeBytes,
                    std::size_t offsetBytes, HipMemcpyKind kind, StreamState& stream, bool toSymbol) {
    const VariableFacts* const variable = call->variable(symbol);
    if (variable == nullptr) {
        return hipErrorInvalidSymbol;
    }
    if (offsetBytes > variable->bytes || sizeBytes > variable->bytes - offsetBytes ||
        (memory == nullptr && sizeBytes != 0)) {
        return hipErrorInvalidValue;
    }
    if (kind < hipMemcpyHostToHost || kind > hipMemcpyDefault) {
        return hipErrorInvalidMemcpyDirection;
    }
    if (call->isDevice(memory) || kind == hipMemcpyDeviceToDevice) {
        call.add(stream, SymbolCopy{variable->symbol, offsetBytes, number(memory), sizeBytes, toSymbol});
        return hipSuccess;
    }
    if (!toSymbol) {
        refuseReading(call);
    }
    call.add(stream, SymbolWrite{variable->symbol, offsetBytes, bytesOfHost(call, memory, sizeBytes)});
    return hipSuccess;
}

HipError copySymbolOn(const Call& call, const void* symbol, const void* memory, std::size_t sizeBytes,
                      std::size_t offsetBytes, HipMemcpyKind kind, HipStream handle, bool toSymbol) {
    StreamState* const stream = call.stream(handle);
    return remember(stream != nullptr
                        ? copySymbol(call, symbol, memory, sizeBytes, offsetBytes, kind, *stream, toSymbol)
                        : hipErrorInvalidHandle);
}

HipError copySymbolAndWait(const Call& call, const void* symbol, const void* memory, std::size_t sizeBytes,
                           std::size_t offsetBytes, HipMemcpyKind kind, bool toSymbol) {
    const HipError error =
        copySymbol(call, symbol, memory, sizeBytes, offsetBytes, kind, call->legacyStream(), toSymbol);
    if (error == hipSuccess) {
        call->hostWaits(call->legacyStream());
    }
    return remember(error);
}

} // namespace

HipError hipMemcpy(void* to, const void* from, std::size_t sizeBytes, HipMemcpyKind kind) {
    GKS_CAPTURE_CALL("hipMemcpy");
    return copyAndWait(call, to, from, oneRow(sizeBytes), kind);
}

HipError hipMemcpyWithStream(void* to, const void* from, std::size_t sizeBytes, HipMemcpyKind kind, HipStream handle) {
    GKS_CAPTURE_CALL("hipMemcpyWithStream");
    const HipError error = copyOn(call, to, from, oneRow(sizeBytes), kind, handle);
    if (error == hipSuccess) {
        call->hostWaits(*call->stream(handle));
    }
    return error;
}

HipError hipMemcpyAsync(void* to, const void* from, std::size_t sizeBytes, HipMemcpyKind kind, HipStream stream) {
    GKS_CAPTURE_CALL("hipMemcpyAsync");
    return copyOn(call, to, from, oneRow(sizeBytes), kind, stream);
}

HipError hipMemcpyHtoD(void* to, void* from, std::size_t sizeBytes) {
    GKS_CAPTURE_CALL("hipMemcpyHtoD");
    return copyAndWait(call, to, from, oneRow(sizeBytes), hipMemcpyHostToDevice);
}

HipError hipMemcpyDtoH(void*, void*, std::size_t) {
    GKS_CAPTURE_CALL("hipMemcpyDtoH");
    refuseReading(call);
}

HipError hipMemcpyDtoD(void* to, void* from, std::size_t sizeBytes) {
    GKS_CAPTURE_CALL("hipMemcpyDtoD");
    return copyAndWait(call, to, from, oneRow(sizeBytes), hipMemcpyDeviceToDevice);
}

HipError hipMemcpy2D(void* to, std::size_t toPitch, const void* from, std::size_t fromPitch, std::size_t widthBytes,
                     std::size_t height, HipMemcpyKind kind) {
    GKS_CAPTURE_CALL("hipMemcpy2D");
    const Rows rows = {toPitch, fromPitch, widthBytes, height};
    return isRows(rows) ? copyAndWait(call, to, from, rows, kind) : remember(hipErrorInvalidValue);
}

HipError hipMemcpy2DAsync(void* to, std::size_t toPitch, const void* from, std::size_t fromPitch,
                          std::size_t widthBytes, std::size_t height, HipMemcpyKind kind, HipStream stream) {
    GKS_CAPTURE_CALL("hipMemcpy2DAsync");
    const Rows rows = {toPitch, fromPitch, widthBytes, height};
    return isRows(rows) ? copyOn(call, to, from, rows, kind, stream) : remember(hipErrorInvalidValue);
}

HipError hipMemset(void* to, int value, std::size_t sizeBytes) {
    GKS_CAPTURE_CALL("hipMemset");
    return fill(call, to, static_cast<std::uint8_t>(value), 1, sizeBytes, nullptr);
}

HipError hipMemsetAsync(void* to, int value, std::size_t sizeBytes, HipStream stream) {
    GKS_CAPTURE_CALL("hipMemsetAsync");
    return fill(call, to, static_cast<std::uint8_t>(value), 1, sizeBytes, stream);
}

HipError hipMemsetD8(void* to, unsigned char value, std::size_t count) {
    GKS_CAPTURE_CALL("hipMemsetD8");
    return fill(call, to, value, 1, count, nullptr);
}

HipError hipMemsetD16(void* to, unsigned short value, std::size_t count) {
    GKS_CAPTURE_CALL("hipMemsetD16");
    return fill(call, to, value, 2, count, nullptr);
}

HipError hipMemsetD32(void* to, int value, std::size_t count) {
    GKS_CAPTURE_CALL("hipMemsetD32");
    return fill(call, to, static_cast<std::uint32_t>(value), 4, count, nullptr);
}

HipError hipMemsetD32Async(void* to, int value, std::size_t count, HipStream stream) {
    GKS_CAPTURE_CALL("hipMemsetD32Async");
    return fill(call, to, static_cast<std::uint32_t>(value), 4, count, stream);
}

HipError hipMemcpyToSymbol(const void* symbol, const void* from, std::size_t sizeBytes, std::size_t offsetBytes,
                           HipMemcpyKind kind) {
    GKS_CAPTURE_CALL("hipMemcpyToSymbol");
    return copySymbolAndWait(call, symbol, from, sizeBytes, offsetBytes, kind, true);
}

HipError hipMemcpyToSymbolAsync(const void* symbol, const void* from, std::size_t sizeBytes, std::size_t offsetBytes,
                                HipMemcpyKind kind, HipStream stream) {
    GKS_CAPTURE_CALL("hipMemcpyToSymbolAsync");
    return copySymbolOn(call, symbol, from, sizeBytes, offsetBytes, kind, stream, true);
}

HipError hipMemcpyFromSymbol(void* to, const void* symbol, std::size_t sizeBytes, std::size_t offsetBytes,
                             HipMemcpyKind kind) {
    GKS_CAPTURE_CALL("hipMemcpyFromSymbol");
    return copySymbolAndWait(call, symbol, to, sizeBytes, offsetBytes, kind, false);
}

HipError hipMemcpyFromSymbolAsync(void* to, const void* symbol, std::size_t sizeBytes, std::size_t offsetBytes,
                                  HipMemcpyKind kind, HipStream stream) {
    GKS_CAPTURE_CALL("hipMemcpyFromSymbolAsync");
    return copySymbolOn(call, symbol, to, sizeBytes, offsetBytes, kind, stream, false);
}

HipError hipGetSymbolAddress(void** pointer, const void* symbol) {
    GKS_CAPTURE_CALL("hipGetSymbolAddress");
    const VariableFacts* const variable = call->variable(symbol);
    if (pointer == nullptr || variable == nullptr) {
        return remember(pointer != nullptr ? hipErrorInvalidSymbol : hipErrorInvalidValue);
    }
    const auto address = call->addressOf(*variable);
    if (!address) {
        call.refuse("asks for the address of a variable, which nobody knows before the device's code is loaded",
                    "Name the variable in the kernel, or use hipMemcpyToSymbol");
    }
    *pointer = reinterpret_cast<void*>(*address);
    return hipSuccess;
}

HipError hipGetSymbolSize(std::size_t* sizeBytes, const void* symbol) {
    GKS_CAPTURE_CALL("hipGetSymbolSize");
    const VariableFacts* const variable = call->variable(symbol);
    if (sizeBytes == nullptr || variable == nullptr) {
        return remember(sizeBytes != nullptr ? hipErrorInvalidSymbol : hipErrorInvalidValue);
    }
    *sizeBytes = variable->bytes;
    return hipSuccess;
}

// What HIP has beside what the cpu target's own runtime exports.
#pragma GCC visibility push(default)
extern "C" {

HipError hipMemcpyHtoDAsync(void* to, void* from, std::size_t sizeBytes, HipStream stream) {
    GKS_CAPTURE_CALL("hipMemcpyHtoDAsync");
    return copyOn(call, to, from, oneRow(sizeBytes), hipMemcpyHostToDevice, stream);
}

HipError hipMemcpyDtoHAsync(void*, void*, std::size_t, HipStream) {
    GKS_CAPTURE_CALL("hipMemcpyDtoHAsync");
    refuseReading(call);
}

HipError hipMemcpyDtoDAsync(void* to, void* from, std::size_t sizeBytes, HipStream stream) {
    GKS_CAPTURE_CALL("hipMemcpyDtoDAsync");
    return copyOn(call, to, from, oneRow(sizeBytes), hipMemcpyDeviceToDevice, stream);
}

HipError hipMemsetD8Async(void* to, unsigned char value, std::size_t count, HipStream stream) {
    GKS_CAPTURE_CALL("hipMemsetD8Async");
    return fill(call, to, value, 1, count, stream);
}

HipError hipMemsetD16Async(void* to, unsigned short value, std::size_t count, HipStream stream) {
    GKS_CAPTURE_CALL("hipMemsetD16Async");
    return fill(call, to, value, 2, count, stream);
}

HipError hipMemset2D(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height) {
    GKS_CAPTURE_CALL("hipMemset2D");
    return fillRows(call, to, pitch, value, width, height, nullptr);
}

HipError hipMemset2DAsync(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height,
                          HipStream stream) {
    GKS_CAPTURE_CALL("hipMemset2DAsync");
    return fillRows(call, to, pitch, value, width, height, stream);
}
}
#pragma GCC visibility pop
