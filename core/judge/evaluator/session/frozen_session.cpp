// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator/session/frozen_session.h"

#include "core/base/elapsed.h"
#include "core/base/files.h"
#include "core/base/foreign_text.h"
#include "core/base/killed.h"
#include "core/base/locations.h"
#include "core/base/terminal_text.h"
#include "core/base/text.h"
#include "core/hipcpu/abi.h"
#include "core/hipcpu/device_image.h"
#include "core/judge/evaluator/build/module_symbols.h"
#include "core/judge/evaluator/session/last_words.h"
#include "core/judge/evaluator/session/runner_policy.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace gks {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds frozenPollInterval(50);
constexpr std::chrono::seconds keeperEndPatience(5); // from the end of the channel to the end of the process
constexpr std::size_t frozenLogLimitBytes = 16384;
constexpr std::size_t frozenModuleLimitBytes = std::size_t{256} << 20;
constexpr std::size_t emptyCalls = 15;
constexpr double nsPerUs = 1e3;
constexpr double usPerSecond = 1e6;

tl::unexpected<RunnerError> frozenTrouble(RunnerTrouble trouble, std::string what) {
    return tl::unexpected(RunnerError{trouble, std::move(what)});
}

} // namespace

Result<void> checkDeviceModule(const std::filesystem::path& module) {
    GKS_TRY_ASSIGN(const std::string bytes, readFile(module, frozenModuleLimitBytes));
    GKS_TRY_ASSIGN(const ModuleSymbols symbols, readModuleSymbols(bytes));
    const auto refused = [](const std::string& what) {
        return kernelError(fmt::format("the device module {}", what), {}, "Build it with kernel-scientist-hipcc");
    };
    if (!symbols.libraries.empty()) {
        return refused("needs the library " + quotation(symbols.libraries.front()));
    }
    if (!symbols.imported.empty()) {
        return refused("leaves open " + quotation(symbols.imported.front()));
    }
    if (symbols.exported != std::vector<std::string>{hipcpu::deviceModuleName}) {
        return refused("exports something else than itself");
    }
    if (symbols.runsWhenLoaded) {
        return refused("has code that runs when it is loaded");
    }
    const char* const fault = hipcpu::DeviceImage(bytes).fault();
    return fault != nullptr ? refused(fault) : Result<void>();
}

FrozenSession::FrozenSession(Setup setup, std::shared_ptr<InputSegment> inputs, TemporaryDirectory folder,
                             SharedMemory outputs)
    : m_setup(std::move(setup))
    , m_inputs(std::move(inputs))
    , m_folder(std::move(folder))
    , m_outputs(std::move(outputs)) {}

FrozenSession::~FrozenSession() {
    if (m_channel >= 0) {
        ::close(m_channel);
    }
    if (m_child) {
        m_child->kill();
    }
}

RunnerResult<std::unique_ptr<FrozenSession>> FrozenSession::start(Setup setup, std::shared_ptr<InputSegment> inputs) {
    if (const auto sound = checkDeviceModule(setup.deviceModule); !sound) {
        return frozenTrouble(RunnerTrouble::loadFailed, sound.error().message());
    }
    auto folder = TemporaryDirectory::create("gks-runner");
    auto outputs = SharedMemory::create("outputs", setup.outputBytes);
    if (!folder || !outputs) {
        return frozenTrouble(RunnerTrouble::infrastructure, (folder ? outputs.error() : folder.error()).message());
    }
    auto session = std::unique_ptr<FrozenSession>(
        new FrozenSession(std::move(setup), std::move(inputs), std::move(*folder), std::move(*outputs)));
    if (const auto launched = session->launch(); !launched) {
        return frozenTrouble(RunnerTrouble::infrastructure, launched.error().message());
    }
    return session;
}

Result<void> FrozenSession::launch() {
    std::error_code code;
    std::filesystem::copy_file(m_setup.deviceModule, modulePath(), code);
    if (code) {
        return infrastructureError(code.message(), modulePath().string());
    }
    std::array<int, 2> ends = {-1, -1};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
        return infrastructureError(fmt::format("cannot create a channel: {}", systemMessage(errno)), "runner");
    }
    m_channel = ends[0];
    Command command;
    command.arguments = {siblingProgram("kernel-scientist-cpu-runner").string()};
    command.descriptors = {{frozen::channelDescriptor, ends[1]},
                           {frozen::inputDescriptor, m_inputs->memory.descriptor()},
                           {frozen::outputDescriptor, m_outputs.descriptor()}};
    auto started = sandboxed(std::move(command), frozenPolicy(m_setup, m_folder.path()), m_setup.sandbox)
                       .and_then(ChildProcess::start);
    ::close(ends[1]);
    if (!started) {
        return tl::unexpected(started.error());
    }
    m_child.emplace(std::move(*started));
    m_child->closeInput();
    for (const int descriptor : {m_child->outputDescriptor(), m_child->errorDescriptor()}) {
        ::fcntl(descriptor, F_SETFL, O_NONBLOCK);
    }
    return {};
}

RunnerResult<void> FrozenSession::open(std::vector<frozen::Region> regions, LaunchPlan setup, LaunchPlan plan) {
    frozen::Opening opening;
    opening.module = modulePath().string();
    opening.isRaceCheck = m_setup.reversedOrder;
    opening.threads = m_setup.reversedOrder ? std::max(1U, std::thread::hardware_concurrency())
                                            : static_cast<unsigned>(timedThreadsOnCpu());
    // Half of the time that a call has: what has no end is said before the call is ended.
    opening.blockSeconds = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(m_setup.timeLimit.count() / 2));
    opening.addressBytes = cpuAddressBytes(m_setup.inputBytes + m_setup.outputBytes);
    opening.regions = std::move(regions);
    opening.setup = std::move(setup);
    opening.plan = std::move(plan);
    const std::string text = frozen::openingText(opening);
    frozen::Command command;
    command.verb = frozen::Verb::open;
    command.textBytes = text.size();
    GKS_TRY_ASSIGN(const frozen::Reply reply, ask(command, text, nullptr));
    if (reply.outcome == frozen::Outcome::refused) {
        return frozenTrouble(RunnerTrouble::loadFailed, terminalLine(reply.text.data()));
    }
    return reply.outcome == frozen::Outcome::ended ? RunnerResult<void>(deviceEnded(reply)) : RunnerResult<void>();
}

RunnerResult<void> FrozenSession::calibrate() {
    GKS_TRY(open({}, {}, {}));
    std::array<double, emptyCalls> ways = {};
    for (std::size_t i = 0; i < ways.size(); ++i) {
        GKS_TRY_ASSIGN(const Call empty, call(frozen::Which::nothing));
        // The smallest: what a busy machine adds must not be credited to a kernel.
        m_emptyCallUs = i == 0 ? empty.us : std::min(m_emptyCallUs, empty.us);
        ways[i] = empty.hostUs - empty.us;
    }
    std::nth_element(ways.begin(), ways.begin() + ways.size() / 2, ways.end());
    m_emptyWayUs = ways[ways.size() / 2];
    return {};
}

RunnerResult<FrozenSession::Call> FrozenSession::call(frozen::Which which) {
    frozen::Command command;
    command.verb = frozen::Verb::call;
    command.which = which;
    Call call;
    GKS_TRY_ASSIGN(const frozen::Reply reply, ask(command, {}, &call));
    if (reply.outcome != frozen::Outcome::done) {
        return deviceEnded(reply);
    }
    call.us = static_cast<double>(reply.nanoseconds) / nsPerUs;
    call.printed = printed();
    return call;
}

RunnerResult<frozen::Reply> FrozenSession::ask(frozen::Command command, std::string_view text, Call* call) {
    if (m_setup.stop.stop_requested()) {
        m_child->kill();
        return frozenTrouble(RunnerTrouble::cancelled, "cancelled");
    }
    m_printed.clear();
    command.sequence = ++m_sequence;
    frozen::Reply reply;
    const auto begin = Clock::now();
    GKS_TRY(send(&command, sizeof command));
    GKS_TRY(send(text.data(), text.size()));
    CallLimit limit(m_setup.timeLimit, processorWaits(m_child->pid()));
    GKS_TRY(receive(&reply, sizeof reply, limit));
    const double hostUs = secondsSince(begin) * usPerSecond;
    if (reply.sequence != command.sequence || reply.readCount > hipcpu::ReadNotes::limit) {
        return frozenTrouble(RunnerTrouble::infrastructure, "the keeper's answer makes no sense");
    }
    std::vector<hipcpu::ReadNote> reads(reply.readCount);
    GKS_TRY(receive(reads.data(), reads.size() * sizeof(hipcpu::ReadNote), limit));
    waitForReply(std::chrono::milliseconds(0)); // what was printed before it stood still is in the pipes
    if (call != nullptr) {
        call->hostUs = hostUs;
        call->reads = std::move(reads);
    }
    reply.text.back() = '\0';
    return reply;
}

RunnerResult<void> FrozenSession::send(const void* bytes, std::size_t size) {
    const auto* at = static_cast<const char*>(bytes);
    while (size > 0) {
        const ssize_t put = ::send(m_channel, at, size, MSG_NOSIGNAL);
        if (put < 0 && errno != EINTR) {
            return ended();
        }
        at += std::max<ssize_t>(put, 0);
        size -= static_cast<std::size_t>(std::max<ssize_t>(put, 0));
    }
    return {};
}

RunnerResult<void> FrozenSession::receive(void* into, std::size_t left, CallLimit& limit) {
    auto* at = static_cast<char*>(into);
    while (left > 0) {
        if (waitForReply(frozenPollInterval)) {
            const ssize_t got = ::recv(m_channel, at, left, 0);
            if (got == 0 || (got < 0 && errno != EINTR)) {
                return ended();
            }
            at += std::max<ssize_t>(got, 0);
            left -= static_cast<std::size_t>(std::max<ssize_t>(got, 0));
            continue;
        }
        if (m_setup.stop.stop_requested()) {
            m_child->kill();
            return frozenTrouble(RunnerTrouble::cancelled, "cancelled");
        }
        if (limit.state() != CallLimit::State::within) {
            m_child->kill();
            return frozenTrouble(limit.isStarved() ? RunnerTrouble::starved : RunnerTrouble::timedOut,
                                 limit.text("no answer"));
        }
    }
    return {};
}

bool FrozenSession::waitForReply(std::chrono::milliseconds longest) {
    std::array<pollfd, 3> watched = {
        {{m_channel, POLLIN, 0}, {m_child->outputDescriptor(), POLLIN, 0}, {m_child->errorDescriptor(), POLLIN, 0}}};
    ::poll(watched.data(), watched.size(), static_cast<int>(longest.count()));
    for (std::size_t i = 1; i < watched.size(); ++i) {
        std::array<char, 4096> piece;
        for (ssize_t got = 1; (watched[i].revents & POLLIN) != 0 && got > 0;) {
            got = ::read(watched[i].fd, piece.data(), piece.size());
            const std::string_view said(piece.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
            for (std::string* into : {&m_log, &m_printed}) {
                into->append(said);
                if (into->size() > 2 * frozenLogLimitBytes) { // its beginning and its end
                    into->erase(frozenLogLimitBytes / 2, into->size() - frozenLogLimitBytes);
                }
            }
        }
    }
    return (watched[0].revents & (POLLIN | POLLHUP)) != 0;
}

// Of the process with the device code; the keeper is still there.
tl::unexpected<RunnerError> FrozenSession::deviceEnded(const frozen::Reply& reply) const {
    if (reply.signal == SIGKILL) {
        return frozenTrouble(RunnerTrouble::killed, fmt::format("the runner {}", killedFromOutside));
    }
    if (reply.signal == SIGSYS) {
        return frozenTrouble(RunnerTrouble::crashed, "device code made a system call that it may not make");
    }
    ExitState exit;
    if (reply.signal != 0) {
        exit.signal = reply.signal;
    } else {
        exit.status = reply.status;
    }
    return frozenTrouble(RunnerTrouble::crashed, endText(exit, m_printed)); // what it said in this call
}

// The keeper has gone, which nothing of the candidate's can bring about.
tl::unexpected<RunnerError> FrozenSession::ended() {
    m_child->wait(keeperEndPatience, m_setup.stop);
    const ExitState exit = programExit(m_child->kill(), m_setup.sandbox);
    if (m_setup.stop.stop_requested()) {
        return frozenTrouble(RunnerTrouble::cancelled, "cancelled");
    }
    if (exit.signal == SIGKILL) {
        return frozenTrouble(RunnerTrouble::killed, fmt::format("the runner {}", killedFromOutside));
    }
    waitForReply(std::chrono::milliseconds(0));
    return frozenTrouble(RunnerTrouble::infrastructure, endText(exit, m_log));
}

std::string FrozenSession::printed() const {
    return sanitizedUtf8(m_printed);
}

std::string FrozenSession::log() const {
    return sanitizedUtf8(m_log);
}

SandboxPolicy frozenPolicy(const FrozenSession::Setup& setup, const std::filesystem::path& moduleFolder) {
    SandboxPolicy policy;
    policy.readable = {moduleFolder};
    if (std::error_code ignored; std::filesystem::exists(hipcpuFolder(), ignored)) {
        policy.readable.push_back(hipcpuFolder()); // an installed runner has its libraries there
    }
    policy.allowNone = setup.allowNoSandbox;
    policy.limits = cpuKeeperLimits(setup.inputBytes + setup.outputBytes);
    policy.mayStartProcesses = true; // the keeper; its child gives that up, and much more, before it runs device code
    return policy;
}

} // namespace gks
