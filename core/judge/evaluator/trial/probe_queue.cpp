// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator/trial/probe_queue.h"

#include "core/judge/evaluator/trial/lots.h"

#include <utility>

namespace gks {
namespace {

constexpr std::size_t waitingLimit = 512;              // some kilobytes each
constexpr std::chrono::milliseconds patienceAtEnd(50); // of a shape and round
constexpr int fewestProbed = 2;

} // namespace

ProbeQueue::ProbeQueue(const OutputCheck& check, const CaseLayout& layout, const InputSource& source,
                       std::shared_ptr<ExpectedOutputs>& standing)
    : m_check(check)
    , m_layout(layout)
    , m_source(source)
    , m_standing(standing)
    , m_thread([this](const std::stop_token& stop) { work(stop); }) {}

void ProbeQueue::add(Calls calls) {
    const std::scoped_lock lock(m_mutex);
    if (m_waiting.size() < waitingLimit) {
        m_waiting.push_back(std::move(calls));
    } else {
        m_waiting[randomBelow(m_waiting.size())] = std::move(calls);
    }
    m_changed.notify_one();
}

Result<ProbeQueue::Report> ProbeQueue::finish() {
    {
        const std::scoped_lock lock(m_mutex);
        m_end = Clock::now() + patienceAtEnd;
        m_changed.notify_one();
    }
    m_thread.join();
    GKS_TRY(m_done);
    return std::move(m_report);
}

void ProbeQueue::work(const std::stop_token& stop) {
    while (m_done && !m_report.failure) {
        auto calls = next(stop);
        if (!calls) {
            return;
        }
        m_done = compare(std::move(*calls));
    }
}

// Any of those that wait.
std::optional<ProbeQueue::Calls> ProbeQueue::next(const std::stop_token& stop) {
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, stop, [this] { return m_end || !m_waiting.empty(); });
    const bool isLate = m_end && Clock::now() > *m_end && m_report.calls >= fewestProbed;
    if (stop.stop_requested() || isLate || m_waiting.empty()) {
        return std::nullopt;
    }
    std::swap(m_waiting[randomBelow(m_waiting.size())], m_waiting.back());
    Calls calls = std::move(m_waiting.back());
    m_waiting.pop_back();
    return calls;
}

Result<void> ProbeQueue::compare(Calls calls) {
    GKS_TRY_ASSIGN(const auto expected, m_check.expect(m_layout, m_source, calls.choice, calls.selection, m_standing));
    for (const Outputs& outputs : calls.outputs) {
        GKS_TRY_ASSIGN(auto outcome, m_check.check(m_layout, expected, outputs.gathered));
        if (!outputs.ofBaseline) {
            m_report.calls += 1;
            m_report.comparison += outcome.comparison;
        }
        if (!outcome.text.empty()) {
            const bool ofBaseline = outputs.ofBaseline;
            m_report.failure = Failure{std::move(calls), ofBaseline, std::move(outcome)};
            return {};
        }
    }
    return {};
}

} // namespace gks
