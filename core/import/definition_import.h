// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

// A problem that others have written down, as a problem pack of ours: a Definition of FlashInfer-Bench, or of a set
// with the same fields. What comes in is hostile: bounded, parsed and never run.
namespace gks {

struct ImportedProblem {
    std::map<std::string, std::string> files; // of the pack: "problem.toml", "seeds/naive.hip", ...
    std::string name;
    std::vector<std::string> notes; // what a person should look at, as sentences
};

// The text of a Definition. Refused: what is no Definition, and a reference that cannot be translated, with its line
// and column.
Result<ImportedProblem> problemFromDefinition(std::string_view text, std::string_view where);

// Into a new or empty folder. The pack is loaded once, so that what is written can be read.
Result<void> writeProblem(const ImportedProblem& problem, const std::filesystem::path& folder);

} // namespace gks
