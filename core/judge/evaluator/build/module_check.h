// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/evaluator/session/refusal.h"

#include <filesystem>
#include <string>
#include <vector>

namespace gks {

// Whether a built module may be loaded: it exports solve() and uses nothing that kernels may not use.
Judged<void> checkModule(const std::filesystem::path& module, const std::vector<std::string>& allowedLibraries);

// Whether it is a module with a solve(): for host code that runs where there is nothing that it may not use.
Judged<void> checkHostModule(const std::filesystem::path& module);

} // namespace gks
