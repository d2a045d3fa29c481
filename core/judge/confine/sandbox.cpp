// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/confine/sandbox.h"

#include "core/base/files.h"
#include "core/base/killed.h"
#include "core/base/locations.h"
#include "core/base/text.h"
#include "core/judge/confine/bubblewrap_view.h"
#include "core/judge/confine/confine.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <deque>
#include <fmt/format.h>
#include <mutex>

// The wall is built by two programs: bubblewrap, and our own launcher, which makes the system call filter for it and
// replaces it where user namespaces are not allowed. Both are found out by trying. A wrapped command is a plain value:
// it can be run any number of times.
namespace gks {
namespace {

namespace fs = std::filesystem;

constexpr std::array systemFolders = {"/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"};
constexpr std::array systemFiles = {"/etc/ld.so.cache", "/etc/alternatives"};
constexpr std::size_t temporaryBytes = std::size_t{1} << 30; // of each folder in memory
constexpr int probeAttempts = 3;                             // at one level, while somebody kills the trial
constexpr std::chrono::seconds probeTimeout(20);

// Containers often forbid a fresh /proc; kernels and compilers get by without one.
enum class ProcForm { fresh, absent };

bool isFolder(const fs::path& path) {
    std::error_code ignored;
    return fs::is_directory(path, ignored);
}

ProcessLimits stricter(const ProcessLimits& own, const ProcessLimits& policy) {
    const auto lower = [](std::optional<std::size_t> a, std::optional<std::size_t> b) {
        return a && b ? std::min(*a, *b) : a ? a : b;
    };
    return {lower(own.addressSpaceBytes, policy.addressSpaceBytes), lower(own.cpuSeconds, policy.cpuSeconds),
            lower(own.fileSizeBytes, policy.fileSizeBytes), lower(own.openFiles, policy.openFiles)};
}

// Bubblewrap's /tmp is its own; elsewhere it is that of everybody, or closed.
std::string temporaryFolder(const SandboxPolicy& policy, SandboxLevel level) {
    if (level == SandboxLevel::bubblewrap) {
        return "/tmp";
    }
    if (!policy.temporary.empty()) {
        return policy.temporary.string();
    }
    const auto folder = std::find_if(policy.writable.begin(), policy.writable.end(), isFolder);
    return folder == policy.writable.end() ? "/tmp" : folder->string();
}

void setEnvironment(Command& command, const SandboxPolicy& policy, SandboxLevel level) {
    std::vector<std::pair<std::string, std::string>> environment = {
        {"PATH", "/usr/local/bin:/usr/bin:/bin"}, {"LC_ALL", "C.UTF-8"}, {"TMPDIR", temporaryFolder(policy, level)}};
    const auto add = [&](const std::vector<std::pair<std::string, std::string>>& more) {
        for (const auto& [name, value] : more) {
            std::erase_if(environment, [&](const auto& entry) { return entry.first == name; });
            environment.emplace_back(name, value);
        }
    };
    add(command.environment.value_or(std::vector<std::pair<std::string, std::string>>{}));
    add(policy.environment);
    command.environment = std::move(environment);
}

Result<void> checkPaths(const SandboxPolicy& policy) {
    for (const auto* paths : {&policy.readable, &policy.writable, &policy.deviceNodes}) {
        for (const fs::path& path : *paths) {
            std::error_code ignored;
            if (!path.is_absolute() || !fs::exists(path, ignored)) {
                return infrastructureError("the sandbox cannot show a path that does not exist", path.string());
            }
        }
    }
    if (!policy.temporary.empty() && !isFolder(policy.temporary)) {
        return infrastructureError("the sandbox has no such folder for temporary files", policy.temporary.string());
    }
    return {};
}

using Arguments = std::vector<std::string>;

void append(Arguments& arguments, std::initializer_list<std::string> more) {
    arguments.insert(arguments.end(), more);
}

Arguments launcher(std::string_view mode, const Command& command, const SandboxPolicy& policy) {
    Arguments arguments = {siblingProgram("kernel-scientist-confine").string(), std::string(mode)};
    if (policy.mayStartProcesses) {
        arguments.emplace_back("--processes");
    }
    if (!policy.deviceNodes.empty()) {
        arguments.emplace_back("--listen-locally");
    }
    if (policy.mayTalkInside && mode == "bubblewrap") {
        arguments.emplace_back("--talk-inside");
    }
    for (const auto& [number, ours] : command.descriptors) {
        append(arguments, {"--keep", std::to_string(number)});
    }
    return arguments;
}

BubblewrapView viewFor(const SandboxPolicy& policy) {
    using Access = BubblewrapView::Access;
    BubblewrapView view;
    const auto showExisting = [&](const fs::path& path) {
        std::error_code ignored;
        if (fs::exists(path, ignored)) {
            view.show(path, Access::read);
        }
    };
    view.show("/usr", Access::read);
    std::for_each(systemFolders.begin(), systemFolders.end(), showExisting);
    std::for_each(systemFiles.begin(), systemFiles.end(), showExisting);
    for (const fs::path& path : policy.readable) {
        view.show(path, Access::read);
    }
    for (const fs::path& path : policy.writable) {
        view.show(path, Access::write);
    }
    for (const fs::path& path : policy.deviceNodes) {
        view.show(path, Access::device);
    }
    return view;
}

Arguments bubblewrapArguments(const Command& command, const SandboxPolicy& policy, ProcForm proc,
                              const fs::path& bwrap) {
    Arguments arguments = launcher("bubblewrap", command, policy);
    append(arguments, {"--", bwrap.string(), "--unshare-all", "--unshare-user", "--die-with-parent", "--uid", "65534",
                       "--gid", "65534", "--cap-drop", "ALL"});
    if (proc == ProcForm::fresh) {
        append(arguments, {"--proc", "/proc"});
    }
    const std::string size = std::to_string(temporaryBytes);
    append(arguments, {"--dev", "/dev", "--size", size, "--tmpfs", "/dev/shm", "--size", size, "--tmpfs", "/tmp"});
    const Arguments shown = viewFor(policy).arguments();
    arguments.insert(arguments.end(), shown.begin(), shown.end());
    // What bubblewrap made to hang all this on is memory without a limit.
    append(arguments, {"--remount-ro", "/dev", "--remount-ro", "/", "--chdir",
                       command.folder.empty() ? std::string("/") : command.folder.string(), "--"});
    arguments.insert(arguments.end(), command.arguments.begin(), command.arguments.end());
    return arguments;
}

Arguments landlockArguments(const Command& command, const SandboxPolicy& policy) {
    Arguments arguments = launcher("landlock", command, policy);
    const auto addExisting = [&](const std::string& option, const std::string& path) {
        std::error_code ignored;
        if (fs::exists(path, ignored)) {
            append(arguments, {option, path});
        }
    };
    addExisting("--read", "/usr");
    for (const std::string folder : systemFolders) {
        addExisting("--read", folder);
    }
    for (const std::string path : systemFiles) {
        addExisting("--read", path);
    }
    for (const std::string path :
         {"/proc/self", "/proc/cpuinfo", "/proc/meminfo", "/sys/devices/system/cpu", "/dev/urandom"}) {
        addExisting("--read", path);
    }
    addExisting("--device", "/dev/null");
    addExisting("--device", "/dev/zero");
    for (const fs::path& path : policy.readable) {
        append(arguments, {"--read", path.string()});
    }
    for (const fs::path& path : policy.writable) {
        append(arguments, {"--write", path.string()});
    }
    for (const fs::path& path : policy.deviceNodes) {
        append(arguments, {"--device", path.string()});
    }
    if (!policy.deviceNodes.empty()) { // CUDA's driver gives up when it cannot name its threads
        addExisting("--write", "/proc/self/task");
    }
    arguments.emplace_back("--");
    arguments.insert(arguments.end(), command.arguments.begin(), command.arguments.end());
    return arguments;
}

Result<Command> wrapped(Command command, SandboxPolicy policy, SandboxLevel level, ProcForm proc) {
    const auto program = command.arguments.empty() ? std::nullopt : findProgram(command.arguments.front());
    if (!program) {
        return infrastructureError("program not found",
                                   command.arguments.empty() ? "sandbox" : command.arguments.front());
    }
    std::error_code ignored;
    const fs::path absolute = fs::absolute(*program, ignored);
    command.arguments.front() = absolute.string();
    GKS_TRY(checkPaths(policy));
    policy.readable.push_back(absolute);
    if (level == SandboxLevel::landlock && !policy.temporary.empty()) {
        policy.writable.push_back(policy.temporary);
    }
    command.limits = stricter(command.limits, policy.limits);
    command.ownSession = true; // no terminal, and one process group for all of it: see guard.cpp
    setEnvironment(command, policy, level);
    if (level == SandboxLevel::bubblewrap) {
        const auto bwrap = findProgram("bwrap");
        if (!bwrap) {
            return infrastructureError("bubblewrap is not installed", "sandbox", "Install the package bubblewrap");
        }
        command.arguments = bubblewrapArguments(command, policy, proc, *bwrap);
    } else if (level == SandboxLevel::landlock) {
        command.arguments = landlockArguments(command, policy);
    } else if (!policy.allowNone) {
        return infrastructureError(
            "no sandbox works on this machine", "sandbox",
            "Install bubblewrap and allow user namespaces, or allow evaluation without a sandbox");
    }
    return command;
}

// Empty when a trivial program runs at this level, otherwise why not. `isKilled` is set when somebody has killed every
// trial: then nothing is known.
std::string whyNot(SandboxLevel level, ProcForm proc, bool& isKilled) {
    Command command;
    command.arguments = {"/usr/bin/true"};
    const auto wrappedCommand = wrapped(command, {}, level, proc);
    if (!wrappedCommand) {
        return wrappedCommand.error().message();
    }
    RunOptions options;
    options.timeout = probeTimeout;
    options.outputLimitBytes = 4096;
    auto run = runProcess(*wrappedCommand, options);
    for (int again = 1; run && wasKilled(*run) && again < probeAttempts; ++again) { // says nothing about the sandbox
        run = runProcess(*wrappedCommand, options);
    }
    if (!run) {
        return run.error().message();
    }
    if (run->ok()) {
        return {};
    }
    if (wasKilled(*run)) {
        isKilled = true;
        return fmt::format("the trial of {} {}", name(level), killedFromOutside);
    }
    const std::string said(trimmed(sanitizedUtf8(run->error)));
    return fmt::format("{} does not work: {}", name(level), said.empty() ? run->exit.text() : said);
}

struct Probed {
    SandboxFinding finding;
    ProcForm proc = ProcForm::fresh;
};

// For tests and for people who want to see the weaker wall: GKS_SANDBOX=landlock passes bubblewrap over,
// GKS_SANDBOX=none both. It only ever takes a level away.
constexpr const char* levelVariable = "GKS_SANDBOX";

std::optional<Probed> forcedDown(bool& isKilled) {
    const char* value = std::getenv(levelVariable);
    const std::string_view wanted = value != nullptr ? value : "";
    const std::string reason = fmt::format("{}={}", levelVariable, wanted);
    if (wanted == name(SandboxLevel::none)) {
        return Probed{{SandboxLevel::none, reason}, ProcForm::fresh};
    }
    if (wanted != name(SandboxLevel::landlock)) {
        return std::nullopt;
    }
    const std::string second = whyNot(SandboxLevel::landlock, ProcForm::fresh, isKilled);
    return Probed{
        {second.empty() ? SandboxLevel::landlock : SandboxLevel::none, reason + (second.empty() ? "" : "; ") + second},
        ProcForm::fresh};
}

Probed probe(bool& isKilled) {
    if (auto forced = forcedDown(isKilled)) {
        return std::move(*forced);
    }
    const std::string first = whyNot(SandboxLevel::bubblewrap, ProcForm::fresh, isKilled);
    if (first.empty()) {
        return {{SandboxLevel::bubblewrap, {}}, ProcForm::fresh};
    }
    if (whyNot(SandboxLevel::bubblewrap, ProcForm::absent, isKilled).empty()) {
        return {{SandboxLevel::bubblewrap, "without /proc: " + first}, ProcForm::absent};
    }
    const std::string second = whyNot(SandboxLevel::landlock, ProcForm::fresh, isKilled);
    return {
        {second.empty() ? SandboxLevel::landlock : SandboxLevel::none, second.empty() ? first : first + "; " + second},
        ProcForm::fresh};
}

// Once, and again after trials that somebody has killed: no sandbox, or a weaker one, must not stay because of that.
const Probed& probed() {
    static std::mutex mutex;
    static std::deque<Probed> results; // whoever asked before keeps what it got
    const std::scoped_lock lock(mutex);
    if (results.empty() || results.back().finding.isKilled) {
        bool isKilled = false;
        Probed result = probe(isKilled);
        result.finding.isKilled = isKilled;
        results.push_back(std::move(result));
    }
    return results.back();
}

} // namespace

std::string_view name(SandboxLevel level) {
    switch (level) {
    case SandboxLevel::bubblewrap:
        return "bubblewrap";
    case SandboxLevel::landlock:
        return "landlock";
    case SandboxLevel::none:
        break;
    }
    return "none";
}

const SandboxFinding& availableSandbox() {
    return probed().finding;
}

std::string whyLevelFails(SandboxLevel level) {
    if (level == SandboxLevel::none) {
        return {};
    }
    bool ignored = false;
    const std::string first = whyNot(level, ProcForm::fresh, ignored);
    return first.empty() || level != SandboxLevel::bubblewrap ? first : whyNot(level, ProcForm::absent, ignored);
}

Result<Command> sandboxed(Command command, const SandboxPolicy& policy, SandboxLevel level) {
    return wrapped(std::move(command), policy, level, probed().proc);
}

ExitState programExit(const ExitState& exit, SandboxLevel level) {
    ExitState inner = exit;
    if (level == SandboxLevel::bubblewrap && exit.status && *exit.status > 128 && *exit.status <= 128 + 64) {
        inner.signal = *exit.status - 128;
        inner.status.reset();
    }
    return inner;
}

bool wallFailed(const ExitState& exit, SandboxLevel level) {
    return level != SandboxLevel::none && exit.status == confineFailedStatus;
}

} // namespace gks
