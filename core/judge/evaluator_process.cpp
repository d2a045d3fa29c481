// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator_process.h"

#include "core/base/text.h"

#include <condition_variable>
#include <csignal>
#include <fmt/format.h>
#include <future>
#include <nlohmann/json.hpp>

namespace gks {
namespace {

constexpr std::chrono::milliseconds partingTime(400);
constexpr std::chrono::seconds endPatience(2); // from the end of its output to the end of the process

} // namespace

Result<std::unique_ptr<EvaluatorProcess>> EvaluatorProcess::start(const std::vector<std::string>& command,
                                                                  std::optional<std::chrono::seconds> beat,
                                                                  std::chrono::seconds patience) {
    auto process = std::unique_ptr<EvaluatorProcess>(new EvaluatorProcess);
    process->m_patience = patience;
    std::promise<Result<void>> started;
    auto result = started.get_future();
    process->m_keeper = std::jthread([&started, command, beat, raw = process.get()](const std::stop_token& stop) {
        Command program;
        program.arguments = command;
        auto child = ChildProcess::start(program);
        if (!child) {
            started.set_value(tl::unexpected(child.error()));
            return;
        }
        raw->m_child.emplace(std::move(*child));
        started.set_value({});
        raw->keep(stop, beat);
    });
    GKS_TRY(result.get());
    process->m_reader.emplace(process->m_child->outputDescriptor());
    process->m_errors.emplace(process->m_child->errorDescriptor());
    return process;
}

EvaluatorProcess::~EvaluatorProcess() {
    m_errors.reset();
    m_keeper.request_stop(); // writes no more
    if (m_child) {
        const std::lock_guard lock(m_writing);
        m_child->closeInput();
        m_child->wait(partingTime);
        m_child.reset();
    }
}

Result<void> EvaluatorProcess::send(const OrderedJson& json, const std::stop_token& stop) {
    const std::lock_guard lock(m_writing);
    return m_child->write(json.dump(-1, ' ', false, OrderedJson::error_handler_t::replace) + "\n", m_patience, stop);
}

void EvaluatorProcess::keep(const std::stop_token& stop, std::optional<std::chrono::seconds> beat) {
    std::mutex mutex;
    std::unique_lock lock(mutex);
    std::condition_variable_any waiting;
    if (!beat) {
        waiting.wait(lock, stop, [] { return false; });
        return;
    }
    while (!stop.stop_requested()) {
        waiting.wait_for(lock, stop, *beat, [] { return false; });
        const std::lock_guard writing(m_writing);
        if (!stop.stop_requested() && m_child) {
            static_cast<void>(
                m_child->write("{\"request\": \"alive\"}\n", m_patience, stop)); // its end is seen by who reads
        }
    }
}

EvaluatorProcess::End EvaluatorProcess::autopsy() {
    const bool isGone = m_child->wait(endPatience).has_value();
    const ExitState exit = m_child->kill();
    const std::string said = m_errors->lastLine();
    return {said.empty() ? exit.text() : fmt::format("{}: {}", exit.text(), sanitizedUtf8(said)),
            isGone && exit.signal == SIGKILL};
}

} // namespace gks
