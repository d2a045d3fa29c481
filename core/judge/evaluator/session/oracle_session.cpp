// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator/session/oracle_session.h"

#include "core/base/foreign_text.h"
#include "core/base/killed.h"
#include "core/base/locations.h"
#include "core/base/text.h"
#include "core/judge/evaluator/session/last_words.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace gks {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds oraclePollInterval(50);
constexpr std::chrono::seconds
    oracleEndPatience(5); // from the end of the channel to the end of the process, on a busy machine
constexpr std::size_t oracleOpenFilesLimit = 64;
constexpr std::size_t oracleFileLimitBytes = std::size_t{1} << 20;

// The wall of the runner without any device: the library is all that is shown, nothing can be written to.
SandboxPolicy oraclePolicy(const OracleSession::Setup& setup) {
    SandboxPolicy policy;
    policy.readable = {setup.library};
    policy.allowNone = setup.allowNoSandbox;
    policy.limits.openFiles = oracleOpenFilesLimit;
    policy.limits.fileSizeBytes = oracleFileLimitBytes;
    // The inputs of all its cases are in there as well, so it is what the machine has.
    policy.limits.addressSpaceBytes =
        static_cast<std::size_t>(::sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    return policy;
}

} // namespace

OracleSession::OracleSession(Setup setup, std::string source, SharedMemory questions, SharedMemory answers)
    : m_setup(std::move(setup))
    , m_source(std::move(source))
    , m_questions(std::move(questions))
    , m_answers(std::move(answers)) {}

Result<std::shared_ptr<OracleSession>> OracleSession::start(const Setup& setup, std::string source) {
    GKS_TRY_ASSIGN(SharedMemory questions,
                   SharedMemory::create("questions", oracle::sliceLimit * sizeof(oracle::Slice)));
    GKS_TRY(questions.sealForOthers());
    GKS_TRY_ASSIGN(SharedMemory answers, SharedMemory::create("answers", oracle::valueLimit * sizeof(double)));
    auto session = std::shared_ptr<OracleSession>(
        new OracleSession(setup, std::move(source), std::move(questions), std::move(answers)));
    GKS_TRY(session->launch());
    return session;
}

OracleSession::~OracleSession() {
    if (m_channel >= 0) {
        ::close(m_channel);
    }
    if (m_child) {
        m_child->kill();
    }
}

Result<void> OracleSession::launch() {
    std::array<int, 2> ends = {-1, -1};
    if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) {
        return infrastructureError(fmt::format("cannot create a channel: {}", systemMessage(errno)), "oracle");
    }
    m_channel = ends[0];
    Command command;
    command.arguments = {siblingProgram("kernel-scientist-oracle").string(), m_setup.library.string()};
    command.descriptors = {{oracle::channelDescriptor, ends[1]},
                           {oracle::questionDescriptor, m_questions.descriptor()},
                           {oracle::answerDescriptor, m_answers.descriptor()}};
    auto started = sandboxed(std::move(command), oraclePolicy(m_setup), m_setup.sandbox).and_then(ChildProcess::start);
    ::close(ends[1]);
    if (!started) {
        return tl::unexpected(started.error());
    }
    m_child.emplace(std::move(*started));
    m_child->closeInput();
    oracle::Request load;
    return send(load, -1); // answered when the first case is opened: until then it gets ready
}

Error OracleSession::fault(std::string what) const {
    return {ErrorKind::usage, "the reference implementation " + std::move(what), m_source, "Fix the problem pack"};
}

Result<void> OracleSession::send(oracle::Request& request, int descriptor) {
    request.sequence = ++m_sequence;
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
    iovec piece = {&request, sizeof request};
    msghdr message = {};
    message.msg_iov = &piece;
    message.msg_iovlen = 1;
    if (descriptor >= 0) {
        message.msg_control = control.data();
        message.msg_controllen = control.size();
        cmsghdr* header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof(int));
        std::memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
    }
    if (::sendmsg(m_channel, &message, MSG_NOSIGNAL) != static_cast<ssize_t>(sizeof request)) {
        return tl::unexpected(ended());
    }
    return {};
}

Result<oracle::Reply> OracleSession::receive(std::uint64_t sequence) {
    const auto deadline = Clock::now() + m_setup.answerLimit;
    for (;;) {
        oracle::Reply reply;
        pollfd watched = {m_channel, POLLIN, 0};
        if (::poll(&watched, 1, static_cast<int>(oraclePollInterval.count())) > 0) {
            const ssize_t got = ::recv(m_channel, &reply, sizeof reply, MSG_DONTWAIT | MSG_TRUNC);
            if (got == static_cast<ssize_t>(sizeof reply) && reply.sequence == sequence) {
                reply.text.back() = '\0';
                return reply;
            }
            if (got > 0) {
                return tl::unexpected(fault("wrote to the judge's channel"));
            }
            if (got == 0 || (errno != EINTR && errno != EAGAIN)) {
                return tl::unexpected(ended());
            }
        }
        // When the launcher has been killed somebody may still hold the channel, and nobody will write to it.
        if (m_child->wait(std::chrono::milliseconds(0)) && ::poll(&watched, 1, 0) <= 0) {
            return tl::unexpected(ended());
        }
        if (m_interrupted) {
            return cancelledError("oracle");
        }
        if (Clock::now() > deadline) {
            return tl::unexpected(fault(fmt::format("did not answer within {} s", m_setup.answerLimit.count())));
        }
    }
}

// The channel has ended: how, with its last words.
Error OracleSession::ended() {
    const bool isGone = m_child->wait(oracleEndPatience).has_value();
    const ExitState wall = m_child->kill();
    const std::string said = sanitizedUtf8(readNow(m_child->errorDescriptor()));
    if (wallFailed(wall, m_setup.sandbox)) {
        return {ErrorKind::infrastructure, "the sandbox failed: " + quotation(lastLine(said)), "oracle",
                "Run kernel-scientist-cli doctor"};
    }
    if (!isGone) {
        return fault("closed the judge's channel and went on");
    }
    const ExitState exit = programExit(wall, m_setup.sandbox);
    if (exit.signal == SIGKILL) {
        return killedError("the process of the reference implementation", m_source, "Try again");
    }
    const std::string_view last = lastLine(said);
    return fault(last.empty() ? fmt::format("crashed: {}", exit.text())
                              : fmt::format("crashed: {}, and its last words are {}", exit.text(), quotation(last)));
}

Result<oracle::Reply> OracleSession::converse(oracle::Request& request, int descriptor) {
    if (!m_loaded) {
        GKS_TRY_ASSIGN(const oracle::Reply loaded, receive(m_sequence));
        if (loaded.failure != oracle::Failure::none) {
            return tl::unexpected(fault("cannot be loaded: " + quotation(loaded.text.data())));
        }
        m_loaded = true;
    }
    GKS_TRY(send(request, descriptor));
    GKS_TRY_ASSIGN(const oracle::Reply reply, receive(request.sequence));
    switch (reply.failure) {
    case oracle::Failure::none:
        return reply;
    case oracle::Failure::memory:
        return tl::unexpected(fault("has no memory for its inputs: " + quotation(reply.text.data())));
    case oracle::Failure::load:
        return tl::unexpected(fault("cannot be used: " + quotation(reply.text.data())));
    case oracle::Failure::protocol:
        break;
    }
    return tl::unexpected(fault("gave an answer that makes no sense"));
}

Result<oracle::Reply> OracleSession::ask(oracle::Request& request, int descriptor) {
    if (m_broken) {
        return tl::unexpected(*m_broken);
    }
    auto reply = converse(request, descriptor);
    if (!reply) {
        m_broken = reply.error();
        m_child->kill();
    }
    return reply;
}

Result<std::uint32_t> OracleSession::open(oracle::Request request, const SharedMemory& inputs) {
    const std::scoped_lock lock(m_mutex);
    request.verb = oracle::Verb::open;
    request.number = ++m_lastCase;
    request.inputBytes = inputs.bytes().size();
    GKS_TRY(ask(request, inputs.descriptor()));
    return request.number;
}

void OracleSession::close(std::uint32_t number) {
    const std::scoped_lock lock(m_mutex);
    oracle::Request request;
    request.verb = oracle::Verb::close;
    request.number = number;
    (void)ask(request); // the next one says what is wrong
}

Result<void> OracleSession::answer(std::uint32_t number, std::size_t output, const Shifts& shifts,
                                   std::span<oracle::Slice> slices, std::size_t grain, std::span<double> values,
                                   Asked asked) {
    const std::scoped_lock lock(m_mutex);
    std::uint64_t at = 0;
    for (oracle::Slice& slice : slices) {
        slice.at = at;
        at += static_cast<std::uint64_t>(slice.end - slice.begin);
    }
    const auto questions = std::as_bytes(std::span<const oracle::Slice>(slices));
    if (questions.size() > m_questions.bytes().size() || at > oracle::valueLimit || at != values.size()) {
        return infrastructureError("more was asked of the oracle than it can answer at once", "oracle");
    }
    std::copy(questions.begin(), questions.end(), m_questions.bytes().begin());
    oracle::Request request;
    request.verb = oracle::Verb::answer;
    request.number = number;
    request.output = static_cast<std::uint32_t>(output);
    request.sliceCount = static_cast<std::uint32_t>(slices.size());
    request.grain = static_cast<std::uint32_t>(grain);
    request.magnitudes = asked == Asked::magnitudes ? 1 : 0;
    request.offsets = shifts;
    GKS_TRY_ASSIGN(const oracle::Reply reply, ask(request));
    if (reply.answered != at) {
        m_broken = fault(fmt::format("answered {} of {} values", reply.answered, at));
        m_child->kill();
        return tl::unexpected(*m_broken);
    }
    std::memcpy(values.data(), m_answers.bytes().data(), values.size_bytes());
    return {};
}

bool OracleSession::serves(const Setup& setup) {
    const std::scoped_lock lock(m_mutex);
    return m_setup == setup && !m_interrupted && !m_broken && !m_child->wait(std::chrono::milliseconds(0));
}

} // namespace gks
