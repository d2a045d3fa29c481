// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/process.h"

#include <string>
#include <string_view>
#include <vector>

namespace gks {

// The shell of a machine: of this one, or by ssh of another. Who may log in, which port, key and jump host, and whether
// the other side's key is known, is ssh's own matter (~/.ssh/config, known_hosts); nothing is asked for.
class RemoteShell {
public:
    // "user@host" or what ssh's configuration calls it; empty: this machine.
    explicit RemoteShell(std::string host) : m_host(std::move(host)) {}

    const std::string& host() const { return m_host; }
    // What has to be started here so that sh runs `script` there, with our standard streams.
    std::vector<std::string> command(std::string_view script) const;
    // Runs it to its end. Fails when it could not be begun or did not end with 0: then as explained().
    Result<std::string> output(std::string_view script, const RunOptions& options) const;
    // What the end of a command there says: "exit status 255: Permission denied (publickey)".
    Error explained(const std::string& end) const;

private:
    std::string m_host;
};

// As one word of a shell.
std::string shellQuoted(std::string_view text);

} // namespace gks
