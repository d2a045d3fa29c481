// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/hip_api.h"
#include "core/hipcpu/runtime/last_error.h"
#include "core/judge/planner/capture/recorder.h"

#include <algorithm>
#include <cstring>
#include <utility>

using namespace gks;
using namespace gks::hipcpu;
using gks::capture::Call;
using gks::capture::RegisteredKernel;
using gks::capture::StreamState;

namespace {

constexpr std::size_t wordBytes = sizeof(std::uint64_t);

struct CallConfiguration {
    Dim3 grid;
    Dim3 block;
    std::size_t dynamicLdsBytes;
    HipStream stream;
    void* caller;
};
thread_local std::vector<CallConfiguration> callConfigurations;
// Where <<<>>> stands: what calls hipLaunchKernel() then is a function that the compiler has made for the kernel.
thread_local void* launchedFrom = nullptr;

LaunchLimits limitsOf(const KernelFacts& kernel) {
    return {kernel.greatestBlock, kernel.staticLdsBytes};
}

// Memory of the host that was allocated to be shared with a device is not there when the plan is executed.
void refuseHostMemory(const Call& call, const PlanBytes& argument) {
    for (std::size_t at = 0; at + wordBytes <= argument.size(); at += wordBytes) {
        std::uint64_t word = 0;
        std::memcpy(&word, &argument[at], wordBytes);
        if (call->isHostMemory(word)) {
            call.refuse("gives a kernel the address of host memory",
                        "Use the workspace, and copy to it with hipMemcpyAsync");
        }
    }
}

HipError launch(const Call& call, const RegisteredKernel* kernel, Dim3 grid, Dim3 block, void** arguments,
                std::size_t dynamicLdsBytes, HipStream handle) {
    if (kernel == nullptr) {
        return hipErrorInvalidDeviceFunction;
    }
    StreamState* const stream = call.stream(handle);
    if (stream == nullptr) {
        return hipErrorInvalidHandle;
    }
    const KernelFacts& facts = *kernel->facts;
    if (const HipError error = checkLaunch(limitsOf(facts), grid, block, dynamicLdsBytes); error != hipSuccess) {
        return error;
    }
    if (arguments == nullptr && !facts.argumentBytes.empty()) {
        return hipErrorInvalidValue;
    }
    KernelLaunch launch = {
        kernel->symbol, {grid.x, grid.y, grid.z}, {block.x, block.y, block.z}, dynamicLdsBytes, false, {}};
    for (std::size_t i = 0; i < facts.argumentBytes.size(); ++i) {
        const auto* const value = static_cast<const std::uint8_t*>(arguments[i]);
        launch.arguments.emplace_back(value, value + facts.argumentBytes[i]);
        refuseHostMemory(call, launch.arguments.back());
    }
    call.add(*stream, std::move(launch));
    return hipSuccess;
}

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
    *gridSize =
        activeBlocks(limitsOf(*kernel->facts), *blockSize, dynamicLdsBytes) * static_cast<int>(call->size().workers);
    return hipSuccess;
}

HipError blocksPerMultiprocessor(int* blocks, const RegisteredKernel* kernel, int blockSize,
                                 std::size_t dynamicLdsBytes) {
    if (kernel == nullptr) {
        return hipErrorInvalidDeviceFunction;
    }
    if (blocks == nullptr || blockSize <= 0 || blockSize > static_cast<int>(maxThreadsPerBlock)) {
        return hipErrorInvalidValue;
    }
    *blocks = activeBlocks(limitsOf(*kernel->facts), blockSize, dynamicLdsBytes);
    return hipSuccess;
}

} // namespace

void** __hipRegisterFatBinary(const void* wrapper) {
    GKS_CAPTURE_CALL("__hipRegisterFatBinary");
    call->addModule(wrapper);
    static void* module = nullptr;
    return &module;
}

void __hipUnregisterFatBinary(void**) {}

void __hipRegisterFunction(void**, const void* hostFunction, char*, const char* name, unsigned, void*, void*, void*,
                           void*, int*) {
    GKS_CAPTURE_CALL("__hipRegisterFunction");
    call->addKernel(hostFunction, name);
}

void __hipRegisterVar(void**, void* hostVariable, char*, const char* name, int, std::size_t, int, int) {
    GKS_CAPTURE_CALL("__hipRegisterVar");
    call->addVariable(hostVariable, name);
}

void __hipRegisterManagedVar(void*, void**, void*, const char*, std::size_t, unsigned) {
    GKS_CAPTURE_CALL("__managed__");
    call.refuse("declares a variable that host and device share", "Use __device__ and hipMemcpyToSymbol");
}

HipError __hipPushCallConfiguration(Dim3 grid, Dim3 block, std::size_t dynamicLdsBytes, HipStream stream) {
    callConfigurations.push_back({grid, block, dynamicLdsBytes, stream, __builtin_return_address(0)});
    return hipSuccess;
}

HipError __hipPopCallConfiguration(Dim3* grid, Dim3* block, std::size_t* dynamicLdsBytes, HipStream* stream) {
    if (callConfigurations.empty()) {
        return remember(hipErrorMissingConfiguration);
    }
    const CallConfiguration& top = callConfigurations.back();
    *grid = top.grid;
    *block = top.block;
    *dynamicLdsBytes = top.dynamicLdsBytes;
    *stream = top.stream;
    launchedFrom = top.caller;
    callConfigurations.pop_back();
    return hipSuccess;
}

HipError hipLaunchKernel(const void* function, Dim3 grid, Dim3 block, void** arguments, std::size_t dynamicLdsBytes,
                         HipStream stream) {
    void* const itsOwn = __builtin_return_address(0);
    void* const from = std::exchange(launchedFrom, nullptr);
    const Call call("hipLaunchKernel", from != nullptr ? from : itsOwn);
    return remember(launch(call, call->kernel(function), grid, block, arguments, dynamicLdsBytes, stream));
}

HipError hipExtLaunchKernel(const void* function, Dim3 grid, Dim3 block, void** arguments, std::size_t dynamicLdsBytes,
                            HipStream stream, HipEvent start, HipEvent stop, int) {
    GKS_CAPTURE_CALL("hipExtLaunchKernel");
    return remember(
        launchBetween(call, call->kernel(function), grid, block, arguments, dynamicLdsBytes, stream, start, stop));
}

// As the device of the cpu target answers.
HipError hipLaunchCooperativeKernel(const void*, Dim3, Dim3, void**, unsigned, HipStream) {
    return remember(hipErrorNotSupported);
}

HipError hipLaunchHostFunc(HipStream, HipHostFunction, void*) {
    GKS_CAPTURE_CALL("hipLaunchHostFunc");
    call.refuse("has the host work in the middle of the device's work", "Do it before the launches or in a kernel");
}

HipError hipFuncSetAttribute(const void* function, int attribute, int value) {
    constexpr int maxDynamicSharedMemorySize = 8;
    GKS_CAPTURE_CALL("hipFuncSetAttribute");
    if (call->kernel(function) == nullptr) {
        return remember(hipErrorInvalidDeviceFunction);
    }
    const bool tooMuch =
        attribute == maxDynamicSharedMemorySize && (value < 0 || value > static_cast<int>(ldsLimitBytes));
    return tooMuch ? remember(hipErrorInvalidValue) : hipSuccess;
}

HipError hipFuncSetCacheConfig(const void*, int) {
    return hipSuccess;
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

HipError hipOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function, int blockSize,
                                                      std::size_t dynamicLdsBytes) {
    GKS_CAPTURE_CALL("hipOccupancyMaxActiveBlocksPerMultiprocessor");
    return remember(blocksPerMultiprocessor(blocks, call->kernel(function), blockSize, dynamicLdsBytes));
}

HipError hipOccupancyMaxPotentialBlockSize(int* gridSize, int* blockSize, const void* function,
                                           std::size_t dynamicLdsBytes, int blockSizeLimit) {
    GKS_CAPTURE_CALL("hipOccupancyMaxPotentialBlockSize");
    return remember(
        potentialBlockSize(call, gridSize, blockSize, call->kernel(function), dynamicLdsBytes, blockSizeLimit));
}

// What HIP has beside what the cpu target's own runtime exports.
#pragma GCC visibility push(default)
extern "C" {

HipError hipFuncSetSharedMemConfig(const void*, int) {
    return hipSuccess;
}

HipError hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* function, int blockSize,
                                                               std::size_t dynamicLdsBytes, unsigned) {
    GKS_CAPTURE_CALL("hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags");
    return remember(blocksPerMultiprocessor(blocks, call->kernel(function), blockSize, dynamicLdsBytes));
}

HipError hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function, int blockSize,
                                                            std::size_t dynamicLdsBytes) {
    GKS_CAPTURE_CALL("hipModuleOccupancyMaxActiveBlocksPerMultiprocessor");
    return remember(blocksPerMultiprocessor(blocks, call->kernelOfHandle(function), blockSize, dynamicLdsBytes));
}

HipError hipModuleOccupancyMaxPotentialBlockSize(int* gridSize, int* blockSize, const void* function,
                                                 std::size_t dynamicLdsBytes, int blockSizeLimit) {
    GKS_CAPTURE_CALL("hipModuleOccupancyMaxPotentialBlockSize");
    return remember(
        potentialBlockSize(call, gridSize, blockSize, call->kernelOfHandle(function), dynamicLdsBytes, blockSizeLimit));
}

HipError hipGetFuncBySymbol(const void** handle, const void* function) {
    GKS_CAPTURE_CALL("hipGetFuncBySymbol");
    if (handle == nullptr || call->kernel(function) == nullptr) {
        return remember(handle != nullptr ? hipErrorInvalidDeviceFunction : hipErrorInvalidValue);
    }
    *handle = call->kernel(function);
    return hipSuccess;
}

HipError hipModuleLaunchKernel(const void* function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX,
                               unsigned blockY, unsigned blockZ, unsigned dynamicLdsBytes, HipStream stream,
                               void** arguments, void** extra) {
    GKS_CAPTURE_CALL("hipModuleLaunchKernel");
    refusePacked(call, extra);
    return remember(launch(call, call->kernelOfHandle(function), {gridX, gridY, gridZ}, {blockX, blockY, blockZ},
                           arguments, dynamicLdsBytes, stream));
}

HipError hipModuleLaunchCooperativeKernel(const void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                                          unsigned, HipStream, void**) {
    return remember(hipErrorNotSupported);
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
    return remember(launchBetween(call, call->kernelOfHandle(function),
                                  {threadsX / blockX, threadsY / blockY, threadsZ / blockZ}, {blockX, blockY, blockZ},
                                  arguments, dynamicLdsBytes, stream, start, stop));
}
}
#pragma GCC visibility pop
