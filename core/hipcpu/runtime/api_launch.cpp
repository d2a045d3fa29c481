// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/device_commands.h"
#include "core/hipcpu/runtime/fault_handler.h"
#include "core/hipcpu/runtime/hip_api.h"
#include "core/hipcpu/runtime/last_error.h"
#include "core/hipcpu/runtime/launch_limits.h"
#include "core/hipcpu/runtime/module_registry.h"
#include "core/hipcpu/runtime/settings.h"
#include "core/hipcpu/runtime/stream.h"

#include <algorithm>
#include <cstring>
#include <vector>

using namespace gks::hipcpu;

namespace {

struct CallConfiguration {
    Dim3 grid;
    Dim3 block;
    std::size_t dynamicLdsBytes;
    HipStream stream;
};
thread_local std::vector<CallConfiguration> callConfigurations;

HipError launch(const DeviceLaunch::Request& request, HipStream handle) {
    installFaultHandler();
    std::shared_ptr<DeviceLaunch> made;
    if (const HipError error = DeviceLaunch::make(request, made); error != hipSuccess) {
        return error;
    }
    Stream* stream = nullptr;
    if (const HipError error = enterStream(handle, stream); error != hipSuccess) {
        return error;
    }
    stream->submit(operationOf(std::move(made)));
    return hipSuccess;
}

Module& moduleOf(void** handle) {
    return *reinterpret_cast<Module*>(handle);
}

} // namespace

void** __hipRegisterFatBinary(const void* wrapper) {
    return reinterpret_cast<void**>(ModuleRegistry::instance().add(wrapper));
}

void __hipUnregisterFatBinary(void** module) {
    // Work in flight may still run code of the object that is about to go.
    DeviceQueue& queue = DeviceQueue::instance();
    queue.waitForOthers(queue.last());
    ModuleRegistry::instance().remove(&moduleOf(module));
}

void __hipRegisterFunction(void** module, const void* hostFunction, char*, const char* name, unsigned, void*, void*,
                           void*, void*, int*) {
    ModuleRegistry::instance().addFunction(moduleOf(module), hostFunction, name);
}

void __hipRegisterVar(void** module, void* hostVariable, char*, const char* name, int, std::size_t, int, int) {
    ModuleRegistry::instance().addVariable(moduleOf(module), hostVariable, name);
}

void __hipRegisterManagedVar(void* module, void** pointer, void* initialValue, const char* name, std::size_t sizeBytes,
                             unsigned) {
    Module& owner = moduleOf(static_cast<void**>(module));
    ModuleRegistry& registry = ModuleRegistry::instance();
    registry.addVariable(owner, pointer, name);
    void* storage = nullptr;
    if (hipMallocManaged(&storage, sizeBytes, 1) != hipSuccess) {
        failProcess("no memory for a managed variable");
    }
    std::memcpy(storage, initialValue, sizeBytes);
    *pointer = storage;
    // On the device side the variable is a pointer to the same storage.
    if (const VariableEntry* variable = registry.variable(pointer); variable && variable->sizeBytes == sizeof(void*)) {
        std::memcpy(variable->address, &storage, sizeof storage);
    }
}

HipError __hipPushCallConfiguration(Dim3 grid, Dim3 block, std::size_t dynamicLdsBytes, HipStream stream) {
    callConfigurations.push_back({grid, block, dynamicLdsBytes, stream});
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
    callConfigurations.pop_back();
    return hipSuccess;
}

HipError hipLaunchKernel(const void* function, Dim3 grid, Dim3 block, void** arguments, std::size_t dynamicLdsBytes,
                         HipStream stream) {
    return remember(launch({function, grid, block, arguments, dynamicLdsBytes}, stream));
}

HipError hipExtLaunchKernel(const void* function, Dim3 grid, Dim3 block, void** arguments, std::size_t dynamicLdsBytes,
                            HipStream stream, HipEvent start, HipEvent stop, int) {
    if (start) {
        if (const HipError error = hipEventRecord(start, stream); error != hipSuccess) {
            return error;
        }
    }
    if (const HipError error = launch({function, grid, block, arguments, dynamicLdsBytes}, stream);
        error != hipSuccess) {
        return remember(error);
    }
    return stop ? hipEventRecord(stop, stream) : hipSuccess;
}

HipError hipLaunchCooperativeKernel(const void* function, Dim3 grid, Dim3 block, void** arguments,
                                    unsigned dynamicLdsBytes, HipStream stream) {
    return remember(launch({function, grid, block, arguments, dynamicLdsBytes, true}, stream));
}

HipError hipLaunchHostFunc(HipStream handle, HipHostFunction function, void* userData) {
    Stream* stream = nullptr;
    if (const HipError error = function ? enterStream(handle, stream) : hipErrorInvalidValue; error != hipSuccess) {
        return remember(error);
    }
    stream->submit(hostOperation(function, userData));
    return hipSuccess;
}

HipError hipFuncSetAttribute(const void* function, int attribute, int value) {
    constexpr int maxDynamicSharedMemorySize = 8;
    const auto kernel = ModuleRegistry::instance().kernel(function);
    if (!kernel) {
        return remember(hipErrorInvalidDeviceFunction);
    }
    const bool tooMuch = attribute == maxDynamicSharedMemorySize &&
                         (value < 0 || value > static_cast<int>(kernel->entry->ldsLimitBytes));
    return tooMuch ? remember(hipErrorInvalidValue) : hipSuccess;
}

HipError hipFuncSetCacheConfig(const void*, int) {
    return hipSuccess;
}

HipError hipFuncGetAttributes(HipFunctionAttributes* attributes, const void* function) {
    const auto kernel = ModuleRegistry::instance().kernel(function);
    if (!attributes || !kernel) {
        return remember(attributes ? hipErrorInvalidDeviceFunction : hipErrorInvalidValue);
    }
    *attributes = {};
    attributes->maxThreadsPerBlock = static_cast<int>(kernel->entry->maxThreadsPerBlock);
    attributes->sharedSizeBytes = kernel->entry->staticLdsBytes;
    attributes->maxDynamicSharedSizeBytes =
        static_cast<int>(kernel->entry->ldsLimitBytes - kernel->entry->staticLdsBytes);
    return hipSuccess;
}

HipError hipOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function, int blockSize,
                                                      std::size_t dynamicLdsBytes) {
    const auto kernel = ModuleRegistry::instance().kernel(function);
    if (!kernel) {
        return remember(hipErrorInvalidDeviceFunction);
    }
    if (!blocks || blockSize <= 0 || blockSize > static_cast<int>(maxThreadsPerBlock)) {
        return remember(hipErrorInvalidValue);
    }
    *blocks = activeBlocks(limitsOf(*kernel->entry), blockSize, dynamicLdsBytes);
    return hipSuccess;
}

HipError hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* function, int blockSize,
                                                               std::size_t dynamicLdsBytes, unsigned) {
    return hipOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, blockSize, dynamicLdsBytes);
}

HipError hipOccupancyMaxPotentialBlockSize(int* gridSize, int* blockSize, const void* function,
                                           std::size_t dynamicLdsBytes, int blockSizeLimit) {
    const auto kernel = ModuleRegistry::instance().kernel(function);
    if (!kernel || !gridSize || !blockSize) {
        return remember(kernel ? hipErrorInvalidValue : hipErrorInvalidDeviceFunction);
    }
    const int most = static_cast<int>(kernel->entry->maxThreadsPerBlock);
    *blockSize = blockSizeLimit > 0 ? std::min(blockSizeLimit, most) : most;
    *gridSize = activeBlocks(limitsOf(*kernel->entry), *blockSize, dynamicLdsBytes) *
                static_cast<int>(Settings::instance().workers);
    return hipSuccess;
}
