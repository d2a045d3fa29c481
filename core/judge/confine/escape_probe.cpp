// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/confine/escape_probe.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/io_uring.h>
#include <linux/perf_event.h>
#include <spawn.h>
#include <string>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

// Every attempt is harmless when it succeeds: it opens but does not read on, asks but does not change.
namespace gks {
namespace {

int stopped(const char* by) {
    std::printf("%s\n", by);
    return 0;
}
int stopped() {
    return stopped(std::strerror(errno));
}
int escaped(const std::string& how) {
    std::printf("%s\n", how.c_str());
    return 1;
}
// For calls whose success is a descriptor or 0.
int judged(long result, const char* how) {
    return result < 0 ? stopped() : escaped(how);
}

int readFile(const char* path) {
    char byte = 0;
    const int file = ::open(path, O_RDONLY);
    return file < 0 || ::read(file, &byte, 1) < 0 ? stopped() : escaped("it could be read");
}

int writeFile(const char* path) {
    const int file = ::open(path, O_WRONLY | O_CREAT, 0600);
    if (file < 0) {
        return stopped();
    }
    ::unlink(path);
    return escaped("a file could be written");
}

int openSocket(const char*) {
    for (const int family : {AF_INET, AF_INET6, AF_UNIX, AF_NETLINK}) {
        if (::socket(family, SOCK_DGRAM, 0) >= 0) {
            return escaped("a socket of family " + std::to_string(family) + " could be opened");
        }
    }
    return stopped();
}

int startProcess(const char*) {
    const pid_t forked = ::fork();
    if (forked == 0) {
        ::_exit(0);
    }
    if (forked > 0) {
        ::waitpid(forked, nullptr, 0);
        return escaped("fork gave a child");
    }
    pid_t spawned = 0;
    std::string program = "/usr/bin/true";
    std::array<char*, 2> arguments = {program.data(), nullptr};
    const int error = ::posix_spawn(&spawned, program.c_str(), nullptr, nullptr, arguments.data(), nullptr);
    if (error == 0) {
        ::waitpid(spawned, nullptr, 0);
        return escaped("posix_spawn gave a child");
    }
    return stopped(std::strerror(error));
}

int traceParent(const char*) {
    return judged(::ptrace(PTRACE_SEIZE, ::getppid(), nullptr, nullptr), "the parent could be traced");
}

int readMemoryOf(const char* pid) {
    char byte = 0;
    iovec here = {&byte, 1};
    iovec there = {&byte, 1}; // may not be mapped over there, which is only found out after the permission check
    if (::process_vm_readv(std::atoi(pid), &here, 1, &there, 1, 0) < 0 && errno != EFAULT) {
        return stopped();
    }
    return escaped("its memory could be read");
}

int signalProcess(const char* pid) {
    return judged(::kill(std::atoi(pid), 0), "it could be signalled");
}

int makeUserNamespace(const char*) {
    return judged(::syscall(SYS_unshare, 0x10000000 /* CLONE_NEWUSER */), "it was made");
}
int prepareMount(const char*) {
    return judged(::syscall(SYS_fsopen, "tmpfs", 0), "a file system could be prepared");
}

int useIoUring(const char*) {
    io_uring_params parameters{};
    return judged(::syscall(SYS_io_uring_setup, 1, &parameters), "a ring could be made");
}

int useBpf(const char*) {
    std::array<unsigned, 32> attributes = {2 /* array */, 4, 4, 1};
    return judged(::syscall(SYS_bpf, 0 /* make a map */, attributes.data(), sizeof attributes), "a map could be made");
}

int usePerfEvents(const char*) {
    perf_event_attr attributes{};
    attributes.size = sizeof attributes;
    attributes.type = PERF_TYPE_SOFTWARE;
    return judged(::syscall(SYS_perf_event_open, &attributes, 0, -1, -1, 0), "an event could be opened");
}

int useKeyring(const char*) {
    return judged(::syscall(SYS_keyctl, 0 /* id of a keyring */, -3 /* of the session */, 0),
                  "the session's keys are in reach");
}

int fillMemory(const char*) {
    void* memory = ::mmap(nullptr, std::size_t{64} << 30, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? stopped() : escaped("64 GiB could be reserved");
}

int fillDisk(const char*) {
    ::signal(SIGXFSZ, SIG_IGN);
    const char* folder = std::getenv("TMPDIR");
    const std::string path = std::string(folder != nullptr ? folder : "/tmp") + "/filled";
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (file < 0) {
        return stopped();
    }
    ::unlink(path.c_str());
    const std::string megabyte(std::size_t{1} << 20, 'x');
    for (int written = 0; written < 64; ++written) {
        if (::write(file, megabyte.data(), megabyte.size()) < 0) {
            return stopped();
        }
    }
    return escaped("64 MiB could be written");
}

int openDescriptors(const char*) {
    for (int opened = 0; opened < 4096; ++opened) {
        if (::dup(1) < 0) {
            return stopped();
        }
    }
    return escaped("4096 descriptors could be opened");
}

int findDescriptor(const char*) {
    for (int descriptor = 3; descriptor < 1024; ++descriptor) {
        if (::fcntl(descriptor, F_GETFD) >= 0) {
            return escaped("descriptor " + std::to_string(descriptor) + " is open");
        }
    }
    return stopped("none is open");
}

int raiseLimit(const char*) {
    const rlimit all = {RLIM_INFINITY, RLIM_INFINITY};
    return judged(::setrlimit(RLIMIT_AS, &all), "the memory limit could be lifted");
}

int keepPrivileges(const char*) {
    __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    std::array<__user_cap_data_struct, 2> sets{};
    ::syscall(SYS_capget, &header, sets.data());
    if (::prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1) {
        return escaped("a set-user-id program could raise them");
    }
    return (sets[0].permitted | sets[1].permitted) == 0 ? stopped("there are none")
                                                        : escaped("some capabilities are left");
}

struct Attempt {
    std::string_view what;
    int (*run)(const char* argument);
};
constexpr std::array attempts = {Attempt{"read", readFile},
                                 Attempt{"write", writeFile},
                                 Attempt{"socket", openSocket},
                                 Attempt{"process", startProcess},
                                 Attempt{"trace", traceParent},
                                 Attempt{"memory-of", readMemoryOf},
                                 Attempt{"signal", signalProcess},
                                 Attempt{"namespace", makeUserNamespace},
                                 Attempt{"mount", prepareMount},
                                 Attempt{"io-uring", useIoUring},
                                 Attempt{"bpf", useBpf},
                                 Attempt{"perf-events", usePerfEvents},
                                 Attempt{"keyring", useKeyring},
                                 Attempt{"memory", fillMemory},
                                 Attempt{"disk", fillDisk},
                                 Attempt{"descriptors", openDescriptors},
                                 Attempt{"inherited", findDescriptor},
                                 Attempt{"limits", raiseLimit},
                                 Attempt{"privileges", keepPrivileges}};

} // namespace

int attemptEscape(std::string_view what, const char* argument) {
    for (const Attempt& attempt : attempts) {
        if (attempt.what == what) {
            return attempt.run(argument);
        }
    }
    return 2;
}

} // namespace gks
