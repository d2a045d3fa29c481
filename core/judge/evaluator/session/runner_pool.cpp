// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator/session/runner_pool.h"

#include <algorithm>
#include <iterator>

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
    m_expected = setup;
    m_expectedCount = count;
    const auto other = std::stable_partition(m_idle.begin(), m_idle.end(), [&](const auto& session) {
        return session->setup() == setup && session->isAlive();
    });
    std::for_each(other, m_idle.end(), [this](auto& session) { retire(std::move(session)); });
    m_idle.erase(other, m_idle.end());
    while (m_idle.size() < count) {
        GKS_TRY_ASSIGN(auto session, start(setup));
        m_idle.push_back(std::move(session));
    }
    return {};
}

void RunnerPool::refill() {
    if (m_expectedCount > 0) {
        (void)expect(m_expected, m_expectedCount); // the next evaluation tries again, and says what is wrong
    }
}

Result<std::unique_ptr<RunnerSession>> RunnerPool::take(const RunnerSession::Setup& setup) {
    const auto found = std::find_if(m_idle.rbegin(), m_idle.rend(), [&](const auto& session) {
        return session->setup() == setup && session->isAlive();
    });
    if (found == m_idle.rend()) {
        return start(setup);
    }
    auto session = std::move(*found);
    m_idle.erase(std::next(found).base());
    return session;
}

void RunnerPool::giveBack(std::unique_ptr<RunnerSession> session) {
    if (session && session->unload()) {
        m_idle.push_back(std::move(session));
    } else {
        retire(std::move(session));
    }
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
    m_expectedCount = 0;
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
