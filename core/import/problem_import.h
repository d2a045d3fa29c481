// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

// A problem that others have written down, as a problem pack of ours. What comes in is hostile: bounded, parsed and
// never run.
namespace gks {

struct ImportedProblem {
    std::map<std::string, std::string> files; // of the pack: "problem.toml", "seeds/naive.hip", ...
    std::string name;
    std::vector<std::string> notes; // what a person should look at, as sentences
};

// A Definition of FlashInfer-Bench (a JSON file), a problem of SOL-ExecBench (a folder with definition.json and
// workload.jsonl) or of GPU MODE (a folder with task.yml, and with reference.py or reference.cuh).
Result<ImportedProblem> readForeignProblem(const std::filesystem::path& place);

// Into a new or empty folder, all files or none. The pack is loaded once, so that what is written can be read.
Result<void> writeProblem(const ImportedProblem& problem, const std::filesystem::path& folder);

} // namespace gks
