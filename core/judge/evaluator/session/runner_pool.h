// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/evaluator/session/runner_session.h"

#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace gks {

// Runner processes before, between and after their uses. Each serves one kernel after the other for as long as none has
// broken it. What takes long, loading a vendor's library and setting up a device before, tearing it down afterwards,
// happens here while something else is waited for. All calls from the one thread that evaluates: a child dies with the
// thread that started it.
class RunnerPool {
public:
    RunnerPool();
    ~RunnerPool();

    // Starts processes until `count` of them wait for a take() with this setup; those with another are put away.
    Result<void> expect(const RunnerSession::Setup& setup, std::size_t count);
    // The one that came back last: two that come back and are taken again in the same order change their roles, so that
    // what one process is faster than the other for good favours neither kernel.
    Result<std::unique_ptr<RunnerSession>> take(const RunnerSession::Setup& setup);
    // For the next kernel where the process can serve one; else it ends, and nobody waits for its end.
    void giveBack(std::unique_ptr<RunnerSession> session);
    void retireIdle();
    // After an evaluation, for the next of the same problem: as many processes as that began with.
    void refill();
    bool hasIdle() const { return !m_idle.empty(); }

private:
    Result<std::unique_ptr<RunnerSession>> start(const RunnerSession::Setup& setup);
    Result<std::shared_ptr<InputSegment>> inputs(const RunnerSession::Setup& setup);
    void retire(std::unique_ptr<RunnerSession> session);
    void bury(const std::stop_token& stop);

    std::shared_ptr<InputSegment> m_inputs; // one for all processes of a setup
    std::vector<std::unique_ptr<RunnerSession>> m_idle;
    RunnerSession::Setup m_expected; // last
    std::size_t m_expectedCount = 0;
    std::mutex m_mutex; // guards m_retired
    std::condition_variable_any m_changed;
    std::vector<std::unique_ptr<RunnerSession>> m_retired;
    std::jthread m_undertaker; // last: ends before what it uses
};

} // namespace gks
