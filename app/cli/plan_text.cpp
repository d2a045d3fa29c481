// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/plan_text.h"

#include "app/cli/output.h"

#include <fmt/format.h>

namespace gks::cli {
namespace {

constexpr std::size_t shownPlanRows = 60;

} // namespace

std::string planRowsText(const std::vector<PlanRow>& rows, const std::map<std::uint64_t, std::string>& lines) {
    Table table;
    table.add({"  #", "stream", "operation", "what", "grid", "block", "LDS", "arguments", "line"});
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const PlanRow& row = rows[i];
        const auto line = lines.find(row.place);
        table.add({fmt::format("  {}", i + 1), row.stream, row.operation, row.what, row.grid, row.block, row.lds,
                   row.arguments, line == lines.end() ? "" : line->second});
    }
    return table.text();
}

std::string planTableText(const std::vector<PlanTableRow>& rows) {
    Table table;
    table.add({" ", "stream", "operation", "what", "grid", "block", "LDS", "arguments"});
    for (std::size_t i = 0; i < rows.size() && i < shownPlanRows; ++i) {
        const PlanTableRow& row = rows[i];
        table.add({std::string(1, markOf(row.kind)), row.cell(&PlanRow::stream), row.cell(&PlanRow::operation),
                   row.cell(&PlanRow::what), row.cell(&PlanRow::grid), row.cell(&PlanRow::block),
                   row.cell(&PlanRow::lds), row.cell(&PlanRow::arguments)});
    }
    std::string text = table.text();
    if (rows.size() > shownPlanRows) {
        text += fmt::format("  {} more, see --json\n", rows.size() - shownPlanRows);
    }
    return text;
}

} // namespace gks::cli
