// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/hip_api.h"
#include "core/hipcpu/runtime/last_error.h"
#include "core/judge/planner/capture/allocations.h"

// Memory functions that CUDA's runtime does not have, or has with another structure.

using namespace gks;
using namespace gks::hipcpu;
using namespace gks::capture;

#pragma GCC visibility push(default)
extern "C" {

HipError hipExtMallocWithFlags(void**, std::size_t, unsigned) {
    GKS_CAPTURE_CALL("hipExtMallocWithFlags");
    refuseAllocation(call);
}

HipError hipHostMalloc(void** pointer, std::size_t sizeBytes, unsigned) {
    GKS_CAPTURE_CALL("hipHostMalloc");
    return allocateOnHost(call, pointer, sizeBytes);
}

HipError hipHostFree(void* pointer) {
    GKS_CAPTURE_CALL("hipHostFree");
    return release(call, pointer);
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
