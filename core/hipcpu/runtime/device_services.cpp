// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/fault_handler.h"
#include "core/hipcpu/runtime/launch_packet.h"

#include <array>
#include <cstring>
#include <deque>

// What the device library asks of the runtime beyond core/hipcpu/abi.h. The library's declarations are beside their use.

using namespace gks::hipcpu;

namespace {

const BlockExecutor::Launch& launchOfThisThread() {
    const BlockExecutor* executor = BlockExecutor::current();
    if (!executor) {
        failProcess("device code was called outside a kernel");
    }
    return executor->launch();
}

using ResourceWords = std::array<std::uint32_t, 4>;

// Kernels make few different resources, most of them once per thread: those of a thread are kept, and found again by content.
const void* internResource(const ResourceWords& words) {
    constexpr std::size_t kept = 16384;
    static thread_local std::deque<ResourceWords> resources;
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

const void* hipcpu_dispatch_packet() {
    static thread_local DispatchPacket packet;
    const BlockExecutor::Launch& launch = launchOfThisThread();
    for (int d = 0; d < 3; ++d) {
        packet.blockSize[d] = static_cast<std::uint16_t>(launch.blockSize[d]);
        packet.gridThreads[d] = launch.gridSize[d] * launch.blockSize[d];
    }
    packet.groupSegmentBytes = launch.kernel->staticLdsBytes + launch.dynamicLdsBytes;
    return &packet;
}

const void* hipcpu_implicit_arguments() {
    static thread_local ImplicitArguments arguments;
    const BlockExecutor::Launch& launch = launchOfThisThread();
    for (int d = 0; d < 3; ++d) {
        arguments.blockCount[d] = launch.gridSize[d];
        arguments.blockSize[d] = static_cast<std::uint16_t>(launch.blockSize[d]);
    }
    return &arguments;
}

const void* hipcpu_buffer_resource(const std::uint32_t* words) {
    return internResource({words[0], words[1], words[2], words[3]});
}

int hipcpu_block_reduce(int value, int operation) {
    BlockExecutor* executor = BlockExecutor::current();
    if (!executor) {
        failProcess("device code was called outside a kernel");
    }
    return executor->reduce(value, static_cast<BlockReduction>(operation));
}

} // extern "C"
#pragma GCC visibility pop
