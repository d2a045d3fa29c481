// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/planner/capture/device_rules.h"

#include "core/judge/planner/capture/cuda/cuda_questions.h"

#include <algorithm>

namespace gks::capture {
using namespace cuda;
namespace {

constexpr int clusterLimit = 16;
constexpr int portableClusterLimit = 8;
constexpr std::uint32_t largestPolicy = 2;
constexpr int wholePercent = 100;

std::size_t roundedUp(std::size_t value, std::size_t step) {
    return (value + step - 1) / step * step;
}

bool divides(const Extent& cluster, const Dim3& grid) {
    return grid.x % cluster[0] == 0 && grid.y % cluster[1] == 0 && grid.z % cluster[2] == 0;
}

} // namespace

int attributeOf(const Call& call, int attribute) {
    const auto& all = call->device().attributes;
    const auto found = all.find(attribute);
    return found == all.end() ? 0 : found->second;
}

CudaError checkCluster(const RegisteredKernel& kernel, const Dim3& grid, const Extent& cluster) {
    const std::uint64_t blocks = elementsOf(cluster);
    const std::uint64_t most = kernel.settings.hasLargeClusters ? clusterLimit : portableClusterLimit;
    if (blocks == 0 || blocks > most) {
        return errorInvalidClusterSize;
    }
    return divides(cluster, grid) ? hipcpu::hipSuccess : hipcpu::hipErrorInvalidConfiguration;
}

std::uint32_t mostDynamicBytes(const Call& call, const RegisteredKernel& kernel) {
    const auto ordinary = static_cast<std::uint32_t>(attributeOf(call, sharedMemoryPerBlock));
    const std::uint32_t left = ordinary - std::min(ordinary, kernel.facts->staticLdsBytes);
    return std::max(left, kernel.settings.dynamicLdsBytes);
}

CudaError checkLaunch(const Call& call, const RegisteredKernel& kernel, Dim3 grid, Dim3 block,
                      std::size_t dynamicLdsBytes, const LaunchAttributes& attributes) {
    const auto within = [&](std::uint32_t edge, int attribute) {
        return edge > 0 && edge <= static_cast<std::uint32_t>(attributeOf(call, attribute));
    };
    const bool fits = within(block.x, maxBlockEdge) && within(block.y, maxBlockEdge + 1) &&
                      within(block.z, maxBlockEdge + 2) && within(grid.x, maxGridEdge) &&
                      within(grid.y, maxGridEdge + 1) && within(grid.z, maxGridEdge + 2) &&
                      block.count() <= static_cast<std::uint64_t>(attributeOf(call, maxThreadsPerBlock));
    if (!fits) {
        return hipcpu::hipErrorInvalidConfiguration;
    }
    if (block.count() > kernel.facts->greatestBlock) {
        return errorLaunchOutOfResources;
    }
    if (dynamicLdsBytes > mostDynamicBytes(call, kernel)) {
        return hipcpu::hipErrorInvalidValue;
    }
    if (attributes.cooperative && attributeOf(call, cooperativeLaunch) == 0) {
        return hipcpu::hipErrorNotSupported;
    }
    return checkCluster(kernel, grid, attributes.cluster);
}

// As NVIDIA's cuda_occupancy.h reckons it for devices of compute capability 9.0.
int activeBlocks(const Call& call, const RegisteredKernel& kernel, int blockSize, std::size_t dynamicLdsBytes) {
    constexpr std::size_t parts = 4; // of a multiprocessor, each with registers of its own
    constexpr std::size_t registerStep = 256;
    constexpr std::size_t sharedStep = 128;
    const auto of = [&](int attribute) { return static_cast<std::size_t>(std::max(attributeOf(call, attribute), 1)); };
    const std::size_t lanes = of(warpLanes);
    const std::size_t warps = (static_cast<std::size_t>(blockSize) + lanes - 1) / lanes;
    std::size_t blocks = std::min(of(blocksPerMultiprocessor), of(threadsPerMultiprocessor) / lanes / warps);
    if (kernel.facts->registers > 0) {
        const std::size_t ofWarp = roundedUp(kernel.facts->registers * lanes, registerStep);
        blocks = std::min(blocks, of(registersPerMultiprocessor) / parts / ofWarp * parts / warps);
    }
    if (dynamicLdsBytes > mostDynamicBytes(call, kernel)) {
        return 0;
    }
    const std::size_t shared =
        roundedUp(kernel.facts->staticLdsBytes + dynamicLdsBytes + of(reservedSharedMemoryPerBlock), sharedStep);
    return static_cast<int>(std::min(blocks, of(sharedMemoryPerMultiprocessor) / shared));
}

CudaError setFunctionAttribute(const Call& call, RegisteredKernel& kernel, int attribute, int value) {
    KernelSettings& settings = kernel.settings;
    switch (attribute) {
    case maxDynamicSharedMemory:
        if (value < 0 || static_cast<std::uint32_t>(value) > kernel.facts->mostDynamicLdsBytes) {
            return hipcpu::hipErrorInvalidValue;
        }
        settings.dynamicLdsBytes = static_cast<std::uint32_t>(value);
        return hipcpu::hipSuccess;
    case sharedMemoryCarveout:
        if (value < -1 || value > wholePercent) {
            return hipcpu::hipErrorInvalidValue;
        }
        settings.carveoutPercent = value;
        return hipcpu::hipSuccess;
    case nonPortableClusterSize:
        settings.hasLargeClusters = value != 0;
        return hipcpu::hipSuccess;
    case clusterSchedulingPolicy:
        if (value < 0 || static_cast<std::uint32_t>(value) > largestPolicy) {
            return hipcpu::hipErrorInvalidValue;
        }
        settings.clusterPolicy = static_cast<std::uint32_t>(value);
        return hipcpu::hipSuccess;
    default:
        call.refuse("sets an attribute that a launch plan cannot express", "Leave the call out");
    }
}

} // namespace gks::capture
