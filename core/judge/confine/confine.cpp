// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/confine/confine.h"

#include "core/judge/confine/escape_probe.h"
#include "core/judge/confine/guard.h"
#include "core/judge/confine/landlock.h"
#include "core/judge/confine/seccomp_filter.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/securebits.h>
#include <string>
#include <string_view>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

namespace gks {
namespace {

struct Options {
    bool mayStartProcesses = false;
    bool mayListenLocally = false;
    bool mayTalkInside = false;
    std::vector<int> kept;
    LandlockRules rules;
    char** program = nullptr;
};

int fail(const char* what, int errorNumber) {
    std::fprintf(stderr, "kernel-scientist-confine: %s: %s\n", what, std::strerror(errorNumber));
    return confineFailedStatus;
}

bool parse(int count, char** arguments, Options& options) {
    for (int i = 2; i < count; ++i) {
        const std::string_view option = arguments[i];
        if (option == "--") {
            options.program = arguments + i + 1;
            return i + 1 < count;
        }
        if (option == "--processes") {
            options.mayStartProcesses = true;
            continue;
        }
        if (option == "--talk-inside") {
            options.mayTalkInside = true;
            continue;
        }
        if (option == "--listen-locally") {
            options.mayListenLocally = true;
            continue;
        }
        if (++i == count) {
            return false;
        }
        const std::string_view value = arguments[i];
        if (option == "--read") {
            options.rules.readable.emplace_back(value);
        } else if (option == "--write") {
            options.rules.writable.emplace_back(value);
        } else if (option == "--device") {
            options.rules.devices.emplace_back(value);
        } else if (option == "--keep") {
            int descriptor = -1;
            if (std::from_chars(value.data(), value.data() + value.size(), descriptor).ec != std::errc() ||
                descriptor < 3) {
                return false;
            }
            options.kept.push_back(descriptor);
        } else {
            return false;
        }
    }
    return false;
}

// Descriptors that the judge did not name do not pass, whoever opened them.
void closeOtherDescriptors(std::vector<int> kept) {
    std::sort(kept.begin(), kept.end());
    unsigned from = 3;
    for (const int descriptor : kept) {
        const auto number = static_cast<unsigned>(descriptor);
        if (number > from) {
            ::syscall(SYS_close_range, from, number - 1, 0U);
        }
        from = number + 1;
    }
    ::syscall(SYS_close_range, from, ~0U, 0U);
}

// Root keeps its user id here, so its power has to go in every way in which exec would give it back.
int dropCapabilities() {
    for (int capability = 0; capability <= 63; ++capability) {
        ::prctl(PR_CAPBSET_DROP, capability, 0, 0, 0); // fails beyond the last one, and for who has none anyway
    }
    ::prctl(PR_SET_SECUREBITS, SECBIT_NOROOT | SECBIT_NOROOT_LOCKED, 0, 0, 0);
    __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    std::array<__user_cap_data_struct, 2> none{};
    return ::syscall(SYS_capset, &header, none.data()) == 0 ? 0 : errno;
}

int throughBubblewrap(const Options& options, int statement) {
    // A pipe rather than a file in memory: a small limit on file sizes must not stop the filter.
    std::array<int, 2> ends{};
    if (::pipe(ends.data()) != 0 || ::fcntl(ends[1], F_SETFL, O_NONBLOCK) != 0) {
        return fail("cannot create a pipe", errno);
    }
    if (const int error = writeSeccompFilter(
            {options.mayStartProcesses, 0, options.mayListenLocally, options.mayTalkInside}, ends[1]);
        error != 0) {
        return fail("cannot make the system call filter", -error);
    }
    ::close(ends[1]);
    if (::fcntl(statement, F_SETFD, 0) != 0) { // bubblewrap closes it before the program
        return fail("cannot hand on a descriptor", errno);
    }
    std::string filter = std::to_string(ends[0]);
    std::string filterOption = "--seccomp";
    std::string status = std::to_string(statement);
    std::string statusOption = "--json-status-fd";
    std::vector<char*> arguments = {options.program[0], filterOption.data(), filter.data(), statusOption.data(),
                                    status.data()};
    for (char** rest = options.program + 1; *rest != nullptr; ++rest) {
        arguments.push_back(*rest);
    }
    arguments.push_back(nullptr);
    ::execv(arguments[0], arguments.data());
    return fail(arguments[0], errno);
}

int throughLandlock(const Options& options) {
    if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
        return fail("cannot give up privileges", errno);
    }
    if (const int error = applyLandlock(options.rules); error != 0) {
        return fail("Landlock", error);
    }
    if (const int error = dropCapabilities(); error != 0) {
        return fail("cannot drop capabilities", error);
    }
    if (const int error = loadSeccompFilter({options.mayStartProcesses, ::getpid(), options.mayListenLocally});
        error != 0) {
        return fail("cannot load the system call filter", -error);
    }
    ::execv(options.program[0], options.program);
    return fail(options.program[0], errno);
}

} // namespace

int confine(int argumentCount, char** arguments) {
    const std::string_view mode = argumentCount > 1 ? arguments[1] : "";
    if (mode == "probe" && argumentCount > 2) {
        return attemptEscape(arguments[2], argumentCount > 3 ? arguments[3] : "");
    }
    Options options;
    if ((mode != "bubblewrap" && mode != "landlock") || !parse(argumentCount, arguments, options)) {
        std::fputs("usage: kernel-scientist-confine bubblewrap|landlock OPTIONS -- PROGRAM ARGUMENTS\n"
                   "       kernel-scientist-confine probe WHAT [ARGUMENT]\n",
                   stderr);
        return 2;
    }
    closeOtherDescriptors(options.kept);
    return mode == "bubblewrap"
               ? guarded(Begins::whenStated, [&](int statement) { return throughBubblewrap(options, statement); })
               : guarded(Begins::withExec, [&](int) { return throughLandlock(options); });
}

} // namespace gks
