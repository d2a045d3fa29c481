// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diff/side_by_side.h"
#include "core/judge/plan/plan_rows.h"
#include "core/judge/recorded_plans.h"

#include <optional>
#include <string>
#include <vector>

// A recorded plan as people read it, beside that of another kernel for the same shape.
namespace gks {

struct PlanTableRow {
    RowKind kind = RowKind::equal; // against the other plan; equal too where there is none
    std::optional<PlanRow> now;    // not there when it was removed
    std::optional<PlanRow> before; // not there when it was added, nor where there is no other plan

    const PlanRow& shown() const { return now ? *now : *before; }
    // "32 -> 64" where the two differ.
    std::string cell(std::string PlanRow::* part) const;
};
char markOf(RowKind kind); // ' ', '~', '-', '+'

struct PlanTable {
    std::vector<PlanTableRow> setup; // once, before the first call
    std::vector<PlanTableRow> plan;
    bool isCompared = false; // the other kernel has a plan for this shape
    int added = 0;
    int removed = 0;
    int changed = 0;
};
// `other` may be null.
PlanTable planTable(const KernelPlans& plans, const ShapePlan& shape, const KernelPlans* other);

struct PlanCounts {
    std::size_t launches = 0;
    std::size_t fills = 0;
    std::size_t copies = 0;
    std::size_t writes = 0;
    std::size_t streams = 0;
    std::uint64_t workspaceBytes = 0;
};
PlanCounts planCounts(const ShapePlan& shape);
// "2 launches, 1 fill on 1 stream, workspace 64 KiB"
std::string planSummary(const ShapePlan& shape);
// "solve() took 12 us, the first time 40 us"
std::string solveTimeText(const ShapePlan& shape);
// "2 added, 1 removed, 3 changed", "the same"; empty where nothing was compared.
std::string planChangesText(const PlanTable& table);

} // namespace gks
