// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/interrupts.h"
#include "app/cli/mcp_install.h"
#include "app/cli/mcp_tools.h"
#include "app/cli/output.h"
#include "core/base/locations.h"
#include "core/base/terminal_text.h"
#include "core/mcp/server.h"

#include <filesystem>
#include <iostream>
#include <string>
#include <unistd.h>

// The Model Context Protocol on standard input and output. Nothing but its messages is written there.
namespace gks::cli {
namespace {

// Whole: the client starts the server wherever it likes.
Result<std::vector<std::string>> serverArguments(const std::string& file) {
    std::vector<std::string> words = {"mcp"};
    if (!file.empty()) {
        GKS_TRY(CampaignStore::open(file, CampaignStore::Access::read));
        words.push_back(std::filesystem::absolute(file).lexically_normal().string());
    }
    return words;
}

Result<bool> mayWriteEntry(bool isAgreed) {
    if (isAgreed) {
        return true;
    }
    if (::isatty(STDIN_FILENO) == 0) {
        return usageError("nobody is there to agree", "--install", "Add --yes");
    }
    note("Write this? [y/N] ");
    std::string answer;
    std::getline(std::cin, answer);
    return answer == "y" || answer == "Y" || answer == "yes";
}

Result<void> installEntry(const Arguments& arguments) {
    GKS_TRY_ASSIGN(const auto words, serverArguments(arguments.positional()));
    GKS_TRY_ASSIGN(const McpEntry entry, mcpEntry(arguments.value("--install"), words));
    say("{}\n{}\n", terminalLine(entry.file.string()), entry.entry);
    if (entry.isThere) {
        say("It is there already.\n");
        return {};
    }
    GKS_TRY_ASSIGN(const bool isAgreed, mayWriteEntry(arguments.has("--yes")));
    if (!isAgreed) {
        say("Nothing was written.\n");
        return {};
    }
    GKS_TRY(writeMcpEntry(entry));
    say("Written. Start the client anew.\n");
    return {};
}

std::vector<std::string> keyVariablesOf(const CampaignSettings& settings) {
    std::vector<std::string> variables;
    for (const auto& [slot, model] : settings.models) {
        variables.push_back(model.keyVariable);
    }
    return variables;
}

Result<void> serveAgents(const std::string& file) {
    const Interrupts interrupts; // before every thread
    std::vector<std::string> keyVariables;
    if (!file.empty()) {
        GKS_TRY_ASSIGN(const auto store, CampaignStore::open(file, CampaignStore::Access::read));
        GKS_TRY_ASSIGN(const CampaignSettings settings, store->settings());
        keyVariables = keyVariablesOf(settings);
    }
    McpPlace place{Redaction::forThisMachine(keyVariables)};
    if (!file.empty()) {
        place.campaign = std::make_unique<McpCampaign>(file);
    }
    const std::vector<mcp::Tool> tools = mcpTools(place);
    mcp::Session session({"kernel-scientist", "GPU Kernel Scientist", std::string(programVersion()), mcpInstructions},
                         tools);
    if (::isatty(STDIN_FILENO) == 1) {
        note("This speaks the Model Context Protocol with a program. --install adds it to one; Ctrl+D ends it.\n");
    }
    mcp::serve(session, {STDIN_FILENO, [](const std::string& line) { sayMessage(line); }}, interrupts.token());
    return {};
}

int runMcp(const Arguments& arguments) {
    if (arguments.has("--yes") && !arguments.has("--install")) {
        return failed(Error{ErrorKind::usage, "is for --install", "--yes"});
    }
    const auto over = arguments.has("--install") ? installEntry(arguments) : serveAgents(arguments.positional());
    return over ? done : failed(over.error());
}

} // namespace

const Command mcpCommand = {
    "mcp",
    "[FILE.gks]",
    "Serve agents (Claude Code, Codex, Cursor, Gemini CLI) over the Model Context Protocol: judge and population",
    {{"--install", "claude|codex|cursor", "show the entry that makes a client start this, ask, and write it", false},
     {"--yes", "", "write it without asking", false}},
    runMcp};

} // namespace gks::cli
