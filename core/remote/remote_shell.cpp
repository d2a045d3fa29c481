// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/remote/remote_shell.h"

#include "core/base/text.h"

#include <cstdlib>
#include <fmt/format.h>

namespace gks {
namespace {

struct Cure {
    std::string_view said; // by ssh or by the other shell
    const char* what;
    const char* next;
};
// {} is the host.
constexpr Cure cures[] = {
    {"Host key verification failed", "the key of {} is not known here, or is another than before",
     "Run \"ssh {}\" once in a terminal and compare the key"},
    {"Permission denied", "{} does not let us in without a question",
     "Put your key there (\"ssh-copy-id {}\") and load it (\"ssh-add\")"},
    {"Could not resolve hostname", "no machine is found by this name", "Look at its name and at ~/.ssh/config"},
    {"Connection refused", "nobody listens at {}", "Look whether sshd runs there, and at the port in ~/.ssh/config"},
    {"timed out", "{} does not answer", "Look at the network, or whether the machine is up"},
    {"No route to host", "there is no way to {}", "Look at the network"},
    {"kernel-scientist-cli: not found", "{} has no kernel-scientist-cli",
     "Install it there, or say where it is: GKS_REMOTE_CLI=/path/to/kernel-scientist-cli"},
    {"GLIBC_", "the C library of {} is older than the evaluator needs",
     "Use a machine with glibc 2.36 or later (Debian 12, Ubuntu 23.04, RHEL 10)"},
    {"Invalid partition", "Slurm knows no such partition", "\"sinfo\" lists them"},
    {"Invalid account", "Slurm does not take this account", "\"sacctmgr show assoc user=$USER\" lists yours"},
    {"Could not establish a configuration source", "Slurm is not set up on {}",
     "Name a login node of the cluster: slurm:host=HOST,..."},
    {"squeue: not found", "Slurm is not installed on {}", "Name a login node of the cluster: slurm:host=HOST,..."},
    {"Unable to contact slurm controller", "Slurm's controller does not answer", "\"scontrol ping\" says more"},
};

std::string lastSaid(const CompletedProcess& done) {
    const auto said = lines(done.error);
    const std::string end = done.timedOut ? "timed out" : done.exit.text();
    return said.empty() ? end : fmt::format("{}: {}", end, sanitizedUtf8(trimmed(said.back())));
}

} // namespace

std::string shellQuoted(std::string_view text) {
    std::string quoted = "'";
    for (const char c : text) {
        if (c == '\'') {
            quoted += "'\\''";
        } else {
            quoted += c;
        }
    }
    return quoted + "'";
}

std::vector<std::string> RemoteShell::command(std::string_view script) const {
    if (m_host.empty()) {
        return {"sh", "-c", std::string(script)};
    }
    const char* const own = std::getenv("GKS_SSH"); // a program in the place of ssh, as git has GIT_SSH
    // It asks nothing, as nobody is there to answer, and finds out within half a minute that the other side is gone.
    return {own != nullptr && *own != '\0' ? own : "ssh",
            "-T",
            "-oBatchMode=yes",
            "-oConnectTimeout=20",
            "-oServerAliveInterval=10",
            "-oServerAliveCountMax=3",
            "-oClearAllForwardings=yes",
            "--",
            m_host,
            "exec sh -c " + shellQuoted(script)};
}

Error RemoteShell::explained(const std::string& end) const {
    const std::string place = m_host.empty() ? "this machine" : m_host;
    for (const Cure& cure : cures) {
        if (end.find(cure.said) != std::string::npos) {
            return {ErrorKind::infrastructure, fmt::format("{} ({})", fmt::format(fmt::runtime(cure.what), place), end),
                    place, fmt::format(fmt::runtime(cure.next), place)};
        }
    }
    return {ErrorKind::infrastructure, fmt::format("the connection ended ({})", end), place,
            m_host.empty() ? std::string("Look at Slurm's queue (\"squeue --me\")")
                           : fmt::format("Look whether \"ssh {}\" works in a terminal", m_host)};
}

Result<std::string> RemoteShell::output(std::string_view script, const RunOptions& options) const {
    Command program;
    program.arguments = command(script);
    GKS_TRY_ASSIGN(CompletedProcess done, runProcess(program, options));
    if (done.cancelled) {
        return cancelledError();
    }
    if (!done.ok()) {
        return tl::unexpected(explained(lastSaid(done)));
    }
    return std::move(done.output);
}

} // namespace gks
