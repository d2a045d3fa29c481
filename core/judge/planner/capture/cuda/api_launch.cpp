// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/last_error.h"
#include "core/judge/planner/capture/cuda/cuda_questions.h"
#include "core/judge/planner/capture/device_rules.h"
#include "core/judge/planner/capture/launches.h"

#include <algorithm>

// Launches and questions about kernels that HIP does not have, or has with another structure.

using namespace gks;
using namespace gks::hipcpu;
using namespace gks::capture;
using namespace gks::cuda;

namespace {

// Refuses what a plan cannot express.
LaunchAttributes readAttributes(const Call& call, const LaunchConfiguration& configuration) {
    LaunchAttributes asked;
    for (unsigned i = 0; i < configuration.count; ++i) {
        const LaunchAttribute& one = configuration.attributes[i];
        const auto number = [&](std::size_t at) { return static_cast<std::uint32_t>(one.value[at]); };
        switch (one.id) {
        case attributeIgnore:
            break;
        case attributeCooperative:
            asked.cooperative = one.value[0] != 0;
            break;
        case attributeClusterDimension:
            asked.cluster = {number(0), number(1), number(2)};
            break;
        case attributeClusterPolicy:
            asked.clusterPolicy = number(0);
            break;
        case attributeProgrammaticSerialization:
            asked.programmaticSerialization = one.value[0] != 0;
            break;
        case attributeSharedMemoryCarveout:
            asked.carveoutPercent = one.value[0];
            break;
        default:
            call.refuse("has a launch attribute that a launch plan cannot express",
                        "Use cooperative launches, clusters, programmatic stream serialization or the carveout");
        }
    }
    return asked;
}

// What fits at a time. The device says how many clusters do when each block has a multiprocessor to itself.
CudaError activeClusters(const Call& call, int* clusters, const RegisteredKernel* kernel,
                         const LaunchConfiguration* configuration) {
    if (kernel == nullptr) {
        return hipErrorInvalidDeviceFunction;
    }
    if (clusters == nullptr || configuration == nullptr) {
        return hipErrorInvalidValue;
    }
    const LaunchAttributes asked = readAttributes(call, *configuration);
    if (const CudaError error = checkCluster(*kernel, configuration->grid, asked.cluster); error != hipSuccess) {
        return error;
    }
    const auto size = static_cast<int>(elementsOf(asked.cluster));
    const auto known = call->device().clusters.find(size);
    const int alone =
        known != call->device().clusters.end() ? known->second : attributeOf(call, multiprocessors) / size;
    *clusters = alone * activeBlocks(call, *kernel, static_cast<int>(configuration->block.count()),
                                     configuration->dynamicBytes);
    return hipSuccess;
}

CudaError launchWith(const Call& call, const LaunchConfiguration* configuration, const void* function,
                     void** arguments) {
    if (configuration == nullptr || (configuration->attributes == nullptr && configuration->count > 0)) {
        return hipErrorInvalidValue;
    }
    return launch(call, call->kernel(function), configuration->grid, configuration->block, arguments,
                  configuration->dynamicBytes, configuration->stream, readAttributes(call, *configuration));
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

void __cudaRegisterFatBinaryEnd(void**) {}

char __cudaInitModule(void**) {
    return 0;
}

CudaError __cudaGetKernel(const void** handle, const void* function) {
    GKS_CAPTURE_CALL("__cudaGetKernel");
    *handle = call->kernel(function);
    return remember(*handle != nullptr ? hipSuccess : hipErrorInvalidDeviceFunction);
}

CudaError cudaGetKernel(const void** handle, const void* function) {
    return __cudaGetKernel(handle, function);
}

CudaError __cudaLaunchKernel(const void* handle, Dim3 grid, Dim3 block, void** arguments, std::size_t dynamicBytes,
                             CudaStream stream) {
    const Call call("cudaLaunchKernel", takeLaunchPlace(__builtin_return_address(0)));
    return remember(launch(call, call->kernel(handle), grid, block, arguments, dynamicBytes, stream));
}

CudaError cudaLaunchKernelExC(const LaunchConfiguration* configuration, const void* function, void** arguments) {
    GKS_CAPTURE_CALL("cudaLaunchKernelExC");
    return remember(launchWith(call, configuration, function, arguments));
}

CudaError cudaFuncGetAttributes(FunctionAttributes* attributes, const void* function) {
    GKS_CAPTURE_CALL("cudaFuncGetAttributes");
    const RegisteredKernel* const kernel = call->kernel(function);
    if (attributes == nullptr || kernel == nullptr) {
        return remember(attributes != nullptr ? hipErrorInvalidDeviceFunction : hipErrorInvalidValue);
    }
    constexpr int ten = 10; // of a version's major number
    *attributes = {};
    attributes->sharedSizeBytes = kernel->facts->staticLdsBytes;
    attributes->maxThreadsPerBlock = static_cast<int>(kernel->facts->greatestBlock);
    attributes->numRegs = static_cast<int>(kernel->facts->registers);
    attributes->binaryVersion = attributeOf(call, cuda::major) * ten + attributeOf(call, cuda::minor);
    attributes->ptxVersion = attributes->binaryVersion;
    attributes->maxDynamicSharedSizeBytes = static_cast<int>(mostDynamicBytes(call, *kernel));
    attributes->preferredShmemCarveout = kernel->settings.carveoutPercent;
    return hipSuccess;
}

CudaError cudaOccupancyAvailableDynamicSMemPerBlock(std::size_t* bytes, const void* function, int blocks, int) {
    GKS_CAPTURE_CALL("cudaOccupancyAvailableDynamicSMemPerBlock");
    const RegisteredKernel* const kernel = call->kernel(function);
    if (bytes == nullptr || kernel == nullptr || blocks <= 0) {
        return remember(kernel != nullptr ? hipErrorInvalidValue : hipErrorInvalidDeviceFunction);
    }
    const int each = attributeOf(call, sharedMemoryPerMultiprocessor) / blocks -
                     attributeOf(call, reservedSharedMemoryPerBlock) - static_cast<int>(kernel->facts->staticLdsBytes);
    *bytes = std::min<std::size_t>(static_cast<std::size_t>(std::max(each, 0)), mostDynamicBytes(call, *kernel));
    return hipSuccess;
}

CudaError cudaOccupancyMaxActiveClusters(int* clusters, const void* function,
                                         const LaunchConfiguration* configuration) {
    GKS_CAPTURE_CALL("cudaOccupancyMaxActiveClusters");
    return remember(activeClusters(call, clusters, call->kernel(function), configuration));
}

CudaError cudaOccupancyMaxPotentialClusterSize(int* size, const void* function, const LaunchConfiguration*) {
    constexpr int portable = 8;
    constexpr int largest = 16;
    GKS_CAPTURE_CALL("cudaOccupancyMaxPotentialClusterSize");
    const RegisteredKernel* const kernel = call->kernel(function);
    if (size == nullptr || kernel == nullptr) {
        return remember(kernel != nullptr ? hipErrorInvalidValue : hipErrorInvalidDeviceFunction);
    }
    *size = kernel->settings.hasLargeClusters ? largest : portable;
    return hipSuccess;
}
}
#pragma GCC visibility pop
