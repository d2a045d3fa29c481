// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/confine/guard.h"

#include <cerrno>
#include <csignal>
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

int endAs(pid_t child) {
    int status = 0;
    while (::waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) {
            return 1;
        }
    }
    if (WIFSIGNALED(status)) {
        ::signal(WTERMSIG(status), SIG_DFL);
        ::raise(WTERMSIG(status));
    }
    return WEXITSTATUS(status);
}

} // namespace

int guarded(const std::function<int()>& become) {
    const pid_t self = ::getpid();
    if (::getpgrp() != self) {
        ::setpgid(0, 0); // started by hand: the group of a shell is not ours to kill
    }
    // Until now it was SIGKILL, which was right as long as this process was alone.
    ::signal(SIGTERM, endEverything);
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    const pid_t child = ::fork();
    if (child < 0) {
        return -1;
    }
    if (child == 0) {
        ::signal(SIGTERM, SIG_DFL);
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        return ::getppid() == self ? become() : 1;
    }
    ::syscall(SYS_close_range, 0U, ~0U, 0U); // the program's pipes must end with the program
    return endAs(child);
}

} // namespace gks
