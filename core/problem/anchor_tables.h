// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/problem/anchor_spec.h"

#include <toml++/toml.h>
#include <vector>

namespace gks {

// The [[anchor]] tables of a problem.toml; none where there are none. A bad one is refused with file:line and the
// reason. The sources are not looked at.
Result<std::vector<AnchorSpec>> readAnchorTables(const std::filesystem::path& file, const toml::table& root);

// Whether every source is a file of its pack, links followed, with something in it. Sets the paths.
Result<void> findAnchorSources(const std::filesystem::path& folder, std::vector<AnchorSpec>& anchors);

} // namespace gks
