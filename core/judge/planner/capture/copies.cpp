// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/planner/capture/copies.h"

#include "core/hipcpu/runtime/last_error.h"
#include "core/judge/planner/capture/tensor_maps.h"

#include <cstring>
#include <utility>

namespace gks::capture {
using namespace hipcpu;
namespace {

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

HostWrite write(const Call& call, std::uint64_t to, const void* from, std::size_t sizeBytes) {
    PlanBytes bytes = bytesOfHost(call, from, sizeBytes);
    auto maps = takeMaps(*call.operator->(), bytes);
    return {to, std::move(bytes), std::move(maps)};
}

HipError copyFromHost(const Call& call, StreamState& stream, void* to, const void* from, const Rows& rows) {
    const auto* source = static_cast<const std::uint8_t*>(from);
    if (rows.height > 1 && (rows.toPitch != rows.widthBytes || rows.fromPitch != rows.widthBytes)) {
        for (std::size_t row = 0; row < rows.height; ++row) {
            call.add(stream,
                     write(call, number(to) + row * rows.toPitch, source + row * rows.fromPitch, rows.widthBytes));
        }
        return hipSuccess;
    }
    call.add(stream, write(call, number(to), from, rows.widthBytes * rows.height));
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
    PlanBytes bytes = bytesOfHost(call, memory, sizeBytes);
    auto maps = takeMaps(*call.operator->(), bytes);
    call.add(stream, SymbolWrite{variable->symbol, offsetBytes, std::move(bytes), std::move(maps)});
    return hipSuccess;
}

} // namespace

void refuseReading(const Call& call) {
    call.refuse("reads results back to the host", "Decide on the device: the host's work is planned before it runs");
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

} // namespace gks::capture
