// SPDX-License-Identifier: GPL-3.0-or-later
// What HIP's host interface has for cards beside what captured.hip does, one thing for each number of rows.
#include "problem.h"

#include <cstring>
#include <hip/hip_ext.h>

// Headers of HIP 5 do not declare it.
extern "C" hipError_t hipGetFuncBySymbol(hipFunction_t* function, const void* symbol);

namespace {

__constant__ float weights[4];

__global__ void __launch_bounds__(256) scaled(float* y, int n, float by) {
    extern __shared__ float staged[];
    staged[threadIdx.x] = weights[n & 3];
    __syncthreads();
    y[threadIdx.x] = staged[threadIdx.x ^ 1] * by;
}

hipError_t extended(const Problem& p, hipStream_t stream) {
    static hipEvent_t events[2] = {};
    if (events[0] == nullptr) {
        hipEventCreate(&events[0]);
        hipEventCreate(&events[1]);
    }
    int n = 1;
    float by = 2;
    void* arguments[] = {const_cast<float**>(&p.y), &n, &by};
    hipExtLaunchKernel(reinterpret_cast<const void*>(&scaled), dim3(2), dim3(64), arguments, 256, stream, nullptr,
                       events[0], 0);
    hipStreamWaitEvent(nullptr, events[0], 0);
    hipExtLaunchKernelGGL(scaled, dim3(3), dim3(128), 512, nullptr, nullptr, nullptr, 0, p.y, 2, 4.0F);
    return hipGetLastError();
}

hipError_t ofModule(const Problem& p, hipStream_t stream) {
    hipFunction_t function = nullptr;
    int n = 3;
    float by = 1;
    void* arguments[] = {const_cast<float**>(&p.y), &n, &by};
    if (hipGetFuncBySymbol(&function, reinterpret_cast<const void*>(&scaled)) != hipSuccess) {
        return hipErrorUnknown;
    }
    hipModuleLaunchKernel(function, 4, 2, 1, 64, 1, 1, 128, stream, arguments, nullptr);
    hipExtModuleLaunchKernel(function, 512, 1, 1, 128, 1, 1, 0, stream, arguments, nullptr, nullptr, nullptr, 0);
    return hipGetLastError();
}

hipError_t cooperative(const Problem& p, hipStream_t stream) {
    int n = 3;
    float by = 1;
    void* arguments[] = {const_cast<float**>(&p.y), &n, &by};
    return hipLaunchCooperativeKernel(reinterpret_cast<const void*>(&scaled), dim3(8), dim3(64), arguments, 64, stream);
}

hipError_t answers(const Problem& p, hipStream_t stream) {
    hipDeviceProp_t device;
    hipFuncAttributes function;
    int units = 0, together = 0, blocks = 0;
    hipGetDeviceProperties(&device, 0);
    hipDeviceGetAttribute(&units, hipDeviceAttributeMultiprocessorCount, 0);
    hipDeviceGetAttribute(&together, hipDeviceAttributeCooperativeLaunch, 0);
    hipFuncGetAttributes(&function, reinterpret_cast<const void*>(&scaled));
    hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, scaled, 256, 0);
    const bool isAnswered = std::strcmp(device.name, "AMD Instinct MI300X") == 0 && units == 304 && together == 1 &&
                            device.multiProcessorCount == 304 && device.warpSize == 64 && device.integrated == 0 &&
                            function.maxThreadsPerBlock == 256 && function.numRegs > 0 && blocks == 8;
    scaled<<<1, 64, isAnswered ? 0 : 4, stream>>>(p.y, 1, 1);
    return isAnswered ? hipGetLastError() : hipErrorUnknown;
}

} // namespace

extern "C" hipError_t solve(const Problem& p, void*, hipStream_t stream) {
    switch (p.rows) {
    case 1: return extended(p, stream);
    case 2: return ofModule(p, stream);
    case 3: return cooperative(p, stream);
    case 4: return answers(p, stream);
    default: return hipErrorInvalidValue;
    }
}
