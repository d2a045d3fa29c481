// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/fault_handler.h"
#include "core/hipcpu/runtime/hip_api.h"
#include "core/hipcpu/runtime/last_error.h"
#include "core/hipcpu/runtime/launch_limits.h"
#include "core/hipcpu/runtime/module_registry.h"
#include "core/hipcpu/runtime/settings.h"
#include "core/hipcpu/runtime/stream.h"
#include "core/hipcpu/runtime/time_in_runtime.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <limits>
#include <vector>

using namespace gks::hipcpu;

namespace {

// Less work than this is done before another thread has woken up.
constexpr std::uint64_t worthWakingNs = 10'000;

struct CallConfiguration {
    Dim3 grid;
    Dim3 block;
    std::size_t dynamicLdsBytes;
    HipStream stream;
};
thread_local std::vector<CallConfiguration> callConfigurations;

// Arguments of a kernel, copied because the launch outlives the caller's frame.
class ArgumentCopy {
public:
    ArgumentCopy(const KernelEntry& kernel, void** arguments) : m_offsets(kernel.argumentCount) {
        std::size_t total = 0;
        for (std::uint32_t i = 0; i < kernel.argumentCount; ++i) {
            m_offsets[i] = total;
            total += (kernel.argumentSizes[i] + sizeof(Unit) - 1) / sizeof(Unit);
        }
        m_storage.resize(total);
        for (std::uint32_t i = 0; i < kernel.argumentCount; ++i) {
            std::memcpy(&m_storage[m_offsets[i]], arguments[i], kernel.argumentSizes[i]);
        }
    }
    std::vector<void*> pointers() {
        std::vector<void*> result(m_offsets.size());
        for (std::size_t i = 0; i < result.size(); ++i) {
            result[i] = m_storage.data() + m_offsets[i];
        }
        return result;
    }

private:
    struct alignas(16) Unit {
        char bytes[16];
    };
    std::vector<std::size_t> m_offsets;
    std::vector<Unit> m_storage;
};

void runKernel(WorkerPool& workers, RegisteredKernel& kernel, const BlockExecutor::Launch& launch,
               std::uint64_t blocks) {
    const std::uint64_t expectedNs = std::uint64_t{kernel.nsPerBlock.load(std::memory_order_relaxed)} * blocks;
    const bool alone = expectedNs != 0 && expectedNs < worthWakingNs;
    const auto begin = std::chrono::steady_clock::now();
    workers.run(launch, blocks, alone);
    const auto ns =
        static_cast<std::uint64_t>((std::chrono::steady_clock::now() - begin) / std::chrono::nanoseconds(1));
    // With several workers a block costs more than this; the estimate only has to tell microseconds from more.
    const std::uint64_t perBlock = std::max<std::uint64_t>(1, ns / blocks);
    kernel.nsPerBlock.store(
        static_cast<std::uint32_t>(std::min<std::uint64_t>(perBlock, std::numeric_limits<std::uint32_t>::max())),
        std::memory_order_relaxed);
}

LaunchLimits limitsOf(const KernelEntry& kernel) {
    return {kernel.maxThreadsPerBlock, kernel.staticLdsBytes};
}

HipError launch(const void* function, Dim3 grid, Dim3 block, void** arguments, std::size_t dynamicLdsBytes,
                HipStream handle) {
    installFaultHandler();
    auto kernel = ModuleRegistry::instance().kernel(function);
    if (!kernel) {
        return hipErrorInvalidDeviceFunction;
    }
    Stream* stream = Stream::find(handle);
    if (!stream) {
        return hipErrorInvalidHandle;
    }
    const KernelEntry& entry = *kernel->entry;
    if (const HipError error = checkLaunch(limitsOf(entry), grid, block, dynamicLdsBytes); error != hipSuccess) {
        return error;
    }
    const Settings& settings = Settings::instance();
    const BlockExecutor::Launch what{&entry,
                                     nullptr,
                                     {grid.x, grid.y, grid.z},
                                     {block.x, block.y, block.z},
                                     static_cast<std::uint32_t>(dynamicLdsBytes),
                                     settings.order,
                                     settings.poisonLds};
    stream->submit([kernel = std::move(kernel), what, copy = ArgumentCopy(entry, arguments),
                    blocks = grid.count()](WorkerPool& workers) mutable {
        std::vector<void*> pointers = copy.pointers();
        BlockExecutor::Launch launched = what;
        launched.arguments = pointers.data();
        runKernel(workers, *kernel, launched, blocks);
    });
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
    const TimeInRuntime counted;
    return remember(launch(function, grid, block, arguments, dynamicLdsBytes, stream));
}

HipError hipExtLaunchKernel(const void* function, Dim3 grid, Dim3 block, void** arguments, std::size_t dynamicLdsBytes,
                            HipStream stream, HipEvent start, HipEvent stop, int) {
    if (start) {
        if (const HipError error = hipEventRecord(start, stream); error != hipSuccess) {
            return error;
        }
    }
    if (const HipError error = launch(function, grid, block, arguments, dynamicLdsBytes, stream); error != hipSuccess) {
        return remember(error);
    }
    return stop ? hipEventRecord(stop, stream) : hipSuccess;
}

HipError hipLaunchCooperativeKernel(const void*, Dim3, Dim3, void**, unsigned, HipStream) {
    return remember(hipErrorNotSupported);
}

HipError hipLaunchHostFunc(HipStream handle, HipHostFunction function, void* userData) {
    Stream* stream = Stream::find(handle);
    if (!stream || !function) {
        return remember(stream ? hipErrorInvalidValue : hipErrorInvalidHandle);
    }
    stream->submit([function, userData](WorkerPool&) { function(userData); });
    return hipSuccess;
}

HipError hipFuncSetAttribute(const void* function, int attribute, int value) {
    constexpr int maxDynamicSharedMemorySize = 8;
    if (!ModuleRegistry::instance().kernel(function)) {
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
    const auto kernel = ModuleRegistry::instance().kernel(function);
    if (!attributes || !kernel) {
        return remember(attributes ? hipErrorInvalidDeviceFunction : hipErrorInvalidValue);
    }
    *attributes = {};
    attributes->maxThreadsPerBlock = static_cast<int>(kernel->entry->maxThreadsPerBlock);
    attributes->sharedSizeBytes = kernel->entry->staticLdsBytes;
    attributes->maxDynamicSharedSizeBytes = static_cast<int>(ldsLimitBytes - kernel->entry->staticLdsBytes);
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
