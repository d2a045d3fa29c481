// SPDX-License-Identifier: GPL-3.0-or-later
// Pools for allocations in the order of a stream. Sharing them with other processes is refused.
#include "core/hipcpu/runtime/device_memory.h"
#include "core/hipcpu/runtime/hip_api.h"
#include "core/hipcpu/runtime/last_error.h"
#include "core/hipcpu/runtime/memory_pool.h"

#include <algorithm>
#include <cstring>

using namespace gks::hipcpu;

namespace gks::hipcpu {

void MemoryPool::add(void* data, std::size_t sizeBytes) {
    const std::scoped_lock lock(m_mutex);
    m_buffers[data] = sizeBytes;
    m_mostUsedBytes = std::max(m_mostUsedBytes, usedBytes());
}

// Who frees them does not say so here.
std::uint64_t MemoryPool::usedBytes() {
    std::uint64_t all = 0;
    for (auto buffer = m_buffers.begin(); buffer != m_buffers.end();) {
        const auto found = DeviceMemory::instance().find(buffer->first);
        const bool isThere = found && found->data == buffer->first && found->sizeBytes == buffer->second;
        all += isThere ? buffer->second : 0;
        buffer = isThere ? std::next(buffer) : m_buffers.erase(buffer);
    }
    return all;
}

bool MemoryPool::set(PoolAttribute attribute, const void* value) {
    const std::scoped_lock lock(m_mutex);
    switch (attribute) {
    case PoolAttribute::followsEvents:
    case PoolAttribute::isOpportunistic:
    case PoolAttribute::addsDependencies:
        std::memcpy(&m_reuses[static_cast<int>(attribute) - 1], value, sizeof(int));
        return true;
    case PoolAttribute::releaseThreshold:
        std::memcpy(&m_releaseThresholdBytes, value, sizeof m_releaseThresholdBytes);
        return true;
    case PoolAttribute::mostReservedBytes:
    case PoolAttribute::mostUsedBytes: { // to nothing alone
        std::uint64_t bytes = 0;
        std::memcpy(&bytes, value, sizeof bytes);
        m_mostUsedBytes = bytes == 0 ? usedBytes() : m_mostUsedBytes;
        return bytes == 0;
    }
    default:
        return false;
    }
}

bool MemoryPool::get(PoolAttribute attribute, void* value) {
    const std::scoped_lock lock(m_mutex);
    const auto give = [value](std::uint64_t bytes) {
        std::memcpy(value, &bytes, sizeof bytes);
        return true;
    };
    switch (attribute) {
    case PoolAttribute::followsEvents:
    case PoolAttribute::isOpportunistic:
    case PoolAttribute::addsDependencies:
        std::memcpy(value, &m_reuses[static_cast<int>(attribute) - 1], sizeof(int));
        return true;
    case PoolAttribute::releaseThreshold:
        return give(m_releaseThresholdBytes);
    case PoolAttribute::reservedBytes:
    case PoolAttribute::usedBytes:
        return give(usedBytes());
    case PoolAttribute::mostReservedBytes:
    case PoolAttribute::mostUsedBytes:
        return give(m_mostUsedBytes);
    }
    return false;
}

MemoryPools& MemoryPools::instance() {
    static MemoryPools* const pools = new MemoryPools; // threads of streams outlive main()
    return *pools;
}

MemoryPool* MemoryPools::make() {
    const std::scoped_lock lock(m_mutex);
    return m_made.emplace_back(std::make_unique<MemoryPool>()).get();
}

bool MemoryPools::end(MemoryPool* pool) {
    const std::scoped_lock lock(m_mutex);
    m_current = m_current == pool ? &m_own : m_current;
    return std::erase_if(m_made, [pool](const auto& made) { return made.get() == pool; }) != 0;
}

MemoryPool* MemoryPools::find(MemoryPool* pool) {
    const std::scoped_lock lock(m_mutex);
    const bool isThere = pool == &m_own || std::any_of(m_made.begin(), m_made.end(),
                                                       [pool](const auto& made) { return made.get() == pool; });
    return isThere ? pool : nullptr;
}

MemoryPool* MemoryPools::current() {
    const std::scoped_lock lock(m_mutex);
    return m_current;
}

bool MemoryPools::choose(MemoryPool* pool) {
    const bool isThere = find(pool) != nullptr;
    const std::scoped_lock lock(m_mutex);
    m_current = isThere ? pool : m_current;
    return isThere;
}

} // namespace gks::hipcpu

namespace {

HipError answerPool(int device, bool isRight) {
    return device != 0 ? remember(hipErrorInvalidDevice) : isRight ? hipSuccess : remember(hipErrorInvalidValue);
}

} // namespace

HipError hipDeviceGetDefaultMemPool(HipMemoryPool* pool, int device) {
    if (pool) {
        *pool = MemoryPools::instance().own();
    }
    return answerPool(device, pool != nullptr);
}

HipError hipDeviceGetMemPool(HipMemoryPool* pool, int device) {
    if (pool) {
        *pool = MemoryPools::instance().current();
    }
    return answerPool(device, pool != nullptr);
}

HipError hipDeviceSetMemPool(int device, HipMemoryPool pool) {
    return answerPool(device, device == 0 && MemoryPools::instance().choose(pool));
}

HipError hipMemPoolCreate(HipMemoryPool* pool, const void* properties) {
    if (pool && properties) {
        *pool = MemoryPools::instance().make();
    }
    return answerPool(0, pool && properties);
}

HipError hipMemPoolDestroy(HipMemoryPool pool) {
    return answerPool(0, MemoryPools::instance().end(pool));
}

HipError hipMemPoolSetAttribute(HipMemoryPool pool, int attribute, void* value) {
    MemoryPool* const found = MemoryPools::instance().find(pool);
    return answerPool(0, found && value && found->set(static_cast<PoolAttribute>(attribute), value));
}

HipError hipMemPoolGetAttribute(HipMemoryPool pool, int attribute, void* value) {
    MemoryPool* const found = MemoryPools::instance().find(pool);
    return answerPool(0, found && value && found->get(static_cast<PoolAttribute>(attribute), value));
}

HipError hipMemPoolTrimTo(HipMemoryPool pool, std::size_t) {
    return answerPool(0, MemoryPools::instance().find(pool) != nullptr); // it keeps nothing
}

HipError hipMemPoolSetAccess(HipMemoryPool pool, const void* places, std::size_t) {
    return answerPool(0, places && MemoryPools::instance().find(pool) != nullptr); // of the only device
}

HipError hipMemPoolGetAccess(int* access, HipMemoryPool pool, const void* place) {
    constexpr int readAndWrite = 3;
    const bool isThere = access && place && MemoryPools::instance().find(pool) != nullptr;
    if (isThere) {
        *access = readAndWrite;
    }
    return answerPool(0, isThere);
}

HipError hipMallocFromPoolAsync(void** pointer, std::size_t sizeBytes, HipMemoryPool pool, HipStream stream) {
    MemoryPool* const found = MemoryPools::instance().find(pool);
    if (!found) {
        return remember(hipErrorInvalidValue);
    }
    const HipError error = hipMallocAsync(pointer, sizeBytes, stream);
    if (error == hipSuccess && *pointer) {
        found->add(*pointer, sizeBytes);
    }
    return error;
}
