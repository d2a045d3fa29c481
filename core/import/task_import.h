// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/import/problem_import.h"

#include <string_view>

namespace gks {

// A problem of GPU MODE. `task`: the text of its task.yml, with shapes in `tests` and `benchmarks`; `reference`: that
// of its reference.py, whose ref_kernel is the reference and whose generate_input says what the inputs are. Refused by
// its name and line: what neither says in the form of our packs.
Result<ImportedProblem> problemFromTask(std::string_view task, std::string_view reference, std::string_view name,
                                        std::string_view folder);

} // namespace gks
