// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/planner/capture/launches.h"

#include "core/hipcpu/runtime/last_error.h"
#include "core/judge/planner/capture/api_names.h"
#include "core/judge/planner/capture/device_rules.h"
#include "core/judge/planner/capture/tensor_maps.h"

#include <cstring>
#include <utility>

namespace gks::capture {
using namespace hipcpu;
namespace {

constexpr std::size_t wordBytes = sizeof(std::uint64_t);

thread_local void* launchedFrom = nullptr; // where the next launch of this thread stands in the source

// Memory of the host that was allocated to be shared with a device is not there when the plan is executed.
void refuseHostMemory(const Call& call, const PlanBytes& argument) {
    for (std::size_t at = 0; at + wordBytes <= argument.size(); at += wordBytes) {
        std::uint64_t word = 0;
        std::memcpy(&word, &argument[at], wordBytes);
        if (call->isHostMemory(word)) {
            call.refuse("gives a kernel the address of host memory",
                        "Use the workspace, and copy to it with " GKS_API_TEXT(MemcpyAsync));
        }
    }
}

} // namespace

HipError launch(const Call& call, const RegisteredKernel* kernel, Dim3 grid, Dim3 block, void** arguments,
                std::size_t dynamicLdsBytes, HipStream handle, LaunchAttributes attributes) {
    if (kernel == nullptr) {
        return hipErrorInvalidDeviceFunction;
    }
    StreamState* const stream = call.stream(handle);
    if (stream == nullptr) {
        return hipErrorInvalidHandle;
    }
    const KernelFacts& facts = *kernel->facts;
    if (const HipError error = checkLaunch(call, *kernel, grid, block, dynamicLdsBytes, attributes);
        error != hipSuccess) {
        return error;
    }
    if (arguments == nullptr && !facts.argumentBytes.empty()) {
        return hipErrorInvalidValue;
    }
    if (attributes.clusterPolicy == 0) {
        attributes.clusterPolicy = kernel->settings.clusterPolicy;
    }
    if (attributes.carveoutPercent < 0) {
        attributes.carveoutPercent = kernel->settings.carveoutPercent;
    }
    KernelLaunch launch = {
        kernel->symbol, {grid.x, grid.y, grid.z}, {block.x, block.y, block.z}, dynamicLdsBytes, attributes, {}, {}};
    for (std::size_t i = 0; i < facts.argumentBytes.size(); ++i) {
        const auto* const value = static_cast<const std::uint8_t*>(arguments[i]);
        PlanBytes argument(value, value + facts.argumentBytes[i]);
        for (PlacedMap& placed : takeMaps(*call.operator->(), argument)) {
            placed.argument = static_cast<std::uint32_t>(i);
            launch.maps.push_back(std::move(placed));
        }
        refuseHostMemory(call, argument);
        launch.arguments.push_back(std::move(argument));
    }
    call.add(*stream, std::move(launch));
    return hipSuccess;
}

HipError blocksPerMultiprocessor(const Call& call, int* blocks, const RegisteredKernel* kernel, int blockSize,
                                 std::size_t dynamicLdsBytes) {
    if (kernel == nullptr) {
        return hipErrorInvalidDeviceFunction;
    }
    if (blocks == nullptr || blockSize <= 0 || blockSize > static_cast<int>(maxThreadsPerBlock)) {
        return hipErrorInvalidValue;
    }
    *blocks = activeBlocks(call, *kernel, blockSize, dynamicLdsBytes);
    return hipSuccess;
}

HipError launchCooperative(const Call& call, const RegisteredKernel* kernel, Dim3 grid, Dim3 block, void** arguments,
                           std::size_t dynamicLdsBytes, HipStream stream) {
    LaunchAttributes attributes;
    attributes.cooperative = true;
    return launch(call, kernel, grid, block, arguments, dynamicLdsBytes, stream, attributes);
}

void setLaunchPlace(void* place) {
    launchedFrom = place;
}

void* takeLaunchPlace(void* itsOwn) {
    void* const from = std::exchange(launchedFrom, nullptr);
    return from != nullptr ? from : itsOwn;
}

} // namespace gks::capture
