// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/last_error.h"
#include "core/judge/plan/tensor_map.h"
#include "core/judge/planner/capture/cuda/cuda_types.h"
#include "core/judge/planner/capture/tensor_maps.h"

#include <cstring>
#include <string_view>

// The driver's functions that host code asks for by name.

using namespace gks;
using namespace gks::hipcpu;
using namespace gks::capture;

#pragma GCC visibility push(default)
extern "C" {

cuda::CudaError cuTensorMapEncodeTiled(void* into, std::uint32_t type, std::uint32_t rank, void* address,
                                       const std::uint64_t* extents, const std::uint64_t* strides,
                                       const std::uint32_t* box, const std::uint32_t* steps, std::uint32_t interleave,
                                       std::uint32_t swizzle, std::uint32_t promotion, std::uint32_t fill) {
    constexpr std::uint32_t mostDimensions = 5;
    GKS_CAPTURE_CALL("cuTensorMapEncodeTiled");
    if (into == nullptr || rank == 0 || rank > mostDimensions || extents == nullptr || box == nullptr ||
        steps == nullptr || (rank > 1 && strides == nullptr)) {
        return hipErrorInvalidValue;
    }
    TensorMap map;
    map.type = type;
    map.address = reinterpret_cast<std::uint64_t>(address);
    map.extents.assign(extents, extents + rank);
    if (rank > 1) {
        map.strides.assign(strides, strides + rank - 1);
    }
    map.box.assign(box, box + rank);
    map.steps.assign(steps, steps + rank);
    map.interleave = interleave;
    map.swizzle = swizzle;
    map.promotion = promotion;
    map.fill = fill;
    if (!isSoundTensorMap(map)) {
        return hipErrorInvalidValue;
    }
    const MapBytes bytes = markedMap(call->addMap(std::move(map)));
    std::memcpy(into, bytes.data(), bytes.size());
    return hipSuccess;
}

cuda::CudaError cuTensorMapReplaceAddress(void* of, void* address) {
    GKS_CAPTURE_CALL("cuTensorMapReplaceAddress");
    const auto number = of != nullptr ? markedNumber(static_cast<const std::uint8_t*>(of)) : std::nullopt;
    const TensorMap* const known = number ? call->map(*number) : nullptr;
    if (known == nullptr) {
        return hipErrorInvalidValue;
    }
    TensorMap map = *known;
    map.address = reinterpret_cast<std::uint64_t>(address);
    if (!isSoundTensorMap(map)) {
        return hipErrorInvalidValue;
    }
    const MapBytes bytes = markedMap(call->addMap(std::move(map)));
    std::memcpy(of, bytes.data(), bytes.size());
    return hipSuccess;
}
}
#pragma GCC visibility pop

namespace {

cuda::CudaError entryPoint(const Call& call, const char* name, void** entry, int* found) {
    if (name == nullptr || entry == nullptr) {
        return remember(hipErrorInvalidValue);
    }
    const std::string_view asked = name;
    *entry = asked == "cuTensorMapEncodeTiled"      ? reinterpret_cast<void*>(&cuTensorMapEncodeTiled)
             : asked == "cuTensorMapReplaceAddress" ? reinterpret_cast<void*>(&cuTensorMapReplaceAddress)
                                                    : nullptr;
    if (*entry == nullptr) {
        call.refuse("asks for a function of the driver that a launch plan cannot express",
                    "Use the runtime's functions, and cuTensorMapEncodeTiled");
    }
    if (found != nullptr) {
        *found = 0;
    }
    return hipSuccess;
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

cuda::CudaError cudaGetDriverEntryPoint(const char* name, void** entry, unsigned long long, int* found) {
    const Call call(name != nullptr ? name : "cudaGetDriverEntryPoint", __builtin_return_address(0));
    return entryPoint(call, name, entry, found);
}

cuda::CudaError cudaGetDriverEntryPointByVersion(const char* name, void** entry, unsigned, unsigned long long,
                                                 int* found) {
    const Call call(name != nullptr ? name : "cudaGetDriverEntryPointByVersion", __builtin_return_address(0));
    return entryPoint(call, name, entry, found);
}
}
#pragma GCC visibility pop
