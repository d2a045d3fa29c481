// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/plan/plan_rows.h"
#include "core/report/plan_table.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

// A launch plan in words, for `plan` and `show`.
namespace gks::cli {

// `lines`: of the source, by the place of the call; empty: no such column.
std::string planRowsText(const std::vector<PlanRow>& rows, const std::map<std::uint64_t, std::string>& lines);
// With a mark before every row that differs from the other kernel's: + added, - removed, ~ changed. Long plans are cut.
std::string planTableText(const std::vector<PlanTableRow>& rows);

} // namespace gks::cli
