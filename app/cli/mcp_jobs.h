// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

namespace gks::cli {

// What takes longer than a client waits: one after the other, since a measurement wants the machine for itself. A
// handle is given at once, and the result is kept under it.
class McpJobs {
public:
    using Tell = std::function<void(std::string stage)>; // what is being done now
    using Work = std::function<Result<std::string>(const Tell& tell, const std::stop_token& stop)>;
    struct State {
        std::string what; // "evaluate"
        std::string stage;
        bool isBegun = false;
        std::optional<Result<std::string>> result; // set: it is over
    };

    McpJobs();
    ~McpJobs(); // cancels what is being done

    // The handle; an error when too much waits.
    Result<std::string> start(std::string what, Work work);
    // Waits for the end, so long at most; then as it is.
    Result<State> waitFor(const std::string& handle, double seconds, const std::stop_token& stop);

private:
    struct Job {
        State state;
        Work work;
    };
    void serve(const std::stop_token& stop);

    std::mutex m_mutex;
    std::condition_variable_any m_changed;
    std::map<std::int64_t, Job> m_jobs; // by number
    std::deque<std::int64_t> m_waiting;
    std::int64_t m_last = 0;
    std::jthread m_thread; // last: ends before what it uses
};

} // namespace gks::cli
