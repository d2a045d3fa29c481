// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>

namespace gks::hipcpu {

// Which pages from `begin` on were ever touched: of the others nothing has to be cleared. Odd numbers say yes; empty
// where the system has mapped nothing. Valid until the next call on this thread.
std::span<const unsigned char> touchedPages(char* begin, std::size_t bytes);

// From a page on.
void clearBytes(char* begin, const char* end);

// What device code leaves on the stack of a thread that runs blocks: memory below the place where it ran, while it does
// not run.
class DeadStack {
public:
    // Device code runs with so much room above it, in which the thread waits and this is cleared.
    static constexpr std::size_t gapBytes = 4096;

    // Called by the thread itself, one of the pool: its stack ends there. Without it the stack grows as a program's
    // first one does.
    void setEndOfThisThread();
    void deviceCodeRunsBelow(char* top) { m_top = top > m_top ? top : m_top; }
    void clear();

private:
    char* m_end = nullptr; // the lowest address that may be in use
    bool m_grows = true;
    char* m_top = nullptr;
};

} // namespace gks::hipcpu
