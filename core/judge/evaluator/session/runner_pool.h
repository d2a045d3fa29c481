// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/evaluator/session/runner_session.h"

#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace gks {

// Runner processes before and after their use. Each serves one kernel once. What takes long, loading a vendor's library
// and setting up a device before, tearing it down afterwards, happens here while something else is waited for. All
// calls from the one thread that evaluates: a child dies with the thread that started it.
class RunnerPool {
public:
    RunnerPool();
    ~RunnerPool();

    // Starts processes until `count` of them wait for a take() with this setup.
    Result<void> expect(const RunnerSession::Setup& setup, std::size_t count);
    Result<std::unique_ptr<RunnerSession>> take(const RunnerSession::Setup& setup);
    // Ends a process without waiting for its end.
    void retire(std::unique_ptr<RunnerSession> session);
    void retireIdle();
    // After an evaluation, for the next of the same problem: on a GPU, where getting ready takes longest, the same
    // number of processes again.
    void refill();
    // One for all processes of this setup; their next commands read what it holds then.
    Result<std::shared_ptr<InputSegment>> inputs(const RunnerSession::Setup& setup);
    bool hasIdle() const { return !m_idle.empty(); }

private:
    Result<std::unique_ptr<RunnerSession>> start(const RunnerSession::Setup& setup);
    void bury(const std::stop_token& stop);

    std::shared_ptr<InputSegment> m_inputs;
    std::vector<std::unique_ptr<RunnerSession>> m_idle;
    std::vector<std::pair<RunnerSession::Setup, std::size_t>> m_expected; // since the last refill
    std::mutex m_mutex;                                                   // guards m_retired
    std::condition_variable_any m_changed;
    std::vector<std::unique_ptr<RunnerSession>> m_retired;
    std::jthread m_undertaker; // last: ends before what it uses
};

} // namespace gks
