// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/mcp_install.h"

#include "core/base/files.h"
#include "core/base/json.h"
#include "core/base/locations.h"
#include "core/base/text.h"

#include <cstdlib>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <toml++/toml.h>

namespace gks::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* serverName = "kernel-scientist";
constexpr std::size_t clientFileBytes = std::size_t{16} << 20;

std::string serverProgram() {
    return (executableFolder() / "kernel-scientist-cli").string();
}

Result<fs::path> clientFile(std::string_view client) {
    const auto folderOf = [](const char* variable) {
        const char* value = std::getenv(variable);
        return fs::path(value != nullptr ? value : "");
    };
    std::error_code failed;
    const fs::path here = fs::current_path(failed);
    if (failed) {
        return infrastructureError("this folder is not there", "--install");
    }
    if (client == "claude") {
        return here / ".mcp.json";
    }
    if (client == "cursor") {
        return here / ".cursor" / "mcp.json";
    }
    const fs::path own = folderOf("CODEX_HOME");
    if (own.empty() && folderOf("HOME").empty()) {
        return usageError("HOME is not set", "--install", "Set HOME or CODEX_HOME");
    }
    return (own.empty() ? folderOf("HOME") / ".codex" : own) / "config.toml";
}

// "" where there is none yet.
Result<std::string> knownText(const fs::path& file) {
    std::error_code ignored;
    return fs::exists(fs::symlink_status(file, ignored)) ? readFile(file, clientFileBytes) : std::string();
}

Error notParsed(const fs::path& file, const std::string& why) {
    return {ErrorKind::usage, fmt::format("is not understood ({})", why), file.string(),
            "Nothing was written. Mend it, or add the entry by hand"};
}

Result<McpEntry> jsonEntry(McpEntry entry, const std::string& known, const OrderedJson& server) {
    OrderedJson whole = OrderedJson::object();
    if (!trimmed(known).empty()) {
        if (const auto parsed = parseJson(known, entry.file.string()); !parsed) {
            return tl::unexpected(notParsed(entry.file, parsed.error().what));
        }
        whole = OrderedJson::parse(known); // in its own order
    }
    if (!whole.is_object() || (whole.contains("mcpServers") && !whole["mcpServers"].is_object())) {
        return tl::unexpected(notParsed(entry.file, "it is no object with servers"));
    }
    entry.isThere = whole.contains("mcpServers") && whole["mcpServers"].contains(serverName) &&
                    whole["mcpServers"][serverName] == server;
    whole["mcpServers"][serverName] = server;
    entry.entry = OrderedJson{{"mcpServers", {{serverName, server}}}}.dump(2);
    entry.text = whole.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
    return entry;
}

// A basic string of TOML has the escapes of JSON.
std::string tomlText(const std::string& text) {
    return OrderedJson(text).dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

Result<toml::table> parsedToml(const std::string& text, const fs::path& file) {
    try {
        return toml::parse(text, file.string());
    } catch (const toml::parse_error& error) {
        return tl::unexpected(
            notParsed(file, fmt::format("line {}: {}", error.source().begin.line, error.description())));
    }
}

Result<McpEntry> tomlEntry(McpEntry entry, const std::string& known, const std::vector<std::string>& arguments) {
    GKS_TRY_ASSIGN(const toml::table table, parsedToml(known, entry.file));
    std::vector<std::string> words;
    for (const std::string& argument : arguments) {
        words.push_back(tomlText(argument));
    }
    entry.entry = fmt::format("[mcp_servers.{}]\ncommand = {}\nargs = [{}]\n", serverName, tomlText(serverProgram()),
                              join(words, ", "));
    entry.text =
        known + (known.empty() || known.ends_with('\n') ? "" : "\n") + (known.empty() ? "" : "\n") + entry.entry;
    if (const toml::node_view<const toml::node> there = table["mcp_servers"][serverName]) {
        GKS_TRY_ASSIGN(const toml::table own, parsedToml(entry.entry, entry.file));
        const toml::table* is = there.as_table();
        entry.isThere = is != nullptr && *is == *own["mcp_servers"][serverName].as_table();
        return entry.isThere ? Result<McpEntry>(std::move(entry))
                             : usageError(fmt::format("has another entry mcp_servers.{} already", serverName),
                                          entry.file.string(), "Nothing was written. Remove that one first");
    }
    GKS_TRY(parsedToml(entry.text, entry.file)); // an inline table of servers takes no further one
    return entry;
}

} // namespace

Result<McpEntry> mcpEntry(std::string_view client, const std::vector<std::string>& arguments) {
    McpEntry entry;
    GKS_TRY_ASSIGN(entry.file, clientFile(client));
    GKS_TRY_ASSIGN(const std::string known, knownText(entry.file));
    return client == "codex" ? tomlEntry(std::move(entry), known, arguments)
                             : jsonEntry(std::move(entry), known, {{"command", serverProgram()}, {"args", arguments}});
}

Result<void> writeMcpEntry(const McpEntry& entry) {
    GKS_TRY(makeDirectories(entry.file.parent_path()));
    return writeFileAtomically(entry.file, entry.text);
}

} // namespace gks::cli
