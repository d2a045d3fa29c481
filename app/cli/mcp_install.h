// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace gks::cli {

// What `mcp --install` would write for a client, so that it starts this server. Everything else in the client's file
// stays; of TOML every byte.
struct McpEntry {
    std::filesystem::path file;
    std::string entry;    // as it will stand there, for a person to read
    std::string text;     // the whole file
    bool isThere = false; // already, as it is
};

// claude: .mcp.json of this folder; codex: config.toml of its own folder ($CODEX_HOME, ~/.codex); cursor:
// .cursor/mcp.json of this folder. `arguments`: of the server's program. An error when the file cannot be parsed, or
// has an entry of this name that would have to be changed by hand.
Result<McpEntry> mcpEntry(std::string_view client, const std::vector<std::string>& arguments);
Result<void> writeMcpEntry(const McpEntry& entry);

} // namespace gks::cli
