// SPDX-License-Identifier: GPL-3.0-or-later
// Contexts, which programs that were written for CUDA's driver interface have, and what is said of ranges of memory.
#include "check.h"

#include <vector>

#pragma clang diagnostic ignored "-Wdeprecated-declarations"

__global__ void add(const int* a, int* sum) { sum[threadIdx.x] += a[threadIdx.x]; }

static int asked(hipMemRangeAttribute attribute, const void* begin, std::size_t bytes) {
    int value = 77;
    HIP_CHECK(hipMemRangeGetAttribute(&value, sizeof value, attribute, begin, bytes));
    return value;
}

static void contexts() {
    hipDevice_t device = 5;
    hipCtx_t made = nullptr, other = nullptr, popped = nullptr;
    unsigned flags = 9;
    int isActive = 0;
    expect("a context", hipInit(0) == hipSuccess && hipDeviceGet(&device, 0) == hipSuccess &&
                            hipCtxCreate(&made, 0, device) == hipSuccess && made != nullptr);
    expect("the current one", hipCtxGetCurrent(&other) == hipSuccess && other == made &&
                                  hipCtxGetDevice(&device) == hipSuccess && device == 0);
    expect("pushed and popped", hipCtxPushCurrent(made) == hipSuccess && hipCtxPopCurrent(&popped) == hipSuccess &&
                                    popped == made && hipCtxPopCurrent(&popped) == hipSuccess &&
                                    hipCtxPopCurrent(&popped) == hipErrorInvalidContext &&
                                    hipGetLastError() == hipErrorInvalidContext);
    expect("pushed, but none", hipCtxPushCurrent(nullptr) == hipErrorInvalidContext &&
                                   hipGetLastError() == hipErrorInvalidContext);
    expect("set", hipCtxSetCurrent(made) == hipSuccess && hipCtxPopCurrent(&popped) == hipSuccess);
    expect("the device's own", hipDevicePrimaryCtxRetain(&other, 0) == hipSuccess && other == made &&
                                   hipDevicePrimaryCtxGetState(0, &flags, &isActive) == hipSuccess && isActive == 1 &&
                                   hipDevicePrimaryCtxRelease(0) == hipSuccess);
    expect("no second device", hipCtxCreate(&other, 0, 1) == hipErrorInvalidDevice &&
                                   hipGetLastError() == hipErrorInvalidDevice);
    expect("its end", hipCtxSynchronize() == hipSuccess && hipCtxDestroy(made) == hipSuccess);
    hipUUID id{};
    expect("the device's number", hipDeviceGetUuid(&id, 0) == hipSuccess && id.bytes[0] != 0);
}

int main() {
    contexts();

    constexpr std::size_t count = 4096, bytes = count * sizeof(int), half = bytes / 2;
    int *a = nullptr, *sum = nullptr;
    HIP_CHECK(hipMallocManaged(&a, bytes));
    HIP_CHECK(hipMallocManaged(&sum, bytes));
    for (std::size_t i = 0; i < count; ++i) {
        a[i] = static_cast<int>(i);
        sum[i] = 1;
    }
    int* const middle = a + count / 2;
    expect("nothing said", asked(hipMemRangeAttributeReadMostly, a, bytes) == 0 &&
                               asked(hipMemRangeAttributePreferredLocation, a, bytes) == hipInvalidDeviceId &&
                               asked(hipMemRangeAttributeCoherencyMode, a, bytes) == hipMemRangeCoherencyModeFineGrain);
    HIP_CHECK(hipMemAdvise(a, half, hipMemAdviseSetReadMostly, 0));
    expect("half of it read mostly", asked(hipMemRangeAttributeReadMostly, a, half) == 1 &&
                                         asked(hipMemRangeAttributeReadMostly, middle, half) == 0 &&
                                         asked(hipMemRangeAttributeReadMostly, a, bytes) == 0);
    HIP_CHECK(hipMemAdvise(middle, half, hipMemAdviseSetReadMostly, 0));
    HIP_CHECK(hipMemAdvise(a + 16, 64, hipMemAdviseSetPreferredLocation, 0));
    expect("all of it, in pieces", asked(hipMemRangeAttributeReadMostly, a, bytes) == 1 &&
                                       asked(hipMemRangeAttributePreferredLocation, a + 16, 64) == 0 &&
                                       asked(hipMemRangeAttributePreferredLocation, a, 128) == hipInvalidDeviceId);
    HIP_CHECK(hipMemAdvise(a, bytes, hipMemAdviseSetAccessedBy, 0));
    HIP_CHECK(hipMemAdvise(a, half, hipMemAdviseSetAccessedBy, hipCpuDeviceId));
    int by[3] = {9, 9, 9};
    HIP_CHECK(hipMemRangeGetAttribute(by, sizeof by, hipMemRangeAttributeAccessedBy, a, half));
    expect("by both", by[0] == 0 && by[1] == hipCpuDeviceId && by[2] == hipInvalidDeviceId);
    HIP_CHECK(hipMemRangeGetAttribute(by, sizeof by, hipMemRangeAttributeAccessedBy, a, bytes));
    expect("by the device", by[0] == 0 && by[1] == hipInvalidDeviceId);
    HIP_CHECK(hipMemAdvise(middle, 4, hipMemAdviseSetCoarseGrain, 0));
    expect("grains", asked(hipMemRangeAttributeCoherencyMode, a, bytes) == hipMemRangeCoherencyModeIndeterminate &&
                         asked(hipMemRangeAttributeCoherencyMode, middle, 4) == hipMemRangeCoherencyModeCoarseGrain);
    HIP_CHECK(hipMemPrefetchAsync(a, half, 0, nullptr));
    int readMostly = 0, prefetched = 0;
    void* data[] = {&readMostly, &prefetched};
    std::size_t sizes[] = {sizeof(int), sizeof(int)};
    hipMemRangeAttribute both[] = {hipMemRangeAttributeReadMostly, hipMemRangeAttributeLastPrefetchLocation};
    HIP_CHECK(hipMemRangeGetAttributes(data, sizes, both, 2, a, half));
    expect("both at once", readMostly == 1 && prefetched == 0);
    expect("outside, and elsewhere", hipMemAdvise(a, bytes + 1, hipMemAdviseSetReadMostly, 0) == hipErrorInvalidValue &&
                                         hipMemPrefetchAsync(a, bytes, 3, nullptr) == hipErrorInvalidDevice &&
                                         hipGetLastError() == hipErrorInvalidDevice);
    add<<<1, 64>>>(a, sum);
    HIP_CHECK(hipDeviceSynchronize());
    expect("its use", sum[63] == 64 && sum[64] == 1);

    // Memory that lies where other memory lay has none of that.
    HIP_CHECK(hipFree(a));
    bool isForgotten = true;
    for (int i = 0; i < 8; ++i) {
        HIP_CHECK(hipMallocManaged(&a, bytes));
        isForgotten = isForgotten && asked(hipMemRangeAttributeReadMostly, a, bytes) == 0;
        HIP_CHECK(hipMemAdvise(a, bytes, hipMemAdviseSetReadMostly, 0));
        HIP_CHECK(hipFree(a));
    }
    expect("forgotten when freed", isForgotten);
    HIP_CHECK(hipFree(sum));
    return verdict();
}
