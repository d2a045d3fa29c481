// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace gks::hipcpu {

// HIP's hipMemPoolAttr.
enum class PoolAttribute : int {
    followsEvents = 1, // the first three are ints
    isOpportunistic,
    addsDependencies,
    releaseThreshold, // from here on 64 bits
    reservedBytes,
    mostReservedBytes,
    usedBytes,
    mostUsedBytes,
};

// What hipMemPool_t points to. Memory is the process's own and goes back at once when it is freed: a pool knows what
// was asked of it and what of that is still there, and keeps nothing for later.
class MemoryPool {
public:
    void add(void* data, std::size_t sizeBytes);
    bool set(PoolAttribute attribute, const void* value);
    bool get(PoolAttribute attribute, void* value);

private:
    std::uint64_t usedBytes();

    std::mutex m_mutex;
    std::map<void*, std::size_t> m_buffers; // some of them freed since
    std::uint64_t m_mostUsedBytes = 0;
    std::uint64_t m_releaseThresholdBytes = 0;
    int m_reuses[3] = {1, 1, 1};
};

// All pools of the process; one is the device's own.
class MemoryPools {
public:
    static MemoryPools& instance();

    MemoryPool* make();
    bool end(MemoryPool* pool); // false for one that there is not, and for the device's own
    MemoryPool* find(MemoryPool* pool);
    MemoryPool* own() { return &m_own; }
    MemoryPool* current();
    bool choose(MemoryPool* pool);

private:
    std::mutex m_mutex;
    MemoryPool m_own;
    MemoryPool* m_current = &m_own;
    std::vector<std::unique_ptr<MemoryPool>> m_made;
};

} // namespace gks::hipcpu
