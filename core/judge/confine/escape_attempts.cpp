// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/locations.h"
#include "core/base/sanitized.h"
#include "core/base/text.h"
#include "core/judge/confine/sandbox.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

// The outer half of the escapes: one sandbox for each, in which the launcher attempts it (escape_probe.cpp).
namespace gks {
namespace {

constexpr std::chrono::seconds attemptTimeout(20);

struct Trial {
    std::string what;
    std::string key; // of kernel-scientist-confine probe
    std::string argument = {};
};

EscapeAttempt attemptOne(const Trial& attempt, SandboxLevel level, const SandboxPolicy& policy) {
    EscapeAttempt result{attempt.what, false, {}};
    Command command;
    command.arguments = {siblingProgram("kernel-scientist-confine").string(), "probe", attempt.key, attempt.argument};
    const auto wall = sandboxed(command, policy, level);
    if (!wall) {
        result.detail = wall.error().message();
        return result;
    }
    RunOptions options;
    options.timeout = attemptTimeout;
    const auto run = runProcess(*wall, options);
    if (!run) {
        result.detail = run.error().message();
        return result;
    }
    // An attempt that was not made proves nothing: only its own status 0 counts, or a kill by the filter.
    const ExitState exit = programExit(run->exit, level);
    result.stopped = exit.ok() || exit.signal.has_value();
    result.detail = std::string(trimmed(sanitizedUtf8(run->output.empty() ? run->error : run->output)));
    if (result.detail.empty()) {
        result.detail = exit.text();
    }
    return result;
}

std::vector<EscapeAttempt> notPrepared() {
    return {{"prepare the attempts", false, "no temporary folder could be made"}};
}

} // namespace

std::vector<EscapeAttempt> tryToEscape(SandboxLevel level) {
    const auto writable = TemporaryDirectory::create("gks-writable");
    if (!writable) {
        return notPrepared();
    }
    SandboxPolicy policy;
    policy.writable = {writable->path()};
    policy.limits = {std::size_t{1} << 30, 10, std::size_t{4} << 20, 64};
    return tryToEscape(level, policy);
}

std::vector<EscapeAttempt> tryToEscape(SandboxLevel level, SandboxPolicy policy) {
    const auto outside = TemporaryDirectory::create("gks-outside");
    const auto readable = TemporaryDirectory::create("gks-readable");
    if (!outside || !readable || !writeFileAtomically(outside->path() / "secret", "secret")) {
        return notPrepared();
    }
    const int leaked = ::open((outside->path() / "secret").c_str(), O_RDONLY); // deliberately inheritable
    policy.readable.push_back(readable->path());
    policy.allowNone = true;
    const std::string self = std::to_string(::getpid());
    const std::vector<Trial> attempts = {
        {"read /etc/shadow", "read", "/etc/shadow"},
        {"read a file of the user", "read", (outside->path() / "secret").string()},
        {"read about another process", "read", fmt::format("/proc/{}/status", self)},
        {"write to /usr", "write", "/usr/kernel-scientist-probe"},
        {"write to a folder given for reading", "write", (readable->path() / "probe").string()},
        {"open a socket", "socket"},
        {"start a process", "process"},
        {"trace its parent", "trace"},
        {"read the memory of another process", "memory-of", self},
        {"signal another process", "signal", self},
        {"find a descriptor of its parent", "inherited"},
        {"keep or regain privileges", "privileges"},
        {"make a user namespace", "namespace"},
        {"mount a file system", "mount"},
        {"load a BPF program", "bpf"},
        {"use io_uring", "io-uring"},
        {"use perf events", "perf-events"},
        {"use the kernel's keyring", "keyring"},
        {"fill the memory", "memory"},
        {"lift the memory limit", "limits"},
        {"fill the disk", "disk"},
        {"open descriptors without end", "descriptors"}};
    std::vector<EscapeAttempt> results;
    for (const Trial& attempt : attempts) {
        if (isSanitized && (attempt.key == "memory" || attempt.key == "limits")) { // no limit there
            continue;
        }
        results.push_back(attemptOne(attempt, level, policy));
    }
    if (leaked >= 0) {
        ::close(leaked);
    }
    return results;
}

} // namespace gks
