// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hipcpu/abi.h"
#include "core/hipcpu/architecture.h"
#include "core/hipcpu/runtime/hip_types.h"

#include <algorithm>

// Which launches the cpu target's device takes, and how many blocks fit into a compute unit. Whoever launches asks
// here, and so does the capture library: a candidate that tries a launch and falls back must take the same branch in
// both.
namespace gks::hipcpu {

struct LaunchLimits { // of a kernel
    std::uint32_t maxThreadsPerBlock = 0;
    std::uint32_t staticLdsBytes = 0;
    std::uint32_t ldsLimitBytes = 0; // of a block, static and dynamic
};

inline HipError checkLaunch(const LaunchLimits& kernel, Dim3 grid, Dim3 block, std::size_t dynamicLdsBytes) {
    const std::uint64_t threads = block.count();
    if (threads == 0 || grid.x == 0 || grid.y == 0 || grid.z == 0 || block.x > maxThreadsPerBlock ||
        block.y > maxThreadsPerBlock || block.z > maxThreadsPerBlock || threads > maxThreadsPerBlock ||
        threads > kernel.maxThreadsPerBlock) {
        return hipErrorInvalidConfiguration;
    }
    if (dynamicLdsBytes > kernel.ldsLimitBytes || kernel.staticLdsBytes + dynamicLdsBytes > kernel.ldsLimitBytes) {
        return hipErrorInvalidValue;
    }
    return hipSuccess;
}

inline int activeBlocks(const LaunchLimits& kernel, int blockSize, std::size_t dynamicLdsBytes) {
    constexpr std::size_t threadsPerComputeUnit = 2048; // 8 waves on each of 4 SIMDs
    const std::size_t lds = kernel.staticLdsBytes + dynamicLdsBytes;
    const std::size_t waves = (static_cast<std::size_t>(blockSize) + waveSize - 1) / waveSize;
    const std::size_t byThreads = threadsPerComputeUnit / (waves * waveSize);
    return static_cast<int>(lds ? std::min(byThreads, kernel.ldsLimitBytes / lds) : byThreads);
}

// How many blocks a cooperative launch may have. As many as the card takes: its grids are often a number that suits
// the card, whatever the device says of its compute units, and here each block is on a thread of its own anyway.
inline std::uint64_t residentBlocks(const LaunchLimits& kernel, int blockSize, std::size_t dynamicLdsBytes,
                                    Architecture architecture, std::uint32_t workers) {
    return static_cast<std::uint64_t>(activeBlocks(kernel, blockSize, dynamicLdsBytes)) *
           std::max(workers, cardComputeUnits(architecture));
}

// How many blocks of another launch may wait for each other: two for each compute unit of a card. A block of a larger
// grid waits for those before it.
inline constexpr std::uint64_t mostBlocksThatWait = 608;

// Addresses that each of them takes: the stack of its thread, and its LDS with what is known of its threads.
inline constexpr std::size_t residentStackBytes = std::size_t{8} << 20;
inline constexpr std::size_t residentBlockBytes = residentStackBytes + (std::size_t{1} << 20);

} // namespace gks::hipcpu
