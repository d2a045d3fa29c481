// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/graph_memory.h"

#include "core/hipcpu/runtime/device_memory.h"
#include "core/hipcpu/runtime/device_queue.h"

#include <algorithm>
#include <mutex>
#include <unordered_map>

namespace gks::hipcpu {
namespace {

struct Known {
    std::mutex mutex;
    std::unordered_map<const void*, std::weak_ptr<GraphMemory>> byAddress;
    std::size_t used = 0;
    std::size_t mostUsed = 0;
};

Known& known() {
    static auto* const all = new Known; // outlives graphs that a program leaves
    return *all;
}

} // namespace

std::shared_ptr<GraphMemory> GraphMemory::allocate(const HipMemAllocNodeParams& asked) {
    HipMemAllocNodeParams params = asked;
    params.data = DeviceMemory::instance().allocate(asked.sizeBytes, MemoryKind::device, 0);
    if (!params.data) {
        return nullptr;
    }
    std::shared_ptr<GraphMemory> made(new GraphMemory(params));
    const std::lock_guard lock(known().mutex);
    known().byAddress[params.data] = made;
    known().used += params.sizeBytes;
    known().mostUsed = std::max(known().mostUsed, known().used);
    return made;
}

std::shared_ptr<GraphMemory> GraphMemory::find(const void* data) {
    const std::lock_guard lock(known().mutex);
    const auto found = known().byAddress.find(data);
    return found != known().byAddress.end() ? found->second.lock() : nullptr;
}

void GraphMemory::forget(const void* data) {
    const std::lock_guard lock(known().mutex);
    const auto found = known().byAddress.find(data);
    if (found == known().byAddress.end()) {
        return;
    }
    if (const auto memory = found->second.lock()) {
        known().used -= memory->m_asked.sizeBytes;
    }
    known().byAddress.erase(found);
}

GraphMemory::~GraphMemory() {
    {
        const std::lock_guard lock(known().mutex);
        const auto found = known().byAddress.find(m_asked.data);
        if (found == known().byAddress.end() || !found->second.expired()) {
            return; // freed by the program; another may be there by now
        }
        known().byAddress.erase(found);
        known().used -= m_asked.sizeBytes;
    }
    // A launch keeps the nodes that it was made of until it is done.
    DeviceMemory::instance().release(m_asked.data);
}

std::size_t GraphMemory::usedBytes() {
    const std::lock_guard lock(known().mutex);
    return known().used;
}

std::size_t GraphMemory::mostUsedBytes() {
    const std::lock_guard lock(known().mutex);
    return known().mostUsed;
}

void GraphMemory::resetMostUsed() {
    const std::lock_guard lock(known().mutex);
    known().mostUsed = known().used;
}

} // namespace gks::hipcpu
