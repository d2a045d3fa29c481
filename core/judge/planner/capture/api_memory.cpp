// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/hip_api.h"
#include "core/hipcpu/runtime/last_error.h"
#include "core/judge/planner/capture/recorder.h"

#include <cstdlib>

using namespace gks;
using namespace gks::hipcpu;
using gks::capture::Call;

namespace {

constexpr std::size_t pageBytes = 4096;

[[noreturn]] void refuseAllocation(const Call& call) {
    call.refuse("allocates memory of the device", "Use the workspace: workspace_bytes() says how much of it");
}

[[noreturn]] void refuseSharing(const Call& call) {
    call.refuse("shares memory between host and device", "Use the workspace, and copy to it with hipMemcpyAsync");
}

// Memory of the host that copies can start from.
HipError allocateOnHost(const Call& call, void** pointer, std::size_t sizeBytes) {
    if (pointer == nullptr) {
        return remember(hipErrorInvalidValue);
    }
    *pointer = nullptr;
    if (sizeBytes == 0) {
        return hipSuccess;
    }
    if (sizeBytes > call->size().memoryBytes || ::posix_memalign(pointer, pageBytes, sizeBytes) != 0) {
        return remember(hipErrorOutOfMemory);
    }
    call->addHostMemory(*pointer, sizeBytes);
    return hipSuccess;
}

HipError release(const Call& call, void* pointer) {
    if (pointer != nullptr && !call->dropHostMemory(pointer)) {
        return remember(hipErrorInvalidValue);
    }
    std::free(pointer);
    return hipSuccess;
}

} // namespace

HipError hipMalloc(void**, std::size_t) {
    GKS_CAPTURE_CALL("hipMalloc");
    refuseAllocation(call);
}

HipError hipExtMallocWithFlags(void**, std::size_t, unsigned) {
    GKS_CAPTURE_CALL("hipExtMallocWithFlags");
    refuseAllocation(call);
}

HipError hipMallocAsync(void**, std::size_t, HipStream) {
    GKS_CAPTURE_CALL("hipMallocAsync");
    refuseAllocation(call);
}

// hipFree(nullptr) is a common way to wake a device up.
HipError hipFree(void* pointer) {
    return pointer == nullptr ? hipSuccess : remember(hipErrorInvalidValue);
}

HipError hipFreeAsync(void* pointer, HipStream) {
    return pointer == nullptr ? hipSuccess : remember(hipErrorInvalidValue);
}

HipError hipHostMalloc(void** pointer, std::size_t sizeBytes, unsigned) {
    GKS_CAPTURE_CALL("hipHostMalloc");
    return allocateOnHost(call, pointer, sizeBytes);
}

HipError hipMallocHost(void** pointer, std::size_t sizeBytes) {
    GKS_CAPTURE_CALL("hipMallocHost");
    return allocateOnHost(call, pointer, sizeBytes);
}

HipError hipHostFree(void* pointer) {
    GKS_CAPTURE_CALL("hipHostFree");
    return release(call, pointer);
}

HipError hipFreeHost(void* pointer) {
    GKS_CAPTURE_CALL("hipFreeHost");
    return release(call, pointer);
}

HipError hipMallocManaged(void**, std::size_t, unsigned) {
    GKS_CAPTURE_CALL("hipMallocManaged");
    refuseSharing(call);
}

HipError hipHostRegister(void*, std::size_t, unsigned) {
    GKS_CAPTURE_CALL("hipHostRegister");
    refuseSharing(call);
}

HipError hipHostUnregister(void*) {
    return remember(hipErrorHostMemoryNotRegistered);
}

HipError hipHostGetDevicePointer(void**, void*, unsigned) {
    GKS_CAPTURE_CALL("hipHostGetDevicePointer");
    refuseSharing(call);
}

HipError hipMemGetInfo(std::size_t* freeBytes, std::size_t* totalBytes) {
    GKS_CAPTURE_CALL("hipMemGetInfo");
    for (std::size_t* const into : {freeBytes, totalBytes}) {
        if (into != nullptr) {
            *into = call->size().memoryBytes;
        }
    }
    return hipSuccess;
}

HipError hipPointerGetAttributes(HipPointerAttributes* attributes, const void* pointer) {
    GKS_CAPTURE_CALL("hipPointerGetAttributes");
    const bool onHost = call->isHostMemory(reinterpret_cast<std::uint64_t>(pointer));
    if (attributes == nullptr || (!onHost && !call->isDevice(pointer))) {
        return remember(hipErrorInvalidValue);
    }
    auto* const address = const_cast<void*>(pointer); // the interface hands it back as the device's
    *attributes = {onHost ? 0 : 1, 0, address, onHost ? address : nullptr, 0, 0};
    return hipSuccess;
}

// What HIP has beside what the cpu target's own runtime exports.
#pragma GCC visibility push(default)
extern "C" {

HipError hipHostAlloc(void** pointer, std::size_t sizeBytes, unsigned) {
    GKS_CAPTURE_CALL("hipHostAlloc");
    return allocateOnHost(call, pointer, sizeBytes);
}

HipError hipMallocPitch(void**, std::size_t*, std::size_t, std::size_t) {
    GKS_CAPTURE_CALL("hipMallocPitch");
    refuseAllocation(call);
}

HipError hipMallocFromPoolAsync(void**, std::size_t, void*, HipStream) {
    GKS_CAPTURE_CALL("hipMallocFromPoolAsync");
    refuseAllocation(call);
}

HipError hipMemGetAddressRange(void** base, std::size_t* sizeBytes, void* pointer) {
    GKS_CAPTURE_CALL("hipMemGetAddressRange");
    const auto [begin, bytes] = call->rangeOf(pointer);
    if (bytes == 0) {
        return remember(hipErrorInvalidValue);
    }
    if (base != nullptr) {
        *base = reinterpret_cast<void*>(begin);
    }
    if (sizeBytes != nullptr) {
        *sizeBytes = bytes;
    }
    return hipSuccess;
}
}
#pragma GCC visibility pop
