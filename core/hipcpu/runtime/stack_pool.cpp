// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/stack_pool.h"

#include "core/hipcpu/runtime/dead_stack.h"
#include "core/hipcpu/runtime/fault_handler.h"

#include <sys/mman.h>

namespace gks::hipcpu {

namespace {
constexpr std::size_t colourStepBytes = 320;
}

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
    // A kernel limit on mappings may refuse this on machines with very many processors; the stack then goes without a
    // guard.
    mprotect(base, pageBytes, PROT_NONE);
    return base + stackBytes - (++m_coloured * colourStepBytes) % pageBytes;
}

void StackPool::clear() {
    for (std::size_t i = 0; i < m_arenaCount; ++i) {
        const std::size_t used = i + 1 == m_arenaCount ? m_usedInArena : stacksPerArena;
        clearTouched(m_arenas[i], m_arenas[i] + used * stackBytes);
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
