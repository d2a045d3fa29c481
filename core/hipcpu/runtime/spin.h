// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <chrono>
#include <sched.h>

namespace gks::hipcpu {

// How long a thread looks for work or a result before it sleeps. Waking a sleeper costs about as much.
inline constexpr std::chrono::microseconds spinTime{30};

inline void pauseProcessor() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

// Looks at `done` until it is true or spinTime has passed; returns what it last was.
template<class Predicate>
bool spinUntil(Predicate done) {
    constexpr int looksPerClock = 32;
    const auto end = std::chrono::steady_clock::now() + spinTime;
    do {
        for (int look = 0; look < looksPerClock; ++look) {
            if (done()) {
                return true;
            }
            pauseProcessor();
        }
    } while (std::chrono::steady_clock::now() < end);
    return done();
}

// For a few instructions at a time.
class SpinLock {
public:
    explicit SpinLock(std::atomic_flag& flag) : m_flag(flag) {}
    void lock() {
        for (int looks = 0; m_flag.test_and_set(std::memory_order_acquire); ++looks) {
            if (looks < looksBeforeOthers) {
                pauseProcessor();
            } else {
                ::sched_yield();
            }
        }
    }
    void unlock() { m_flag.clear(std::memory_order_release); }

private:
    static constexpr int looksBeforeOthers = 64;
    std::atomic_flag& m_flag;
};

} // namespace gks::hipcpu
