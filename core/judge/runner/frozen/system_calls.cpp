// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/runner/frozen/system_calls.h"

#include "core/base/sanitized.h"

#include <array>
#include <cerrno>
#include <cstddef>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace gks::frozen {
namespace {

// What worker threads, the fault handler and printf of device code do, and clearing stacks. restart_syscall is how a
// wait goes on behind a stop.
constexpr std::array allowed = {
    SCMP_SYS(read),           SCMP_SYS(write),         SCMP_SYS(futex),        SCMP_SYS(restart_syscall),
    SCMP_SYS(sched_yield),    SCMP_SYS(clock_gettime), SCMP_SYS(gettimeofday), SCMP_SYS(brk),
    SCMP_SYS(munmap),         SCMP_SYS(madvise),       SCMP_SYS(rt_sigreturn), SCMP_SYS(sched_getaffinity),
    SCMP_SYS(mincore),        SCMP_SYS(exit),          SCMP_SYS(exit_group),   SCMP_SYS(nanosleep),
    SCMP_SYS(clock_nanosleep)};

// What a sanitizer's runtime does where a function does not return, it looks for the ends of the stack, and before it
// believes a pointer to virtual functions, whose memory it tries with a pipe.
[[maybe_unused]] constexpr std::array ofSanitizers = {SCMP_SYS(sigaltstack), SCMP_SYS(openat),    SCMP_SYS(close),
                                                      SCMP_SYS(newfstatat),  SCMP_SYS(prlimit64), SCMP_SYS(gettid),
                                                      SCMP_SYS(pipe2)};

// The library makes the filter; loading it for all threads of a process it does not manage behind a filter that refuses
// its questions about the system.
int load(scmp_filter_ctx filter) {
    std::array<int, 2> ends = {-1, -1};
    if (::pipe(ends.data()) != 0) {
        return errno;
    }
    const int exported = ::seccomp_export_bpf(filter, ends[1]);
    std::array<sock_filter, 1024> code = {};
    const ssize_t bytes = exported == 0 ? ::read(ends[0], code.data(), sizeof code) : 0;
    ::close(ends[0]);
    ::close(ends[1]);
    if (exported != 0 || bytes <= 0) {
        return exported != 0 ? -exported : EIO;
    }
    const sock_fprog program = {static_cast<unsigned short>(static_cast<std::size_t>(bytes) / sizeof(sock_filter)),
                                code.data()};
    if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
        return errno;
    }
    const long loaded = ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
    return loaded == 0 ? 0 : loaded > 0 ? ESRCH : errno;
}

} // namespace

int allowOnlyWork() {
    // Without being told the library asks the system which actions there are, which the wall outside refuses.
    constexpr unsigned killsProcesses = 3;
    ::seccomp_api_set(killsProcesses);
    const scmp_filter_ctx filter = ::seccomp_init(SCMP_ACT_KILL_PROCESS);
    if (filter == nullptr) {
        return ENOMEM;
    }
    int error = 0;
    for (const int call : allowed) {
        error = error != 0 ? error : -::seccomp_rule_add(filter, SCMP_ACT_ALLOW, call, 0);
    }
    if constexpr (isSanitized) {
        for (const int call : ofSanitizers) {
            error = error != 0 ? error : -::seccomp_rule_add(filter, SCMP_ACT_ALLOW, call, 0);
        }
    }
    const scmp_arg_cmp notExecutable = {2, SCMP_CMP_MASKED_EQ, PROT_EXEC, 0};
    for (const int call : {SCMP_SYS(mmap), SCMP_SYS(mprotect)}) {
        error = error != 0 ? error : -::seccomp_rule_add(filter, SCMP_ACT_ALLOW, call, 1, notExecutable);
    }
    error = error != 0 ? error : load(filter);
    ::seccomp_release(filter);
    return error;
}

} // namespace gks::frozen
