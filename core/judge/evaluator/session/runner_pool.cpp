// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator/session/runner_pool.h"

#include <algorithm>

namespace gks {

RunnerPool::RunnerPool() : m_undertaker([this](const std::stop_token& stop) { bury(stop); }) {}

RunnerPool::~RunnerPool() = default;

Result<std::shared_ptr<InputSegment>> RunnerPool::inputs(const RunnerSession::Setup& setup) {
    if (!m_inputs || m_inputs->memory.bytes().size() != setup.inputBytes) {
        GKS_TRY_ASSIGN(m_inputs, InputSegment::create(setup.inputBytes));
    }
    return m_inputs;
}

Result<std::unique_ptr<RunnerSession>> RunnerPool::start(const RunnerSession::Setup& setup) {
    GKS_TRY_ASSIGN(auto segment, inputs(setup));
    return RunnerSession::start(setup, std::move(segment));
}

Result<void> RunnerPool::expect(const RunnerSession::Setup& setup, std::size_t count) {
    auto there = static_cast<std::size_t>(
        std::count_if(m_idle.begin(), m_idle.end(), [&](const auto& session) { return session->setup() == setup; }));
    for (; there < count; ++there) {
        GKS_TRY_ASSIGN(auto session, start(setup));
        m_idle.push_back(std::move(session));
    }
    m_expected.emplace_back(setup, count);
    return {};
}

void RunnerPool::refill() {
    const auto expected = std::exchange(m_expected, {});
    retireIdle(); // what the evaluation left
    for (const auto& [setup, count] : expected) {
        if (setup.device.target != TargetKind::cpu) {
            (void)expect(setup, count); // the next evaluation tries again, and says what is wrong
        }
    }
    m_expected.clear();
}

Result<std::unique_ptr<RunnerSession>> RunnerPool::take(const RunnerSession::Setup& setup) {
    const auto found = std::find_if(m_idle.begin(), m_idle.end(), [&](const auto& session) {
        return session->setup() == setup && session->isAlive();
    });
    if (found == m_idle.end()) {
        return start(setup);
    }
    auto session = std::move(*found);
    m_idle.erase(found);
    return session;
}

void RunnerPool::retire(std::unique_ptr<RunnerSession> session) {
    if (session) {
        const std::scoped_lock lock(m_mutex);
        m_retired.push_back(std::move(session));
        m_changed.notify_one();
    }
}

void RunnerPool::retireIdle() {
    for (auto& session : std::exchange(m_idle, {})) {
        retire(std::move(session));
    }
    m_expected.clear();
    m_inputs.reset();
}

void RunnerPool::bury(const std::stop_token& stop) {
    std::unique_lock lock(m_mutex);
    while (m_changed.wait(lock, stop, [&] { return !m_retired.empty(); })) {
        auto retired = std::exchange(m_retired, {});
        lock.unlock();
        retired.clear();
        lock.lock();
    }
}

} // namespace gks
