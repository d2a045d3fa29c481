// SPDX-License-Identifier: GPL-3.0-or-later
// What -fgpu-default-stream=per-thread calls in the place of other functions: no stream is the calling thread's own
// one.
#include "core/hipcpu/runtime/hip_api.h"
#include "core/hipcpu/runtime/last_error.h"
#include "core/hipcpu/runtime/stream_capture.h"

using namespace gks::hipcpu;

namespace {

HipStream own(HipStream stream) {
    constexpr std::uintptr_t perThread = 2; // hipStreamPerThread
    return stream ? stream : reinterpret_cast<HipStream>(perThread);
}

// What the host waits for: the thread's stream is idle afterwards. A capture takes none of it.
template<class Call>
HipError waited(Call call) {
    HipError error = remember(enterUnsafe());
    error = error == hipSuccess ? call() : error;
    return error == hipSuccess ? hipStreamSynchronize(own(nullptr)) : error;
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

HipError hipLaunchKernel_spt(const void* function, Dim3 grid, Dim3 block, void** arguments, std::size_t dynamicLdsBytes,
                             HipStream stream) {
    return hipLaunchKernel(function, grid, block, arguments, dynamicLdsBytes, own(stream));
}

HipError hipLaunchCooperativeKernel_spt(const void* function, Dim3 grid, Dim3 block, void** arguments,
                                        unsigned dynamicLdsBytes, HipStream stream) {
    return hipLaunchCooperativeKernel(function, grid, block, arguments, dynamicLdsBytes, own(stream));
}

HipError hipLaunchHostFunc_spt(HipStream stream, HipHostFunction function, void* userData) {
    return hipLaunchHostFunc(own(stream), function, userData);
}

HipError hipMemcpy_spt(void* to, const void* from, std::size_t sizeBytes, HipMemcpyKind kind) {
    return waited([&] { return hipMemcpyAsync(to, from, sizeBytes, kind, own(nullptr)); });
}

HipError hipMemcpyAsync_spt(void* to, const void* from, std::size_t sizeBytes, HipMemcpyKind kind, HipStream stream) {
    return hipMemcpyAsync(to, from, sizeBytes, kind, own(stream));
}

HipError hipMemcpy2D_spt(void* to, std::size_t toPitch, const void* from, std::size_t fromPitch, std::size_t widthBytes,
                         std::size_t height, HipMemcpyKind kind) {
    return waited(
        [&] { return hipMemcpy2DAsync(to, toPitch, from, fromPitch, widthBytes, height, kind, own(nullptr)); });
}

HipError hipMemcpy2DAsync_spt(void* to, std::size_t toPitch, const void* from, std::size_t fromPitch,
                              std::size_t widthBytes, std::size_t height, HipMemcpyKind kind, HipStream stream) {
    return hipMemcpy2DAsync(to, toPitch, from, fromPitch, widthBytes, height, kind, own(stream));
}

HipError hipMemcpy3D_spt(const HipMemcpy3DParams* asked) {
    return waited([&] { return hipMemcpy3DAsync(asked, own(nullptr)); });
}

HipError hipMemcpy3DAsync_spt(const HipMemcpy3DParams* asked, HipStream stream) {
    return hipMemcpy3DAsync(asked, own(stream));
}

HipError hipMemset_spt(void* to, int value, std::size_t sizeBytes) {
    return waited([&] { return hipMemsetAsync(to, value, sizeBytes, own(nullptr)); });
}

HipError hipMemsetAsync_spt(void* to, int value, std::size_t sizeBytes, HipStream stream) {
    return hipMemsetAsync(to, value, sizeBytes, own(stream));
}

HipError hipMemset2D_spt(void* to, std::size_t pitch, int value, std::size_t widthBytes, std::size_t height) {
    return waited([&] { return hipMemset2DAsync(to, pitch, value, widthBytes, height, own(nullptr)); });
}

HipError hipMemset2DAsync_spt(void* to, std::size_t pitch, int value, std::size_t widthBytes, std::size_t height,
                              HipStream stream) {
    return hipMemset2DAsync(to, pitch, value, widthBytes, height, own(stream));
}

HipError hipMemset3D_spt(HipPitchedPointer volume, int value, HipExtent extent) {
    return waited([&] { return hipMemset3DAsync(volume, value, extent, own(nullptr)); });
}

HipError hipMemset3DAsync_spt(HipPitchedPointer volume, int value, HipExtent extent, HipStream stream) {
    return hipMemset3DAsync(volume, value, extent, own(stream));
}

HipError hipMemcpyToSymbol_spt(const void* symbol, const void* from, std::size_t sizeBytes, std::size_t offsetBytes,
                               HipMemcpyKind kind) {
    return waited([&] { return hipMemcpyToSymbolAsync(symbol, from, sizeBytes, offsetBytes, kind, own(nullptr)); });
}

HipError hipMemcpyToSymbolAsync_spt(const void* symbol, const void* from, std::size_t sizeBytes,
                                    std::size_t offsetBytes, HipMemcpyKind kind, HipStream stream) {
    return hipMemcpyToSymbolAsync(symbol, from, sizeBytes, offsetBytes, kind, own(stream));
}

HipError hipMemcpyFromSymbol_spt(void* to, const void* symbol, std::size_t sizeBytes, std::size_t offsetBytes,
                                 HipMemcpyKind kind) {
    return waited([&] { return hipMemcpyFromSymbolAsync(to, symbol, sizeBytes, offsetBytes, kind, own(nullptr)); });
}

HipError hipMemcpyFromSymbolAsync_spt(void* to, const void* symbol, std::size_t sizeBytes, std::size_t offsetBytes,
                                      HipMemcpyKind kind, HipStream stream) {
    return hipMemcpyFromSymbolAsync(to, symbol, sizeBytes, offsetBytes, kind, own(stream));
}

HipError hipStreamSynchronize_spt(HipStream stream) {
    return hipStreamSynchronize(own(stream));
}

HipError hipStreamQuery_spt(HipStream stream) {
    return hipStreamQuery(own(stream));
}

HipError hipStreamGetFlags_spt(HipStream stream, unsigned* flags) {
    return hipStreamGetFlags(own(stream), flags);
}

HipError hipStreamGetPriority_spt(HipStream stream, int* priority) {
    return hipStreamGetPriority(own(stream), priority);
}

HipError hipStreamWaitEvent_spt(HipStream stream, HipEvent event, unsigned flags) {
    return hipStreamWaitEvent(own(stream), event, flags);
}

HipError hipStreamAddCallback_spt(HipStream stream, HipStreamCallback callback, void* userData, unsigned flags) {
    return hipStreamAddCallback(own(stream), callback, userData, flags);
}

HipError hipEventRecord_spt(HipEvent event, HipStream stream) {
    return hipEventRecord(event, own(stream));
}

HipError hipGraphLaunch_spt(HipGraphExec executable, HipStream stream) {
    return hipGraphLaunch(executable, own(stream));
}

HipError hipStreamBeginCapture_spt(HipStream stream, CaptureMode mode) {
    return hipStreamBeginCapture(own(stream), mode);
}

HipError hipStreamEndCapture_spt(HipStream stream, HipGraph* graph) {
    return hipStreamEndCapture(own(stream), graph);
}

HipError hipStreamIsCapturing_spt(HipStream stream, CaptureStatus* status) {
    return hipStreamIsCapturing(own(stream), status);
}

HipError hipStreamGetCaptureInfo_spt(HipStream stream, CaptureStatus* status, unsigned long long* number) {
    return hipStreamGetCaptureInfo(own(stream), status, number);
}
}
#pragma GCC visibility pop
