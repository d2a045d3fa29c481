// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/hip_api.h"
#include "core/hipcpu/runtime/last_error.h"
#include "core/judge/planner/capture/device_rules.h"
#include "core/judge/planner/capture/launches.h"

#include <algorithm>

// Launches and questions about kernels that CUDA's runtime does not have, or has with another structure.

using namespace gks;
using namespace gks::hipcpu;
using namespace gks::capture;

namespace {

HipError launchBetween(const Call& call, const RegisteredKernel* kernel, Dim3 grid, Dim3 block, void** arguments,
                       std::size_t dynamicLdsBytes, HipStream handle, HipEvent start, HipEvent stop) {
    StreamState* const stream = call.stream(handle);
    capture::EventState* const first = call->event(start);
    capture::EventState* const last = call->event(stop);
    if (stream == nullptr || (start != nullptr && first == nullptr) || (stop != nullptr && last == nullptr)) {
        return hipErrorInvalidHandle;
    }
    if (first != nullptr) {
        call.record(*first, *stream);
    }
    const HipError error = launch(call, kernel, grid, block, arguments, dynamicLdsBytes, handle);
    if (error == hipSuccess && last != nullptr) {
        call.record(*last, *stream);
    }
    return error;
}

void refusePacked(const Call& call, void** extra) {
    if (extra != nullptr) {
        call.refuse("passes its arguments as one packed buffer", "Pass them one by one");
    }
}

HipError potentialBlockSize(const Call& call, int* gridSize, int* blockSize, const RegisteredKernel* kernel,
                            std::size_t dynamicLdsBytes, int blockSizeLimit) {
    if (kernel == nullptr || gridSize == nullptr || blockSize == nullptr) {
        return kernel != nullptr ? hipErrorInvalidValue : hipErrorInvalidDeviceFunction;
    }
    const int most = static_cast<int>(kernel->facts->greatestBlock);
    *blockSize = blockSizeLimit > 0 ? std::min(blockSizeLimit, most) : most;
    *gridSize = activeBlocks(call, *kernel, *blockSize, dynamicLdsBytes) * static_cast<int>(call->size().workers);
    return hipSuccess;
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

HipError hipExtLaunchKernel(const void* function, Dim3 grid, Dim3 block, void** arguments, std::size_t dynamicLdsBytes,
                            HipStream stream, HipEvent start, HipEvent stop, int) {
    GKS_CAPTURE_CALL("hipExtLaunchKernel");
    return remember(
        launchBetween(call, call->kernel(function), grid, block, arguments, dynamicLdsBytes, stream, start, stop));
}

HipError hipFuncGetAttributes(HipFunctionAttributes* attributes, const void* function) {
    GKS_CAPTURE_CALL("hipFuncGetAttributes");
    const RegisteredKernel* const kernel = call->kernel(function);
    if (attributes == nullptr || kernel == nullptr) {
        return remember(attributes != nullptr ? hipErrorInvalidDeviceFunction : hipErrorInvalidValue);
    }
    *attributes = {};
    attributes->maxThreadsPerBlock = static_cast<int>(kernel->facts->greatestBlock);
    attributes->sharedSizeBytes = kernel->facts->staticLdsBytes;
    attributes->maxDynamicSharedSizeBytes = static_cast<int>(kernel->facts->mostDynamicLdsBytes);
    attributes->numRegs = static_cast<int>(kernel->facts->registers);
    return hipSuccess;
}

HipError hipOccupancyMaxPotentialBlockSize(int* gridSize, int* blockSize, const void* function,
                                           std::size_t dynamicLdsBytes, int blockSizeLimit) {
    GKS_CAPTURE_CALL("hipOccupancyMaxPotentialBlockSize");
    return remember(
        potentialBlockSize(call, gridSize, blockSize, call->kernel(function), dynamicLdsBytes, blockSizeLimit));
}

HipError hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function, int blockSize,
                                                            std::size_t dynamicLdsBytes) {
    GKS_CAPTURE_CALL("hipModuleOccupancyMaxActiveBlocksPerMultiprocessor");
    return remember(blocksPerMultiprocessor(call, blocks, call->kernel(function), blockSize, dynamicLdsBytes));
}

HipError hipModuleOccupancyMaxPotentialBlockSize(int* gridSize, int* blockSize, const void* function,
                                                 std::size_t dynamicLdsBytes, int blockSizeLimit) {
    GKS_CAPTURE_CALL("hipModuleOccupancyMaxPotentialBlockSize");
    return remember(
        potentialBlockSize(call, gridSize, blockSize, call->kernel(function), dynamicLdsBytes, blockSizeLimit));
}

HipError hipModuleLaunchKernel(const void* function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX,
                               unsigned blockY, unsigned blockZ, unsigned dynamicLdsBytes, HipStream stream,
                               void** arguments, void** extra) {
    GKS_CAPTURE_CALL("hipModuleLaunchKernel");
    refusePacked(call, extra);
    return remember(launch(call, call->kernel(function), {gridX, gridY, gridZ}, {blockX, blockY, blockZ}, arguments,
                           dynamicLdsBytes, stream));
}

HipError hipModuleLaunchCooperativeKernel(const void* function, unsigned gridX, unsigned gridY, unsigned gridZ,
                                          unsigned blockX, unsigned blockY, unsigned blockZ, unsigned dynamicLdsBytes,
                                          HipStream stream, void** arguments) {
    GKS_CAPTURE_CALL("hipModuleLaunchCooperativeKernel");
    return remember(launchCooperative(call, call->kernel(function), {gridX, gridY, gridZ}, {blockX, blockY, blockZ},
                                      arguments, dynamicLdsBytes, stream));
}

// The grid is given in threads.
HipError hipExtModuleLaunchKernel(const void* function, std::uint32_t threadsX, std::uint32_t threadsY,
                                  std::uint32_t threadsZ, std::uint32_t blockX, std::uint32_t blockY,
                                  std::uint32_t blockZ, std::size_t dynamicLdsBytes, HipStream stream, void** arguments,
                                  void** extra, HipEvent start, HipEvent stop, std::uint32_t) {
    GKS_CAPTURE_CALL("hipExtModuleLaunchKernel");
    refusePacked(call, extra);
    if (blockX == 0 || blockY == 0 || blockZ == 0) {
        return remember(hipErrorInvalidConfiguration);
    }
    if (threadsX % blockX != 0 || threadsY % blockY != 0 || threadsZ % blockZ != 0) {
        call.refuse("launches blocks that are not full", "Make the grid a multiple of the block");
    }
    return remember(launchBetween(call, call->kernel(function),
                                  {threadsX / blockX, threadsY / blockY, threadsZ / blockZ}, {blockX, blockY, blockZ},
                                  arguments, dynamicLdsBytes, stream, start, stop));
}

// Headers of HIP 5 declare it as a function of C++.
HipError hipExtModuleLaunchKernelOfCpp(const void*, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t,
                                       std::uint32_t, std::uint32_t, std::size_t, HipStream, void**, void**, HipEvent,
                                       HipEvent,
                                       std::uint32_t) __asm__("_Z24hipExtModuleLaunchKernelP18ihipModuleSymbol_"
                                                              "tjjjjjjmP12ihipStream_tPPvS4_P11ihipEvent_tS6_j")
    __attribute__((alias("hipExtModuleLaunchKernel")));
}
#pragma GCC visibility pop
