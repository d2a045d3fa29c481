// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/block_executor.h"
#include "core/hipcpu/runtime/fault_handler.h"

#include <array>
#include <deque>
#include <memory>

// What the device library asks of the runtime beyond core/hipcpu/abi.h. The library's declarations are beside their use.

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

// Kernels make few different resources, most of them once per thread: those of a thread are kept, and found again by content.
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
