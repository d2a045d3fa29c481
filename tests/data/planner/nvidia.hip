// SPDX-License-Identifier: GPL-3.0-or-later
// What only NVIDIA's devices have and what host code asks CUDA, one thing for each number of rows; from 20 on what is
// refused. The line of each is in the test.
#include "problem.h"

#include <cuda.h>
#include <cstring>

__device__ float table[64];
__constant__ float weights[4];
__constant__ CUtensorMap keptMap;

namespace {

struct Mixed {
    char small;
    double large;
};
struct Unwritten {
    float value;
    unsigned char rest[500]; // whatever lies on the stack
};
struct TwoMaps {
    int first;
    CUtensorMap a;
    CUtensorMap b;
};

__global__ void __launch_bounds__(256) one(Problem p, float factor, Mixed mixed) {
    p.y[threadIdx.x] = p.x[threadIdx.x] * factor + table[0] + weights[0] + float(mixed.large);
}
__global__ void two(float* y, int n) {
    extern __shared__ float staged[];
    staged[threadIdx.x] = 1;
    y[threadIdx.x] = staged[threadIdx.x] + float(n);
}
__global__ void __launch_bounds__(128) mapped(const __grid_constant__ CUtensorMap map, float* y,
                                              const __grid_constant__ TwoMaps more) {
    extern __shared__ float staged[];
    staged[threadIdx.x] = float(more.first);
    asm volatile("griddepcontrol.wait;" ::: "memory");
    asm volatile("prefetch.tensormap [%0];" ::"l"(reinterpret_cast<unsigned long long>(&map)) : "memory");
    asm volatile("prefetch.tensormap [%0];" ::"l"(reinterpret_cast<unsigned long long>(&more.b)) : "memory");
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
    y[blockIdx.x * 128 + threadIdx.x] = staged[threadIdx.x];
}
__global__ void unwritten(float* y, Unwritten all) { y[threadIdx.x] = all.value; }
template<int n>
__global__ void lambdas(float* y, float by) {
    const auto scaled = [by](float v) { return v * by + n; };
    y[threadIdx.x] = scaled(y[threadIdx.x]);
}

using Encode = CUresult (*)(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*, const cuuint64_t*,
                            const cuuint64_t*, const cuuint32_t*, const cuuint32_t*, CUtensorMapInterleave,
                            CUtensorMapSwizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill);

CUresult mapOf(CUtensorMap* map, float* data, int rows, int cols, unsigned box) {
    void* entry = nullptr;
    cudaDriverEntryPointQueryResult found;
    if (cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &entry, 12000, cudaEnableDefault, &found) !=
            cudaSuccess ||
        found != cudaDriverEntryPointSuccess) {
        return CUDA_ERROR_NOT_FOUND;
    }
    const cuuint64_t extents[2] = {cuuint64_t(cols), cuuint64_t(rows)};
    const cuuint64_t strides[1] = {cuuint64_t(cols) * 4};
    const cuuint32_t size[2] = {box, 8};
    const cuuint32_t steps[2] = {1, 1};
    return reinterpret_cast<Encode>(entry)(map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, data, extents, strides, size,
                                           steps, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
                                           CU_TENSOR_MAP_L2_PROMOTION_L2_128B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
}

cudaError_t clusters(const Problem& p, void* workspace, cudaStream_t stream) {
    constexpr int shared = 200 * 1024;
    CUtensorMap map;
    TwoMaps more = {};
    more.first = 5;
    float* const input = const_cast<float*>(p.x);
    if (mapOf(&map, input, p.rows, p.cols, 32) || mapOf(&more.a, p.y, p.rows, p.cols, 16) ||
        mapOf(&more.b, static_cast<float*>(workspace), 8, 64, 32)) {
        return cudaErrorUnknown;
    }
    if (mapOf(&map, input, p.rows, p.cols, 64) == CUDA_SUCCESS) { // 256 bytes in a swizzle of 128
        return cudaErrorUnknown;
    }
    cudaFuncSetAttribute(mapped, cudaFuncAttributePreferredSharedMemoryCarveout, 100);
    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute attributes[4] = {};
    config.gridDim = dim3(8);
    config.blockDim = dim3(128);
    config.dynamicSmemBytes = shared;
    config.stream = stream;
    config.attrs = attributes;
    attributes[0].id = cudaLaunchAttributeClusterDimension;
    attributes[0].val.clusterDim.x = 4;
    attributes[0].val.clusterDim.y = 1;
    attributes[0].val.clusterDim.z = 1;
    attributes[1].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attributes[1].val.programmaticStreamSerializationAllowed = 1;
    attributes[2].id = cudaLaunchAttributeClusterSchedulingPolicyPreference;
    attributes[2].val.clusterSchedulingPolicyPreference = cudaClusterSchedulingPolicySpread;
    attributes[3].id = cudaLaunchAttributeIgnore;
    config.numAttrs = 4;
    static bool hasLeave = false;
    if (!hasLeave && cudaLaunchKernelEx(&config, mapped, map, p.y, more) == cudaSuccess) { // for so much memory
        return cudaErrorUnknown;
    }
    cudaGetLastError();
    hasLeave = true;
    cudaFuncSetAttribute(mapped, cudaFuncAttributeMaxDynamicSharedMemorySize, shared);
    int fitting = 0;
    cudaOccupancyMaxActiveClusters(&fitting, mapped, &config);
    config.gridDim = dim3(fitting); // 32 clusters of four
    return cudaLaunchKernelEx(&config, mapped, map, p.y, more);
}

cudaError_t answers(const Problem& p, cudaStream_t stream) {
    cudaDeviceProp device;
    cudaFuncAttributes function;
    cudaPointerAttributes pointer;
    int multiprocessors = 0, blocks = 0, grid = 0, block = 0, least = 1, greatest = 1;
    cudaGetDeviceProperties(&device, 0);
    cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
    cudaFuncGetAttributes(&function, one);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, two, 1024, 0);
    cudaOccupancyMaxPotentialBlockSize(&grid, &block, one);
    cudaDeviceGetStreamPriorityRange(&least, &greatest);
    cudaPointerGetAttributes(&pointer, p.x);
    const bool isAnswered = std::strcmp(device.name, "NVIDIA H200") == 0 && device.multiProcessorCount == 132 &&
                            device.major == 9 && device.sharedMemPerBlockOptin == 232448 && device.clusterLaunch == 1 &&
                            multiprocessors == 132 && function.maxThreadsPerBlock == 256 && function.numRegs > 0 &&
                            blocks == 2 && block == 256 && grid == 132 * 8 && least == 0 && greatest == -5 &&
                            pointer.type == cudaMemoryTypeDevice;
    two<<<1, 2048, 0, stream>>>(p.y, 1); // no device takes such a block
    if (!isAnswered || cudaGetLastError() != cudaErrorInvalidConfiguration) {
        return cudaErrorUnknown;
    }
    two<<<1, 64, 49153, stream>>>(p.y, 1);
    if (cudaGetLastError() != cudaErrorInvalidValue) {
        return cudaErrorUnknown;
    }
    lambdas<3><<<1, 64, 0, stream>>>(p.y, 2);
    return cudaGetLastError();
}

cudaError_t streams(const Problem& p, cudaStream_t stream) {
    static cudaStream_t other = nullptr;
    static cudaEvent_t events[2] = {};
    if (other == nullptr) {
        cudaStreamCreateWithPriority(&other, cudaStreamNonBlocking, -3);
        cudaEventCreate(&events[0]);
        cudaEventCreateWithFlags(&events[1], cudaEventDisableTiming);
    }
    cudaEventRecord(events[0], stream);
    cudaStreamWaitEvent(other, events[0], 0);
    two<<<1, 32, 0, other>>>(p.y, 1);
    cudaEventRecord(events[1], other);
    cudaStreamWaitEvent(stream, events[1], 0);
    return cudaGetLastError();
}

cudaError_t memory(const Problem& p, void* workspace, cudaStream_t stream) {
    const unsigned char bytes[3] = {1, 2, 3};
    auto* const to = static_cast<char*>(workspace);
    cudaMemsetAsync(p.y, 0x1ff, 64, stream);
    cudaMemcpyAsync(to, p.x, 128, cudaMemcpyDeviceToDevice, stream);
    cudaMemcpyAsync(to + 128, bytes, 3, cudaMemcpyDefault, stream);
    return cudaMemcpy2DAsync(to, 256, p.x, 64, 16, 4, cudaMemcpyDeviceToDevice, stream);
}

cudaError_t symbols(const Problem& p, cudaStream_t stream) {
    static bool isDone = false;
    const float values[2] = {1, 2};
    CUtensorMap map;
    if (!isDone) {
        cudaMemcpyToSymbolAsync(weights, values, 8, 4, cudaMemcpyHostToDevice, stream);
        isDone = true;
    }
    if (mapOf(&map, p.y, p.rows, p.cols, 32)) {
        return cudaErrorUnknown;
    }
    cudaMemcpyToSymbolAsync(keptMap, &map, sizeof map, 0, cudaMemcpyHostToDevice, stream);
    return cudaMemcpyToSymbolAsync(table, p.x, 16, 0, cudaMemcpyDeviceToDevice, stream);
}

cudaError_t padding(const Problem& p, cudaStream_t stream) {
    Unwritten some;
    some.value = 1;
    unwritten<<<1, 64, 0, stream>>>(p.y, some);
    return cudaGetLastError();
}

} // namespace

extern "C" size_t workspace_bytes(const Problem&) { return 8192; }

extern "C" cudaError_t solve(const Problem& p, void* workspace, cudaStream_t stream) {
    void* pointer = nullptr;
    float value = 0;
    cudaEvent_t event = nullptr;
    int n = 3;
    void* arguments[] = {const_cast<float**>(&p.y), &n};
    cudaLaunchConfig_t config = {dim3(1), dim3(32), 0, stream, nullptr, 1};
    cudaLaunchAttribute attribute = {};
    config.attrs = &attribute;
    switch (p.rows) {
    case 1: one<<<dim3(3, 2, 1), dim3(64, 4), 0, stream>>>(p, 0.5F, Mixed{'a', 2}); return cudaGetLastError();
    case 8: return clusters(p, workspace, stream);
    case 3: return answers(p, stream);
    case 4: return streams(p, stream);
    case 5: return memory(p, workspace, stream);
    case 9: return symbols(p, stream);
    case 10: return padding(p, stream);
    case 7: return cudaLaunchCooperativeKernel(two, dim3(4), dim3(64), arguments, 256, stream);
    // Refused from here on.
    case 20: return cudaMalloc(&pointer, 64);
    case 21: return cudaMemcpyAsync(&value, p.y, 4, cudaMemcpyDeviceToHost, stream);
    case 22: return cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    case 23: return cudaEventElapsedTime(&value, event, event);
    case 24: return cudaMallocManaged(&pointer, 64);
    case 25: return cudaGetDriverEntryPointByVersion("cuMemAlloc", &pointer, 12000, cudaEnableDefault);
    case 26: attribute.id = cudaLaunchAttributeProgrammaticEvent; return cudaLaunchKernelEx(&config, two, p.y, 1);
    case 27: two<<<1, 32, 0, cudaStreamPerThread>>>(p.y, 1); return cudaGetLastError();
    case 28: return cudaGetSymbolAddress(&pointer, table);
    case 29: return cudaFuncSetAttribute(two, cudaFuncAttributeRequiredClusterWidth, 2);
    default: return cudaErrorInvalidValue;
    }
}
