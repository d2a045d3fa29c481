// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/stack_pool.h"

#include "core/hipcpu/runtime/dead_stack.h"
#include "core/hipcpu/runtime/fault_handler.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <sys/mman.h>

namespace gks::hipcpu {

namespace {

constexpr std::size_t colourStepBytes = 320;

// Each guard takes two of the system's mappings of a process, 65530 where nobody has changed that. The rest is for
// stacks and all other memory.
constexpr std::uint32_t mostGuards = 1U << 14;
std::atomic<std::uint32_t> guards{0};

} // namespace

char* StackPool::take() {
    if (!m_free.empty()) {
        char* top = m_free.back();
        m_free.pop_back();
        return top;
    }
    if (m_usedInArena == stacksPerArena) {
        void* arena = m_arenaCount == maxArenas ? MAP_FAILED
                                                : mmap(nullptr, stacksPerArena * stackBytes, PROT_READ | PROT_WRITE,
                                                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (arena == MAP_FAILED) {
            failProcess("no memory for the stacks of a block's threads");
        }
        m_arenas[m_arenaCount++] = static_cast<char*>(arena);
        m_usedInArena = 0;
    }
    char* base = m_arenas[m_arenaCount - 1] + m_usedInArena++ * stackBytes;
    // Stacks beyond these, of a large cooperative launch or of very many processors, go without a guard.
    if (guards.fetch_add(1, std::memory_order_relaxed) < mostGuards) {
        mprotect(base, pageBytes, PROT_NONE);
    }
    return topOf(m_arenaCount - 1, m_usedInArena - 1);
}

char* StackPool::topOf(std::size_t arena, std::size_t stack) const {
    const std::size_t colour = (arena * stacksPerArena + stack + 1) * colourStepBytes % pageBytes;
    return m_arenas[arena] + (stack + 1) * stackBytes - colour;
}

void StackPool::clear() {
    for (std::size_t i = 0; i < m_arenaCount; ++i) {
        const std::size_t used = i + 1 == m_arenaCount ? m_usedInArena : stacksPerArena;
        const auto touched = touchedPages(m_arenas[i], used * stackBytes);
        for (std::size_t page = 0; page < touched.size(); ++page) {
            if ((touched[page] & 1U) != 0) {
                char* const begin = m_arenas[i] + page * pageBytes;
                clearBytes(begin, std::min(begin + pageBytes, topOf(i, page * pageBytes / stackBytes)));
            }
        }
    }
}

bool StackPool::isGuard(const char* address) const {
    for (std::size_t i = 0; i < m_arenaCount; ++i) {
        if (address >= m_arenas[i] && address < m_arenas[i] + stacksPerArena * stackBytes) {
            return static_cast<std::size_t>(address - m_arenas[i]) % stackBytes < pageBytes;
        }
    }
    return false;
}

} // namespace gks::hipcpu
