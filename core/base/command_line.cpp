// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/command_line.h"

#include "core/base/foreign_text.h"
#include "core/base/process.h"
#include "core/base/terminal_text.h"

#include <fmt/format.h>

namespace gks {
namespace {

constexpr const char* commandPlace = "command";

tl::unexpected<Error> needsShell(char c) {
    return usageError(fmt::format("no shell reads the command, so {} means nothing in it", c), commandPlace,
                      "Put it into single quotes, or write a script and give its full path");
}

bool onlyShellKnows(char c, bool quoted) {
    return c == '$' || c == '`' || (!quoted && std::string_view("|&;<>()").find(c) != std::string_view::npos);
}

} // namespace

Result<std::vector<std::string>> commandWords(std::string_view line) {
    if (line.size() > commandLineLimitBytes) {
        return usageError(fmt::format("too long (limit {} bytes)", commandLineLimitBytes), commandPlace,
                          "Write a script and give its full path");
    }
    // What a person is shown has to be what runs.
    if (terminalLine(line) != line) {
        return usageError(fmt::format("{} has characters that cannot be seen", quotation(line)), commandPlace,
                          "Type it again as one line");
    }
    std::vector<std::string> words;
    bool inWord = false;
    char quote = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        if (quote == 0 && c == ' ') {
            inWord = false;
            continue;
        }
        if (!inWord) {
            if (c == '~') {
                return needsShell(c);
            }
            words.emplace_back();
            inWord = true;
        }
        if (c == quote) {
            quote = 0;
        } else if (quote == '\'') {
            words.back() += c;
        } else if (c == '\\') {
            if (++i == line.size()) {
                return usageError("ends with a backslash", commandPlace, "Remove it");
            }
            words.back() += line[i];
        } else if (quote == 0 && (c == '"' || c == '\'')) {
            quote = c;
        } else if (onlyShellKnows(c, quote != 0)) {
            return needsShell(c);
        } else {
            words.back() += c;
        }
    }
    if (quote != 0) {
        return usageError(fmt::format("a quotation that begins with {} does not end", quote), commandPlace,
                          "Add the missing quotation mark");
    }
    if (words.empty() || words.front().empty()) {
        return usageError("missing command", commandPlace, "Give a program, for example: claude -p");
    }
    return words;
}

Result<std::filesystem::path> commandProgram(const std::vector<std::string>& words) {
    const std::string& name = words.front();
    if (name.front() != '/' && name.find('/') != std::string::npos) {
        return usageError(fmt::format("{} is a path from an unknown folder", quotation(name)), commandPlace,
                          "Give the full path, or a name in PATH");
    }
    const auto found = findProgram(name);
    if (!found) {
        return usageError(fmt::format("program {} not found", quotation(name)), commandPlace,
                          "Install it, add its folder to PATH, or give its full path");
    }
    return std::filesystem::absolute(*found);
}

} // namespace gks
