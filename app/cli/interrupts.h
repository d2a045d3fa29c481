// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <csignal>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>

namespace gks::cli {

// While it lives, SIGTERM, SIGINT and SIGHUP become a stop request instead of the end of the process, so that what is
// finished is stored and no child is left. A second one ends the process as usual. Whoever has not ended in time is
// ended: a person or a batch system that asks for the end gets it, whatever the program waits for. Signals that were
// ignored before (nohup) stay ignored. Threads that are started meanwhile must be started after it.
class Interrupts {
public:
    // What is done last for whoever has not ended in time, on a thread of its own; it gives what there is to say of it.
    struct LastAct {
        std::function<std::string()> act = {};
        std::string unfinished = {}; // what there is to say when it takes too long
    };
    static constexpr std::string_view stopping = "stopping: what is finished is kept";
    // `said` is what a first signal is answered with.
    Interrupts() : Interrupts(LastAct{}) {}
    explicit Interrupts(LastAct lastAct, std::string_view said = stopping);
    Interrupts(const Interrupts&) = delete;
    Interrupts& operator=(const Interrupts&) = delete;
    ~Interrupts();
    std::stop_token token() const { return m_interrupted.get_token(); }
    bool came() const { return m_interrupted.stop_requested(); }

private:
    void watch(const std::stop_token& end);
    void endNow(const std::stop_token& end) const;

    LastAct m_lastAct;
    std::string m_said;
    sigset_t m_signals{};
    sigset_t m_before{};
    std::stop_source m_interrupted;
    std::jthread m_thread;
};

} // namespace gks::cli
