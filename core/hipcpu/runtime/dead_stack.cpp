// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/dead_stack.h"

#include "core/hipcpu/runtime/stack_pool.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <pthread.h>
#include <sys/mman.h>

namespace gks::hipcpu {
namespace {

constexpr std::size_t pageBytes = StackPool::pageBytes;
constexpr std::size_t pagesAtOnce = 4096;

char* pageOf(char* address) {
    return address - reinterpret_cast<std::uintptr_t>(address) % pageBytes;
}

// Not memset, which a sanitizer watches: frames that were never left through their end are still marked there.
__attribute__((no_sanitize("address"))) void zero(char* begin, const char* end) {
    for (; begin < end; begin += sizeof(std::uint64_t)) {
        *reinterpret_cast<volatile std::uint64_t*>(begin) = 0;
    }
}

} // namespace

bool clearTouched(char* begin, const char* end) {
    static thread_local std::array<unsigned char, pagesAtOnce> isTouched;
    while (begin < end) {
        const std::size_t bytes = std::min(static_cast<std::size_t>(end - begin), pagesAtOnce * pageBytes);
        if (mincore(begin, bytes, isTouched.data()) != 0) {
            return false;
        }
        for (std::size_t page = 0; page * pageBytes < bytes; ++page) {
            if ((isTouched[page] & 1U) != 0) {
                char* const first = begin + page * pageBytes;
                zero(first, std::min<const char*>(first + pageBytes, end));
            }
        }
        begin += bytes;
    }
    return true;
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
        unsigned char ignored = 0;
        m_end = m_end == nullptr ? pageOf(m_top) : m_end;
        while (mincore(m_end - pageBytes, pageBytes, &ignored) == 0) {
            m_end -= pageBytes;
        }
    }
    clearTouched(m_end, m_top);
}

} // namespace gks::hipcpu
