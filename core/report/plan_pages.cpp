// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/plan_pages.h"

#include "core/base/text.h"
#include "core/report/headline.h"
#include "core/report/plan_table.h"

#include <fmt/format.h>

namespace gks {
namespace {

constexpr std::size_t pageRowsLimit = 64; // of a plan; all are in plans.json
constexpr std::size_t pageCellLimitBytes = 300;

void addRows(const std::vector<PlanTableRow>& plan, const char* when, PlanPage& page, std::size_t& left) {
    for (const PlanTableRow& one : plan) {
        if (page.rows.size() == pageRowsLimit) {
            ++left;
            continue;
        }
        const PlanRow& row = one.shown();
        std::vector<std::string> cells = {when};
        for (const std::string* cell :
             {&row.stream, &row.operation, &row.what, &row.grid, &row.block, &row.lds, &row.arguments}) {
            cells.push_back(abbreviated(*cell, pageCellLimitBytes));
        }
        page.rows.push_back(std::move(cells));
    }
}

} // namespace

std::vector<std::string> planPageHeader() {
    return {"When", "Stream", "Operation", "What", "Grid", "Block", "LDS", "Arguments"};
}

std::vector<PlanPage> planPages(const ProblemPack& pack, const EvidenceItem& item) {
    std::vector<PlanPage> pages;
    const auto& plans = item.evaluation.verdict.plans;
    for (const ShapePlan* shape : plans ? plans->kernel.timed() : std::vector<const ShapePlan*>()) {
        const PlanTable table = planTable(plans->kernel, *shape, nullptr);
        PlanPage page;
        page.title = fmt::format("{}: {}", shapeLabel(pack, shape->shape), planSummary(*shape));
        std::size_t left = 0;
        addRows(table.setup, "once", page, left);
        addRows(table.plan, "each call", page, left);
        page.remarks = solveTimeText(*shape) + ".";
        if (left > 0) {
            page.remarks += fmt::format(" {} more operations are in plans.json.", left);
        }
        pages.push_back(std::move(page));
    }
    return pages;
}

} // namespace gks
