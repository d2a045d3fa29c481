// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/memory_check.h"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <sys/mman.h>

namespace gks::hipcpu {
namespace {

constexpr std::size_t freedKept = 2048;
constexpr std::uintptr_t pageBytes = 4096;

// Blocks on several threads write beside each other.
void setByte(unsigned char* at) {
    std::atomic_ref<unsigned char>(*at).store(1, std::memory_order_relaxed);
}

} // namespace

bool anyWritten(const unsigned char* written, std::size_t bytes) {
    if (bytes == sizeof(std::uint32_t)) {
        std::uint32_t all = 0;
        std::memcpy(&all, written, sizeof all);
        return all != 0;
    }
    return std::any_of(written, written + bytes, [](unsigned char one) { return one != 0; });
}

void markEachWritten(unsigned char* written, std::size_t bytes) {
    if (bytes > 64) {
        std::memset(written, 1, bytes);
        return;
    }
    constexpr std::size_t wordBytes = sizeof(std::uint64_t);
    constexpr std::uint64_t allOfWord = std::uint64_t{writtenWord} << 32 | writtenWord;
    std::size_t i = 0;
    for (; i < bytes && reinterpret_cast<std::uintptr_t>(written + i) % wordBytes != 0; ++i) {
        setByte(written + i);
    }
    for (; i + wordBytes <= bytes; i += wordBytes) {
        std::atomic_ref<std::uint64_t>(*reinterpret_cast<std::uint64_t*>(written + i))
            .store(allOfWord, std::memory_order_relaxed);
    }
    for (; i < bytes; ++i) {
        setByte(written + i);
    }
}

MemoryCheck::~MemoryCheck() {
    for (auto& [begin, area] : m_areas) {
        if (unsigned char* const written = area->written) {
            ::munmap(written, area->end - area->begin);
        }
    }
}

bool MemoryCheck::add(const void* begin, std::size_t bytes, const Outer& outer, std::string text, bool isWritten) {
    auto area = std::make_unique<MemoryArea>();
    area->begin = reinterpret_cast<std::uintptr_t>(begin);
    area->end = area->begin + bytes;
    area->outerBegin = outer.begin;
    area->outerEnd = outer.end;
    area->text = std::move(text);
    if (!isWritten) {
        void* const map =
            ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (map == MAP_FAILED) {
            return false;
        }
        area->written = static_cast<unsigned char*>(map);
    }
    const std::unique_lock lock(m_mutex);
    m_areas[outer.begin] = std::move(area);
    ++m_generation;
    return true;
}

MemoryArea* MemoryCheck::at(std::uintptr_t address) const {
    const auto after = m_areas.upper_bound(address);
    if (after == m_areas.begin()) {
        return nullptr;
    }
    MemoryArea* const area = std::prev(after)->second.get();
    return address < area->outerEnd ? area : nullptr;
}

MemoryArea* MemoryCheck::look(Finder& finder, std::uintptr_t address) {
    const std::uintptr_t page = address / pageBytes;
    std::uintptr_t& foreign = finder.m_foreign[page % Finder::pages];
    if (finder.m_generation == m_generation && foreign == page) {
        return nullptr;
    }
    const std::shared_lock lock(m_mutex);
    refresh(finder);
    MemoryArea* const area = at(address);
    if (area == nullptr) {
        foreign = page;
    } else if (area->has(address)) {
        finder.m_areas[finder.m_next++ % Finder::kept] = area;
    }
    return area;
}

MemoryCheck::Outer MemoryCheck::freed(std::uintptr_t begin) {
    const std::unique_lock lock(m_mutex);
    MemoryArea* const area = at(begin);
    if (area == nullptr || area->begin != begin) {
        return {};
    }
    area->isFreed = true;
    m_freed[m_frees++] = area->outerBegin;
    if (m_freed.size() <= freedKept) {
        return {};
    }
    const auto oldest = m_freed.begin();
    const auto found = m_areas.find(oldest->second);
    const Outer outer = {found->second->outerBegin, found->second->outerEnd};
    if (unsigned char* const written = found->second->written.exchange(nullptr)) {
        ::munmap(written, found->second->end - found->second->begin);
    }
    m_areas.erase(found); // no kernel runs while memory is freed: nobody looks at it
    m_freed.erase(oldest);
    ++m_generation;
    return outer;
}

void MemoryCheck::remove(const void* begin) {
    const std::unique_lock lock(m_mutex);
    if (const MemoryArea* const area = at(reinterpret_cast<std::uintptr_t>(begin))) {
        m_areas.erase(area->outerBegin);
        ++m_generation;
    }
}

void MemoryCheck::setWritten(MemoryArea& area, std::uintptr_t address, std::size_t bytes) {
    if (unsigned char* const written = area.unsureBytes()) {
        markWritten(written + (address - area.begin), bytes);
        area.isAllWritten = bytes == area.end - area.begin;
    }
}

void MemoryCheck::write(const void* begin, std::size_t bytes) {
    const auto address = reinterpret_cast<std::uintptr_t>(begin);
    const std::shared_lock lock(m_mutex);
    MemoryArea* const area = at(address);
    if (area != nullptr && area->has(address)) {
        setWritten(*area, address, std::min<std::size_t>(bytes, area->end - address));
    }
}

void MemoryCheck::copy(const void* to, const void* from, std::size_t bytes) {
    const auto source = reinterpret_cast<std::uintptr_t>(from);
    const auto target = reinterpret_cast<std::uintptr_t>(to);
    {
        const std::shared_lock lock(m_mutex);
        MemoryArea* const known = at(source);
        MemoryArea* const into = at(target);
        const unsigned char* const read = known != nullptr && known->has(source) ? known->written.load() : nullptr;
        unsigned char* const write = into != nullptr && into->has(target) ? into->written.load() : nullptr;
        if (read != nullptr && write != nullptr) {
            const std::size_t most = std::min<std::size_t>(known->end - source, into->end - target);
            const std::size_t copied = std::min(bytes, most);
            const unsigned char* const copiedFrom = read + (source - known->begin);
            const bool isWhole = copied == into->end - into->begin || into->isAllWritten;
            into->isAllWritten = isWhole && allWritten(copiedFrom, copied);
            std::memmove(write + (target - into->begin), copiedFrom, copied);
            return;
        }
    }
    this->write(to, bytes);
}

void MemoryCheck::clear(const void* begin) {
    const auto address = reinterpret_cast<std::uintptr_t>(begin);
    const std::shared_lock lock(m_mutex);
    MemoryArea* const area = at(address);
    if (area != nullptr && area->written != nullptr) {
        area->isAllWritten = false;
        ::madvise(area->written, area->end - area->begin, MADV_DONTNEED);
    }
}

void MemoryCheck::trustAll() {
    const std::unique_lock lock(m_mutex);
    for (const auto& [begin, area] : m_areas) {
        if (unsigned char* const written = area->written.load()) {
            std::memset(written, 1, area->end - area->begin);
            area->isAllWritten = true;
        }
    }
}

} // namespace gks::hipcpu
