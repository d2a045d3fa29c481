// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/device_memory.h"

#include "core/hipcpu/runtime/memory_check.h"
#include "core/hipcpu/runtime/settings.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <sys/mman.h>
#include <utility>

namespace gks::hipcpu {

const char* memoryKindName(MemoryKind kind) {
    switch (kind) {
    case MemoryKind::device:
        return "hipMalloc";
    case MemoryKind::pinnedHost:
        return "hipHostMalloc";
    case MemoryKind::managed:
        return "hipMallocManaged";
    case MemoryKind::registeredHost:
        return "hipHostRegister";
    }
    return "unknown";
}

DeviceMemory& DeviceMemory::instance() {
    // Never destroyed: kernels and the fault handler may outlive static destruction.
    static auto* memory = new DeviceMemory;
    return *memory;
}

void DeviceMemory::report(Entry& entry) {
    for (Reported& slot : m_reported) {
        if (slot.mapping.load(std::memory_order_relaxed) == nullptr) {
            slot.mappedBytes = entry.mappedBytes;
            slot.data = entry.allocation.data;
            slot.sizeBytes = entry.allocation.sizeBytes;
            slot.kind = entry.allocation.kind;
            slot.room = entry.room;
            slot.isRoomOpen = false;
            slot.mapping = entry.mapping;
            entry.reported = &slot;
            return;
        }
    }
}

void* DeviceMemory::allocate(std::size_t sizeBytes, MemoryKind kind, unsigned flags) {
    const std::size_t rounded = (sizeBytes + alignment - 1) / alignment * alignment;
    const std::size_t pages = (rounded + pageBytes - 1) / pageBytes * pageBytes;
    std::size_t roomBytes = kind == MemoryKind::device ? readableBytes : 0;
    std::size_t mappedBytes = pages + 2 * guardBytes + roomBytes;
    if (rounded < sizeBytes || mappedBytes < rounded) {
        return nullptr;
    }
    const auto mapped = [&] {
        return mmap(nullptr, mappedBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    };
    void* mapping = mapped();
    if (mapping == MAP_FAILED && roomBytes > 0) { // address space is short: the room is the first to go
        mappedBytes -= std::exchange(roomBytes, 0);
        mapping = mapped();
    }
    if (mapping == MAP_FAILED) {
        return nullptr;
    }
    char* begin = static_cast<char*>(mapping) + guardBytes;
    const bool isOpen =
        roomBytes == 0 || Settings::instance().checkReads || mprotect(begin + pages, roomBytes, PROT_READ) == 0;
    if (!isOpen || mprotect(begin, pages, PROT_READ | PROT_WRITE) != 0) {
        munmap(mapping, mappedBytes);
        return nullptr;
    }
    Entry entry{{begin + pages - rounded, sizeBytes, kind, flags},
                static_cast<char*>(mapping),
                mappedBytes,
                roomBytes > 0 ? begin + pages : nullptr,
                nullptr};
    const std::lock_guard lock(m_mutex);
    report(entry);
    m_entries.emplace(entry.allocation.data, entry);
    tell(entry);
    return entry.allocation.data;
}

void DeviceMemory::tell(MemoryCheck& check) {
    const std::lock_guard lock(m_mutex);
    m_check = &check;
    for (const auto& [data, entry] : m_entries) {
        tell(entry, Told::late);
    }
}

// The host writes what it can see whenever it likes. What has been written before a module with checked code was loaded
// is not known.
void DeviceMemory::tell(const Entry& entry, Told told) {
    if (m_check == nullptr) {
        return;
    }
    const Allocation& what = entry.allocation;
    const auto begin = reinterpret_cast<std::uintptr_t>(entry.mapping != nullptr ? entry.mapping : what.data);
    const std::size_t bytes = entry.mapping != nullptr ? entry.mappedBytes : what.sizeBytes;
    m_check->add(what.data, what.sizeBytes, {begin, begin + bytes},
                 "a " + std::to_string(what.sizeBytes) + "-byte " + memoryKindName(what.kind) + " buffer (allocation " +
                     std::to_string(++m_allocations) + ")",
                 what.kind != MemoryKind::device || told == Told::late);
}

void DeviceMemory::adopt(char* data, std::size_t sizeBytes, const Mapped& mapped) {
    Entry entry{{data, sizeBytes, MemoryKind::device, 0}, mapped.mapping, mapped.mappedBytes, mapped.room, nullptr};
    const std::lock_guard lock(m_mutex);
    report(entry);
}

bool DeviceMemory::release(void* data) {
    const std::lock_guard lock(m_mutex);
    const auto found = m_entries.find(static_cast<const char*>(data));
    if (found == m_entries.end() || !found->second.mapping) {
        return false;
    }
    const Entry& entry = found->second;
    if (entry.reported) {
        entry.reported->mapping = nullptr;
    }
    for (NamedSlot& slot : m_named) {
        if (slot.data >= entry.mapping && slot.data < entry.mapping + entry.mappedBytes) {
            slot.data = nullptr;
        }
    }
    if (m_check != nullptr) {
        mprotect(entry.mapping, entry.mappedBytes, PROT_NONE);
        madvise(entry.mapping, entry.mappedBytes, MADV_DONTNEED);
        m_check->free(entry.allocation.data, munmap);
    } else {
        munmap(entry.mapping, entry.mappedBytes);
    }
    m_entries.erase(found);
    return true;
}

bool DeviceMemory::registerHost(void* data, std::size_t sizeBytes, unsigned flags) {
    const std::lock_guard lock(m_mutex);
    const Entry entry{
        {static_cast<char*>(data), sizeBytes, MemoryKind::registeredHost, flags}, nullptr, 0, nullptr, nullptr};
    const bool isNew = m_entries.emplace(static_cast<const char*>(data), entry).second;
    if (isNew) {
        tell(entry);
    }
    return isNew;
}

bool DeviceMemory::unregisterHost(void* data) {
    const std::lock_guard lock(m_mutex);
    const auto found = m_entries.find(static_cast<const char*>(data));
    if (found == m_entries.end() || found->second.mapping) {
        return false;
    }
    m_entries.erase(found);
    if (m_check != nullptr) {
        m_check->remove(data);
    }
    return true;
}

std::optional<Allocation> DeviceMemory::find(const void* address) const {
    const std::lock_guard lock(m_mutex);
    auto after = m_entries.upper_bound(static_cast<const char*>(address));
    if (after == m_entries.begin()) {
        return std::nullopt;
    }
    const Allocation& candidate = std::prev(after)->second.allocation;
    const auto offset = static_cast<std::size_t>(static_cast<const char*>(address) - candidate.data);
    if (offset >= candidate.sizeBytes && offset != 0) {
        return std::nullopt;
    }
    return candidate;
}

void DeviceMemory::nameBuffer(const char* data, std::size_t sizeBytes, const char* name) {
    const std::lock_guard lock(m_mutex);
    for (NamedSlot& slot : m_named) {
        if (slot.data == nullptr) {
            std::strncpy(slot.name, name, nameBytes - 1);
            slot.sizeBytes = sizeBytes;
            slot.data = data;
            return;
        }
    }
}

DeviceMemory::Named DeviceMemory::nameBefore(const char* address) const {
    Named nearest;
    for (const NamedSlot& slot : m_named) {
        const char* const data = slot.data;
        if (data != nullptr && data <= address && data >= nearest.data) {
            nearest = {slot.name, data, slot.sizeBytes};
        }
    }
    return nearest;
}

bool DeviceMemory::openToReads(const char* address, bool& isFirst) {
    for (Reported& slot : m_reported) {
        char* const room = slot.room;
        if (slot.mapping != nullptr && room != nullptr && address >= room && address < room + readableBytes) {
            const bool isOpen = mprotect(room, readableBytes, PROT_READ) == 0;
            isFirst = isOpen && !slot.isRoomOpen.exchange(true);
            return isOpen;
        }
    }
    return false;
}

bool DeviceMemory::findMapping(const char* address, Allocation& found) const {
    for (const Reported& slot : m_reported) {
        char* mapping = slot.mapping;
        if (mapping && address >= mapping && address < mapping + slot.mappedBytes) {
            found = {slot.data, slot.sizeBytes, slot.kind, 0};
            return true;
        }
    }
    return false;
}

} // namespace gks::hipcpu
