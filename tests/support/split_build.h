// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/process.h"

#include <filesystem>

namespace gks::test {

// The compiler of the cpu target as the judge runs it, without the wall: host code, device code and facts of a source
// in a folder (core/hipcpu/options/split_files.h), which is searched for headers too. qFatal when it cannot be run.
CompletedProcess splitBuild(const std::filesystem::path& source, const std::filesystem::path& folder);

} // namespace gks::test
