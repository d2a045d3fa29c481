// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/kernel_run.h"

#include "core/hipcpu/runtime/resident_blocks.h"
#include "core/hipcpu/runtime/settings.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <limits>

namespace gks::hipcpu {
namespace {

// Less work than this is done before another thread has woken up.
constexpr std::uint64_t worthWakingNs = 10'000;

} // namespace

ArgumentCopy::ArgumentCopy(const KernelEntry& kernel, const void* const* arguments) : m_offsets(kernel.argumentCount) {
    std::size_t total = 0;
    for (std::uint32_t i = 0; i < kernel.argumentCount; ++i) {
        m_offsets[i] = total;
        total += (kernel.argumentSizes[i] + sizeof(Unit) - 1) / sizeof(Unit);
    }
    m_storage.resize(total);
    for (std::uint32_t i = 0; i < kernel.argumentCount; ++i) {
        std::memcpy(&m_storage[m_offsets[i]], arguments[i], kernel.argumentSizes[i]);
    }
}

std::vector<void*> ArgumentCopy::pointers() {
    std::vector<void*> result(m_offsets.size());
    for (std::size_t i = 0; i < result.size(); ++i) {
        result[i] = m_storage.data() + m_offsets[i];
    }
    return result;
}

void runKernel(WorkerPool& workers, RunnableKernel& kernel, Dim3 grid, Dim3 block, std::size_t dynamicLdsBytes,
               void** arguments, bool isCooperative) {
    const Settings& settings = Settings::instance();
    const BlockExecutor::Launch launch{kernel.entry,
                                       arguments,
                                       {grid.x, grid.y, grid.z},
                                       {block.x, block.y, block.z},
                                       static_cast<std::uint32_t>(dynamicLdsBytes),
                                       settings.order,
                                       // There a store of the zeros that happen to lie there would change nothing.
                                       settings.poisonLds || kernel.isChecked,
                                       kernel.isChecked};
    const std::uint64_t blocks = grid.count();
    if (isCooperative) {
        ResidentBlocks::instance().run(launch, blocks);
        return;
    }
    const std::uint64_t expectedNs = std::uint64_t{kernel.nsPerBlock.load(std::memory_order_relaxed)} * blocks;
    const bool alone = expectedNs != 0 && expectedNs < worthWakingNs;
    const auto begin = std::chrono::steady_clock::now();
    workers.run(launch, blocks, alone);
    const auto ns =
        static_cast<std::uint64_t>((std::chrono::steady_clock::now() - begin) / std::chrono::nanoseconds(1));
    // With several workers a block costs more than this; the estimate only has to tell microseconds from more.
    const std::uint64_t perBlock = std::max<std::uint64_t>(1, ns / blocks);
    kernel.nsPerBlock.store(
        static_cast<std::uint32_t>(std::min<std::uint64_t>(perBlock, std::numeric_limits<std::uint32_t>::max())),
        std::memory_order_relaxed);
}

} // namespace gks::hipcpu
