// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Declarations that kernels expect of the HIP runtime header and that HIP before 6 does not have. Included ahead of
// every source when the installed HIP is that old.

#include <hip/hip_runtime.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <type_traits>
#include <utility>

#if defined(__HIP__)

// HIP's own names of the standard library's types, for sources that hipRTC compiles too. They are the standard ones,
// since such sources take them into the global namespace, which has those of the host here.
namespace __hip_internal {
using std::int16_t;
using std::int32_t;
using std::int64_t;
using std::int8_t;
using std::size_t;
using std::uint16_t;
using std::uint32_t;
using std::uint64_t;
using std::uint8_t;

using std::false_type;
using std::integral_constant;
using std::true_type;
template<bool B>
using bool_constant = integral_constant<bool, B>;
using std::add_lvalue_reference;
using std::add_rvalue_reference;
using std::alignment_of;
using std::conditional;
using std::declval;
using std::enable_if;
using std::is_arithmetic;
using std::is_convertible;
using std::is_integral;
using std::is_same;
using std::is_signed;
using std::is_standard_layout;
using std::is_trivial;
using std::is_trivially_copyable;
using std::is_void;
using std::remove_cv;
using std::remove_reference;
template<class T>
struct is_floating_point : bool_constant<std::is_floating_point<T>::value || std::is_same<T, _Float16>::value> {};
using std::index_sequence;
using std::integer_sequence;
using std::make_index_sequence;
} // namespace __hip_internal
using __hip_int8_t = __hip_internal::int8_t;
using __hip_int16_t = __hip_internal::int16_t;
using __hip_int32_t = __hip_internal::int32_t;
using __hip_int64_t = __hip_internal::int64_t;
using __hip_uint8_t = __hip_internal::uint8_t;
using __hip_uint16_t = __hip_internal::uint16_t;
using __hip_uint32_t = __hip_internal::uint32_t;
using __hip_uint64_t = __hip_internal::uint64_t;

// HIP 5.2 defines it for the device alone, so that the host side of a source that calls it does not compile.
#if !defined(__HIP_DEVICE_COMPILE__)
__device__ long long int wall_clock64();
#endif

#if !defined(hipEventRecordDefault)
#define hipEventRecordDefault 0x00
#define hipEventRecordExternal 0x01
#endif

extern "C" {
hipError_t hipGraphUpload(hipGraphExec_t graph, hipStream_t stream);
hipError_t hipStreamGetDevice(hipStream_t stream, hipDevice_t* device);
hipError_t hipEventRecordWithFlags(hipEvent_t event, hipStream_t stream = nullptr, unsigned int flags = 0);
hipError_t hipModuleLaunchCooperativeKernel(hipFunction_t function, unsigned int gridX, unsigned int gridY,
                                            unsigned int gridZ, unsigned int blockX, unsigned int blockY,
                                            unsigned int blockZ, unsigned int sharedMemBytes, hipStream_t stream,
                                            void** kernelParams);
hipError_t hipGraphDebugDotPrint(hipGraph_t graph, const char* path, unsigned int flags);
hipError_t hipGraphNodeSetEnabled(hipGraphExec_t graph, hipGraphNode_t node, unsigned int isEnabled);
hipError_t hipGraphNodeGetEnabled(hipGraphExec_t graph, hipGraphNode_t node, unsigned int* isEnabled);
hipError_t hipDrvGetErrorName(hipError_t error, const char** name);
hipError_t hipDrvGetErrorString(hipError_t error, const char** text);
}

// The numbers of its fields are of 64 bits since HIP 6, as those of other copies, and so is the library.
inline hipMemcpy3DParms __gks_volume_copy(const HIP_MEMCPY3D& asked) {
    const auto memory = [](const void* host, const void* device, unsigned pitch, unsigned height, unsigned width,
                           unsigned rows) {
        return make_hipPitchedPtr(const_cast<void*>(device ? device : host), pitch != 0 ? pitch : width, width,
                                  height != 0 ? height : rows);
    };
    hipMemcpy3DParms params = {};
    params.srcArray = asked.srcDevice || asked.srcHost ? nullptr : asked.srcArray;
    params.dstArray = asked.dstDevice || asked.dstHost ? nullptr : asked.dstArray;
    params.srcPos = make_hipPos(asked.srcXInBytes, asked.srcY, asked.srcZ);
    params.dstPos = make_hipPos(asked.dstXInBytes, asked.dstY, asked.dstZ);
    params.srcPtr =
        memory(asked.srcHost, asked.srcDevice, asked.srcPitch, asked.srcHeight, asked.WidthInBytes, asked.Height);
    params.dstPtr =
        memory(asked.dstHost, asked.dstDevice, asked.dstPitch, asked.dstHeight, asked.WidthInBytes, asked.Height);
    params.extent = make_hipExtent(asked.WidthInBytes, asked.Height, asked.Depth);
    params.kind = hipMemcpyDefault;
    return params;
}
inline hipError_t __gks_drvMemcpy3D(const HIP_MEMCPY3D* asked) {
    const hipMemcpy3DParms params = asked ? __gks_volume_copy(*asked) : hipMemcpy3DParms{};
    return hipMemcpy3D(asked ? &params : nullptr);
}
inline hipError_t __gks_drvMemcpy3DAsync(const HIP_MEMCPY3D* asked, hipStream_t stream) {
    const hipMemcpy3DParms params = asked ? __gks_volume_copy(*asked) : hipMemcpy3DParms{};
    return hipMemcpy3DAsync(asked ? &params : nullptr, stream);
}
// Counted from 1 in HIP 5.2, from 0 later.
inline hipError_t __gks_graphNodeGetType(hipGraphNode_t node, hipGraphNodeType* type) {
    int number = 0;
    const hipError_t error = hipGraphNodeGetType(node, type ? reinterpret_cast<hipGraphNodeType*>(&number) : nullptr);
    if (error == hipSuccess) {
        *type = static_cast<hipGraphNodeType>(number + hipGraphNodeTypeKernel);
    }
    return error;
}
#define hipGraphNodeGetType __gks_graphNodeGetType
#define hipDrvMemcpy3D __gks_drvMemcpy3D
#define hipDrvMemcpy3DAsync __gks_drvMemcpy3DAsync

// Templates: where HIP has functions of the name, they are taken.
template<class T, class = std::enable_if_t<std::is_same<T, long long>::value>>
__device__ inline T atomicMin(T* address, std::common_type_t<T> value) {
    return __hip_atomic_fetch_min(address, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
template<class T, class = std::enable_if_t<std::is_same<T, long long>::value>>
__device__ inline T atomicMax(T* address, std::common_type_t<T> value) {
    return __hip_atomic_fetch_max(address, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

// Of a type of up to 8 bytes.
template<class T>
__device__ inline T __hip_readfirstlane(T value) {
    static_assert(sizeof(T) <= 2 * sizeof(int), "the value has up to 64 bits");
    int words[2] = {};
    __builtin_memcpy(words, &value, sizeof value);
    for (int& word : words) {
        word = __builtin_amdgcn_readfirstlane(word);
    }
    __builtin_memcpy(&value, words, sizeof value);
    return value;
}
// What lanes of a wave tell each other: lanes that are named and do not come have no part in it.
__device__ inline unsigned long long __activemask() {
    return __ballot(1);
}
__device__ inline void __syncwarp(unsigned long long = ~0ull) {
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
    __builtin_amdgcn_wave_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
}
template<class Mask>
__device__ inline unsigned long long __ballot_sync(Mask mask, int predicate) {
    static_assert(sizeof(Mask) == 8, "a mask of lanes has 64 bits");
    return __ballot(predicate) & mask;
}
template<class Mask>
__device__ inline int __any_sync(Mask mask, int predicate) {
    return __ballot_sync(mask, predicate) != 0;
}
template<class Mask>
__device__ inline int __all_sync(Mask mask, int predicate) {
    return __ballot_sync(mask, predicate) == mask;
}
#define GKS_SHUFFLE_SYNC(name)                                                                                         \
    template<class Mask, class T>                                                                                      \
    __device__ inline T name##_sync(Mask mask, T value, int lane, int width = warpSize) {                              \
        static_assert(sizeof(mask) == 8, "a mask of lanes has 64 bits");                                               \
        return name(value, lane, width);                                                                               \
    }
GKS_SHUFFLE_SYNC(__shfl)
GKS_SHUFFLE_SYNC(__shfl_up)
GKS_SHUFFLE_SYNC(__shfl_down)
GKS_SHUFFLE_SYNC(__shfl_xor)
#undef GKS_SHUFFLE_SYNC

// Which lanes have the value of this one; each turn of the loop finds those of one more value.
template<class Mask, class T>
__device__ inline unsigned long long __match_any_sync(Mask mask, T value) {
    static_assert(sizeof(Mask) == 8, "a mask of lanes has 64 bits");
    unsigned long long left = mask, found = 0;
    while (left != 0) {
        const T first = __shfl(value, __builtin_ctzll(left));
        const bool isSame = first == value;
        const unsigned long long same = __ballot(isSame) & left;
        found = isSame ? same : found;
        left &= ~same;
    }
    return found;
}
template<class T>
__device__ inline unsigned long long __match_any(T value) {
    return __match_any_sync(__ballot(1), value);
}
template<class Mask, class T>
__device__ inline unsigned long long __match_all_sync(Mask mask, T value, int* areAll) {
    *areAll = __match_any_sync(mask, value) == mask;
    *areAll = __ballot_sync(mask, *areAll) == mask;
    return *areAll != 0 ? mask : 0;
}
template<class T>
__device__ inline unsigned long long __match_all(T value, int* areAll) {
    return __match_all_sync(__ballot(1), value, areAll);
}
#define GKS_REDUCE_SYNC(name, expression)                                                                              \
    template<class Mask, class T>                                                                                      \
    __device__ inline T __reduce_##name##_sync(Mask mask, T value) {                                                   \
        static_assert(sizeof(mask) == 8, "a mask of lanes has 64 bits");                                               \
        unsigned long long left = mask;                                                                                \
        T a = __shfl(value, __builtin_ctzll(left));                                                                    \
        for (left &= left - 1; left != 0; left &= left - 1) {                                                          \
            const T b = __shfl(value, __builtin_ctzll(left));                                                          \
            a = expression;                                                                                            \
        }                                                                                                              \
        return a;                                                                                                      \
    }
GKS_REDUCE_SYNC(add, a + b)
GKS_REDUCE_SYNC(min, b < a ? b : a)
GKS_REDUCE_SYNC(max, a < b ? b : a)
GKS_REDUCE_SYNC(and, a& b)
GKS_REDUCE_SYNC(or, a | b)
GKS_REDUCE_SYNC(xor, a ^ b)
#undef GKS_REDUCE_SYNC

// The host's later functions and types.
#if HIP_VERSION_MAJOR == 5 && HIP_VERSION_MINOR < 3
static constexpr hipLimit_t hipLimitStackSize = static_cast<hipLimit_t>(0);
extern "C" hipError_t hipDeviceSetLimit(enum hipLimit_t limit, size_t value);
#endif

struct hipDeviceProp_tR0600 {
    char name[256];
    hipUUID uuid;
    char luid[8];
    unsigned int luidDeviceNodeMask;
    size_t totalGlobalMem;
    size_t sharedMemPerBlock;
    int regsPerBlock;
    int warpSize;
    size_t memPitch;
    int maxThreadsPerBlock;
    int maxThreadsDim[3];
    int maxGridSize[3];
    int clockRate;
    size_t totalConstMem;
    int major;
    int minor;
    size_t textureAlignment;
    size_t texturePitchAlignment;
    int deviceOverlap;
    int multiProcessorCount;
    int kernelExecTimeoutEnabled;
    int integrated;
    int canMapHostMemory;
    int computeMode;
    int maxTexture1D;
    int maxTexture1DMipmap;
    int maxTexture1DLinear;
    int maxTexture2D[2];
    int maxTexture2DMipmap[2];
    int maxTexture2DLinear[3];
    int maxTexture2DGather[2];
    int maxTexture3D[3];
    int maxTexture3DAlt[3];
    int maxTextureCubemap;
    int maxTexture1DLayered[2];
    int maxTexture2DLayered[3];
    int maxTextureCubemapLayered[2];
    int maxSurface1D;
    int maxSurface2D[2];
    int maxSurface3D[3];
    int maxSurface1DLayered[2];
    int maxSurface2DLayered[3];
    int maxSurfaceCubemap;
    int maxSurfaceCubemapLayered[2];
    size_t surfaceAlignment;
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
    size_t sharedMemPerMultiprocessor;
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
    size_t sharedMemPerBlockOptin;
    int pageableMemoryAccessUsesHostPageTables;
    int directManagedMemAccessFromHost;
    int maxBlocksPerMultiProcessor;
    int accessPolicyMaxWindowSize;
    size_t reservedSharedMemPerBlock;
    int hostRegisterSupported;
    int sparseHipArraySupported;
    int hostRegisterReadOnlySupported;
    int timelineSemaphoreInteropSupported;
    int memoryPoolsSupported;
    int gpuDirectRDMASupported;
    unsigned int gpuDirectRDMAFlushWritesOptions;
    int gpuDirectRDMAWritesOrdering;
    unsigned int memoryPoolSupportedHandleTypes;
    int deferredMappingHipArraySupported;
    int ipcEventSupported;
    int clusterLaunch;
    int unifiedFunctionPointers;
    int reserved[63];
    int hipReserved[32];
    char gcnArchName[256];
    size_t maxSharedMemoryPerMultiProcessor;
    int clockInstructionRate;
    hipDeviceArch_t arch;
    unsigned int* hdpMemFlushCntl;
    unsigned int* hdpRegFlushCntl;
    int cooperativeMultiDeviceUnmatched[4];
    int isLargeBar;
    int asicRevision;

    // HIP 5 has the number by itself too, and rocPRIM of that time asks for it.
    __declspec(property(get = __get_gcnArch)) int gcnArch;
    int __get_gcnArch() const { return std::atoi(gcnArchName + 3); }
};
extern "C" hipError_t hipGetDevicePropertiesR0600(hipDeviceProp_tR0600* properties, int device);
#define hipDeviceProp_t hipDeviceProp_tR0600
#define hipGetDeviceProperties hipGetDevicePropertiesR0600

// The kind of memory by its later name as well.
struct __gks_pointer_attributes {
    union {
        enum hipMemoryType type;
        enum hipMemoryType memoryType;
    };
    int device;
    void* devicePointer;
    void* hostPointer;
    int isManaged;
    unsigned allocationFlags;
};
inline hipError_t hipPointerGetAttributes(__gks_pointer_attributes* attributes, const void* pointer) {
    return hipPointerGetAttributes(reinterpret_cast<hipPointerAttribute_t*>(attributes), pointer);
}
#define hipPointerAttribute_t __gks_pointer_attributes

#endif
