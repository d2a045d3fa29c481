// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/problem/problem.h"

// problem.toml alone, without the files beside it.
namespace gks {

// Strict: whatever is unknown, missing, of the wrong type or inconsistent is refused with file:line and the reason,
// because a pack that is only almost right judges kernels wrongly.
Result<void> readManifest(const std::filesystem::path& file, const std::string& content, ProblemPack& pack);

} // namespace gks
