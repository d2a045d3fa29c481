// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/confine/guard.h"

#include "core/judge/confine/confine.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <string_view>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

// Bubblewrap is three processes that tie their lives together only when each of them has started: killed in between, it
// leaves a part of itself that waits for ever, or the program without anybody who would end it. A compiler starts
// processes that never tie themselves to anything. So one process stands before them from the first moment to the last.
//
// Everything behind the wall stays in the process group of this process: the system call filter refuses setsid and
// setpgid, and bubblewrap is not asked for a session of its own. A signal to the group reaches all of it at once, for
// the kernel lets no fork slip through meanwhile.
//   The judge dies:         the kernel sends SIGTERM here, and the group is killed from here.
//   The judge gives it up:  it kills the group.
//   This process is killed: the judge sees it end and kills the group.
//   Any other is killed:    what started it ends, up to this process.
namespace gks {
namespace {

void endEverything(int) {
    ::kill(0, SIGKILL);
}

// The program has no end of this pipe, so what lies in it was said by whoever builds the wall. Bubblewrap writes
// "exit-code" when it has seen the program begin; a process that did not become another one writes a byte.
bool hasBegun(Begins begins, int statement) {
    std::array<char, 1024> said = {};
    const ssize_t got = ::read(statement, said.data(), said.size());
    const std::string_view words(said.data(), got > 0 ? static_cast<std::size_t>(got) : 0);
    return begins == Begins::withExec ? words.empty() : words.find("\"exit-code\"") != std::string_view::npos;
}

int endAs(pid_t child, Begins begins, int statement) {
    int status = 0;
    while (::waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) {
            return confineFailedStatus;
        }
    }
    if (WIFSIGNALED(status)) {
        ::signal(WTERMSIG(status), SIG_DFL);
        ::raise(WTERMSIG(status));
    }
    constexpr int leastOfSignals = 128; // so bubblewrap tells of its own processes that somebody has killed
    const int own = WEXITSTATUS(status);
    if (own < leastOfSignals && !hasBegun(begins, statement)) {
        return confineFailedStatus;
    }
    return own == confineFailedStatus ? confineFailedStatus - 1 : own;
}

} // namespace

int guarded(Begins begins, const std::function<int(int statement)>& become) {
    const pid_t self = ::getpid();
    if (::getpgrp() != self) {
        ::setpgid(0, 0); // started by hand: the group of a shell is not ours to kill
    }
    // Until now it was SIGKILL, which was right as long as this process was alone.
    ::signal(SIGTERM, endEverything);
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    std::array<int, 2> statement = {-1, -1};
    const pid_t child = ::pipe2(statement.data(), O_CLOEXEC | O_NONBLOCK) == 0 ? ::fork() : -1;
    if (child < 0) {
        return confineFailedStatus;
    }
    if (child == 0) {
        ::signal(SIGTERM, SIG_DFL);
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        ::close(statement[0]);
        const int status = ::getppid() == self ? become(statement[1]) : 1;
        return ::write(statement[1], "f", 1) == 1 ? status : confineFailedStatus;
    }
    // The program's pipes must end with the program.
    const auto kept = static_cast<unsigned>(statement[0]);
    if (kept > 0) {
        ::syscall(SYS_close_range, 0U, kept - 1, 0U);
    }
    ::syscall(SYS_close_range, kept + 1, ~0U, 0U);
    return endAs(child, begins, statement[0]);
}

} // namespace gks
