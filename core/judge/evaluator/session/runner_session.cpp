// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator/session/runner_session.h"

#include "core/base/elapsed.h"
#include "core/base/hash.h"
#include "core/base/killed.h"
#include "core/base/locations.h"
#include "core/base/soon_readable.h"
#include "core/base/terminal_text.h"
#include "core/base/text.h"
#include "core/judge/evaluator/session/last_words.h"
#include "core/judge/evaluator/session/runner_policy.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <limits>
#include <poll.h>
#include <unistd.h>

namespace gks {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds pollInterval(50);
constexpr std::chrono::seconds
    runnerEndPatience(5); // from the end of the pipe to the end of the process, on a busy machine
constexpr std::chrono::seconds profilerEndPatience(60); // it writes what it has counted
constexpr std::size_t runnerLogLimitBytes = 16384;
constexpr std::size_t versionLimitBytes = 60; // of an anchor
constexpr int calibrationCalls = 15;
constexpr double secondsToUs = 1e6;

void closeDescriptor(int& descriptor) {
    if (descriptor >= 0) {
        ::close(std::exchange(descriptor, -1));
    }
}

struct PipeEnds {
    int readEnd = -1;
    int writeEnd = -1;
    PipeEnds() {
        std::array<int, 2> ends = {-1, -1};
        if (::pipe2(ends.data(), O_CLOEXEC) == 0) {
            readEnd = ends[0];
            writeEnd = ends[1];
        }
    }
    PipeEnds(const PipeEnds&) = delete;
    PipeEnds& operator=(const PipeEnds&) = delete;
    ~PipeEnds() {
        closeDescriptor(readEnd);
        closeDescriptor(writeEnd);
    }
};

// What a library says of itself stands in tables and prompts.
std::string versionOfAnchor(std::string_view text) {
    return abbreviated(terminalLine(text), versionLimitBytes);
}

std::uint64_t unpredictable() {
    const Seed seed = randomSeed();
    std::uint64_t value = 0;
    std::memcpy(&value, seed.data(), sizeof value);
    return value;
}

} // namespace

Result<std::shared_ptr<InputSegment>> InputSegment::create(std::size_t sizeBytes) {
    GKS_TRY_ASSIGN(SharedMemory memory, SharedMemory::create("inputs", std::max(sizeBytes, runner::guardBytes)));
    GKS_TRY(memory.sealForOthers());
    return std::make_shared<InputSegment>(std::move(memory));
}

RunnerSession::RunnerSession(Setup setup, TemporaryDirectory folder, SharedMemory outputs)
    : m_setup(std::move(setup)), m_folder(std::move(folder)), m_outputs(std::move(outputs)) {}

Result<std::unique_ptr<RunnerSession>> RunnerSession::start(const Setup& setup, std::shared_ptr<InputSegment> inputs) {
    GKS_TRY_ASSIGN(TemporaryDirectory folder, TemporaryDirectory::create("gks-runner"));
    GKS_TRY_ASSIGN(SharedMemory outputs, SharedMemory::create("outputs", setup.segmentBytes));
    auto session = std::unique_ptr<RunnerSession>(new RunnerSession(setup, std::move(folder), std::move(outputs)));
    if (inputs) {
        session->m_inputs = std::move(inputs);
    } else {
        GKS_TRY_ASSIGN(session->m_inputs, InputSegment::create(setup.inputBytes));
    }
    GKS_TRY(session->launch());
    session->m_populating = std::jthread([session = session.get()] {
        session->m_inputs->memory.populate();
        session->m_outputs.populate();
    });
    return session;
}

RunnerSession::~RunnerSession() {
    closeDescriptor(m_commands);
    if (m_child) {
        m_child->kill();
    }
    m_drain = {};
    m_populating = {};
    closeDescriptor(m_replies);
}

Result<void> RunnerSession::launch() {
    PipeEnds commands;
    PipeEnds replies;
    if (commands.readEnd < 0 || replies.readEnd < 0) {
        return infrastructureError(fmt::format("cannot create a pipe: {}", systemMessage(errno)), "runner");
    }
    Command command;
    command.arguments = {siblingProgram("kernel-scientist-runner").string(), m_setup.device.runtime,
                         std::to_string(m_setup.device.index)};
    if (m_setup.anchor) {
        command.arguments.push_back(m_setup.anchor->library.string());
    }
    command.descriptors = {{runner::commandDescriptor, commands.readEnd},
                           {runner::replyDescriptor, replies.writeEnd},
                           {runner::inputDescriptor, m_inputs->memory.descriptor()},
                           {runner::outputDescriptor, m_outputs.descriptor()}};
    if (m_setup.profiled) {
        command.folder = m_setup.profiled->folder;
        command.arguments.insert(command.arguments.begin(), m_setup.profiled->command.begin(),
                                 m_setup.profiled->command.end());
    }
    const std::filesystem::path temporary = m_folder.path() / "tmp";
    GKS_TRY(makeDirectories(temporary));
    GKS_TRY_ASSIGN(const Command wall,
                   sandboxed(std::move(command), runnerPolicy(m_setup, temporary), m_setup.sandbox));
    GKS_TRY_ASSIGN(m_child, ChildProcess::start(wall));
    m_child->closeInput();
    m_commands = std::exchange(commands.writeEnd, -1);
    ::fcntl(m_commands, F_SETFL, O_NONBLOCK);
    m_replies = std::exchange(replies.readEnd, -1);
    m_drain = std::jthread([this](const std::stop_token& stop) { drain(stop); });
    return {};
}

// What an empty call takes: the flush, two events, a synchronise and the way there and back. Nothing generated is in
// the process yet. The smallest counts: what a busy machine adds must not be credited to a kernel.
RunnerResult<void> RunnerSession::calibrate() {
    m_emptyCallUs = std::numeric_limits<double>::max();
    for (int i = 0; i < calibrationCalls; ++i) {
        runner::Command command;
        command.verb = runner::Verb::call;
        command.flushBytes = m_setup.flushBytes;
        GKS_TRY_ASSIGN(const Answer answer, ask(command));
        m_emptyCallUs = std::min(m_emptyCallUs, answer.hostUs);
    }
    return {};
}

RunnerResult<void> RunnerSession::load(std::string_view deviceCode, std::chrono::duration<double> timeout,
                                       const std::stop_token& stop) {
    return loaded(deviceCode, timeout, stop).map([](const Answer&) {});
}

RunnerResult<std::string> RunnerSession::loadAnchor(std::chrono::duration<double> timeout,
                                                    const std::stop_token& stop) {
    return loaded({}, timeout, stop).map([](const Answer& answer) {
        return versionOfAnchor(answer.reply.text.data());
    });
}

RunnerResult<RunnerSession::Answer>
RunnerSession::loaded(std::string_view deviceCode, std::chrono::duration<double> timeout, const std::stop_token& stop) {
    m_stop = stop;
    m_timeout = timeout;
    runner::Command command;
    if (!m_isPinned) {
        m_populating = {};
        command.verb = runner::Verb::pin;
        GKS_TRY(ask(command));
        m_isPinned = true;
    }
    GKS_TRY(calibrate());
    m_loaded = true;
    command.verb = runner::Verb::load;
    return ask(command, deviceCode);
}

RunnerResult<void> RunnerSession::finish() {
    runner::Command command;
    command.verb = runner::Verb::quit;
    GKS_TRY(send(&command, sizeof command));
    const auto exit = m_child->wait(profilerEndPatience, m_stop);
    if (!exit || !programExit(*exit, m_setup.sandbox).ok()) {
        return ended();
    }
    return {};
}

bool RunnerSession::unload() {
    if (!m_isSound || m_setup.anchor || m_stop.stop_requested()) {
        return false;
    }
    runner::Command command;
    command.verb = runner::Verb::unload;
    if (m_loaded && !ask(command)) {
        return false;
    }
    m_loaded = false;
    m_stop = {};
    const std::scoped_lock lock(m_logMutex);
    m_log.clear();
    m_logDropped = 0;
    return true;
}

RunnerResult<RunnerSession::Answer> RunnerSession::ask(runner::Command command, std::string_view text) {
    auto answer = converse(command, text);
    m_isSound = m_isSound && answer.has_value();
    return answer;
}

RunnerResult<RunnerSession::Answer> RunnerSession::converse(runner::Command& command, std::string_view text) {
    if (m_stop.stop_requested()) { // a quick kernel always answers before anybody has to wait
        m_child->kill();
        return trouble(RunnerTrouble::cancelled, "cancelled");
    }
    command.sequence = unpredictable();
    command.textBytes = text.size();
    Answer answer;
    const auto begin = Clock::now();
    GKS_TRY(send(&command, sizeof command));
    GKS_TRY(send(text.data(), text.size()));
    GKS_TRY(receive(answer.reply));
    answer.hostUs = secondsSince(begin) * secondsToUs;
    if (answer.reply.sequence != command.sequence) {
        return trouble(RunnerTrouble::tampered, "something other than the runner wrote to the judge's pipe");
    }
    answer.reply.text.back() = '\0';
    GKS_TRY(judgeFailure(answer.reply));
    return answer;
}

RunnerResult<void> RunnerSession::send(const void* bytes, std::size_t size) {
    CallLimit limit(m_timeout, processorWaits(m_child->pid()));
    const auto* at = static_cast<const char*>(bytes);
    while (size > 0) {
        const ssize_t put = ::write(m_commands, at, size);
        if (put > 0) {
            at += put;
            size -= static_cast<std::size_t>(put);
        } else if (put < 0 && errno == EAGAIN) {
            pollfd watched = {m_commands, POLLOUT, 0};
            ::poll(&watched, 1, static_cast<int>(pollInterval.count()));
            if (m_stop.stop_requested() || limit.state() != CallLimit::State::within) {
                return late(limit);
            }
        } else if (put == 0 || errno != EINTR) {
            return ended();
        }
    }
    return {};
}

RunnerResult<void> RunnerSession::receive(runner::Reply& reply) {
    CallLimit limit(m_timeout, processorWaits(m_child->pid()));
    auto* at = reinterpret_cast<char*>(&reply);
    std::size_t left = sizeof reply;
    while (left > 0) {
        pollfd watched = {m_replies, POLLIN, 0};
        if (isSoonReadable(m_replies) || ::poll(&watched, 1, static_cast<int>(pollInterval.count())) > 0) {
            const ssize_t got = ::read(m_replies, at, left);
            if (got > 0) {
                at += got;
                left -= static_cast<std::size_t>(got);
                continue;
            }
            if (got == 0 || errno != EINTR) {
                return ended();
            }
        }
        // When the launcher has been killed somebody may still hold the pipe, and nobody will write to it.
        if (m_child->wait(std::chrono::milliseconds(0)) && ::poll(&watched, 1, 0) <= 0) {
            return ended();
        }
        if (m_stop.stop_requested() || limit.state() != CallLimit::State::within) {
            return late(limit);
        }
    }
    return {};
}

tl::unexpected<RunnerError> RunnerSession::late(const CallLimit& limit) {
    m_child->kill();
    if (m_stop.stop_requested()) {
        return trouble(RunnerTrouble::cancelled, "cancelled");
    }
    if (limit.isStarved()) {
        return trouble(RunnerTrouble::starved, limit.text("no answer"));
    }
    if (!m_loaded) {
        return trouble(RunnerTrouble::deviceHung,
                       fmt::format("the device did not respond to an empty call within {} s (no kernel was loaded)",
                                   m_timeout.count()));
    }
    return trouble(RunnerTrouble::timedOut, limit.text("no answer"));
}

RunnerResult<void> RunnerSession::judgeFailure(const runner::Reply& reply) const {
    const std::string text = sanitizedUtf8(reply.text.data());
    switch (reply.failure) {
    case runner::Failure::none:
        return {};
    case runner::Failure::load:
        return trouble(RunnerTrouble::loadFailed, text);
    case runner::Failure::kernelError:
        return trouble(RunnerTrouble::kernelError, "the device refused what solve() asks for: " + text);
    case runner::Failure::deviceFault:
        return trouble(RunnerTrouble::crashed, "the device reported a fault in the kernel: " + text);
    case runner::Failure::runtime:
        // With the candidate's device code loaded, a driver that stops working is most likely its doing.
        return trouble(m_loaded ? RunnerTrouble::crashed : RunnerTrouble::deviceLost, "the driver failed: " + text);
    case runner::Failure::protocol:
        break;
    }
    return trouble(RunnerTrouble::tampered, "invalid reply from the runner");
}

tl::unexpected<RunnerError> RunnerSession::trouble(RunnerTrouble trouble, std::string what) const {
    return tl::unexpected(RunnerError{trouble, std::move(what)});
}

// The reply pipe has ended: wait for the process and say how, with its last words. Who closes the pipe and stays is
// killed by us, which must not look like a kill by somebody else.
tl::unexpected<RunnerError> RunnerSession::ended() {
    const bool isGone = m_child->wait(runnerEndPatience, m_stop).has_value();
    const ExitState exit = programExit(m_child->kill(), m_setup.sandbox);
    m_drain = {};
    if (m_stop.stop_requested()) {
        return trouble(RunnerTrouble::cancelled, "cancelled");
    }
    if (!isGone) {
        return trouble(m_loaded ? RunnerTrouble::crashed : RunnerTrouble::infrastructure,
                       "the process closed the judge's channel and went on");
    }
    if (exit.signal == SIGKILL) {
        return trouble(m_loaded ? RunnerTrouble::killed : RunnerTrouble::killedBefore,
                       fmt::format("the runner {}", killedFromOutside));
    }
    return trouble(m_loaded ? RunnerTrouble::crashed : RunnerTrouble::infrastructure, endText(exit, log()));
}

// Its output is only a log: the beginning and the end of it are kept, the rest is read and thrown away.
void RunnerSession::drain(const std::stop_token& stop) {
    std::array<int, 2> sources = {m_child->outputDescriptor(), m_child->errorDescriptor()};
    std::array<char, 65536> chunk;
    for (;;) {
        std::array<pollfd, 2> watched = {{{sources[0], POLLIN, 0}, {sources[1], POLLIN, 0}}};
        if (sources[0] < 0 && sources[1] < 0) {
            return;
        }
        // Once it is over only what is already in the pipes is read.
        const bool last = stop.stop_requested();
        if (::poll(watched.data(), watched.size(), last ? 0 : static_cast<int>(pollInterval.count())) <= 0) {
            if (last) {
                return;
            }
            continue;
        }
        for (std::size_t i = 0; i < watched.size(); ++i) {
            if (watched[i].revents == 0) {
                continue;
            }
            const ssize_t got = ::read(watched[i].fd, chunk.data(), chunk.size());
            if (got <= 0) {
                sources[i] = -1;
                continue;
            }
            const std::scoped_lock lock(m_logMutex);
            m_log.append(chunk.data(), static_cast<std::size_t>(got));
            if (m_log.size() > 2 * runnerLogLimitBytes) {
                const std::size_t dropped = m_log.size() - runnerLogLimitBytes;
                m_log.erase(runnerLogLimitBytes / 2, dropped);
                m_logDropped += dropped;
            }
        }
    }
}

std::string RunnerSession::log() const {
    const std::scoped_lock lock(m_logMutex);
    std::string text = sanitizedUtf8(m_log);
    if (m_logDropped > 0) {
        text = fmt::format("[{} bytes in between left out]\n{}", m_logDropped, text);
    }
    return text;
}

} // namespace gks
