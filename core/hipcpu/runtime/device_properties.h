// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// hipDeviceProp_t as HIP 5 headers lay it out (call hipGetDeviceProperties) and as HIP 6 headers do
// (hipGetDevicePropertiesR0600).

#include <cstddef>
#include <cstdint>

namespace gks::hipcpu {

// Bits of hipDeviceArch_t.
enum ArchitectureFeature : std::uint32_t {
    globalInt32Atomics = 1u << 0,
    globalFloatAtomicExchange = 1u << 1,
    sharedInt32Atomics = 1u << 2,
    sharedFloatAtomicExchange = 1u << 3,
    floatAtomicAdd = 1u << 4,
    globalInt64Atomics = 1u << 5,
    sharedInt64Atomics = 1u << 6,
    doubles = 1u << 7,
    warpVote = 1u << 8,
    warpBallot = 1u << 9,
    warpShuffle = 1u << 10,
    funnelShift = 1u << 11,
    threadFenceSystem = 1u << 12,
    syncThreadsExt = 1u << 13,
    surfaceFunctions = 1u << 14,
    threeDimensionalGrid = 1u << 15,
    dynamicParallelism = 1u << 16,
};

struct DeviceProperties5 {
    char name[256];
    std::size_t totalGlobalMem;
    std::size_t sharedMemPerBlock;
    int regsPerBlock;
    int warpSize;
    int maxThreadsPerBlock;
    int maxThreadsDim[3];
    int maxGridSize[3];
    int clockRate;
    int memoryClockRate;
    int memoryBusWidth;
    std::size_t totalConstMem;
    int major;
    int minor;
    int multiProcessorCount;
    int l2CacheSize;
    int maxThreadsPerMultiProcessor;
    int computeMode;
    int clockInstructionRate;
    std::uint32_t arch;
    int concurrentKernels;
    int pciDomainID;
    int pciBusID;
    int pciDeviceID;
    std::size_t maxSharedMemoryPerMultiProcessor;
    int isMultiGpuBoard;
    int canMapHostMemory;
    int gcnArch;
    char gcnArchName[256];
    int integrated;
    int cooperativeLaunch;
    int cooperativeMultiDeviceLaunch;
    int maxTexture1DLinear;
    int maxTexture1D;
    int maxTexture2D[2];
    int maxTexture3D[3];
    unsigned* hdpMemFlushCntl;
    unsigned* hdpRegFlushCntl;
    std::size_t memPitch;
    std::size_t textureAlignment;
    std::size_t texturePitchAlignment;
    int kernelExecTimeoutEnabled;
    int eccEnabled;
    int tccDriver;
    int cooperativeMultiDeviceUnmatched[4];
    int isLargeBar;
    int asicRevision;
    int managedMemory;
    int directManagedMemAccessFromHost;
    int concurrentManagedAccess;
    int pageableMemoryAccess;
    int pageableMemoryAccessUsesHostPageTables;
};

struct DeviceProperties6 {
    char name[256];
    char uuid[16];
    char luid[8];
    unsigned luidDeviceNodeMask;
    std::size_t totalGlobalMem;
    std::size_t sharedMemPerBlock;
    int regsPerBlock;
    int warpSize;
    std::size_t memPitch;
    int maxThreadsPerBlock;
    int maxThreadsDim[3];
    int maxGridSize[3];
    int clockRate;
    std::size_t totalConstMem;
    int major;
    int minor;
    std::size_t textureAlignment;
    std::size_t texturePitchAlignment;
    int deviceOverlap;
    int multiProcessorCount;
    int kernelExecTimeoutEnabled;
    int integrated;
    int canMapHostMemory;
    int computeMode;
    int textureLimits[26]; // maxTexture1D up to maxTextureCubemapLayered
    int surfaceLimits[14]; // maxSurface1D up to maxSurfaceCubemapLayered
    std::size_t surfaceAlignment;
    int concurrentKernels;
    int eccEnabled;
    int pciBusID;
    int pciDeviceID;
    int pciDomainID;
    int tccDriver;
    int asyncEngineCount;
    int unifiedAddressing;
    int memoryClockRate;
    int memoryBusWidth;
    int l2CacheSize;
    int persistingL2CacheMaxSize;
    int maxThreadsPerMultiProcessor;
    int streamPrioritiesSupported;
    int globalL1CacheSupported;
    int localL1CacheSupported;
    std::size_t sharedMemPerMultiprocessor;
    int regsPerMultiprocessor;
    int managedMemory;
    int isMultiGpuBoard;
    int multiGpuBoardGroupID;
    int hostNativeAtomicSupported;
    int singleToDoublePrecisionPerfRatio;
    int pageableMemoryAccess;
    int concurrentManagedAccess;
    int computePreemptionSupported;
    int canUseHostPointerForRegisteredMem;
    int cooperativeLaunch;
    int cooperativeMultiDeviceLaunch;
    std::size_t sharedMemPerBlockOptin;
    int pageableMemoryAccessUsesHostPageTables;
    int directManagedMemAccessFromHost;
    int maxBlocksPerMultiProcessor;
    int accessPolicyMaxWindowSize;
    std::size_t reservedSharedMemPerBlock;
    int hostRegisterSupported;
    int sparseHipArraySupported;
    int hostRegisterReadOnlySupported;
    int timelineSemaphoreInteropSupported;
    int memoryPoolsSupported;
    int gpuDirectRDMASupported;
    unsigned gpuDirectRDMAFlushWritesOptions;
    int gpuDirectRDMAWritesOrdering;
    unsigned memoryPoolSupportedHandleTypes;
    int deferredMappingHipArraySupported;
    int ipcEventSupported;
    int clusterLaunch;
    int unifiedFunctionPointers;
    int reserved[63];
    int hipReserved[32];
    char gcnArchName[256];
    std::size_t maxSharedMemoryPerMultiProcessor;
    int clockInstructionRate;
    std::uint32_t arch;
    unsigned* hdpMemFlushCntl;
    unsigned* hdpRegFlushCntl;
    int cooperativeMultiDeviceUnmatched[4];
    int isLargeBar;
    int asicRevision;
};

// As AMD's HIP 6 library has them.
static_assert(sizeof(DeviceProperties6) == 1472);
static_assert(offsetof(DeviceProperties6, gcnArchName) == 1160);
static_assert(sizeof(DeviceProperties5) == 792);

} // namespace gks::hipcpu
