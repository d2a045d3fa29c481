// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator/session/planner_session.h"

#include "core/base/files.h"
#include "core/base/foreign_text.h"
#include "core/base/killed.h"
#include "core/base/locations.h"
#include "core/base/text.h"
#include "core/judge/evaluator/session/last_words.h"
#include "core/judge/plan/facts_json.h"
#include "core/judge/plan/plan_check.h"
#include "core/judge/plan/plan_compare.h"
#include "core/judge/plan/plan_json.h"
#include "core/judge/plan/strict_fields.h"
#include "core/judge/planner/protocol.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstring>
#include <fmt/format.h>
#include <iterator>
#include <nlohmann/json.hpp>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace gks {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds plannerPollInterval(50);
constexpr std::chrono::seconds plannerEndPatience(5); // from the end of the channel to the end of the process
constexpr std::size_t plannerOpenFilesLimit = 64;
constexpr std::size_t plannerFileLimitBytes = std::size_t{1} << 20;
constexpr std::size_t plannerMemoryBytes = std::size_t{4} << 30; // address space, beside what is reserved

} // namespace

std::filesystem::path captureLibrary(DeviceCode code) {
    return hipcpuFolder() / (code == DeviceCode::nvidia ? "libcuda_capture.so" : "libhip_capture.so");
}

SandboxPolicy plannerPolicy(const PlannerSession::Setup& setup) {
    SandboxPolicy policy;
    policy.readable = {captureLibrary(setup.facts.code), setup.hostModule};
    policy.allowNone = setup.allowNoSandbox;
    policy.limits.openFiles = plannerOpenFilesLimit;
    policy.limits.fileSizeBytes = plannerFileLimitBytes;
    policy.limits.addressSpaceBytes = plannerMemoryBytes + setup.reserveBytes;
    return policy;
}

PlannerSession::PlannerSession(Setup setup)
    : m_setup(std::move(setup)), m_places(m_setup.hostModule, m_setup.sandbox, m_setup.allowNoSandbox) {}

PlannerSession::~PlannerSession() {
    if (m_channel >= 0) {
        ::close(m_channel);
    }
    if (m_child) {
        m_child->kill();
    }
}

Judged<std::unique_ptr<PlannerSession>> PlannerSession::start(Setup setup) {
    auto session = std::unique_ptr<PlannerSession>(new PlannerSession(std::move(setup)));
    GKS_TRY(session->launch());
    GKS_TRY(session->ask(
        {{"verb", "begin"}, {"facts", toJson(session->m_setup.facts)}, {"device", toJson(session->m_setup.device)}}));
    session->m_isReady = true;
    GKS_TRY(session->ask({{"verb", "load"}}));
    return session;
}

Judged<void> PlannerSession::launch() {
    std::array<int, 2> ends = {-1, -1};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
        return refuse(VerdictKind::infrastructureFailed,
                      fmt::format("cannot create a channel to the planner: {}", systemMessage(errno)));
    }
    m_channel = ends[0];
    Command command;
    command.arguments = {siblingProgram("kernel-scientist-planner").string(),
                         captureLibrary(m_setup.facts.code).string(), m_setup.hostModule.string()};
    command.descriptors = {{planner::channelDescriptor, ends[1]}};
    auto started = sandboxed(std::move(command), plannerPolicy(m_setup), m_setup.sandbox).and_then(ChildProcess::start);
    ::close(ends[1]);
    if (!started) {
        return refuse(started.error());
    }
    m_child.emplace(std::move(*started));
    m_child->closeInput();
    return {};
}

Judged<void> PlannerSession::send(const std::string& text) {
    std::string message(planner::lengthBytes, '\0');
    const auto length = static_cast<std::uint32_t>(text.size());
    std::memcpy(message.data(), &length, planner::lengthBytes);
    message += text;
    const auto deadline = Clock::now() + m_setup.timeLimit;
    for (std::size_t sent = 0; sent < message.size();) {
        const ssize_t got =
            ::send(m_channel, message.data() + sent, message.size() - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (got > 0) {
            sent += static_cast<std::size_t>(got);
            continue;
        }
        pollfd watched = {m_channel, POLLOUT, 0};
        const bool mayWait = errno == EAGAIN || errno == EINTR;
        if (!mayWait || Clock::now() > deadline) {
            return tl::unexpected(ended());
        }
        ::poll(&watched, 1, static_cast<int>(plannerPollInterval.count()));
    }
    return {};
}

Judged<void> PlannerSession::receive(char* into, std::size_t bytes, Clock::time_point deadline) {
    while (bytes > 0) {
        pollfd watched = {m_channel, POLLIN, 0};
        if (::poll(&watched, 1, static_cast<int>(plannerPollInterval.count())) > 0) {
            const ssize_t got = ::recv(m_channel, into, bytes, MSG_DONTWAIT);
            if (got > 0) {
                into += got;
                bytes -= static_cast<std::size_t>(got);
                continue;
            }
            if (got == 0 || (errno != EINTR && errno != EAGAIN)) {
                return tl::unexpected(ended());
            }
        }
        // When the launcher has been killed somebody may still hold the channel, and nobody will write to it.
        if (m_child->wait(std::chrono::milliseconds(0)) && ::poll(&watched, 1, 0) <= 0) {
            return tl::unexpected(ended());
        }
        if (m_setup.stop.stop_requested()) {
            return refuse(VerdictKind::infrastructureFailed, cancelledReason);
        }
        if (Clock::now() > deadline) {
            return refuse(
                m_isReady ? VerdictKind::timedOut : VerdictKind::infrastructureFailed,
                fmt::format("{} within {} s",
                            m_isReady ? "the host code of the kernel did not come back" : "the planner did not start",
                            m_setup.timeLimit.count()));
        }
    }
    return {};
}

// The channel has ended: how, with the last words of the process.
Refusal PlannerSession::ended() {
    const bool isGone = m_child->wait(plannerEndPatience, m_setup.stop).has_value();
    const ExitState wall = m_child->kill();
    if (m_setup.stop.stop_requested()) {
        return {VerdictKind::infrastructureFailed, cancelledReason};
    }
    const std::string said = sanitizedUtf8(readNow(m_child->errorDescriptor()));
    if (wallFailed(wall, m_setup.sandbox)) {
        return {VerdictKind::infrastructureFailed, "the sandbox failed: " + quotation(lastLine(said)),
                "Run kernel-scientist-cli doctor"};
    }
    if (!isGone) {
        return {m_isReady ? VerdictKind::crashed : VerdictKind::infrastructureFailed,
                "the planner's process closed the judge's channel and went on"};
    }
    const ExitState exit = programExit(wall, m_setup.sandbox);
    if (exit.signal == SIGKILL) {
        Refusal refusal = {VerdictKind::infrastructureFailed, fmt::format("the planner {}", killedFromOutside)};
        refusal.isKilled = true;
        refusal.ifAtFault = m_isReady ? VerdictKind::crashed : refusal.kind;
        return refusal;
    }
    const std::string last(lastLine(said));
    if (!m_isReady) {
        return {VerdictKind::infrastructureFailed,
                fmt::format("the planner ended with {}{}", exit.text(), last.empty() ? "" : ": " + quotation(last)),
                "Build all targets, or reinstall the program"};
    }
    static constexpr std::string_view missing = "undefined symbol: ";
    if (const std::size_t name = last.find(missing); name != std::string::npos) {
        return {VerdictKind::buildFailed, fmt::format("the host code calls {}, which nobody provides",
                                                      quotation(last.substr(name + missing.size())))};
    }
    return {VerdictKind::crashed, fmt::format("the host code of the kernel ended its process: {}{}", exit.text(),
                                              last.empty() ? "" : ", and its last words are " + quotation(last))};
}

Judged<Json> PlannerSession::converse(const Json& request) {
    GKS_TRY(send(request.dump()));
    const auto deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(m_setup.timeLimit);
    std::array<char, planner::lengthBytes> head{};
    GKS_TRY(receive(head.data(), head.size(), deadline));
    std::uint32_t length = 0;
    std::memcpy(&length, head.data(), planner::lengthBytes);
    if (length > planner::answerLimitBytes) {
        return refuse(VerdictKind::buildFailed,
                      fmt::format("the launch plan is too large ({} bytes, limit {})", length, planTextLimitBytes),
                      "Launch fewer kernels, or with fewer arguments");
    }
    std::string text(length, '\0');
    GKS_TRY(receive(text.data(), text.size(), deadline));
    return judged(text);
}

Judged<Json> PlannerSession::ask(const Json& request) {
    if (m_broken) {
        return tl::unexpected(*m_broken);
    }
    auto answer = converse(request);
    if (!answer) {
        m_broken = answer.error();
        m_child->kill();
    }
    return answer;
}

} // namespace gks
