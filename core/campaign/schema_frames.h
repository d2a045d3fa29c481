// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/database.h"

#include <array>
#include <utility>

namespace gks {

// The columns of what an earlier schema keeps as one JSON text in kernel.versus_parent, and how they follow from it.
inline constexpr std::array<std::pair<const char*, const char*>, 7> versusOfJson = {{
    {"versus_verdict", "json_extract(versus_parent, '$.verdict')"},
    {"versus_ratio", "json_extract(versus_parent, '$.ratio')"},
    {"versus_low95", "json_extract(versus_parent, '$.ci95[0]')"},
    {"versus_high95", "json_extract(versus_parent, '$.ci95[1]')"},
    {"versus_low99", "coalesce(json_extract(versus_parent, '$.ci99[0]'), json_extract(versus_parent, '$.ci95[0]'))"},
    {"versus_high99", "coalesce(json_extract(versus_parent, '$.ci99[1]'), json_extract(versus_parent, '$.ci95[1]'))"},
    {"versus_sha256", "coalesce(json_extract(versus_parent, '$.baseline_sha256'), '')"},
}};

// The step to schema 11 (framesVersion) that SQL alone cannot do: verdicts, accounts, sources and prompts become frames
// in tables of their own, and what a population needs of them gets columns. A verdict that cannot be read stays as it
// is and is compared with nothing.
Result<void> moveIntoFrames(Database& database);

} // namespace gks
