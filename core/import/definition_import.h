// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/import/problem_import.h"
#include "core/import/workload_lines.h"

#include <optional>
#include <string_view>

namespace gks {

// The text of a Definition, of FlashInfer-Bench or in the dialect of SOL-ExecBench: axes that are expressions over
// others, shapes with numbers. Refused by its name: what is no Definition, and what the form of our packs does not
// have.
Result<ImportedProblem> problemFromDefinition(std::string_view text, std::string_view where,
                                              const std::optional<Workloads>& workloads = {});

} // namespace gks
