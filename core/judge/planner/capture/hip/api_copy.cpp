// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/planner/capture/copies.h"

// Copies and fills that CUDA's runtime does not have.

using namespace gks;
using namespace gks::hipcpu;
using namespace gks::capture;

#pragma GCC visibility push(default)
extern "C" {

HipError hipMemcpyWithStream(void* to, const void* from, std::size_t sizeBytes, HipMemcpyKind kind, HipStream handle) {
    GKS_CAPTURE_CALL("hipMemcpyWithStream");
    const HipError error = copyOn(call, to, from, oneRow(sizeBytes), kind, handle);
    if (error == hipSuccess) {
        call->hostWaits(*call->stream(handle));
    }
    return error;
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
}
#pragma GCC visibility pop
