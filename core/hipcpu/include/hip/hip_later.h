// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Declarations that kernels expect of the HIP runtime headers and that HIP before 6 does not have. Where the installed
// HIP is that old, those headers include them, and nothing else does: a source may have declarations of HIP of its own.

#include <hip/amd_detail/amd_warp_sync_functions.h>
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

#define hipHostAllocDefault 0x0
#define hipHostAllocPortable 0x1
#define hipHostAllocMapped 0x2
#define hipHostAllocWriteCombined 0x4
#define hipHostRegisterReadOnly 0x08
#define hipDeviceMallocUncached 0x3
#define hipDeviceMallocContiguous 0x4
#define hipEventDisableSystemFence 0x20000000
#define hipEventWaitDefault 0x00
#define hipEventWaitExternal 0x01
#if !defined(hipEventRecordDefault)
#define hipEventRecordDefault 0x00
#define hipEventRecordExternal 0x01
#endif

// Nodes of a graph for memory.
typedef struct hipMemAllocNodeParams {
    hipMemPoolProps poolProps;
    const hipMemAccessDesc* accessDescs;
    size_t accessDescCount;
    size_t bytesize;
    void* dptr; // the answer
} hipMemAllocNodeParams;
typedef enum hipGraphMemAttributeType {
    hipGraphMemAttrUsedMemCurrent,
    hipGraphMemAttrUsedMemHigh,
    hipGraphMemAttrReservedMemCurrent,
    hipGraphMemAttrReservedMemHigh
} hipGraphMemAttributeType;
// What a stream is to write and wait for, many at once.
typedef enum hipStreamBatchMemOpType {
    hipStreamMemOpWaitValue32 = 1,
    hipStreamMemOpWriteValue32 = 2,
    hipStreamMemOpFlushRemoteWrites = 3,
    hipStreamMemOpWaitValue64 = 4,
    hipStreamMemOpWriteValue64 = 5,
    hipStreamMemOpBarrier = 6
} hipStreamBatchMemOpType;
typedef union hipStreamBatchMemOpParams_union {
    hipStreamBatchMemOpType operation;
    struct {
        hipStreamBatchMemOpType operation;
        hipDeviceptr_t address;
        union {
            uint32_t value;
            uint64_t value64;
        };
        unsigned int flags;
        hipDeviceptr_t alias;
    } waitValue, writeValue;
    struct {
        hipStreamBatchMemOpType operation;
        unsigned int flags;
    } flushRemoteWrites, memoryBarrier;
    uint64_t pad[6];
} hipStreamBatchMemOpParams;

static constexpr auto hipGraphNodeTypeMemAlloc = static_cast<hipGraphNodeType>(hipGraphNodeTypeKernel + 10);
static constexpr auto hipGraphNodeTypeMemFree = static_cast<hipGraphNodeType>(hipGraphNodeTypeKernel + 11);

extern "C" {
hipError_t hipStreamBatchMemOp(hipStream_t stream, unsigned int count, hipStreamBatchMemOpParams* params,
                               unsigned int flags);
hipError_t hipGraphAddMemAllocNode(hipGraphNode_t* node, hipGraph_t graph, const hipGraphNode_t* dependencies,
                                   size_t count, hipMemAllocNodeParams* params);
hipError_t hipGraphMemAllocNodeGetParams(hipGraphNode_t node, hipMemAllocNodeParams* params);
hipError_t hipGraphAddMemFreeNode(hipGraphNode_t* node, hipGraph_t graph, const hipGraphNode_t* dependencies,
                                  size_t count, void* pointer);
hipError_t hipGraphMemFreeNodeGetParams(hipGraphNode_t node, void* pointer);
hipError_t hipDeviceGetGraphMemAttribute(int device, hipGraphMemAttributeType attribute, void* value);
hipError_t hipDeviceSetGraphMemAttribute(int device, hipGraphMemAttributeType attribute, void* value);
hipError_t hipDeviceGraphMemTrim(int device);
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

__device__ inline int32_t __fns(unsigned int mask, unsigned int base, int offset) {
    return __fns32(mask, base, offset);
}
// The larger and the smaller of what is there and the value; what was there.
#define GKS_ATOMIC_EXTREME(name, type, operation)                                                                      \
    __device__ inline type safeAtomic##name(type* address, type value) {                                               \
        return operation(address, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);                                  \
    }                                                                                                                  \
    __device__ inline type unsafeAtomic##name(type* address, type value) {                                             \
        return safeAtomic##name(address, value);                                                                       \
    }
GKS_ATOMIC_EXTREME(Max, float, __hip_atomic_fetch_max)
GKS_ATOMIC_EXTREME(Min, float, __hip_atomic_fetch_min)
GKS_ATOMIC_EXTREME(Max, double, __hip_atomic_fetch_max)
GKS_ATOMIC_EXTREME(Min, double, __hip_atomic_fetch_min)
#undef GKS_ATOMIC_EXTREME

// Templates: where HIP has functions of the name, they are taken.
#define GKS_ATOMIC_LONG(name, operation, scope)                                                                        \
    template<class T, class = std::enable_if_t<std::is_same<T, long long>::value>>                                     \
    __device__ inline T name(T* address, std::common_type_t<T> value) {                                                \
        return operation(address, value, __ATOMIC_RELAXED, scope);                                                     \
    }
GKS_ATOMIC_LONG(atomicMin, __hip_atomic_fetch_min, __HIP_MEMORY_SCOPE_AGENT)
GKS_ATOMIC_LONG(atomicMax, __hip_atomic_fetch_max, __HIP_MEMORY_SCOPE_AGENT)
GKS_ATOMIC_LONG(atomicMin_system, __hip_atomic_fetch_min, __HIP_MEMORY_SCOPE_SYSTEM)
GKS_ATOMIC_LONG(atomicMax_system, __hip_atomic_fetch_max, __HIP_MEMORY_SCOPE_SYSTEM)
#undef GKS_ATOMIC_LONG

// The host's later functions and types.
#if HIP_VERSION_MAJOR == 5 && HIP_VERSION_MINOR < 3
static constexpr hipLimit_t hipLimitStackSize = static_cast<hipLimit_t>(0);
extern "C" hipError_t hipDeviceSetLimit(enum hipLimit_t limit, size_t value);
#endif

#include <hip/hip_later_properties.h>

static constexpr auto hipDeviceAttributeVirtualMemoryManagementSupported = static_cast<hipDeviceAttribute_t>(89);
static constexpr auto hipDeviceAttributeHostRegisterSupported = static_cast<hipDeviceAttribute_t>(90);
static constexpr auto hipDeviceAttributeMemoryPoolSupportedHandleTypes = static_cast<hipDeviceAttribute_t>(91);
static constexpr auto hipDeviceAttributeWallClockRate = static_cast<hipDeviceAttribute_t>(10017);

template<class T>
inline hipError_t hipHostAlloc(T** pointer, std::size_t size, unsigned int flags = hipHostAllocDefault) {
    return hipHostAlloc(reinterpret_cast<void**>(pointer), size, flags);
}
// Where the LDS depends on the size of the block, as `ldsOf` says.
template<class UnaryFunction, class Kernel>
inline hipError_t hipOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(int* minGrid, int* block, Kernel kernel,
                                                                         UnaryFunction ldsOf, int limit = 0,
                                                                         unsigned int flags = 0) {
    hipFuncAttributes attributes;
    hipDeviceProp_tR0600 device;
    hipError_t error = minGrid && block ? hipSuccess : hipErrorInvalidValue;
    error = error == hipSuccess ? hipFuncGetAttributes(&attributes, reinterpret_cast<const void*>(kernel)) : error;
    error = error == hipSuccess ? hipGetDeviceProperties(&device, 0) : error;
    if (error != hipSuccess) {
        return error;
    }
    const int most = limit > 0 && limit < attributes.maxThreadsPerBlock ? limit : attributes.maxThreadsPerBlock;
    int best = 0;
    for (int threads = (most + device.warpSize - 1) / device.warpSize * device.warpSize; threads > 0;
         threads -= device.warpSize) {
        const int size = threads < most ? threads : most;
        int blocks = 0;
        error = hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
            &blocks, reinterpret_cast<const void*>(kernel), size, static_cast<std::size_t>(ldsOf(size)), flags);
        if (error != hipSuccess) {
            return error;
        }
        if (blocks * size > best) {
            best = blocks * size;
            *block = size;
            *minGrid = blocks * device.multiProcessorCount;
        }
    }
    return hipSuccess;
}
template<class UnaryFunction, class Kernel>
inline hipError_t hipOccupancyMaxPotentialBlockSizeVariableSMem(int* minGrid, int* block, Kernel kernel,
                                                                UnaryFunction ldsOf, int limit = 0) {
    return hipOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(minGrid, block, kernel, ldsOf, limit);
}

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
