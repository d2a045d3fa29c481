// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/dead_stack.h"

#include "core/hipcpu/runtime/stack_pool.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <pthread.h>
#include <sys/mman.h>

namespace gks::hipcpu {
namespace {

constexpr std::size_t pageBytes = StackPool::pageBytes;
constexpr std::size_t mostPages = 4096;

char* pageOf(char* address) {
    return address - reinterpret_cast<std::uintptr_t>(address) % pageBytes;
}

} // namespace

std::span<const unsigned char> touchedPages(char* begin, std::size_t bytes) {
    // Not a variable of the thread itself: the library is loaded with dlopen() too, where the room for those is small.
    static thread_local const auto storage = std::make_unique<std::array<unsigned char, mostPages>>();
    auto& touched = *storage;
    const std::size_t pages = std::min((bytes + pageBytes - 1) / pageBytes, mostPages);
    return mincore(begin, pages * pageBytes, touched.data()) == 0 ? std::span(touched).first(pages)
                                                                  : std::span<unsigned char>();
}

// Not memset, which a sanitizer watches: frames that were never left through their end are still marked there.
__attribute__((no_sanitize("address"))) void clearBytes(char* begin, const char* end) {
    using Line = std::uint64_t __attribute__((vector_size(64)));
    for (; end - begin >= static_cast<std::ptrdiff_t>(sizeof(Line)); begin += sizeof(Line)) {
        *reinterpret_cast<volatile Line*>(begin) = Line{};
    }
    for (; begin < end; ++begin) {
        *static_cast<volatile char*>(begin) = 0;
    }
}

void DeadStack::setEndOfThisThread() {
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) {
        return;
    }
    void* lowest = nullptr;
    std::size_t bytes = 0;
    if (pthread_attr_getstack(&attributes, &lowest, &bytes) == 0) {
        m_end = pageOf(static_cast<char*>(lowest) + pageBytes - 1);
        m_grows = false;
    }
    pthread_attr_destroy(&attributes);
}

void DeadStack::clear() {
    if (m_top == nullptr) {
        return;
    }
    if (m_grows) { // nothing is mapped right below such a stack
        m_end = m_end == nullptr ? pageOf(m_top) : m_end;
        while (!touchedPages(m_end - pageBytes, pageBytes).empty()) {
            m_end -= pageBytes;
        }
    }
    for (char* begin = m_end; begin < m_top;) {
        const auto touched = touchedPages(begin, static_cast<std::size_t>(m_top - begin));
        for (const unsigned char one : touched) {
            if ((one & 1U) != 0) {
                clearBytes(begin, std::min(begin + pageBytes, m_top));
            }
            begin += pageBytes;
        }
        if (touched.empty()) {
            return;
        }
    }
}

} // namespace gks::hipcpu
