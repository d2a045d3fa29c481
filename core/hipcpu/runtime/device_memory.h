// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>

namespace gks::hipcpu {

class MemoryCheck;

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
//
// Reads past the end of a device buffer are the exception. PyTorch's allocator rounds to 512 bytes and cuts small
// buffers from blocks of 2 MiB, large ones from blocks of that granularity, so many kernels read a little too far and
// nobody notices. The 2 MiB behind a device buffer are zeros that can be read; with HIPCPU_CHECK_READS=1 the first
// such read of each buffer is reported and the kernel goes on. Writes there fault in every case.
class DeviceMemory {
public:
    static DeviceMemory& instance();

    // Null when the system has no memory.
    void* allocate(std::size_t sizeBytes, MemoryKind kind, unsigned flags);
    // Memory that the caller has mapped, for what the fault handler says: `data` lies in it, with guard pages on both
    // sides, and behind it a room for reads like that of allocate(). For the life of the process.
    struct Mapped {
        char* mapping = nullptr;
        std::size_t mappedBytes = 0;
        char* room = nullptr; // of readableBytes, open or not
    };
    void adopt(char* data, std::size_t sizeBytes, const Mapped& mapped);
    static constexpr std::size_t readableBytes = std::size_t{2} << 20; // behind device buffers

    // False when `data` is not the start of an allocation made by allocate().
    bool release(void* data);
    bool registerHost(void* data, std::size_t sizeBytes, unsigned flags);
    bool unregisterHost(void* data);
    // The allocation that `address` lies in.
    std::optional<Allocation> find(const void* address) const;

    // Gives a part of an allocation the name that reports use. At most maxNamed at a time, later ones have none.
    void nameBuffer(const char* data, std::size_t sizeBytes, const char* name);

    // All of it, from now on, too. What is freed then stays as address space, so that whoever uses it is noticed.
    void tell(MemoryCheck& check);

    // What the fault handler may ask: the name of the buffer that ends before `address`, or an empty text.
    struct Named {
        const char* name = "";
        const char* data = nullptr;
        std::size_t sizeBytes = 0;
    };
    Named nameBefore(const char* address) const;
    // Whether `address` lies in the room behind a device buffer, which is open to reads from now on. `isFirst`: it was
    // not before. Async-signal-safe.
    bool openToReads(const char* address, bool& isFirst);

    // What the fault handler may ask: the allocation whose mapping, guard pages included, holds `address`.
    // Async-signal-safe.
    bool findMapping(const char* address, Allocation& found) const;

private:
    static constexpr std::size_t pageBytes = 4096;
    static constexpr std::size_t guardBytes = 16 * pageBytes; // a row too far should still hit it
    static constexpr std::size_t alignment = 256;
    static constexpr std::size_t maxReported = 8192;
    static constexpr std::size_t maxNamed = 64;
    static constexpr std::size_t nameBytes = 24;

    // Read by the fault handler without a lock; an allocation beyond the table is only missing from its messages.
    struct Reported {
        std::atomic<char*> mapping{nullptr};
        std::atomic<std::size_t> mappedBytes{0};
        std::atomic<char*> data{nullptr};
        std::atomic<std::size_t> sizeBytes{0};
        std::atomic<MemoryKind> kind{MemoryKind::device};
        std::atomic<char*> room{nullptr}; // what can be read behind the buffer, or could be
        std::atomic<bool> isRoomOpen{false};
    };
    struct Entry {
        Allocation allocation;
        char* mapping = nullptr;
        std::size_t mappedBytes = 0;
        char* room = nullptr;
        Reported* reported = nullptr;
    };

    void report(Entry& entry);
    enum class Told { inTime, late };
    void tell(const Entry& entry, Told told = Told::inTime);

    struct NamedSlot {
        std::atomic<const char*> data{nullptr};
        std::atomic<std::size_t> sizeBytes{0};
        char name[nameBytes] = {};
    };

    mutable std::mutex m_mutex;
    std::map<const char*, Entry> m_entries; // by start of data
    MemoryCheck* m_check = nullptr;
    std::size_t m_allocations = 0; // told so far
    Reported m_reported[maxReported];
    NamedSlot m_named[maxNamed];
};

} // namespace gks::hipcpu
