// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>

namespace gks::hipcpu {

enum class MemoryKind : std::uint32_t { device, pinnedHost, managed, registeredHost };

const char* memoryKindName(MemoryKind kind);

struct Allocation {
    char* data = nullptr;
    std::size_t sizeBytes = 0;
    MemoryKind kind = MemoryKind::device;
    unsigned flags = 0;
};

// All memory that the HIP interface has handed out. A buffer ends (rounded up to 256 bytes, as the alignment of its
// start asks) at guard pages and others lie before it, so that a kernel that leaves it faults at once.
class DeviceMemory {
public:
    static DeviceMemory& instance();

    // Null when the system has no memory.
    void* allocate(std::size_t sizeBytes, MemoryKind kind, unsigned flags);
    // False when `data` is not the start of an allocation made by allocate().
    bool release(void* data);
    bool registerHost(void* data, std::size_t sizeBytes, unsigned flags);
    bool unregisterHost(void* data);
    // The allocation that `address` lies in.
    std::optional<Allocation> find(const void* address) const;
    // Whether host code must leave `address` alone: it lies in memory that only the device can reach. Cheap for
    // addresses far from any buffer.
    std::optional<Allocation> findDeviceOnly(const void* address) const;
    std::size_t allocatedBytes() const { return m_allocatedBytes.load(std::memory_order_relaxed); }

    // What the fault handler may ask: the allocation whose mapping, guard pages included, holds `address`.
    // Async-signal-safe.
    bool findMapping(const char* address, Allocation& found) const;

private:
    static constexpr std::size_t pageBytes = 4096;
    static constexpr std::size_t guardBytes = 16 * pageBytes; // a row too far should still hit it
    static constexpr std::size_t alignment = 256;
    static constexpr std::size_t maxReported = 8192;

    // Read by the fault handler without a lock; an allocation beyond the table is only missing from its messages.
    struct Reported {
        std::atomic<char*> mapping{nullptr};
        std::atomic<std::size_t> mappedBytes{0};
        std::atomic<char*> data{nullptr};
        std::atomic<std::size_t> sizeBytes{0};
        std::atomic<MemoryKind> kind{MemoryKind::device};
    };
    struct Entry {
        Allocation allocation;
        char* mapping = nullptr;
        std::size_t mappedBytes = 0;
        Reported* reported = nullptr;
    };

    void report(Entry& entry);

    mutable std::mutex m_mutex;
    std::map<const char*, Entry> m_entries; // by start of data
    std::atomic<std::size_t> m_allocatedBytes{0};
    std::atomic<const char*> m_lowest{nullptr}; // of all device buffers so far
    std::atomic<const char*> m_highest{nullptr};
    Reported m_reported[maxReported];
};

} // namespace gks::hipcpu
