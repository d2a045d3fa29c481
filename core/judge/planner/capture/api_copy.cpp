// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/last_error.h"
#include "core/judge/planner/capture/api_names.h"
#include "core/judge/planner/capture/copies.h"

using namespace gks;
using namespace gks::hipcpu;
using namespace gks::capture;

#pragma GCC visibility push(default)
extern "C" {

HipError GKS_API(Memcpy)(void* to, const void* from, std::size_t sizeBytes, HipMemcpyKind kind) {
    GKS_CAPTURE_CALL(GKS_API_TEXT(Memcpy));
    return copyAndWait(call, to, from, oneRow(sizeBytes), kind);
}

HipError GKS_API(MemcpyAsync)(void* to, const void* from, std::size_t sizeBytes, HipMemcpyKind kind, HipStream stream) {
    GKS_CAPTURE_CALL(GKS_API_TEXT(MemcpyAsync));
    return copyOn(call, to, from, oneRow(sizeBytes), kind, stream);
}

HipError GKS_API(Memcpy2D)(void* to, std::size_t toPitch, const void* from, std::size_t fromPitch,
                           std::size_t widthBytes, std::size_t height, HipMemcpyKind kind) {
    GKS_CAPTURE_CALL(GKS_API_TEXT(Memcpy2D));
    const Rows rows = {toPitch, fromPitch, widthBytes, height};
    return isRows(rows) ? copyAndWait(call, to, from, rows, kind) : remember(hipErrorInvalidValue);
}

HipError GKS_API(Memcpy2DAsync)(void* to, std::size_t toPitch, const void* from, std::size_t fromPitch,
                                std::size_t widthBytes, std::size_t height, HipMemcpyKind kind, HipStream stream) {
    GKS_CAPTURE_CALL(GKS_API_TEXT(Memcpy2DAsync));
    const Rows rows = {toPitch, fromPitch, widthBytes, height};
    return isRows(rows) ? copyOn(call, to, from, rows, kind, stream) : remember(hipErrorInvalidValue);
}

HipError GKS_API(Memset)(void* to, int value, std::size_t sizeBytes) {
    GKS_CAPTURE_CALL(GKS_API_TEXT(Memset));
    return fill(call, to, static_cast<std::uint8_t>(value), 1, sizeBytes, nullptr);
}

HipError GKS_API(MemsetAsync)(void* to, int value, std::size_t sizeBytes, HipStream stream) {
    GKS_CAPTURE_CALL(GKS_API_TEXT(MemsetAsync));
    return fill(call, to, static_cast<std::uint8_t>(value), 1, sizeBytes, stream);
}

HipError GKS_API(MemcpyToSymbol)(const void* symbol, const void* from, std::size_t sizeBytes, std::size_t offsetBytes,
                                 HipMemcpyKind kind) {
    GKS_CAPTURE_CALL(GKS_API_TEXT(MemcpyToSymbol));
    return copySymbolAndWait(call, symbol, from, sizeBytes, offsetBytes, kind, true);
}

HipError GKS_API(MemcpyToSymbolAsync)(const void* symbol, const void* from, std::size_t sizeBytes,
                                      std::size_t offsetBytes, HipMemcpyKind kind, HipStream stream) {
    GKS_CAPTURE_CALL(GKS_API_TEXT(MemcpyToSymbolAsync));
    return copySymbolOn(call, symbol, from, sizeBytes, offsetBytes, kind, stream, true);
}

HipError GKS_API(MemcpyFromSymbol)(void* to, const void* symbol, std::size_t sizeBytes, std::size_t offsetBytes,
                                   HipMemcpyKind kind) {
    GKS_CAPTURE_CALL(GKS_API_TEXT(MemcpyFromSymbol));
    return copySymbolAndWait(call, symbol, to, sizeBytes, offsetBytes, kind, false);
}

HipError GKS_API(MemcpyFromSymbolAsync)(void* to, const void* symbol, std::size_t sizeBytes, std::size_t offsetBytes,
                                        HipMemcpyKind kind, HipStream stream) {
    GKS_CAPTURE_CALL(GKS_API_TEXT(MemcpyFromSymbolAsync));
    return copySymbolOn(call, symbol, to, sizeBytes, offsetBytes, kind, stream, false);
}

HipError GKS_API(GetSymbolAddress)(void** pointer, const void* symbol) {
    GKS_CAPTURE_CALL(GKS_API_TEXT(GetSymbolAddress));
    const VariableFacts* const variable = call->variable(symbol);
    if (pointer == nullptr || variable == nullptr) {
        return remember(pointer != nullptr ? hipErrorInvalidSymbol : hipErrorInvalidValue);
    }
    const auto address = call->addressOf(*variable);
    if (!address) {
        call.refuse("asks for the address of a variable, which nobody knows before the device's code is loaded",
                    "Name the variable in the kernel, or use " GKS_API_TEXT(MemcpyToSymbol));
    }
    *pointer = reinterpret_cast<void*>(*address);
    return hipSuccess;
}

HipError GKS_API(GetSymbolSize)(std::size_t* sizeBytes, const void* symbol) {
    GKS_CAPTURE_CALL(GKS_API_TEXT(GetSymbolSize));
    const VariableFacts* const variable = call->variable(symbol);
    if (sizeBytes == nullptr || variable == nullptr) {
        return remember(sizeBytes != nullptr ? hipErrorInvalidSymbol : hipErrorInvalidValue);
    }
    *sizeBytes = variable->bytes;
    return hipSuccess;
}

HipError GKS_API(Memset2D)(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height) {
    GKS_CAPTURE_CALL(GKS_API_TEXT(Memset2D));
    return fillRows(call, to, pitch, value, width, height, nullptr);
}

HipError GKS_API(Memset2DAsync)(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height,
                                HipStream stream) {
    GKS_CAPTURE_CALL(GKS_API_TEXT(Memset2DAsync));
    return fillRows(call, to, pitch, value, width, height, stream);
}
}
#pragma GCC visibility pop
