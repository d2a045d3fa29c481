// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/evaluator/refusal.h"

#include <filesystem>

namespace gks {

// Whether it is a module with a solve(): for host code that runs where there is nothing that it may not use.
Judged<void> checkHostModule(const std::filesystem::path& module);

} // namespace gks
