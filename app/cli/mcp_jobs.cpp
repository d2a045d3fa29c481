// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/mcp_jobs.h"

#include <charconv>
#include <chrono>
#include <fmt/format.h>
#include <string_view>

namespace gks::cli {
namespace {

constexpr std::string_view jobPrefix = "job-";
constexpr std::size_t mostWaitingJobs = 8;
constexpr std::size_t mostKeptJobs = 64; // the oldest result goes

std::int64_t jobNumber(std::string_view handle) {
    std::int64_t number = 0;
    const std::string_view digits = handle.starts_with(jobPrefix) ? handle.substr(jobPrefix.size()) : "";
    const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return failure == std::errc() && end == digits.data() + digits.size() ? number : 0;
}

} // namespace

McpJobs::McpJobs() : m_thread([this](const std::stop_token& stop) { serve(stop); }) {}

McpJobs::~McpJobs() = default;

Result<std::string> McpJobs::start(std::string what, Work work) {
    const std::lock_guard lock(m_mutex);
    if (m_waiting.size() >= mostWaitingJobs) {
        return infrastructureError(fmt::format("{} jobs wait already", m_waiting.size()), what,
                                   "Call wait for one of them first");
    }
    for (auto at = m_jobs.begin(); at != m_jobs.end() && m_jobs.size() >= mostKeptJobs;) {
        at = at->second.state.result ? m_jobs.erase(at) : std::next(at);
    }
    const std::int64_t number = ++m_last;
    m_jobs[number] = {{std::move(what), "waits for the job before it", false, {}}, std::move(work)};
    m_waiting.push_back(number);
    m_changed.notify_all();
    return fmt::format("{}{}", jobPrefix, number);
}

Result<McpJobs::State> McpJobs::waitFor(const std::string& handle, double seconds, const std::stop_token& stop) {
    std::unique_lock lock(m_mutex);
    const std::int64_t number = jobNumber(handle);
    const auto isOver = [&] {
        const auto at = m_jobs.find(number);
        return at == m_jobs.end() || at->second.state.result.has_value();
    };
    m_changed.wait_for(lock, stop, std::chrono::duration<double>(seconds), isOver);
    const auto at = m_jobs.find(number);
    if (at == m_jobs.end()) {
        return usageError("there is no job with this handle, or its result is kept no longer", "wait",
                          "Use a handle that evaluate, profile, inspect, doctor or propose gave in this session");
    }
    return at->second.state;
}

void McpJobs::serve(const std::stop_token& stop) {
    std::unique_lock lock(m_mutex);
    while (m_changed.wait(lock, stop, [this] { return !m_waiting.empty(); })) {
        const std::int64_t number = m_waiting.front();
        m_waiting.pop_front();
        Job& job = m_jobs[number]; // stays while it has no result
        job.state.isBegun = true;
        job.state.stage = "begun";
        const Work work = std::move(job.work);
        lock.unlock();
        const auto tell = [&](std::string stage) {
            const std::lock_guard inner(m_mutex);
            job.state.stage = std::move(stage);
        };
        Result<std::string> result = work(tell, stop);
        lock.lock();
        job.state.result = std::move(result);
        m_changed.notify_all();
    }
}

} // namespace gks::cli
