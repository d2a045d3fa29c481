// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/process.h"
#include "core/base/result.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Generated code, and the compiler that reads it, run behind this wall: no network, no files but the named ones, no
// other processes, bounded memory, time, output and descriptors.
namespace gks {

enum class SandboxLevel {
    bubblewrap, // own user, pid, mount, network, ipc and uts namespaces, seccomp, rlimits
    landlock,   // where user namespaces are not allowed: Landlock, seccomp, rlimits
    none,       // rlimits only; only when the user explicitly allows it, and said in every verdict
};
std::string_view name(SandboxLevel level);

struct SandboxPolicy {
    std::vector<std::filesystem::path>
        readable; // beside /usr, /lib*, the dynamic linker's cache; seen under the same path
    std::vector<std::filesystem::path> writable;
    // A private folder for TMPDIR where the wall brings none of its own (Landlock, none); whoever names it removes it.
    std::filesystem::path temporary;
    std::vector<std::filesystem::path> deviceNodes; // GPU nodes, the only extras
    ProcessLimits limits;
    bool mayStartProcesses = false; // compilers do, kernels do not (threads are always allowed)
    bool mayTalkInside = false;     // sockets among them, where there is a network that nobody else is in (bubblewrap)
    std::vector<std::pair<std::string, std::string>> environment; // beside PATH, LC_ALL and TMPDIR
    bool allowNone = false; // the user explicitly accepts rlimits as the only protection
};

// The strongest level that really works here (it is tried once per process, not guessed), with the reason when it is
// not bubblewrap.
struct SandboxFinding {
    SandboxLevel level = SandboxLevel::none;
    std::string reason;
    bool isKilled = false; // somebody killed the trials: ask again
};
// GKS_SANDBOX=landlock or none takes the stronger levels away.
const SandboxFinding& availableSandbox();
// Why this level does not work here, found out by trying it; empty when it does.
std::string whyLevelFails(SandboxLevel level);

// `command` wrapped so that it runs behind the wall. Error when level is none and that was not allowed. The program
// itself need not be among the readable paths; everything named must exist. TMPDIR can be written to: it is private
// (bubblewrap), the policy's temporary folder or its first writable one (Landlock, none); without both it is closed
// under Landlock.
Result<Command> sandboxed(Command command, const SandboxPolicy& policy, SandboxLevel level);

// How the program inside ended: bubblewrap reports one that was killed as status 128 + signal, here it is a signal
// again.
ExitState programExit(const ExitState& exit, SandboxLevel level);

// The wall itself failed, and the program inside was not started. From its end alone: what is printed behind a wall is
// printed by whom it stands against.
bool wallFailed(const ExitState& exit, SandboxLevel level);

// One attempted escape and what came of it, for `doctor` and the tests.
struct EscapeAttempt {
    std::string what; // "read /etc/shadow", "open a socket", "start a process", "ptrace the parent", "fill memory", ...
    bool stopped = false;
    std::string detail;
};
std::vector<EscapeAttempt> tryToEscape(SandboxLevel level); // from where compilers are
// From where a program with this policy is.
std::vector<EscapeAttempt> tryToEscape(SandboxLevel level, SandboxPolicy policy);

} // namespace gks
