// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/process.h"

#include "core/base/sanitized.h"
#include "core/base/stop_interval.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace gks {
namespace {

using Clock = std::chrono::steady_clock;

void closeDescriptor(int& fd) {
    if (fd >= 0) {
        ::close(std::exchange(fd, -1));
    }
}

struct Pipe {
    int readEnd = -1;
    int writeEnd = -1;
    ~Pipe() {
        closeDescriptor(readEnd);
        closeDescriptor(writeEnd);
    }
    bool open() {
        std::array<int, 2> ends{};
        if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
            return false;
        }
        readEnd = ends[0];
        writeEnd = ends[1];
        return true;
    }
};

// At the soft limit of processor time the kernel sends SIGXCPU, which says what happened; at the hard one it sends
// SIGKILL, which looks like one from outside.
constexpr std::size_t secondsUntilKilled = 5;

void setLimit(decltype(RLIMIT_AS) which, const std::optional<std::size_t>& value, std::size_t beyond = 0) {
    if (value) {
        const rlimit limit = {*value, *value + beyond};
        ::setrlimit(which, &limit);
    }
}

// Everything the child needs after fork, prepared before it: between fork and exec only async-signal-safe calls are
// allowed.
struct Prepared {
    std::vector<const char*> argv;
    std::vector<std::string> environmentText;
    std::vector<const char*> environment;
    std::string program;
    std::string folder;
};

[[noreturn]] void failChild(int reportFd) {
    const int error = errno;
    [[maybe_unused]] const ssize_t put = ::write(reportFd, &error, sizeof error);
    ::_exit(127);
}

[[noreturn]] void runChild(const Command& command, const Prepared& prepared, int in, int out, int err, int report,
                           int parentPid) {
    if (command.ownSession) {
        ::setsid();
    } else {
        ::setpgid(0, 0);
    }
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parentPid) {
        ::_exit(127); // the parent is already gone
    }
    sigset_t none;
    sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    ::signal(SIGPIPE, SIG_DFL);

    // Lift our descriptors above every target number first, so that no target overwrites one that is still needed.
    constexpr int safeBase = 200;
    std::array<std::pair<int, int>, 16> moves{};
    std::size_t count = 0;
    const auto plan = [&](int target, int source) {
        const int lifted = ::fcntl(source, F_DUPFD_CLOEXEC, safeBase);
        if (lifted < 0 || count == moves.size()) {
            failChild(report);
        }
        moves[count++] = {target, lifted};
    };
    plan(0, in);
    plan(1, out);
    plan(2, err);
    for (const auto& [target, source] : command.descriptors) {
        plan(target, source);
    }
    const int liftedReport = ::fcntl(report, F_DUPFD_CLOEXEC, safeBase);
    // Whatever else is open, also what we inherited ourselves, must not leak into a child that may run generated code.
    ::syscall(SYS_close_range, 3U, ~0U, 4U /* CLOSE_RANGE_CLOEXEC */);
    for (std::size_t i = 0; i < count; ++i) {
        if (::dup2(moves[i].second, moves[i].first) < 0) { // the copy is without CLOEXEC
            failChild(liftedReport);
        }
    }

    if constexpr (!isSanitized) {
        setLimit(RLIMIT_AS, command.limits.addressSpaceBytes);
    }
    setLimit(RLIMIT_CPU, command.limits.cpuSeconds, secondsUntilKilled);
    setLimit(RLIMIT_FSIZE, command.limits.fileSizeBytes);
    setLimit(RLIMIT_NOFILE, command.limits.openFiles);
    setLimit(RLIMIT_CORE, std::size_t{0});
    if (!prepared.folder.empty() && ::chdir(prepared.folder.c_str()) != 0) {
        failChild(liftedReport);
    }
    auto* const argv = const_cast<char* const*>(prepared.argv.data());
    auto* const envp = command.environment ? const_cast<char* const*>(prepared.environment.data()) : environ;
    ::execve(prepared.program.c_str(), argv, envp);
    failChild(liftedReport);
}

Prepared prepare(const Command& command, const std::string& program) {
    Prepared prepared;
    prepared.program = program;
    prepared.folder = command.folder.string();
    for (const std::string& argument : command.arguments) {
        prepared.argv.push_back(argument.c_str());
    }
    prepared.argv.push_back(nullptr);
    if (command.environment) {
        for (const auto& [name, value] : *command.environment) {
            prepared.environmentText.push_back(name + "=" + value);
        }
        for (const std::string& entry : prepared.environmentText) {
            prepared.environment.push_back(entry.c_str());
        }
        prepared.environment.push_back(nullptr);
    }
    return prepared;
}

void ignoreSigpipeOnce() {
    static const bool done = [] {
        ::signal(SIGPIPE, SIG_IGN); // a child that closes its input must give an error, not kill us
        return true;
    }();
    static_cast<void>(done);
}

} // namespace

std::string ExitState::text() const {
    if (signal) {
        return fmt::format("killed by signal {} ({})", *signal, ::strsignal(*signal));
    }
    return status ? fmt::format("exit status {}", *status) : "still running";
}

struct ChildProcess::State {
    int pid = -1;
    int in = -1;
    int out = -1;
    int err = -1;
    std::optional<ExitState> ended;

    ~State() {
        closeDescriptor(in);
        closeDescriptor(out);
        closeDescriptor(err);
    }

    bool reap(int flags) {
        int status = 0;
        rusage usage = {};
        pid_t got = -1;
        do {
            got = ::wait4(pid, &status, flags, &usage);
        } while (got < 0 && errno == EINTR);
        if (got != pid) {
            return false;
        }
        ExitState state;
        if (WIFEXITED(status)) {
            state.status = WEXITSTATUS(status);
        } else {
            state.signal = WTERMSIG(status);
        }
        const auto seconds = [](const timeval& t) {
            return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
        };
        state.cpuSeconds = seconds(usage.ru_utime) + seconds(usage.ru_stime);
        state.peakRssBytes = static_cast<std::size_t>(usage.ru_maxrss) * 1024;
        ended = state;
        return true;
    }
};

ChildProcess::ChildProcess(std::unique_ptr<State> state) : m_state(std::move(state)) {}
ChildProcess::ChildProcess(ChildProcess&&) noexcept = default;
ChildProcess& ChildProcess::operator=(ChildProcess&& other) noexcept {
    if (m_state) {
        kill();
    }
    m_state = std::move(other.m_state);
    return *this;
}
ChildProcess::~ChildProcess() {
    if (m_state) {
        kill();
    }
}

Result<ChildProcess> ChildProcess::start(const Command& command) {
    ignoreSigpipeOnce();
    if (command.arguments.empty()) {
        return usageError("no program to run");
    }
    const auto program = findProgram(command.arguments.front());
    if (!program) {
        return infrastructureError("program not found", command.arguments.front(),
                                   "Install it or add its folder to PATH");
    }
    Pipe in;
    Pipe out;
    Pipe err;
    Pipe report;
    if (!in.open() || !out.open() || !err.open() || !report.open()) {
        return infrastructureError(fmt::format("cannot create a pipe: {}", systemMessage(errno)),
                                   command.arguments.front());
    }
    const Prepared prepared = prepare(command, program->string());
    const int parentPid = ::getpid();
    const pid_t pid = ::fork();
    if (pid < 0) {
        return infrastructureError(fmt::format("cannot start: {}", systemMessage(errno)), command.arguments.front());
    }
    if (pid == 0) {
        runChild(command, prepared, in.readEnd, out.writeEnd, err.writeEnd, report.writeEnd, parentPid);
    }
    auto state = std::make_unique<State>();
    state->pid = pid;
    state->in = std::exchange(in.writeEnd, -1);
    state->out = std::exchange(out.readEnd, -1);
    state->err = std::exchange(err.readEnd, -1);
    closeDescriptor(report.writeEnd);
    int execError = 0;
    ssize_t got = -1;
    do {
        got = ::read(report.readEnd, &execError, sizeof execError);
    } while (got < 0 && errno == EINTR);
    ChildProcess child(std::move(state));
    if (got == static_cast<ssize_t>(sizeof execError)) {
        return infrastructureError(fmt::format("cannot start: {}", systemMessage(execError)), program->string());
    }
    return child;
}

int ChildProcess::pid() const {
    return m_state->pid;
}
int ChildProcess::inputDescriptor() const {
    return m_state->in;
}
int ChildProcess::outputDescriptor() const {
    return m_state->out;
}
int ChildProcess::errorDescriptor() const {
    return m_state->err;
}
void ChildProcess::closeInput() {
    closeDescriptor(m_state->in);
}

Result<void> ChildProcess::write(std::string_view bytes, std::chrono::milliseconds patience,
                                 const std::stop_token& stop) {
    constexpr int pollFailed = -1;
    auto deadline = Clock::now() + patience;
    while (!bytes.empty()) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
        if (left.count() <= 0 || stop.stop_requested()) {
            return infrastructureError(fmt::format("process {} does not read what it is sent", m_state->pid));
        }
        pollfd watched = {m_state->in, POLLOUT, 0};
        const int ready = ::poll(&watched, 1, static_cast<int>(std::min(left, stopPollInterval).count()));
        if (ready == 0 || (ready == pollFailed && errno == EINTR)) {
            continue;
        }
        // A pipe that takes anything takes as much as this without a wait.
        const ssize_t put = ::write(m_state->in, bytes.data(), std::min<std::size_t>(bytes.size(), PIPE_BUF));
        if (put >= 0) {
            bytes.remove_prefix(static_cast<std::size_t>(put));
            deadline = Clock::now() + patience;
        } else if (errno != EINTR) {
            return infrastructureError(
                fmt::format("cannot write to process {}: {}", m_state->pid, systemMessage(errno)));
        }
    }
    return {};
}

std::optional<ExitState> ChildProcess::wait(std::chrono::milliseconds timeout, const std::stop_token& stop) {
    const auto deadline = Clock::now() + timeout;
    const int pidfd = static_cast<int>(::syscall(SYS_pidfd_open, m_state->pid, 0));
    while (!m_state->ended && !m_state->reap(WNOHANG)) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
        if (left.count() <= 0 || stop.stop_requested()) {
            break;
        }
        const auto slice = static_cast<int>(std::min(left, stopPollInterval).count());
        pollfd watched = {pidfd, POLLIN, 0};
        if (pidfd >= 0) {
            ::poll(&watched, 1, slice);
        } else {
            std::this_thread::sleep_for(std::chrono::milliseconds(std::min(slice, 5)));
        }
    }
    if (pidfd >= 0) {
        ::close(pidfd);
    }
    return m_state->ended;
}

ExitState ChildProcess::kill() {
    // The group is killed even after the child has ended: its own children may still be there.
    ::kill(-m_state->pid, SIGKILL);
    if (!m_state->ended) {
        ::kill(m_state->pid, SIGKILL);
        m_state->reap(0);
    }
    return m_state->ended.value_or(ExitState{});
}

} // namespace gks
