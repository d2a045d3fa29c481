// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/plan_table.h"

#include "core/base/counted.h"
#include "core/base/one_line.h"
#include "core/base/quantity.h"
#include "core/base/text.h"

#include <fmt/format.h>

namespace gks {
namespace {

// What tells one row from another, on one line: where in the source the call stands does not. Nothing of it may break
// the line, since rows are found by their number.
std::string lineOf(const PlanRow& row) {
    return withoutControls(
        join({row.stream, row.operation, row.what, row.grid, row.block, row.lds, row.arguments}, " | "));
}

std::string textOf(const std::vector<PlanRow>& rows) {
    std::string text;
    for (const PlanRow& row : rows) {
        text += lineOf(row) + "\n";
    }
    return text;
}

std::vector<PlanTableRow> aligned(const std::vector<PlanRow>& before, const std::vector<PlanRow>& now,
                                  PlanTable& table) {
    const SideBySide diff = compareSources(textOf(before), textOf(now));
    std::vector<PlanTableRow> rows;
    for (const DiffRow& row : diff.rows) {
        PlanTableRow one;
        one.kind = row.kind;
        if (row.leftLine) {
            one.before = before.at(static_cast<std::size_t>(*row.leftLine));
        }
        if (row.rightLine) {
            one.now = now.at(static_cast<std::size_t>(*row.rightLine));
        }
        rows.push_back(std::move(one));
    }
    table.added += diff.addedLines;
    table.removed += diff.removedLines;
    table.changed += diff.changedLines;
    return rows;
}

std::vector<PlanTableRow> alone(std::vector<PlanRow> rows) {
    std::vector<PlanTableRow> all;
    for (PlanRow& row : rows) {
        all.push_back({RowKind::equal, std::move(row), std::nullopt});
    }
    return all;
}

} // namespace

char markOf(RowKind kind) {
    switch (kind) {
    case RowKind::equal:
        break;
    case RowKind::changed:
        return '~';
    case RowKind::removed:
        return '-';
    case RowKind::added:
        return '+';
    }
    return ' ';
}

std::string PlanTableRow::cell(std::string PlanRow::* part) const {
    const bool differs = kind == RowKind::changed && (*now).*part != (*before).*part;
    return differs ? fmt::format("{} -> {}", (*before).*part, (*now).*part) : shown().*part;
}

PlanTable planTable(const KernelPlans& plans, const ShapePlan& shape, const KernelPlans* other) {
    PlanTable table;
    const auto rows = [&](const KernelPlans& of, const ShapePlan& one, const LaunchPlan& plan) {
        return rowsOf(plan, of.facts, one.addresses, one.shape);
    };
    const ShapePlan* const before = other != nullptr ? other->timed(shape.shape) : nullptr;
    table.isCompared = before != nullptr;
    if (before == nullptr) {
        table.setup = alone(rows(plans, shape, shape.setup));
        table.plan = alone(rows(plans, shape, shape.plan));
        return table;
    }
    table.setup = aligned(rows(*other, *before, before->setup), rows(plans, shape, shape.setup), table);
    table.plan = aligned(rows(*other, *before, before->plan), rows(plans, shape, shape.plan), table);
    return table;
}

PlanCounts planCounts(const ShapePlan& shape) {
    PlanCounts counts;
    for (const PlanOperation& operation : shape.plan.operations) {
        const std::string_view kind = name(operation.action);
        counts.launches += kind == "launch" ? 1 : 0;
        counts.fills += kind == "fill" ? 1 : 0;
        counts.copies += kind.starts_with("copy") ? 1 : 0;
        counts.writes += kind.starts_with("write") ? 1 : 0;
    }
    counts.streams = shape.plan.streams.size();
    counts.workspaceBytes = shape.addresses.workspaceBytes;
    return counts;
}

std::string planSummary(const ShapePlan& shape) {
    const PlanCounts counts = planCounts(shape);
    std::string text = counted(counts.launches, "launch", "launches");
    text += counts.fills > 0 ? ", " + counted(counts.fills, "fill", "fills") : "";
    text += counts.copies > 0 ? ", " + counted(counts.copies, "copy", "copies") : "";
    text += counts.writes > 0 ? ", " + counted(counts.writes, "write", "writes") : "";
    text += " on " + counted(counts.streams, "stream", "streams");
    if (counts.workspaceBytes > 0) {
        text += ", workspace " + formatBytes(counts.workspaceBytes);
    }
    return text;
}

std::string solveTimeText(const ShapePlan& shape) {
    return fmt::format("solve() took {}, the first time {}", formatMicroseconds(shape.solveUs),
                       formatMicroseconds(shape.firstSolveUs));
}

std::string planChangesText(const PlanTable& table) {
    if (!table.isCompared) {
        return {};
    }
    return table.added + table.removed + table.changed == 0
               ? "the same"
               : fmt::format("{} added, {} removed, {} changed", table.added, table.removed, table.changed);
}

} // namespace gks
