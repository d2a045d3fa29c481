// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "tests/support/completed.h"

#include <QtGlobal>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

// kernel-scientist-cli as scripts use it.
namespace gks::test {

inline CompletedProcess runCli(std::vector<std::string> words, const std::string& input = {}) {
    Command command;
    command.arguments = std::move(words);
    command.arguments.insert(command.arguments.begin(), GKS_BINARY_DIR "/bin/kernel-scientist-cli");
    return completed(command, {.timeout = std::chrono::minutes(5), .input = input});
}

// What it prints with --json; another status ends the test.
inline Json cliJson(std::vector<std::string> words, int status = 0) {
    words.emplace_back("--json");
    const CompletedProcess done = runCli(std::move(words));
    if (done.exit.status != status) {
        qFatal("status %d: %s", done.exit.status.value_or(-1), done.error.c_str());
    }
    const auto parsed = parseJson(done.output, "output");
    if (!parsed) {
        qFatal("%s", parsed.error().message().c_str());
    }
    return *parsed;
}

} // namespace gks::test
