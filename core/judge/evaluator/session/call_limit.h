// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>

namespace gks {

// Whether a call has used up its time. Time in which the runner was ready to run and had no processor is not the
// kernel's: others had it. A process that spins runs, and one that sleeps is not ready, so neither makes its limit
// longer; nor can device code of the cpu target do anything to get fewer processors, for it makes no system calls. Host
// code could, by its own priority, so that the planner's limit is of time as it passes.
class CallLimit {
public:
    enum class State {
        within,
        over,    // the kernel has used up its time
        starved, // it has not, and so much time has passed that there is no point in waiting; see busyFactor
    };
    // Seconds for which there was no processor, since it was asked first; rises.
    using Waited = std::function<double()>;

    CallLimit(std::chrono::duration<double> limit, Waited waited);
    // To be asked while the call goes on, and first soon after it began: what went before that is the kernel's.
    State state();
    bool isStarved() const { return m_state == State::starved; } // when it was asked last
    // Why a call that is not within its limit was given up; `what` has not happened: "no answer".
    std::string text(std::string_view what) const;

    static State of(double limitSeconds, double passedSeconds, double waitedSeconds);

private:
    std::chrono::duration<double> m_limit;
    Waited m_waited;
    std::chrono::steady_clock::time_point m_begin = std::chrono::steady_clock::now();
    double m_waitedSeconds = 0;
    bool m_isWatched = false;
    State m_state = State::within;
};

// From /proc, of the threads of a process and of all that it started: of the one that had to wait longest for a
// processor. Where the system does not tell it is none.
CallLimit::Waited processorWaits(int pid);

} // namespace gks
