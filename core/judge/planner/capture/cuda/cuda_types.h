// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hipcpu/runtime/hip_types.h"

// The types of the CUDA runtime's host interface where HIP's have another shape, declared from its binary interface so
// that the library builds without NVIDIA's headers. Numbers of errors, copies and flags are the same in both.
namespace gks::cuda {

using hipcpu::Dim3;
using CudaError = hipcpu::HipError;
using CudaStream = hipcpu::HipStream;

inline constexpr CudaError errorInvalidClusterSize = static_cast<CudaError>(912);
inline constexpr CudaError errorLaunchOutOfResources = static_cast<CudaError>(701);

// CUdevice_attribute, which are the runtime's numbers too.
enum Attribute : int {
    maxThreadsPerBlock = 1,
    maxBlockEdge = 2, // and the two after it
    maxGridEdge = 5,  // likewise
    sharedMemoryPerBlock = 8,
    totalConstantMemory = 9,
    warpLanes = 10,
    maxPitch = 11,
    registersPerBlock = 12,
    clockKhz = 13,
    textureAlignment = 14,
    multiprocessors = 16,
    integrated = 18,
    canMapHostMemory = 19,
    computeMode = 20,
    concurrentKernels = 31,
    memoryClockKhz = 36,
    memoryBusBits = 37,
    l2Bytes = 38,
    threadsPerMultiprocessor = 39,
    asyncEngines = 40,
    unifiedAddressing = 41,
    major = 75,
    minor = 76,
    streamPriorities = 78,
    sharedMemoryPerMultiprocessor = 81,
    registersPerMultiprocessor = 82,
    cooperativeLaunch = 95,
    sharedMemoryPerBlockOptIn = 97,
    blocksPerMultiprocessor = 106,
    persistingL2Bytes = 108,
    reservedSharedMemoryPerBlock = 111,
    clusterLaunch = 120,
};

enum FunctionAttribute : int {
    maxDynamicSharedMemory = 8,
    sharedMemoryCarveout = 9,
    nonPortableClusterSize = 14,
    clusterSchedulingPolicy = 15,
};

enum LaunchAttributeId : int {
    attributeIgnore = 0,
    attributeCooperative = 2,
    attributeClusterDimension = 4,
    attributeClusterPolicy = 5,
    attributeProgrammaticSerialization = 6,
    attributeSharedMemoryCarveout = 14,
};

struct LaunchAttribute {
    int id;
    char unused[4];
    std::int32_t value[16]; // of cooperative, policy and carveout the first, of clusters the first three
};
static_assert(sizeof(LaunchAttribute) == 72);

struct LaunchConfiguration {
    Dim3 grid;
    Dim3 block;
    std::size_t dynamicBytes;
    CudaStream stream;
    const LaunchAttribute* attributes;
    unsigned count;
};

struct FunctionAttributes {
    std::size_t sharedSizeBytes;
    std::size_t constSizeBytes;
    std::size_t localSizeBytes;
    int maxThreadsPerBlock;
    int numRegs;
    int ptxVersion;
    int binaryVersion;
    int cacheModeCA;
    int maxDynamicSharedSizeBytes;
    int preferredShmemCarveout;
};

struct PointerAttributes {
    int type; // 0 unregistered, 1 host, 2 device
    int device;
    void* devicePointer;
    void* hostPointer;
};

// cudaDeviceProp as CUDA 12 lays it out (call cudaGetDeviceProperties_v2), and as CUDA 13 does
// (cudaGetDeviceProperties). HIP 6 begins its own as CUDA 12 does; it is not shared, for each is its vendor's to
// change.
struct DeviceProperties12 {
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
    int pci[3];
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
    int features[11]; // hostRegisterSupported up to ipcEventSupported
    int clusterLaunch;
    int unifiedFunctionPointers;
    int reserved[63];
};
static_assert(sizeof(DeviceProperties12) == 1032);

struct DeviceProperties13 {
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
    std::size_t totalConstMem;
    int major;
    int minor;
    std::size_t textureAlignment;
    std::size_t texturePitchAlignment;
    int multiProcessorCount;
    int integrated;
    int canMapHostMemory;
    int textureLimits[25]; // maxTexture1D up to maxTextureCubemapLayered
    int surfaceLimits[14]; // maxSurface1D up to maxSurfaceCubemapLayered
    std::size_t surfaceAlignment;
    int concurrentKernels;
    int eccEnabled;
    int pci[3];
    int tccDriver;
    int asyncEngineCount;
    int unifiedAddressing;
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
    int pageableMemoryAccess;
    int concurrentManagedAccess;
    int computePreemptionSupported;
    int canUseHostPointerForRegisteredMem;
    int cooperativeLaunch;
    std::size_t sharedMemPerBlockOptin;
    int pageableMemoryAccessUsesHostPageTables;
    int directManagedMemAccessFromHost;
    int maxBlocksPerMultiProcessor;
    int accessPolicyMaxWindowSize;
    std::size_t reservedSharedMemPerBlock;
    int features[11]; // hostRegisterSupported up to ipcEventSupported
    int clusterLaunch;
    int unifiedFunctionPointers;
    int reserved[63];
};
static_assert(sizeof(DeviceProperties13) == 1008);

} // namespace gks::cuda
