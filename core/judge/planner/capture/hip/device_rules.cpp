// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/planner/capture/device_rules.h"

#include "core/hipcpu/runtime/launch_limits.h"

// The cpu target's device and the card that it stands for have the same limits.
namespace gks::capture {
using namespace hipcpu;
namespace {

LaunchLimits limitsOf(const KernelFacts& kernel) {
    return {kernel.greatestBlock, kernel.staticLdsBytes, kernel.staticLdsBytes + kernel.mostDynamicLdsBytes};
}

} // namespace

HipError checkLaunch(const Call& call, const RegisteredKernel& kernel, Dim3 grid, Dim3 block,
                     std::size_t dynamicLdsBytes, const LaunchAttributes& attributes) {
    const LaunchLimits limits = limitsOf(*kernel.facts);
    if (const HipError error = hipcpu::checkLaunch(limits, grid, block, dynamicLdsBytes); error != hipSuccess) {
        return error;
    }
    const auto threads = static_cast<int>(block.count());
    const std::uint32_t units = call->size().workers;
    const std::uint64_t together =
        call->facts().code == DeviceCode::cpu
            ? residentBlocks(limits, threads, dynamicLdsBytes, call->size().architecture, units)
            : std::uint64_t{units} * static_cast<std::uint64_t>(hipcpu::activeBlocks(limits, threads, dynamicLdsBytes));
    return attributes.cooperative && grid.count() > together ? hipErrorCooperativeLaunchTooLarge : hipSuccess;
}

int activeBlocks(const Call&, const RegisteredKernel& kernel, int blockSize, std::size_t dynamicLdsBytes) {
    return hipcpu::activeBlocks(limitsOf(*kernel.facts), blockSize, dynamicLdsBytes);
}

HipError setFunctionAttribute(const Call&, RegisteredKernel& kernel, int attribute, int value) {
    constexpr int maxDynamicSharedMemorySize = 8;
    const bool tooMuch = attribute == maxDynamicSharedMemorySize &&
                         (value < 0 || value > static_cast<int>(limitsOf(*kernel.facts).ldsLimitBytes));
    return tooMuch ? hipErrorInvalidValue : hipSuccess;
}

} // namespace gks::capture
