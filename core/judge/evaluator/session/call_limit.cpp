// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator/session/call_limit.h"

#include "core/base/elapsed.h"
#include "core/base/files.h"
#include "core/base/process_tree.h"
#include "core/base/quantity.h"
#include "core/judge/time_limit.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <map>
#include <utility>

namespace gks {
namespace {

using Clock = std::chrono::steady_clock;
constexpr double nsPerSecond = 1e9;

// Of a thread, in seconds: what schedstat says, and whether it wants a processor. A wait is counted there once it is
// over.
struct ThreadTimes {
    double ran = 0;
    double waited = 0;
    bool isReady = false;
};

ThreadTimes timesOf(const std::string& thread) {
    const std::string text = readFile(thread + "/schedstat").value_or(std::string());
    const std::string stat = readFile(thread + "/stat").value_or(std::string());
    ThreadTimes times;
    const auto numbers = wordsOf(text);
    for (std::size_t i = 0; i < std::min<std::size_t>(numbers.size(), 2); ++i) {
        double ns = 0;
        std::from_chars(numbers[i].data(), numbers[i].data() + numbers[i].size(), ns);
        (i == 0 ? times.ran : times.waited) = ns / nsPerSecond;
    }
    const std::size_t name = stat.rfind(')'); // which may hold anything
    times.isReady = !numbers.empty() && name != std::string::npos && stat.substr(name + 1).starts_with(" R");
    return times;
}

// What is known of the threads of a process and of all that it started.
class ThreadWatch {
public:
    explicit ThreadWatch(int pid) : m_pid(pid) {}

    double longestWait() {
        double longest = 0;
        for (const std::string& process : processTree(m_pid)) {
            for (const std::string& thread : threadsOf(process)) {
                longest = std::max(longest, waitOf(thread));
            }
        }
        m_isFirst = false;
        return longest;
    }

private:
    struct Seen {
        double waitedBefore = 0; // when it was looked at first
        ThreadTimes times;
        Clock::time_point since; // these have not changed
    };

    double waitOf(const std::string& thread) {
        const ThreadTimes now = timesOf(thread);
        const auto [at, isNew] = m_seen.try_emplace(thread);
        Seen& seen = at->second;
        if (isNew) {
            seen.waitedBefore = m_isFirst ? now.waited : 0;
        }
        if (isNew || seen.times.ran != now.ran || seen.times.waited != now.waited) {
            seen.since = Clock::now();
        }
        seen.times = now;
        return now.waited - seen.waitedBefore + (now.isReady ? secondsSince(seen.since) : 0);
    }

    int m_pid;
    bool m_isFirst = true;
    std::map<std::string, Seen> m_seen; // by the thread's folder
};

} // namespace

CallLimit::CallLimit(std::chrono::duration<double> limit, Waited waited)
    : m_limit(limit), m_waited(std::move(waited)) {}

CallLimit::State CallLimit::of(double limitSeconds, double passedSeconds, double waitedSeconds) {
    if (passedSeconds - waitedSeconds > limitSeconds) {
        return State::over;
    }
    return passedSeconds > busyFactor * limitSeconds ? State::starved : State::within;
}

// A look takes some tenths of a millisecond, and a call that is near its limit does not mind.
CallLimit::State CallLimit::state() {
    const double passedSeconds = secondsSince(m_begin);
    if (!std::exchange(m_isWatched, true) || passedSeconds > m_limit.count() / 2) {
        m_waitedSeconds = m_waited();
    }
    m_state = of(m_limit.count(), passedSeconds, m_waitedSeconds);
    return m_state;
}

std::string CallLimit::text(std::string_view what) const {
    return isStarved() ? fmt::format("the machine was too busy: {} within {} s, and for {} of them its process waited "
                                     "for a processor",
                                     what, busyFactor * m_limit.count(), formatSeconds(m_waitedSeconds))
                       : fmt::format("{} within {} s", what, m_limit.count());
}

CallLimit::Waited processorWaits(int pid) {
    return [watch = ThreadWatch(pid)]() mutable { return watch.longestWait(); };
}

} // namespace gks
