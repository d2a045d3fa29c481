// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/last_error.h"
#include "core/judge/planner/capture/api_names.h"
#include "core/judge/planner/capture/device_rules.h"
#include "core/judge/planner/capture/launches.h"

using namespace gks;
using namespace gks::hipcpu;
using namespace gks::capture;

#pragma GCC visibility push(default)
extern "C" {

void** GKS_INTERNAL_API(RegisterFatBinary)(const void* wrapper) {
    GKS_CAPTURE_CALL(GKS_INTERNAL_API_TEXT(RegisterFatBinary));
    call->addModule(wrapper);
    static void* module = nullptr;
    return &module;
}

void GKS_INTERNAL_API(UnregisterFatBinary)(void**) {}

void GKS_INTERNAL_API(RegisterFunction)(void**, const void* hostFunction, char*, const char* name, unsigned, void*,
                                        void*, void*, void*, int*) {
    GKS_CAPTURE_CALL(GKS_INTERNAL_API_TEXT(RegisterFunction));
    call->addKernel(hostFunction, name);
}

void GKS_INTERNAL_API(RegisterVar)(void**, void* hostVariable, char*, const char* name, int, std::size_t, int, int) {
    GKS_CAPTURE_CALL(GKS_INTERNAL_API_TEXT(RegisterVar));
    call->addVariable(hostVariable, name);
}

void GKS_INTERNAL_API(RegisterManagedVar)(void*, void**, void*, const char*, std::size_t, unsigned) {
    GKS_CAPTURE_CALL("__managed__");
    call.refuse("declares a variable that host and device share", "Use __device__ and " GKS_API_TEXT(MemcpyToSymbol));
}

HipError GKS_API(LaunchKernel)(const void* function, Dim3 grid, Dim3 block, void** arguments,
                               std::size_t dynamicLdsBytes, HipStream stream) {
    const Call call(GKS_API_TEXT(LaunchKernel), takeLaunchPlace(__builtin_return_address(0)));
    return remember(launch(call, call->kernel(function), grid, block, arguments, dynamicLdsBytes, stream));
}

HipError GKS_API(LaunchCooperativeKernel)(const void* function, Dim3 grid, Dim3 block, void** arguments,
                                          unsigned dynamicLdsBytes, HipStream stream) {
    GKS_CAPTURE_CALL(GKS_API_TEXT(LaunchCooperativeKernel));
    return remember(launchCooperative(call, call->kernel(function), grid, block, arguments, dynamicLdsBytes, stream));
}

HipError GKS_API(LaunchHostFunc)(HipStream, HipHostFunction, void*) {
    GKS_CAPTURE_CALL(GKS_API_TEXT(LaunchHostFunc));
    call.refuse("has the host work in the middle of the device's work", "Do it before the launches or in a kernel");
}

HipError GKS_API(FuncSetAttribute)(const void* function, int attribute, int value) {
    GKS_CAPTURE_CALL(GKS_API_TEXT(FuncSetAttribute));
    RegisteredKernel* const kernel = call->kernel(function);
    return remember(kernel != nullptr ? setFunctionAttribute(call, *kernel, attribute, value)
                                      : hipErrorInvalidDeviceFunction);
}

HipError GKS_API(FuncSetCacheConfig)(const void*, int) {
    return hipSuccess;
}

HipError GKS_API(FuncSetSharedMemConfig)(const void*, int) {
    return hipSuccess;
}

HipError GKS_API(OccupancyMaxActiveBlocksPerMultiprocessor)(int* blocks, const void* function, int blockSize,
                                                            std::size_t dynamicLdsBytes) {
    GKS_CAPTURE_CALL(GKS_API_TEXT(OccupancyMaxActiveBlocksPerMultiprocessor));
    return remember(blocksPerMultiprocessor(call, blocks, call->kernel(function), blockSize, dynamicLdsBytes));
}

HipError GKS_API(OccupancyMaxActiveBlocksPerMultiprocessorWithFlags)(int* blocks, const void* function, int blockSize,
                                                                     std::size_t dynamicLdsBytes, unsigned) {
    GKS_CAPTURE_CALL(GKS_API_TEXT(OccupancyMaxActiveBlocksPerMultiprocessorWithFlags));
    return remember(blocksPerMultiprocessor(call, blocks, call->kernel(function), blockSize, dynamicLdsBytes));
}

HipError GKS_API(GetFuncBySymbol)(const void** handle, const void* function) {
    GKS_CAPTURE_CALL(GKS_API_TEXT(GetFuncBySymbol));
    if (handle == nullptr || call->kernel(function) == nullptr) {
        return remember(handle != nullptr ? hipErrorInvalidDeviceFunction : hipErrorInvalidValue);
    }
    *handle = call->kernel(function);
    return hipSuccess;
}
}
#pragma GCC visibility pop
