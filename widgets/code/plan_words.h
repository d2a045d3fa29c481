// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/plan_table.h"

#include <QString>

// A launch plan in words, in the language of the window: in English as `show --plan` has it.
namespace gks {

QString planSummaryOf(const PlanCounts& counts); // "2 launches, 1 fill on 1 stream, workspace 64 KiB"
QString solveTimeOf(const ShapePlan& shape);     // "solve() took 12 us, the first time 40 us"
QString planChangesOf(const PlanTable& table);   // "2 added, 1 removed, 3 changed", "no difference"
QString operationOf(const PlanTableRow& row);    // "launch", "copy -> fill"

} // namespace gks
