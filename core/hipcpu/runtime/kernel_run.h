// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hipcpu/runtime/hip_types.h"
#include "core/hipcpu/runtime/launch_limits.h"
#include "core/hipcpu/runtime/worker_pool.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace gks::hipcpu {

struct RunnableKernel {
    const KernelEntry* entry = nullptr;
    bool isChecked = false; // tells its accesses
    // Recent cost, so that a grid that takes less than waking a worker runs on the dispatcher alone. 0: not yet known.
    std::atomic<std::uint32_t> nsPerBlock{0};
};

// Arguments of a kernel, copied because the launch outlives the caller's frame.
class ArgumentCopy {
public:
    // `arguments[i]` points to argument i.
    ArgumentCopy(const KernelEntry& kernel, const void* const* arguments);
    std::vector<void*> pointers();

private:
    struct alignas(16) Unit {
        char bytes[16];
    };
    std::vector<std::size_t> m_offsets;
    std::vector<Unit> m_storage;
};

inline LaunchLimits limitsOf(const KernelEntry& kernel) {
    return {kernel.maxThreadsPerBlock, kernel.staticLdsBytes, kernel.ldsLimitBytes};
}

// Returns when the grid has run. `arguments` as pointers() gives them. Order of threads and LDS as the settings say.
// A cooperative one has its blocks reserved (see ResidentBlocks).
void runKernel(WorkerPool& workers, RunnableKernel& kernel, Dim3 grid, Dim3 block, std::size_t dynamicLdsBytes,
               void** arguments, bool isCooperative = false);

} // namespace gks::hipcpu
