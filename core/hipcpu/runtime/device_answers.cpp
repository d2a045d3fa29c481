// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/device_answers.h"

#include "core/hipcpu/abi.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>

namespace gks::hipcpu {
namespace {

// The device says of itself what an MI300X, or for gfx950 an MI355X, says wherever a kernel may depend on it; sizes of
// the machine are those of the host, also the number of compute units: grids that are made of it have to fill this one.
constexpr int maxGridX = std::numeric_limits<int>::max();
constexpr int maxGridYz = 65535;
constexpr int steadyClockKhz = 100'000; // of s_memrealtime
constexpr int busWidthBits = 8192;
constexpr int l2Bytes = 4 << 20;
constexpr int registersPerBlock = 65536;
constexpr int threadsPerComputeUnit = 2048;
constexpr int major = 9;

struct CardFacts {
    const char* name; // as hipDeviceProp_t has it
    int minor;
    int clockKhz;
    int memoryClockKhz;
};
CardFacts factsOf(Architecture architecture) {
    return architecture == Architecture::gfx950 ? CardFacts{"gfx950:sramecc+:xnack-", 5, 2'400'000, 2'000'000}
                                                : CardFacts{"gfx942", 4, 2'100'000, 1'300'000};
}

constexpr std::uint32_t architectureFeatures = globalInt32Atomics | globalFloatAtomicExchange | sharedInt32Atomics |
                                               sharedFloatAtomicExchange | floatAtomicAdd | globalInt64Atomics |
                                               sharedInt64Atomics | doubles | warpVote | warpBallot | warpShuffle |
                                               threadFenceSystem | threeDimensionalGrid;

// The fields that both versions of the structure have.
template<class Properties>
void fillCommon(Properties& p, const DeviceSize& size) {
    const CardFacts card = factsOf(size.architecture);
    p = {};
    nameDevice(p.name, sizeof p.name, size);
    std::strcpy(p.gcnArchName, card.name);
    p.totalGlobalMem = size.memoryBytes;
    p.sharedMemPerBlock = ldsLimitBytes(size.architecture);
    p.maxSharedMemoryPerMultiProcessor = ldsLimitBytes(size.architecture);
    p.regsPerBlock = registersPerBlock;
    p.warpSize = static_cast<int>(waveSize);
    p.maxThreadsPerBlock = static_cast<int>(maxThreadsPerBlock);
    p.maxThreadsPerMultiProcessor = threadsPerComputeUnit;
    for (int d = 0; d < 3; ++d) {
        p.maxThreadsDim[d] = static_cast<int>(maxThreadsPerBlock);
        p.maxGridSize[d] = d == 0 ? maxGridX : maxGridYz;
    }
    p.clockRate = card.clockKhz;
    p.clockInstructionRate = steadyClockKhz;
    p.memoryClockRate = card.memoryClockKhz;
    p.memoryBusWidth = busWidthBits;
    p.l2CacheSize = l2Bytes;
    p.totalConstMem = std::numeric_limits<int>::max();
    p.major = major;
    p.minor = card.minor;
    p.multiProcessorCount = static_cast<int>(size.workers);
    p.arch = architectureFeatures;
    p.concurrentKernels = 1;
    p.cooperativeLaunch = 1;
    p.canMapHostMemory = 1;
    p.integrated = 1;
    p.managedMemory = 1;
    p.concurrentManagedAccess = 1;
    p.directManagedMemAccessFromHost = 1;
    p.memPitch = std::numeric_limits<int>::max();
}

// hipDeviceAttribute_t, the values that HIP 5 and HIP 6 share.
enum Attribute {
    attributeAsyncEngineCount = 2,
    attributeCanMapHostMemory = 3,
    attributeClockRate = 5,
    attributeComputeMode = 6,
    attributeConcurrentKernels = 8,
    attributeConcurrentManagedAccess = 9,
    attributeCooperativeLaunch = 10,
    attributeDirectManagedMemAccessFromHost = 13,
    attributeIntegrated = 16,
    attributeL2CacheSize = 19,
    attributeComputeCapabilityMajor = 23,
    attributeManagedMemory = 24,
    attributeMaxBlocksPerMultiProcessor = 25,
    attributeMaxBlockDimX = 26,
    attributeMaxBlockDimY = 27,
    attributeMaxBlockDimZ = 28,
    attributeMaxGridDimX = 29,
    attributeMaxGridDimY = 30,
    attributeMaxGridDimZ = 31,
    attributeMaxThreadsDim = 55,
    attributeMaxThreadsPerBlock = 56,
    attributeMaxThreadsPerMultiProcessor = 57,
    attributeMaxPitch = 58,
    attributeMemoryBusWidth = 59,
    attributeMemoryClockRate = 60,
    attributeComputeCapabilityMinor = 61,
    attributeMultiprocessorCount = 63,
    attributeMaxRegistersPerBlock = 71,
    attributeMaxRegistersPerMultiprocessor = 72,
    attributeMaxSharedMemoryPerBlock = 74,
    attributeSharedMemPerBlockOptin = 75,
    attributeSharedMemPerMultiprocessor = 76,
    attributeTotalConstantMemory = 83,
    attributeTotalGlobalMem = 84,
    attributeUnifiedAddressing = 85,
    attributeWarpSize = 87,
    attributeMemoryPoolsSupported = 88,
    attributeHostRegisterSupported = 90,
    attributeClockInstructionRate = 10000,
    attributeMaxSharedMemoryPerMultiprocessor = 10002,
    attributeCanUseStreamWaitValue = 10013,
    attributeWallClockRate = 10017,
    attributeLast = attributeWallClockRate,
};

// Attributes that say "no such feature" are 0.
int valueOf(int attribute, const DeviceSize& size) {
    constexpr int most = std::numeric_limits<int>::max();
    switch (attribute) {
    case attributeAsyncEngineCount:
    case attributeCanMapHostMemory:
    case attributeCanUseStreamWaitValue:
    case attributeConcurrentKernels:
    case attributeConcurrentManagedAccess:
    case attributeCooperativeLaunch:
    case attributeDirectManagedMemAccessFromHost:
    case attributeHostRegisterSupported:
    case attributeIntegrated:
    case attributeManagedMemory:
    case attributeMemoryPoolsSupported:
    case attributeUnifiedAddressing:
        return 1;
    case attributeClockRate:
        return factsOf(size.architecture).clockKhz;
    case attributeL2CacheSize:
        return l2Bytes;
    case attributeComputeCapabilityMajor:
        return major;
    case attributeComputeCapabilityMinor:
        return factsOf(size.architecture).minor;
    case attributeMaxBlocksPerMultiProcessor:
        return threadsPerComputeUnit / static_cast<int>(waveSize);
    case attributeMaxBlockDimX:
    case attributeMaxBlockDimY:
    case attributeMaxBlockDimZ:
    case attributeMaxThreadsDim:
    case attributeMaxThreadsPerBlock:
        return static_cast<int>(maxThreadsPerBlock);
    case attributeMaxGridDimX:
        return maxGridX;
    case attributeMaxGridDimY:
    case attributeMaxGridDimZ:
        return maxGridYz;
    case attributeMaxThreadsPerMultiProcessor:
        return threadsPerComputeUnit;
    case attributeMaxPitch:
    case attributeTotalConstantMemory:
        return most;
    case attributeMemoryBusWidth:
        return busWidthBits;
    case attributeMemoryClockRate:
        return factsOf(size.architecture).memoryClockKhz;
    case attributeMultiprocessorCount:
        return static_cast<int>(size.workers);
    case attributeMaxRegistersPerBlock:
    case attributeMaxRegistersPerMultiprocessor:
        return registersPerBlock;
    case attributeMaxSharedMemoryPerBlock:
    case attributeSharedMemPerBlockOptin:
    case attributeSharedMemPerMultiprocessor:
    case attributeMaxSharedMemoryPerMultiprocessor:
        return static_cast<int>(ldsLimitBytes(size.architecture));
    case attributeTotalGlobalMem:
        return size.memoryBytes > static_cast<std::size_t>(most) ? most : static_cast<int>(size.memoryBytes);
    case attributeWarpSize:
        return static_cast<int>(waveSize);
    case attributeClockInstructionRate:
    case attributeWallClockRate:
        return steadyClockKhz;
    default:
        return 0;
    }
}

} // namespace

void nameDevice(char* name, std::size_t capacity, const DeviceSize& size) {
    std::snprintf(name, capacity, "CPU (%u threads) as %s", size.workers,
                  std::string(nameOf(size.architecture)).c_str());
}

bool answerAttribute(int attribute, const DeviceSize& size, int& value) {
    if (attribute < 0 || attribute > attributeLast) {
        return false;
    }
    value = valueOf(attribute, size);
    return true;
}

void fillProperties(DeviceProperties5& properties, const DeviceSize& size) {
    fillCommon(properties, size);
    properties.gcnArch = std::atoi(properties.gcnArchName + 3);
}

void fillProperties(DeviceProperties6& properties, const DeviceSize& size) {
    constexpr char uuid[sizeof properties.uuid + 1] = "gks-cpu-00000000"; // one device, the same in all programs
    fillCommon(properties, size);
    std::memcpy(properties.uuid, uuid, sizeof properties.uuid);
    properties.unifiedAddressing = 1;
    properties.asyncEngineCount = 1;
    properties.sharedMemPerMultiprocessor = ldsLimitBytes(size.architecture);
    properties.sharedMemPerBlockOptin = ldsLimitBytes(size.architecture);
    properties.regsPerMultiprocessor = registersPerBlock;
    properties.maxBlocksPerMultiProcessor = threadsPerComputeUnit / static_cast<int>(waveSize);
    properties.hostRegisterSupported = 1;
}

} // namespace gks::hipcpu
