// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/block_executor.h"
#include "core/hipcpu/runtime/fault_handler.h"

#include <array>
#include <deque>
#include <memory>

// What device code asks of the runtime apart from synchronisation: the functions of core/hipcpu/abi.h, and what the
// device library needs beyond them (its declarations are beside their use).

namespace gks::hipcpu {

const DispatchPacket& BlockExecutor::dispatchPacket() {
    for (int d = 0; d < 3; ++d) {
        m_packet.blockSize[d] = static_cast<std::uint16_t>(m_launch.blockSize[d]);
        m_packet.gridThreads[d] = m_launch.gridSize[d] * m_launch.blockSize[d];
    }
    m_packet.groupSegmentBytes = m_launch.kernel->staticLdsBytes + m_launch.dynamicLdsBytes;
    return m_packet;
}

const ImplicitArguments& BlockExecutor::implicitArguments() {
    for (int d = 0; d < 3; ++d) {
        m_implicitArguments.blockCount[d] = m_launch.gridSize[d];
        m_implicitArguments.blockSize[d] = static_cast<std::uint16_t>(m_launch.blockSize[d]);
    }
    return m_implicitArguments;
}

} // namespace gks::hipcpu

using namespace gks::hipcpu;

namespace {

BlockExecutor& executorOfThisThread() {
    BlockExecutor* executor = BlockExecutor::current();
    if (!executor) {
        failProcess("device code was called outside a kernel");
    }
    return *executor;
}

using ResourceWords = std::array<std::uint32_t, 4>;

// Kernels make few different resources, most of them once per thread: those of a thread are kept, and found again by
// content.
const void* internResource(const ResourceWords& words) {
    constexpr std::size_t kept = 16384;
    static thread_local const auto storage = std::make_unique<std::deque<ResourceWords>>();
    std::deque<ResourceWords>& resources = *storage;
    constexpr std::size_t recent = 8;
    const std::size_t begin = resources.size() > recent ? resources.size() - recent : 0;
    for (std::size_t i = begin; i < resources.size(); ++i) {
        if (resources[i] == words) {
            return &resources[i];
        }
    }
    if (resources.size() == kept) {
        resources.pop_front();
    }
    resources.push_back(words);
    return &resources.back();
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

void hipcpu_fail(const char* message) {
    failProcess(message);
}

ThreadContext* hipcpu_this_thread() {
    return executorOfThisThread().thread();
}

char* hipcpu_lds_base() {
    return executorOfThisThread().block().lds;
}

const void* hipcpu_dispatch_packet() {
    return &executorOfThisThread().dispatchPacket();
}

const void* hipcpu_implicit_arguments() {
    return &executorOfThisThread().implicitArguments();
}

const void* hipcpu_buffer_resource(const std::uint32_t* words) {
    return internResource({words[0], words[1], words[2], words[3]});
}

int hipcpu_block_reduce(int value, int operation) {
    return executorOfThisThread().reduce(value, static_cast<BlockReduction>(operation));
}

} // extern "C"
#pragma GCC visibility pop
