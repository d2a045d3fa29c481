// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hipcpu/runtime/stack_pool.h"

#include <cstdint>
#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace gks::hipcpu {

// Tells the address sanitizer of every switch to another stack; nothing in other builds. GCC's keeps no frames beside
// the stack (detect_stack_use_after_return is off), so none has to be handed over. Belongs to one executor, and so to
// one operating system thread.
class FibreSanitizer {
public:
#if defined(__SANITIZE_ADDRESS__)
    // Before the switch from the thread's own stack to the first fibre's.
    void begin(char* fibreTop) {
        m_callerBottom = nullptr;
        leaveFor(fibreTop);
    }
    void leaveFor(char* fibreTop) {
        m_leaving = true;
        __sanitizer_start_switch_fiber(nullptr, bottomOf(fibreTop), usableBytes);
    }
    void leaveForCaller() {
        m_leaving = true;
        __sanitizer_start_switch_fiber(nullptr, m_callerBottom, m_callerBytes);
    }
    // First on the stack that was switched to; does nothing where there was no switch.
    void arrive() {
        if (!m_leaving) {
            return;
        }
        m_leaving = false;
        const void* bottom = nullptr;
        std::size_t bytes = 0;
        __sanitizer_finish_switch_fiber(nullptr, &bottom, &bytes);
        if (m_callerBottom == nullptr) {
            m_callerBottom = bottom;
            m_callerBytes = bytes;
        }
    }
    // A stack that was left for good keeps the marks of the frames on it.
    static void clear(char* fibreTop) { __asan_unpoison_memory_region(bottomOf(fibreTop), usableBytes); }

private:
    static constexpr std::size_t usableBytes = StackPool::stackBytes - StackPool::pageBytes;
    static char* bottomOf(char* fibreTop) {
        const auto address = reinterpret_cast<std::uintptr_t>(fibreTop);
        const std::size_t colour = (StackPool::pageBytes - address % StackPool::pageBytes) % StackPool::pageBytes;
        return fibreTop + colour - usableBytes;
    }

    bool m_leaving = false;
    const void* m_callerBottom = nullptr;
    std::size_t m_callerBytes = 0;
#else
    void begin(char*) {}
    void leaveFor(char*) {}
    void leaveForCaller() {}
    void arrive() {}
    static void clear(char*) {}
#endif
};

} // namespace gks::hipcpu
