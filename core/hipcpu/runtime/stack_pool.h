// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <vector>

namespace gks::hipcpu {

// The fibre stacks of one worker. Each has a guard page below it, but for those of a process that has very many.
// Stacks are an odd number of pages apart and their tops are coloured inside the page, so that the hot ends of a
// thousand stacks do not share a few cache sets.
class StackPool {
public:
    static constexpr std::size_t pageBytes = 4096;
    static constexpr std::size_t stackBytes = 33 * pageBytes; // the lowest page is the guard

    // The highest address of a free stack. Ends the process with a message when the system has no memory.
    char* take();
    void giveBack(char* top) { m_free.push_back(top); }
    // While none is taken: nothing is left there of what threads had on their stacks.
    void clear();
    // Whether `address` lies in the guard page of one of these stacks. Async-signal-safe.
    bool isGuard(const char* address) const;

private:
    static constexpr std::size_t stacksPerArena = 64;
    static constexpr std::size_t maxArenas = 20;

    char* topOf(std::size_t arena, std::size_t stack) const;

    std::vector<char*> m_free;
    char* m_arenas[maxArenas] = {};
    std::size_t m_arenaCount = 0;
    std::size_t m_usedInArena = stacksPerArena;
};

} // namespace gks::hipcpu
