// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace gks::hipcpu {

// Stands in every function of this library that works or waits for its caller: launches, copies, waits, allocations.
// What a thread computes outside of it is the caller's own host code, which on a GPU would not be on the device either.
class TimeInRuntime {
public:
    TimeInRuntime();
    TimeInRuntime(const TimeInRuntime&) = delete;
    TimeInRuntime& operator=(const TimeInRuntime&) = delete;
    ~TimeInRuntime();

    // Processor time of the calling thread in this library so far.
    static std::uint64_t nanoseconds();
};

} // namespace gks::hipcpu
