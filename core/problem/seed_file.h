// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/problem/problem.h"

namespace gks {

// A kernel as it lies in a file: its name without extension, and its first comment line, which may be missing, as the
// title.
Result<SeedKernel> readSeedKernel(const std::filesystem::path& file, std::size_t limitBytes);

} // namespace gks
