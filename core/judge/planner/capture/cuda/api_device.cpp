// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/planner/capture/answers.h"
#include "core/judge/planner/capture/cuda/cuda_questions.h"

#include <cstdio>

// What the device says of itself: what the judge has been told of it.

using namespace gks;
using namespace gks::hipcpu;
using namespace gks::capture;
using namespace gks::cuda;

namespace {

constexpr int runtimeOfCuda = 13000;

std::size_t bytesOf(const Call& call, int attribute) {
    return static_cast<std::size_t>(attributeOf(call, attribute));
}

// The fields that both versions of the structure have.
template<class Properties>
CudaError answerProperties(const Call& call, Properties* properties, int device) {
    const CudaError error = asked(device, properties != nullptr);
    if (error != hipSuccess) {
        return remember(error);
    }
    Properties& p = *properties;
    p = {};
    std::snprintf(p.name, sizeof p.name, "%s", call->device().name.c_str());
    p.totalGlobalMem = call->device().memoryBytes;
    p.sharedMemPerBlock = bytesOf(call, sharedMemoryPerBlock);
    p.regsPerBlock = attributeOf(call, registersPerBlock);
    p.warpSize = attributeOf(call, warpLanes);
    p.memPitch = bytesOf(call, maxPitch);
    p.maxThreadsPerBlock = attributeOf(call, cuda::maxThreadsPerBlock);
    for (int d = 0; d < 3; ++d) {
        p.maxThreadsDim[d] = attributeOf(call, maxBlockEdge + d);
        p.maxGridSize[d] = attributeOf(call, maxGridEdge + d);
    }
    p.totalConstMem = bytesOf(call, totalConstantMemory);
    p.major = attributeOf(call, cuda::major);
    p.minor = attributeOf(call, cuda::minor);
    p.textureAlignment = bytesOf(call, textureAlignment);
    p.multiProcessorCount = attributeOf(call, multiprocessors);
    p.integrated = attributeOf(call, integrated);
    p.canMapHostMemory = attributeOf(call, canMapHostMemory);
    p.concurrentKernels = attributeOf(call, concurrentKernels);
    p.asyncEngineCount = attributeOf(call, asyncEngines);
    p.unifiedAddressing = attributeOf(call, unifiedAddressing);
    p.memoryBusWidth = attributeOf(call, memoryBusBits);
    p.l2CacheSize = attributeOf(call, l2Bytes);
    p.persistingL2CacheMaxSize = attributeOf(call, persistingL2Bytes);
    p.maxThreadsPerMultiProcessor = attributeOf(call, threadsPerMultiprocessor);
    p.streamPrioritiesSupported = attributeOf(call, streamPriorities);
    p.sharedMemPerMultiprocessor = bytesOf(call, sharedMemoryPerMultiprocessor);
    p.regsPerMultiprocessor = attributeOf(call, registersPerMultiprocessor);
    p.cooperativeLaunch = attributeOf(call, cuda::cooperativeLaunch);
    p.sharedMemPerBlockOptin = bytesOf(call, sharedMemoryPerBlockOptIn);
    p.maxBlocksPerMultiProcessor = attributeOf(call, blocksPerMultiprocessor);
    p.reservedSharedMemPerBlock = bytesOf(call, reservedSharedMemoryPerBlock);
    p.clusterLaunch = attributeOf(call, clusterLaunch);
    return hipSuccess;
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

CudaError cudaDeviceGetAttribute(int* value, int attribute, int device) {
    GKS_CAPTURE_CALL("cudaDeviceGetAttribute");
    const auto& all = call->device().attributes;
    const auto found = all.find(attribute);
    const CudaError error = asked(device, value != nullptr && found != all.end());
    if (error == hipSuccess) {
        *value = found->second;
    }
    return remember(error);
}

CudaError cudaGetDeviceProperties(DeviceProperties13* properties, int device) {
    GKS_CAPTURE_CALL("cudaGetDeviceProperties");
    return answerProperties(call, properties, device);
}

CudaError cudaGetDeviceProperties_v2(DeviceProperties12* properties, int device) {
    GKS_CAPTURE_CALL("cudaGetDeviceProperties");
    const CudaError error = answerProperties(call, properties, device);
    if (error == hipSuccess) {
        properties->clockRate = attributeOf(call, clockKhz);
        properties->memoryClockRate = attributeOf(call, memoryClockKhz);
        properties->computeMode = attributeOf(call, computeMode);
    }
    return error;
}

CudaError cudaRuntimeGetVersion(int* version) {
    return answer(version, runtimeOfCuda);
}

CudaError cudaDriverGetVersion(int* version) {
    GKS_CAPTURE_CALL("cudaDriverGetVersion");
    return answer(version, static_cast<int>(call->device().driverVersion));
}

CudaError cudaDeviceSetLimit(int, std::size_t) {
    GKS_CAPTURE_CALL("cudaDeviceSetLimit");
    call.refuse("changes a limit of the device", "Leave the call out");
}
}
#pragma GCC visibility pop
