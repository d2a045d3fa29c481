// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/import/cpp_text.h"
#include "core/import/problem_import.h"

#include <string_view>

namespace gks {

// A problem of GPU MODE whose reference is C++: `task` is the text of its task.yml, `files` reads task.h, reference.cuh
// and what these include. Its own ref_kernel becomes the reference of the pack, which only the sandbox compiles and
// runs; lengths, distributions and tolerance are read from a few usual forms. What is said otherwise is refused by its
// name and line.
Result<ImportedProblem> problemFromCudaTask(std::string_view task, const CppText::Read& files, std::string_view name,
                                            const std::string& folder);

} // namespace gks
