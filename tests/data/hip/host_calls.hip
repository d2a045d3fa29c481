// SPDX-License-Identifier: GPL-3.0-or-later
// Calls of host code that programs for one card and for several make, beside the usual ones.
#include "check.h"

#include <cstring>
#include <numeric>
#include <string>

__global__ void twice(int* x, std::size_t pitch, int columns) {
    int* row = reinterpret_cast<int*>(reinterpret_cast<char*>(x) + blockIdx.x * pitch);
    if (threadIdx.x < columns) {
        row[threadIdx.x] *= 2;
    }
}

int main() {
    constexpr int rows = 5, columns = 37;
    hipDevice_t device = 7;
    std::size_t bytes = 0, limit = 0;
    int major = 0, minor = 0, can = 1;
    char bus[32] = "";
    expect("the only device", hipDeviceGet(&device, 0) == hipSuccess && device == 0 &&
                                  hipDeviceGet(&device, 1) == hipErrorInvalidDevice &&
                                  hipGetLastError() == hipErrorInvalidDevice);
    expect("its memory", hipDeviceTotalMem(&bytes, 0) == hipSuccess && bytes > (1u << 20));
    expect("its generation", hipDeviceComputeCapability(&major, &minor, 0) == hipSuccess && major == 9 && minor == 4);
    expect("its address", hipDeviceGetPCIBusId(bus, sizeof(bus), 0) == hipSuccess &&
                              hipDeviceGetByPCIBusId(&device, bus) == hipSuccess && device == 0);
    expect("no peers", hipDeviceCanAccessPeer(&can, 0, 0) == hipSuccess && can == 0 &&
                           hipDeviceEnablePeerAccess(0, 0) == hipErrorInvalidDevice &&
                           hipGetLastError() == hipErrorInvalidDevice);
    expect("limits", hipDeviceGetLimit(&limit, hipLimitMallocHeapSize) == hipSuccess && limit > 0);
    expect("limits that are set", hipDeviceSetLimit(hipLimitMallocHeapSize, limit) == hipSuccess &&
                                      hipDeviceSetLimit(hipLimitStackSize, 4096) == hipSuccess);
    hipDeviceProp_t properties;
    expect("properties by their later names",
           hipGetDeviceProperties(&properties, 0) == hipSuccess && properties.maxBlocksPerMultiProcessor > 0 &&
               properties.sharedMemPerMultiprocessor == 65536 && properties.warpSize == 64 &&
               std::string(properties.gcnArchName).rfind("gfx942", 0) == 0 && properties.asicRevision == 0);
#if HIP_VERSION_MAJOR == 5
    expect("a property by its earlier name", properties.gcnArch == 942);
#endif
    expect("caches", hipDeviceSetCacheConfig(hipFuncCachePreferL1) == hipSuccess &&
                         hipDeviceSetSharedMemConfig(hipSharedMemBankSizeFourByte) == hipSuccess);

    int* table = nullptr;
    std::size_t pitch = 0;
    HIP_CHECK(hipMallocPitch(reinterpret_cast<void**>(&table), &pitch, columns * sizeof(int), rows));
    expect("pitch", pitch >= columns * sizeof(int) && pitch % 128 == 0);
    void* begin = nullptr;
    expect("range", hipMemGetAddressRange(&begin, &bytes, reinterpret_cast<char*>(table) + 100) == hipSuccess &&
                        begin == table && bytes == pitch * rows);
    std::vector<int> host(rows * columns), back(rows * columns, -1);
    std::iota(host.begin(), host.end(), 0);
    HIP_CHECK(hipMemset2D(table, pitch, 0xff, columns * sizeof(int), rows));
    HIP_CHECK(hipMemcpy2D(back.data(), columns * sizeof(int), table, pitch, columns * sizeof(int), rows,
                          hipMemcpyDeviceToHost));
    expect("filled rows", back == std::vector<int>(rows * columns, -1));
    HIP_CHECK(hipMemcpy2D(table, pitch, host.data(), columns * sizeof(int), columns * sizeof(int), rows,
                          hipMemcpyHostToDevice));
    twice<<<rows, 64>>>(table, pitch, columns);
    HIP_CHECK(hipMemcpy2D(back.data(), columns * sizeof(int), table, pitch, columns * sizeof(int), rows,
                          hipMemcpyDeviceToHost));
    bool right = true;
    for (int i = 0; i < rows * columns; ++i) {
        right = right && back[i] == 2 * i;
    }
    expect("rows with a pitch", right);

    hipStream_t stream;
    int priority = 1;
    HIP_CHECK(hipStreamCreate(&stream));
    expect("priority", hipStreamGetPriority(stream, &priority) == hipSuccess && priority == 0);
    hipDevice_t ofStream = 1, ofNull = 1;
    expect("device of a stream", hipStreamGetDevice(stream, &ofStream) == hipSuccess && ofStream == 0 &&
                                     hipStreamGetDevice(nullptr, &ofNull) == hipSuccess && ofNull == 0);
    expect("no place for it",
           hipStreamGetDevice(stream, nullptr) == hipErrorInvalidValue && hipGetLastError() == hipErrorInvalidValue);
    hipStream_t some = nullptr;
    const std::uint32_t units[2] = {0x0f, 0x100};
    std::uint32_t ofSome[3] = {7, 7, 7}, ofAll[1] = {};
    expect("a stream for some compute units", hipExtStreamCreateWithCUMask(&some, 2, units) == hipSuccess &&
                                                  hipExtStreamGetCUMask(some, 3, ofSome) == hipSuccess &&
                                                  ofSome[0] == 0x0f && ofSome[1] == 0x100 && ofSome[2] == 0);
    expect("a stream for all", hipExtStreamGetCUMask(stream, 1, ofAll) == hipSuccess && (ofAll[0] & 1) != 0);
    hipEvent_t event = nullptr;
    HIP_CHECK(hipEventCreate(&event));
    twice<<<1, 64, 0, some>>>(table, pitch, 1);
    HIP_CHECK(hipEventRecordWithFlags(event, some, hipEventRecordDefault));
    HIP_CHECK(hipEventSynchronize(event));
    HIP_CHECK(hipMemcpy(back.data(), table, sizeof(int), hipMemcpyDeviceToHost));
    expect("a record with flags",
           back[0] == 0 && hipEventRecordWithFlags(event, some, hipEventRecordExternal) == hipErrorNotSupported &&
               hipGetLastError() == hipErrorNotSupported);
    hipUUID uuid;
    expect("its number",
           hipDeviceGetUuid(&uuid, 0) == hipSuccess && std::memcmp(&uuid, &properties.uuid, sizeof uuid) == 0);
    expect("no profiler", hipProfilerStart() == hipErrorNotSupported && hipProfilerStop() == hipErrorNotSupported &&
                              hipGetLastError() == hipErrorNotSupported);
    HIP_CHECK(hipEventDestroy(event));
    HIP_CHECK(hipStreamDestroy(some));
    int* managed = nullptr;
    HIP_CHECK(hipMallocManaged(reinterpret_cast<void**>(&managed), 64 * sizeof(int)));
    HIP_CHECK(hipMemAdvise(managed, 64 * sizeof(int), hipMemAdviseSetReadMostly, 0));
    HIP_CHECK(hipMemPrefetchAsync(managed, 64 * sizeof(int), 0, stream));
    HIP_CHECK(hipMemsetD16Async(managed, 0x0102, 128, stream));
    int* other = nullptr;
    HIP_CHECK(hipMalloc(reinterpret_cast<void**>(&other), 64 * sizeof(int)));
    HIP_CHECK(hipMemcpyDtoDAsync(other, managed, 64 * sizeof(int), stream));
    std::vector<int> words(64);
    HIP_CHECK(hipMemcpyDtoHAsync(words.data(), other, 64 * sizeof(int), stream));
    HIP_CHECK(hipStreamSynchronize(stream));
    expect("a stream's copies and fills", words == std::vector<int>(64, 0x01020102));
    HIP_CHECK(hipMemcpyPeer(other, 0, table, 0, 37 * sizeof(int)));
    HIP_CHECK(hipMemcpy(words.data(), other, sizeof(int) * 64, hipMemcpyDeviceToHost));
    expect("from the device to itself", words[36] == 72 && words[37] == 0x01020102);
    hipPointerAttribute_t attributes;
    expect("kinds of memory", hipPointerGetAttributes(&attributes, other) == hipSuccess &&
                                  attributes.type == hipMemoryTypeDevice && attributes.devicePointer == other);
    void* pinned = nullptr;
    unsigned flags = 99;
    HIP_CHECK(hipHostMalloc(&pinned, 4096, hipHostMallocDefault));
    expect("pinned memory", hipHostGetFlags(&flags, pinned) == hipSuccess && flags == hipHostMallocDefault &&
                                hipPointerGetAttributes(&attributes, pinned) == hipSuccess &&
                                attributes.type == hipMemoryTypeHost && attributes.hostPointer == pinned);
    int blocks = 0;
    expect("occupancy", hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
                            &blocks, reinterpret_cast<const void*>(twice), 64, 0, 0) == hipSuccess &&
                            blocks > 0);
    int grid = 0, best = 0, limited = 0, rate = 0;
    const auto ldsOf = [](int threads) { return threads * 100; };
    const auto fits = [&](int threads) {
        int count = 0;
        HIP_CHECK(hipOccupancyMaxActiveBlocksPerMultiprocessor(&count, reinterpret_cast<const void*>(twice), threads,
                                                               ldsOf(threads)));
        return count * threads;
    };
    HIP_CHECK(hipOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &best, twice, ldsOf));
    HIP_CHECK(hipOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &limited, twice, ldsOf, 100));
    bool isBest = best > 0 && limited > 0 && limited <= 100;
    for (int threads = 64; threads <= 1024; threads += 64) {
        isBest = isBest && (ldsOf(threads) > 65536 || fits(threads) <= fits(best));
    }
    expect("the best block for LDS that depends on it", isBest);
    float* typed = nullptr;
    HIP_CHECK(hipHostAlloc(&typed, 64, hipHostAllocMapped));
    HIP_CHECK(hipHostFree(typed));
    // In kHz, of wall_clock64().
    HIP_CHECK(hipDeviceGetAttribute(&rate, hipDeviceAttributeWallClockRate, 0));
    expect("the clock's rate", rate == 100000);
    const __bf16 brain = static_cast<__bf16>(1.0f + 3.0f / 256), half = static_cast<__bf16>(1.0 + 1.0 / 256 + 1e-12);
    expect("bf16 of the compiler on the host",
           static_cast<float>(brain) == 1.015625f && static_cast<float>(half) == 1.0078125f);
    HIP_CHECK(hipHostFree(pinned));
    HIP_CHECK(hipFree(other));
    HIP_CHECK(hipFree(managed));
    HIP_CHECK(hipFree(table));
    HIP_CHECK(hipStreamDestroy(stream));
    return verdict();
}
