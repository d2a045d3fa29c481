// SPDX-License-Identifier: GPL-3.0-or-later
// What a launch plan can express, one thing for each number of rows.
#include "problem.h"

#include <cstring>
#include <hip/hip_ext.h>
#include <vector>

struct Mixed {
    char small;
    double large;
};

__device__ float table[64];
__constant__ float weights[4];

__global__ void __launch_bounds__(256) one(Problem p, float factor, Mixed mixed) {
    p.y[threadIdx.x] = p.x[threadIdx.x] * factor + table[0] + weights[0] + float(mixed.large);
}
__global__ void two(float* y, int n) {
    extern __shared__ float staged[];
    staged[threadIdx.x] = 1;
    y[threadIdx.x] = staged[threadIdx.x] + float(n);
}

extern "C" size_t workspace_bytes(const Problem& p) { return size_t(p.cols) * 4; }

static hipError_t launches(const Problem& p, void* workspace, hipStream_t stream) {
    one<<<dim3(3, 2, 1), dim3(64, 4), 0, stream>>>(p, 0.5F, Mixed{'a', 2});
    hipLaunchKernelGGL(two, dim3(1), dim3(32), 512, stream, static_cast<float*>(workspace), 7);
    hipExtLaunchKernelGGL(two, dim3(2), dim3(32), 0, stream, nullptr, nullptr, 0, p.y + 4, 8);
    return hipGetLastError();
}

static hipError_t memory(const Problem& p, void* workspace, hipStream_t stream) {
    const unsigned char bytes[3] = {1, 2, 3};
    auto* const to = static_cast<char*>(workspace);
    hipMemsetAsync(p.y, 0x1ff, 64, stream);
    hipMemsetD32Async(p.y, 0x01020304, 8, stream);
    hipMemcpyAsync(to, p.x, 128, hipMemcpyDeviceToDevice, stream);
    hipMemcpyAsync(to + 128, bytes, 3, hipMemcpyDefault, stream);
    hipMemcpy2DAsync(to, 256, p.x, 64, 16, 4, hipMemcpyDeviceToDevice, stream);
    void* pinned = nullptr;
    hipHostMalloc(&pinned, 64, 0);
    std::memset(pinned, 9, 64);
    hipMemcpyAsync(to + 200, pinned, 2, hipMemcpyHostToDevice, stream);
    hipHostFree(pinned);
    std::vector<int> here(4, 1), there(4);
    hipMemcpy(there.data(), here.data(), 16, hipMemcpyHostToHost);
    return there[3] == 1 ? hipSuccess : hipErrorUnknown;
}

static hipError_t symbols(const Problem& p, void*, hipStream_t stream) {
    const float values[2] = {1, 2};
    hipMemcpyToSymbolAsync(HIP_SYMBOL(weights), values, 8, 4, hipMemcpyHostToDevice, stream);
    hipMemcpyToSymbolAsync(HIP_SYMBOL(table), p.x, 16, 0, hipMemcpyDeviceToDevice, stream);
    hipMemcpyFromSymbolAsync(p.y, HIP_SYMBOL(table), 16, 32, hipMemcpyDeviceToDevice, stream);
    size_t bytes = 0;
    hipGetSymbolSize(&bytes, HIP_SYMBOL(table));
    return bytes == 256 ? hipSuccess : hipErrorUnknown;
}

static hipError_t streams(const Problem& p, void*, hipStream_t stream) {
    static hipStream_t other = nullptr;
    static hipEvent_t events[2] = {};
    if (other == nullptr) {
        hipStreamCreateWithFlags(&other, hipStreamNonBlocking);
        hipEventCreate(&events[0]);
        hipEventCreateWithFlags(&events[1], hipEventDisableTiming);
    }
    hipStreamWaitEvent(other, events[1], 0); // of nothing yet
    hipEventRecord(events[0], stream);
    hipStreamWaitEvent(other, events[0], 0);
    two<<<1, 32, 0, other>>>(p.y, 1);
    hipEventRecord(events[1], other);
    hipStreamWaitEvent(stream, events[1], 0);
    two<<<1, 32, 0, nullptr>>>(p.y, 2);
    return hipGetLastError();
}

// The host waits for one stream before it uses another, and the plan must say so.
static hipError_t waits(const Problem& p, void*, hipStream_t stream) {
    hipStream_t other = nullptr;
    hipStreamCreateWithFlags(&other, hipStreamNonBlocking);
    two<<<1, 32, 0, other>>>(p.y, 1);
    hipStreamSynchronize(other);
    two<<<1, 32, 0, stream>>>(p.y, 2);
    hipDeviceSynchronize();
    hipStreamDestroy(other);
    return hipGetLastError();
}

static hipError_t onlyOnce(const Problem& p, void*, hipStream_t stream) {
    static bool done = false;
    if (!done) {
        const float value = 4;
        hipMemcpyToSymbolAsync(HIP_SYMBOL(table), &value, 4, 0, hipMemcpyHostToDevice, stream);
        done = true;
    }
    two<<<1, 32, 0, stream>>>(p.y, 1);
    return hipGetLastError();
}

// A synchronous copy takes another stream, and everything after it has to wait: in the first call alone.
static hipError_t onceAndOtherStreams(const Problem& p, void*, hipStream_t stream) {
    static hipStream_t other = nullptr;
    static hipEvent_t event = nullptr;
    if (other == nullptr) {
        const float values[2] = {3, 4};
        hipMemcpyToSymbol(HIP_SYMBOL(weights), values, 8);
        hipStreamCreateWithFlags(&other, hipStreamNonBlocking);
        hipEventCreate(&event);
    }
    hipEventRecord(event, stream);
    hipStreamWaitEvent(other, event, 0);
    two<<<1, 32, 0, other>>>(p.y, 1);
    hipEventRecord(event, other);
    hipStreamWaitEvent(stream, event, 0);
    return hipGetLastError();
}

// Answers as those of a device, errors included.
static hipError_t answers(const Problem& p, void* workspace, hipStream_t stream) {
    int device = -1, value = 0, blocks = 0, grid = 0, block = 0;
    hipDeviceProp_t properties = {};
    hipFuncAttributes function = {};
    hipGetDevice(&device);
    hipGetDeviceProperties(&properties, device);
    hipDeviceGetAttribute(&value, hipDeviceAttributeMultiprocessorCount, device);
    hipFuncGetAttributes(&function, reinterpret_cast<const void*>(one));
    hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, one, 256, 0);
    hipOccupancyMaxPotentialBlockSize(&grid, &block, one, 0, 0);
    const bool good = value == 3 && properties.multiProcessorCount == 3 && properties.warpSize == 64 &&
                      function.maxThreadsPerBlock == 256 && blocks == 8 && block == 256 && grid == 24 &&
                      hipSetDevice(1) == hipErrorInvalidDevice && hipFree(nullptr) == hipSuccess;
    if (!good || hipGetLastError() != hipErrorInvalidDevice) {
        return hipErrorUnknown;
    }
    one<<<1, 512, 0, stream>>>(p, 1, Mixed{}); // a block that this kernel does not take
    if (hipGetLastError() != hipErrorInvalidConfiguration) {
        return hipErrorUnknown;
    }
    two<<<1, 64, 70000, stream>>>(p.y, 1); // more LDS than there is
    if (hipGetLastError() != hipErrorInvalidValue) {
        return hipErrorUnknown;
    }
    int n = 5;
    void* arguments[] = {&workspace, &n};
    // One more than the compute units of a card hold.
    if (hipDeviceGetAttribute(&value, hipDeviceAttributeCooperativeLaunch, device) != hipSuccess || value != 1 ||
        hipLaunchCooperativeKernel(reinterpret_cast<const void*>(two), dim3(9729), dim3(64), arguments, 0, stream) !=
            hipErrorCooperativeLaunchTooLarge) {
        return hipErrorUnknown;
    }
    hipGetLastError();
    two<<<1, 64, 0, stream>>>(static_cast<float*>(workspace), blocks);
    return hipGetLastError();
}

extern "C" hipError_t solve(const Problem& p, void* workspace, hipStream_t stream) {
    hipError_t (*const all[])(const Problem&, void*, hipStream_t) = {launches, memory,   symbols, streams,
                                                                     waits,    onlyOnce, answers, onceAndOtherStreams};
    return all[p.rows - 1](p, workspace, stream);
}
