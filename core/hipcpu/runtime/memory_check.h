// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <shared_mutex>
#include <string>

namespace gks::hipcpu {

// A piece of memory that device code may touch.
struct MemoryArea {
    std::atomic<std::uintptr_t> begin{0};
    std::atomic<std::uintptr_t> end{0};
    // Nothing else lies between these: an address there is meant for this memory.
    std::uintptr_t outerBegin = 0;
    std::uintptr_t outerEnd = 0;
    std::string text; // "a 400-byte hipMalloc buffer (allocation 2)"
    std::atomic<bool> isFreed{false};
    std::atomic<unsigned char*> written{
        nullptr};                          // a byte for each, 0: nobody has written it; null: all counts as written
    std::atomic<bool> isAllWritten{false}; // whatever lies in `written` need not be looked at

    // Null: every byte counts as written.
    unsigned char* unsureBytes() const {
        return isAllWritten.load(std::memory_order_relaxed) ? nullptr : written.load(std::memory_order_relaxed);
    }
    bool has(std::uintptr_t address) const {
        return address - begin.load(std::memory_order_relaxed) <
               end.load(std::memory_order_relaxed) - begin.load(std::memory_order_relaxed);
    }
};

// Which memory there is and what of it has been written: a byte for a byte, as address space that takes memory where it
// is touched. Of freed memory the last few are known as such.
class MemoryCheck {
public:
    MemoryCheck() = default;
    ~MemoryCheck();
    MemoryCheck(const MemoryCheck&) = delete;
    MemoryCheck& operator=(const MemoryCheck&) = delete;

    struct Outer {
        std::uintptr_t begin = 0;
        std::uintptr_t end = 0;
    };
    // False when the system has no address space. `isWritten`: whatever lies there may be read.
    bool add(const void* begin, std::size_t bytes, const Outer& outer, std::string text, bool isWritten);
    // Calls back for what is so long ago that it is no longer known.
    template<class Forget>
    void free(const void* begin, Forget forget) {
        if (const Outer old = freed(reinterpret_cast<std::uintptr_t>(begin)); old.begin != 0) {
            forget(reinterpret_cast<void*>(old.begin), old.end - old.begin);
        }
    }

    // As if it had never been; while no device code runs.
    void remove(const void* begin);

    // Of whichever area the address lies in; else nothing happens.
    void write(const void* begin, std::size_t bytes);
    void copy(const void* to, const void* from, std::size_t bytes);
    // As if nobody had written it yet.
    void clear(const void* begin);
    // Whatever writes there is not known.
    void trustAll();

    // What one thread of the operating system has found last.
    class Finder {
        friend class MemoryCheck;
        static constexpr std::size_t kept = 4;
        static constexpr std::size_t pages = 64;
        std::array<MemoryArea*, kept> m_areas = {};
        std::size_t m_next = 0;
        std::array<std::uintptr_t, pages> m_foreign = {}; // pages without an area
        std::uint64_t m_generation = 0;
    };
    // Before device code runs: what is erased is erased while none does.
    void refresh(Finder& finder) const {
        if (finder.m_generation != m_generation) {
            finder = {};
            finder.m_generation = m_generation;
        }
    }
    // Null: the address is meant for none.
    MemoryArea* find(Finder& finder, std::uintptr_t address) {
        for (MemoryArea* area : finder.m_areas) {
            if (area != nullptr && area->has(address)) {
                return area;
            }
        }
        return look(finder, address);
    }
    template<class Take>
    void forEach(Take take) const {
        const std::shared_lock lock(m_mutex);
        for (const auto& [begin, area] : m_areas) {
            if (!area->isFreed) {
                take(*area);
            }
        }
    }

    static void setWritten(MemoryArea& area, std::uintptr_t address, std::size_t bytes);

private:
    MemoryArea* look(Finder& finder, std::uintptr_t address);
    MemoryArea* at(std::uintptr_t address) const; // under the lock
    Outer freed(std::uintptr_t begin);

    mutable std::shared_mutex m_mutex;
    std::map<std::uintptr_t, std::unique_ptr<MemoryArea>> m_areas; // by outer begin
    std::map<std::uint64_t, std::uintptr_t> m_freed;               // outer begins in the order in which they were freed
    std::uint64_t m_frees = 0;
    std::atomic<std::uint64_t> m_generation{1};
};

// Of bytes beside each other in a map of written bytes.
bool anyWritten(const unsigned char* written, std::size_t bytes);
void markEachWritten(unsigned char* written, std::size_t bytes);
inline constexpr std::uint32_t writtenWord = 0x01010101;
inline bool allWritten(const unsigned char* written, std::size_t bytes) {
    if (bytes == sizeof writtenWord) {
        std::uint32_t word = 0;
        std::memcpy(&word, written, sizeof word);
        return word == writtenWord;
    }
    constexpr std::uint64_t writtenWords = std::uint64_t{writtenWord} << 32 | writtenWord;
    if (bytes >= sizeof writtenWords && bytes <= 256) { // of a wave of threads: no call
        std::uint64_t all = writtenWords;
        const auto take = [&](std::size_t at) {
            std::uint64_t some = 0;
            std::memcpy(&some, written + at, sizeof some);
            all &= some;
        };
        for (std::size_t i = 0; i + sizeof writtenWords <= bytes; i += sizeof writtenWords) {
            take(i);
        }
        take(bytes - sizeof writtenWords);
        return all == writtenWords;
    }
    return std::memchr(written, 0, bytes) == nullptr;
}
inline void markWritten(unsigned char* written, std::size_t bytes) {
    if (bytes == sizeof writtenWord && reinterpret_cast<std::uintptr_t>(written) % sizeof writtenWord == 0) {
        std::atomic_ref<std::uint32_t>(*reinterpret_cast<std::uint32_t*>(written))
            .store(writtenWord, std::memory_order_relaxed);
        return;
    }
    markEachWritten(written, bytes);
}

} // namespace gks::hipcpu
