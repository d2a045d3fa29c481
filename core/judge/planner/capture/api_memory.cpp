// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/last_error.h"
#include "core/judge/planner/capture/allocations.h"
#include "core/judge/planner/capture/api_names.h"

#include <cstdlib>

using namespace gks;
using namespace gks::hipcpu;
using namespace gks::capture;

namespace gks::capture {
namespace {

constexpr std::size_t pageBytes = 4096;

} // namespace

void refuseAllocation(const Call& call) {
    call.refuse("allocates memory of the device", "Use the workspace: workspace_bytes() says how much of it");
}

void refuseSharing(const Call& call) {
    call.refuse("shares memory between host and device",
                "Use the workspace, and copy to it with " GKS_API_TEXT(MemcpyAsync));
}

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

} // namespace gks::capture

#pragma GCC visibility push(default)
extern "C" {

HipError GKS_API(Malloc)(void**, std::size_t) {
    GKS_CAPTURE_CALL(GKS_API_TEXT(Malloc));
    refuseAllocation(call);
}

HipError GKS_API(MallocAsync)(void**, std::size_t, HipStream) {
    GKS_CAPTURE_CALL(GKS_API_TEXT(MallocAsync));
    refuseAllocation(call);
}

// With nullptr it is a common way to wake a device up.
HipError GKS_API(Free)(void* pointer) {
    return pointer == nullptr ? hipSuccess : remember(hipErrorInvalidValue);
}

HipError GKS_API(FreeAsync)(void* pointer, HipStream) {
    return pointer == nullptr ? hipSuccess : remember(hipErrorInvalidValue);
}

HipError GKS_API(MallocHost)(void** pointer, std::size_t sizeBytes) {
    GKS_CAPTURE_CALL(GKS_API_TEXT(MallocHost));
    return allocateOnHost(call, pointer, sizeBytes);
}

HipError GKS_API(FreeHost)(void* pointer) {
    GKS_CAPTURE_CALL(GKS_API_TEXT(FreeHost));
    return release(call, pointer);
}

HipError GKS_API(MallocManaged)(void**, std::size_t, unsigned) {
    GKS_CAPTURE_CALL(GKS_API_TEXT(MallocManaged));
    refuseSharing(call);
}

HipError GKS_API(HostRegister)(void*, std::size_t, unsigned) {
    GKS_CAPTURE_CALL(GKS_API_TEXT(HostRegister));
    refuseSharing(call);
}

HipError GKS_API(HostUnregister)(void*) {
    return remember(hipErrorHostMemoryNotRegistered);
}

HipError GKS_API(HostGetDevicePointer)(void**, void*, unsigned) {
    GKS_CAPTURE_CALL(GKS_API_TEXT(HostGetDevicePointer));
    refuseSharing(call);
}

HipError GKS_API(MemGetInfo)(std::size_t* freeBytes, std::size_t* totalBytes) {
    GKS_CAPTURE_CALL(GKS_API_TEXT(MemGetInfo));
    for (std::size_t* const into : {freeBytes, totalBytes}) {
        if (into != nullptr) {
            *into = call->size().memoryBytes;
        }
    }
    return hipSuccess;
}

HipError GKS_API(HostAlloc)(void** pointer, std::size_t sizeBytes, unsigned) {
    GKS_CAPTURE_CALL(GKS_API_TEXT(HostAlloc));
    return allocateOnHost(call, pointer, sizeBytes);
}

HipError GKS_API(MallocPitch)(void**, std::size_t*, std::size_t, std::size_t) {
    GKS_CAPTURE_CALL(GKS_API_TEXT(MallocPitch));
    refuseAllocation(call);
}

HipError GKS_API(MallocFromPoolAsync)(void**, std::size_t, void*, HipStream) {
    GKS_CAPTURE_CALL(GKS_API_TEXT(MallocFromPoolAsync));
    refuseAllocation(call);
}
}
#pragma GCC visibility pop
