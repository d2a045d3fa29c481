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

HipError checkLaunch(const Call&, const RegisteredKernel& kernel, Dim3 grid, Dim3 block, std::size_t dynamicLdsBytes,
                     const LaunchAttributes&) {
    return hipcpu::checkLaunch(limitsOf(*kernel.facts), grid, block, dynamicLdsBytes);
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

bool hasCooperativeLaunch(const Call& call) {
    return call->facts().code != DeviceCode::cpu;
}

} // namespace gks::capture
