// SPDX-License-Identifier: GPL-3.0-or-later
// Memory from pools in the order of a stream; memory, copies and fills in three dimensions.
#include "check.h"

#include <cstdint>
#include <numeric>

__global__ void number(int* out, int n, int from) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] = from + i;
    }
}
// Adds 1000 to each number of a volume whose rows and planes are not one behind the other.
__global__ void raise(hipPitchedPtr volume, int width, int height) {
    int* row = reinterpret_cast<int*>(static_cast<char*>(volume.ptr) +
                                      (blockIdx.x * volume.ysize + threadIdx.y) * volume.pitch);
    if (threadIdx.x < static_cast<unsigned>(width) && threadIdx.y < static_cast<unsigned>(height)) {
        row[threadIdx.x] += 1000;
    }
}

std::uint64_t asked(hipMemPool_t pool, hipMemPoolAttr attribute) {
    std::uint64_t value = 99;
    HIP_CHECK(hipMemPoolGetAttribute(pool, attribute, &value));
    return value;
}

int answer(hipDeviceAttribute_t attribute) {
    int value = -1;
    HIP_CHECK(hipDeviceGetAttribute(&value, attribute, 0));
    return value;
}

void pools() {
    expect("what the device says of it", answer(hipDeviceAttributeMemoryPoolsSupported) == 1 &&
                                             answer(hipDeviceAttributeHostRegisterSupported) == 1 &&
                                             answer(hipDeviceAttributeVirtualMemoryManagementSupported) == 0 &&
                                             answer(hipDeviceAttributeMemoryPoolSupportedHandleTypes) == 0);
    hipStream_t stream;
    HIP_CHECK(hipStreamCreate(&stream));
    hipMemPool_t own = nullptr, chosen = nullptr, made = nullptr;
    HIP_CHECK(hipDeviceGetDefaultMemPool(&own, 0));
    HIP_CHECK(hipDeviceGetMemPool(&chosen, 0));
    expect("the device's own pool", own != nullptr && own == chosen &&
                                        hipDeviceGetMemPool(&chosen, 1) == hipErrorInvalidDevice &&
                                        hipGetLastError() == hipErrorInvalidDevice);
    hipMemPoolProps properties = {};
    properties.allocType = hipMemAllocationTypePinned;
    properties.location = {hipMemLocationTypeDevice, 0};
    HIP_CHECK(hipMemPoolCreate(&made, &properties));
    std::uint64_t threshold = UINT64_MAX;
    HIP_CHECK(hipMemPoolSetAttribute(made, hipMemPoolAttrReleaseThreshold, &threshold));
    int reuses = 0;
    HIP_CHECK(hipMemPoolSetAttribute(made, hipMemPoolReuseAllowOpportunistic, &reuses));
    reuses = 7;
    HIP_CHECK(hipMemPoolGetAttribute(made, hipMemPoolReuseAllowOpportunistic, &reuses));
    expect("attributes of a pool", made != own && asked(made, hipMemPoolAttrReleaseThreshold) == UINT64_MAX &&
                                       asked(own, hipMemPoolAttrReleaseThreshold) == 0 && reuses == 0);
    int *first = nullptr, *second = nullptr;
    HIP_CHECK(hipMallocFromPoolAsync(reinterpret_cast<void**>(&first), 400, made, stream));
    HIP_CHECK(hipMallocFromPoolAsync(reinterpret_cast<void**>(&second), 4000, made, stream));
    number<<<1, 128, 0, stream>>>(first, 100, 5);
    std::vector<int> host(100), right(100);
    std::iota(right.begin(), right.end(), 5);
    HIP_CHECK(hipMemcpyAsync(host.data(), first, 400, hipMemcpyDeviceToHost, stream));
    HIP_CHECK(hipFreeAsync(second, stream));
    HIP_CHECK(hipStreamSynchronize(stream));
    expect("memory of a pool", host == right);
    expect("what of it is in use", asked(made, hipMemPoolAttrUsedMemCurrent) == 400 &&
                                       asked(made, hipMemPoolAttrUsedMemHigh) == 4400 &&
                                       asked(own, hipMemPoolAttrUsedMemCurrent) == 0);
    std::uint64_t none = 0;
    HIP_CHECK(hipMemPoolSetAttribute(made, hipMemPoolAttrUsedMemHigh, &none));
    HIP_CHECK(hipFreeAsync(first, stream));
    HIP_CHECK(hipMemPoolTrimTo(made, 0));
    HIP_CHECK(hipStreamSynchronize(stream));
    expect("what was in use",
           asked(made, hipMemPoolAttrUsedMemCurrent) == 0 && asked(made, hipMemPoolAttrUsedMemHigh) == 400);
    HIP_CHECK(hipDeviceSetMemPool(0, made));
    HIP_CHECK(hipDeviceGetMemPool(&chosen, 0));
    HIP_CHECK(hipMemPoolDestroy(made));
    hipMemPool_t left = nullptr;
    HIP_CHECK(hipDeviceGetMemPool(&left, 0));
    expect("a pool that is no more",
           chosen == made && left == own && hipMemPoolTrimTo(made, 0) == hipErrorInvalidValue &&
               hipGetLastError() == hipErrorInvalidValue && hipMemPoolDestroy(own) == hipErrorInvalidValue &&
               hipGetLastError() == hipErrorInvalidValue);
    HIP_CHECK(hipStreamDestroy(stream));
}

void volumes() {
    constexpr int width = 11, height = 5, depth = 3;
    const auto at = [](int x, int y, int z) { return (z * height + y) * width + x; };
    std::vector<int> host(width * height * depth), back(host.size(), -7);
    std::iota(host.begin(), host.end(), 0);
    hipPitchedPtr volume;
    const hipExtent all = make_hipExtent(width * sizeof(int), height, depth);
    HIP_CHECK(hipMalloc3D(&volume, all));
    expect("a volume", volume.ptr != nullptr && volume.pitch >= width * sizeof(int) &&
                           volume.xsize == width * sizeof(int) && volume.ysize == height);
    hipMemcpy3DParms in = {};
    in.srcPtr = make_hipPitchedPtr(host.data(), width * sizeof(int), width, height);
    in.dstPtr = volume;
    in.extent = all;
    in.kind = hipMemcpyHostToDevice;
    HIP_CHECK(hipMemcpy3D(&in));
    raise<<<depth, dim3(16, 8)>>>(volume, width, height);
    hipMemcpy3DParms out = {};
    out.srcPtr = volume;
    out.dstPtr = make_hipPitchedPtr(back.data(), width * sizeof(int), width, height);
    out.extent = make_hipExtent(4 * sizeof(int), 2, 2); // a part, to another place
    out.srcPos = make_hipPos(3 * sizeof(int), 1, 1);
    out.dstPos = make_hipPos(sizeof(int), 3, 0);
    out.kind = hipMemcpyDeviceToHost;
    HIP_CHECK(hipMemcpy3D(&out));
    bool isRight = true;
    for (int z = 0; z < depth; ++z) {
        for (int y = 0; y < height; ++y) {
            for (int x = 0; x < width; ++x) {
                const bool isCopied = x >= 1 && x < 5 && y >= 3 && z < 2;
                isRight = isRight && back[at(x, y, z)] == (isCopied ? 1000 + host[at(x + 2, y - 2, z + 1)] : -7);
            }
        }
    }
    expect("a part of a volume", isRight);
    HIP_CHECK(hipMemset3D(volume, 0x11, make_hipExtent(width * sizeof(int), height, 2)));
    hipMemcpy3DParms whole = out;
    whole.srcPos = whole.dstPos = {};
    whole.extent = all;
    HIP_CHECK(hipMemcpy3DAsync(&whole, 0));
    HIP_CHECK(hipDeviceSynchronize());
    expect("filled planes", back[at(0, 0, 0)] == 0x11111111 && back[at(10, 4, 1)] == 0x11111111 &&
                                back[at(10, 4, 2)] == 1000 + host[at(10, 4, 2)]);
    whole.extent.width = 2 * volume.pitch;
    expect("what is too wide",
           hipMemcpy3D(&whole) == hipErrorInvalidValue && hipGetLastError() == hipErrorInvalidValue);
    HIP_CHECK(hipFree(volume.ptr));
}

int main() {
    pools();
    volumes();
    return verdict();
}
