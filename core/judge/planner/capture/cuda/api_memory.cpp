// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/last_error.h"
#include "core/judge/planner/capture/cuda/cuda_types.h"
#include "core/judge/planner/capture/recorder.h"

using namespace gks;
using namespace gks::hipcpu;
using namespace gks::capture;

#pragma GCC visibility push(default)
extern "C" {

// Memory that nobody has registered is no error here.
cuda::CudaError cudaPointerGetAttributes(cuda::PointerAttributes* attributes, const void* pointer) {
    constexpr int host = 1;
    constexpr int device = 2;
    GKS_CAPTURE_CALL("cudaPointerGetAttributes");
    if (attributes == nullptr) {
        return remember(hipErrorInvalidValue);
    }
    const bool onHost = call->isHostMemory(reinterpret_cast<std::uint64_t>(pointer));
    const bool onDevice = call->isDevice(pointer);
    auto* const address = const_cast<void*>(pointer); // the interface hands it back as the device's
    *attributes = {onDevice ? device
                   : onHost ? host
                            : 0,
                   onDevice || onHost ? 0 : -2, onDevice || onHost ? address : nullptr, onDevice ? nullptr : address};
    return hipSuccess;
}
}
#pragma GCC visibility pop
