// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/time_in_runtime.h"

#include "core/hipcpu/runtime/hip_api.h"

#include <ctime>

namespace gks::hipcpu {
namespace {

struct Spent {
    std::uint64_t totalNs = 0;
    std::uint64_t enteredNs = 0;
    unsigned depth = 0; // functions of the library call each other
};
thread_local Spent spent;

// Processor time: what another process takes from this one is neither's.
std::uint64_t threadNs() {
    timespec now = {};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000U + static_cast<std::uint64_t>(now.tv_nsec);
}

} // namespace

TimeInRuntime::TimeInRuntime() {
    if (spent.depth++ == 0) {
        spent.enteredNs = threadNs();
    }
}

TimeInRuntime::~TimeInRuntime() {
    if (--spent.depth == 0) {
        spent.totalNs += threadNs() - spent.enteredNs;
    }
}

std::uint64_t TimeInRuntime::nanoseconds() {
    return spent.totalNs;
}

} // namespace gks::hipcpu

std::uint64_t __hipTimeInRuntime() {
    return gks::hipcpu::TimeInRuntime::nanoseconds();
}
